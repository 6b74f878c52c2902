// SPDX-License-Identifier: Apache-2.0
#include "message/stored_members.hpp"

#include <algorithm>
#include <ranges>
#include <span>

#include "message/masking_writer.hpp"
#include "message/message_pack.hpp"
#include "message/packed_message.hpp"
#include "message/type_text.hpp"

namespace actord::message {

namespace {

std::span<const actord_str> dropped_by(const actord_message_type& type) noexcept {
  if (!ACTORD_HAS(actord_message_type, &type, n_dropped)) return {};
  return {type.dropped, type.n_dropped};
}

/// Walks through a value and its type. Each function returns whether all members are known; if not,
/// `path` leads to one that is not.
class MemberSearch {
 public:
  explicit MemberSearch(std::span<const actord_str> dropped) : dropped_(dropped) {}

  // `members` are NamedTypes; a view makes no copy of those of a message type, whose events are
  // read one after the other.
  template <class Members>
  bool knows_members(const Members& members, actord_value value) {
    const actord_reader& reader = *value.reader;
    if (reader.kind(value) != ACTORD_MAP) return true;  // its reading says what is wrong
    const std::size_t n = reader.size(value);
    for (std::size_t i = 0; i < n; ++i) {
      actord_str key{};
      const actord_value element = reader.at(value, i, &key);
      // They were written in the order of the members, and mostly still are.
      const bool is_next = i < members.size() && members[i].name == view(key);
      const auto found = is_next ? members.begin() + static_cast<std::ptrdiff_t>(i)
                                 : std::ranges::find_if(members, [&](const NamedType& each) {
                                     return each.name == view(key);
                                   });
      const bool is_known_leaf = found != members.end() && !has_struct((*found).type);
      if (is_known_leaf) continue;
      const std::size_t before = path.size();
      path.append(path.empty() ? "" : ".").append(view(key));
      const bool is_known = found != members.end() ? knows((*found).type, element) : is_dropped();
      if (!is_known) return false;
      path.resize(before);
    }
    return true;
  }

  std::string path;

 private:
  static bool has_struct(std::string_view type) noexcept { return type.find('{') != type.npos; }
  bool is_dropped() const {
    return std::ranges::any_of(dropped_,
                               [&](const actord_str& each) { return view(each) == path; });
  }
  bool knows(std::string_view type, actord_value value) {
    if (value.node == nullptr || !has_struct(type)) return true;
    if (const auto held = argument_of(type, "optional")) return knows(*held, value);
    if (is_struct(type)) return knows_members(members_in(type), value);
    const auto list = argument_of(type, "list");
    const auto element = list ? list : argument_of(type, "map");
    return !element || knows_each(*element, value);
  }
  bool knows_each(std::string_view type, actord_value value) {
    const actord_reader& reader = *value.reader;
    const std::int64_t kind = reader.kind(value);
    const std::size_t n = kind == ACTORD_LIST || kind == ACTORD_MAP ? reader.size(value) : 0;
    const std::size_t before = path.size();
    path += ".*";
    for (std::size_t i = 0; i < n; ++i) {
      if (!knows(type, reader.at(value, i, nullptr))) return false;
    }
    path.resize(before);
    return true;
  }

  const std::span<const actord_str> dropped_;
};

/// Copies a value without the members at those paths.
class Pruner {
 public:
  Pruner(std::span<const actord_str> dropped, actord_writer& to) : dropped_(dropped), to_(to) {}

  void copy(actord_value value) {
    const actord_reader& reader = *value.reader;
    const std::int64_t kind = value.node != nullptr ? reader.kind(value) : ACTORD_NULL;
    if (kind == ACTORD_LIST) return copy_list(value);
    if (kind == ACTORD_MAP) return copy_map(value);
    copy_value(value, to_);
  }

 private:
  bool is_dropped() const {
    return std::ranges::any_of(
        dropped_, [&](const actord_str& each) { return is_secret_path(view(each), path_); });
  }
  void copy_list(actord_value list) {
    const std::size_t n = list.reader->size(list);
    to_.begin_list(&to_, n);
    path_.emplace_back("*");
    for (std::size_t i = 0; i < n; ++i) copy(list.reader->at(list, i, nullptr));
    path_.pop_back();
    to_.end(&to_);
  }
  void copy_map(actord_value map) {
    std::vector<std::pair<actord_str, actord_value>> kept;
    path_.emplace_back();
    for (std::size_t i = 0, n = map.reader->size(map); i < n; ++i) {
      actord_str key{};
      const actord_value element = map.reader->at(map, i, &key);
      path_.back() = view(key);
      if (!is_dropped()) kept.emplace_back(key, element);
    }
    to_.begin_map(&to_, kept.size());
    for (const auto& [key, element] : kept) {
      path_.back() = view(key);
      to_.key(&to_, key);
      copy(element);
    }
    path_.pop_back();
    to_.end(&to_);
  }

  const std::span<const actord_str> dropped_;
  actord_writer& to_;
  std::vector<std::string> path_;
};

}  // namespace

std::string without_dropped(const actord_message_type& type, actord_value stored) {
  const std::span<const actord_str> dropped = dropped_by(type);
  if (dropped.empty()) return {};
  PackWriter writer;
  Pruner(dropped, writer).copy(stored);
  return writer.fault().empty() ? writer.take_bytes() : std::string{};
}

std::string unknown_member(const actord_message_type& type, actord_value stored) {
  const auto members = std::span(type.members, type.n_members) |
                       std::views::transform([](const actord_member& each) {
                         return NamedType{view(each.name), view(each.type)};
                       });
  MemberSearch search(dropped_by(type));
  return search.knows_members(members, stored) ? std::string{} : std::move(search.path);
}

std::string why_not_read(const std::string& unknown_member) {
  return "it has the member " + unknown_member +
         ", which the type has no longer: adapt() an earlier version of the type, or list it in "
         "dropped_members if its values may be lost";
}

}  // namespace actord::message
