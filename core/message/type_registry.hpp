// SPDX-License-Identifier: Apache-2.0
//
// All message types of a system, under dense ids. A type gets its id when its plugin is loaded, and
// ids are never reused. A type is identified by its name. Plugins that share a type must declare
// the same members; addresses and hashes play no part.
//
// Where they have the members in another layout, because of another compiler, library or language,
// each layout has an id of its own, and a message is translated when it crosses (translation.hpp).
// The ids of the first layouts are dense; those of the others begin at `further_layouts`, so that
// one bit of the id tells them apart on the hot path.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.hpp"
#include "base/sync.hpp"
#include "message/message_type.hpp"

namespace actord::message {

class TypeRegistry {
 public:
  static constexpr TypeId capacity = further_layouts;  // of names, and 1 more
  static constexpr TypeId further_capacity = further_layouts / 4;

  TypeRegistry();

  /// Adds the type, or finds the equal one, and writes its id to *table.id. `plugin` is the name
  /// and version of the plugin that declares it. The error says how the members differ from those
  /// of the type of that name, or that there are too many types. Any thread.
  base::Result<TypeId> add(const actord_message_type& table, std::string_view plugin = {});

  /// The id of a type, in the layout of the plugin that was loaded first; 0: there is none of that
  /// name. Any thread.
  TypeId find(std::string_view name) const;
  /// The same in the layout that `plugin` has declared, if it has.
  TypeId find(std::string_view name, std::string_view plugin) const;

  // ---- layouts; any thread ----
  /// Whether any type has more than one layout.
  bool has_further_layouts() const noexcept { return n_further_.load(base::acquire) != 0; }
  /// The next layout of the same name, in a ring: `id` itself if there is no other.
  TypeId next_layout(TypeId id) const noexcept { return next_[id].load(base::acquire); }
  /// The first layout of the same name, which stands for all of them.
  TypeId first_layout(TypeId id) const noexcept {
    return (id & further_layouts) == 0 ? id : first_[id - further_layouts];
  }
  /// The layout of that type which `plugin` has declared; 0: it has declared none.
  TypeId layout_in(std::string_view plugin, TypeId id) const;
  /// Whether `plugin` has declared a type that has another first layout.
  bool has_further_layouts(std::string_view plugin) const;

  /// `id` must come from add() or find(). Any thread, no lock: a type does not change once added.
  const MessageType& at(TypeId id) const noexcept { return types_[id]; }
  /// The last id of a first layout; the first is 1. Any thread.
  TypeId last() const noexcept { return count_.load(base::acquire); }
  /// "?" for an unknown id. Any thread.
  std::string_view name(TypeId id) const noexcept {
    return is_known(id) ? view(types_[id].table->name) : std::string_view{"?"};
  }
  /// Whether add() has given that id. Any thread.
  bool is_known(TypeId id) const noexcept {
    if (id < further_layouts) return id != 0 && id <= last();
    return id - further_layouts < n_further_.load(base::acquire);
  }

 private:
  /// What a plugin has declared.
  struct Declared {
    std::unordered_map<TypeId, TypeId> layouts;  // by the first layout
    bool has_further = false;
  };

  // Each of these under the lock.
  // The layout of the type `first` that is the table's; 0: there is none.
  TypeId equal_layout(const actord_message_type& table, TypeId first) const;
  // Why there cannot be both types of that name; empty: there can. `equal` is 0, or the layout of
  // the table.
  std::string why_refused(const actord_message_type& table, TypeId first, TypeId equal) const;
  void fill(TypeId id, const actord_message_type& table, std::string_view plugin);
  void add_name(TypeId id);
  void add_layout(TypeId id, TypeId first);

  mutable base::SharedMutex mutex_;
  std::unique_ptr<MessageType[]> types_;          // by id; [0] stays empty
  std::unique_ptr<base::Atomic<TypeId>[]> next_;  // by id
  std::unique_ptr<TypeId[]> first_;               // by the id of a further layout
  // The release of `count_` and `n_further_` in add() pairs with the acquire in last(), is_known()
  // and has_further_layouts(): a thread that reads a count sees the types up to it. The release of
  // `next_` in add_layout() pairs with the acquire in next_layout(): a thread that finds a layout
  // sees its type.
  base::Atomic<TypeId> count_{0}, n_further_{0};
  std::unordered_map<std::string_view, TypeId> ids_;
  std::unordered_map<TypeId, std::string> declared_by_;      // the first plugin of each layout
  std::map<std::string, Declared, std::less<>> of_plugins_;  // by name and version
};

}  // namespace actord::message
