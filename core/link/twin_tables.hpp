// SPDX-License-Identifier: Apache-2.0
//
// The tables of behaviours whose instances live in host processes: those of the plugin, with the
// functions of remote.hpp in the place of the plugin's.
#pragma once

#include <actord/plugin.h>

#include <map>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "link/link_frame.hpp"

namespace actord::link {

class TwinTables {
 public:
  /// Where the id of a message type of the plugin is; null: it lists no type of that name.
  using IdOf = const actord_type_id* (*)(const void* of, std::string_view type);
  TwinTables(IdOf id_of, const void* of) : id_of_(id_of), of_(of) {}
  TwinTables(const TwinTables&) = delete;

  /// Copies what `described` points to.
  const actord_behaviour& add(const actord_behaviour& described);
  /// The twin of a behaviour that the plugin does not list, by its description in a frame
  /// (put_behaviour()). Null: the description is wrong.
  const actord_behaviour* add_described(std::string_view description);

 private:
  template <class T>
  T* allocate(std::size_t n) {
    static_assert(std::is_trivially_destructible_v<T>);
    T* const items = static_cast<T*>(memory_.allocate(n * sizeof(T), alignof(T)));
    for (std::size_t i = 0; i < n; ++i) ::new (items + i) T{};
    return items;
  }
  actord_str copy(actord_str text);
  const actord_receive* copy(const actord_receive& described);
  const actord_strategy* copy(const actord_strategy& described);

  const IdOf id_of_;
  const void* const of_;
  std::pmr::monotonic_buffer_resource memory_;
  std::map<std::string, const actord_behaviour*, std::less<>> described_;
};

/// A strategy that was taken from a frame; its texts point into the frame.
class TakenStrategy {
 public:
  /// Null: there is none. False: the frame has failed.
  bool take(FrameReader& frame);
  const actord_strategy* c() const noexcept { return is_there_ ? &c_ : nullptr; }

 private:
  bool is_there_ = false;
  actord_strategy c_{};
  std::vector<actord_rule> rules_;
  actord_backoff backoff_{};
};
void put_strategy(FrameWriter& frame, const actord_strategy* strategy);

/// What the runtime has to know of a behaviour that the plugin does not list.
void put_behaviour(FrameWriter& frame, const actord_behaviour& behaviour);

}  // namespace actord::link
