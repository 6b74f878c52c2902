// SPDX-License-Identifier: Apache-2.0
//
// The table of a message type for the host: how to move, copy, destroy, write and read a message.
#pragma once

#include <new>

#include <actord/flattening.hpp>
#include <actord/message.hpp>
#include <actord/secret_members.hpp>

namespace actord::detail {

template <Message M>
struct MessageFunctions {
  static void move(void* to, void* from) { ::new (to) M(std::move(*static_cast<M*>(from))); }

  static actord_status copy(void* to, const void* from, actord_errors* errors) {
    return guarded(errors, [&] {
      if constexpr (std::is_copy_constructible_v<M>) ::new (to) M(*static_cast<const M*>(from));
      else throw Error("a message of this type cannot be copied: " + std::string{message_name<M>});
    });
  }

  static void destroy(void* message) { static_cast<M*>(message)->~M(); }

  static actord_status write(const void* message, actord_writer* out, actord_errors* errors) {
    return guarded(errors, [&] { detail::write(out, *static_cast<const M*>(message)); });
  }

  static actord_status read(void* to, actord_value in, actord_errors* errors) {
    actord_status read_status = ACTORD_OK;
    const actord_status status = guarded(errors, [&] {
      M message{};
      if (in.node != nullptr) read_status = detail::read(in, message, errors);
      if (read_status == ACTORD_OK) ::new (to) M(std::move(message));
    });
    return read_status == ACTORD_OK ? status : read_status;
  }
};

/// The flags of a message type. The struct may set ACTORD_NO_DEAD_LETTER, ACTORD_NO_ACTIVITY and
/// ACTORD_CONTROL in `static constexpr std::uint32_t message_flags`.
template <Message M>
constexpr std::uint32_t message_flags() {
  constexpr std::uint32_t trivial =
      std::is_trivially_copyable_v<M> ? std::uint32_t{ACTORD_TRIVIAL} : 0u;
  if constexpr (requires { M::message_flags; }) return trivial | M::message_flags;
  else return trivial;
}

/// The family of a message type. The struct may name one in
/// `static constexpr std::string_view message_family`.
template <Message M>
constexpr std::string_view message_family() {
  if constexpr (requires { M::message_family; }) return M::message_family;
  else return {};
}

/// How an M is stored, as far as its members do not say it.
template <Message M>
[[gnu::cold]] const std::string& library_text() {
  static const std::string& text = *new std::string{[] {
    const std::string storage = storage_text<M>();
    if (std::is_trivially_copyable_v<M>) return storage;
    return std::string{ACTORD_STDLIB} + (storage.empty() ? "" : "; " + storage);
  }()};
  return text;
}

template <Message M>
[[gnu::cold]] const actord_message_type* message_table() {
  static_assert(std::is_nothrow_move_constructible_v<M>,
                "sending moves the message and must not fail half-way");
  static_assert(std::string_view{ACTORD_STDLIB} != "none",
                "include <actord/actord.hpp> before <actord/plugin.h>");
  using Functions = MessageFunctions<M>;
  static const actord_message_type& table = *new actord_message_type{sizeof(actord_message_type),
                                                                     message_flags<M>(),
                                                                     to_c(message_name<M>),
                                                                     member_table<M>().data(),
                                                                     member_table<M>().size(),
                                                                     sizeof(M),
                                                                     alignof(M),
                                                                     to_c(library_text<M>()),
                                                                     &type_id<M>,
                                                                     &Functions::move,
                                                                     &Functions::copy,
                                                                     &Functions::destroy,
                                                                     &Functions::write,
                                                                     &Functions::read,
                                                                     to_c(message_family<M>()),
                                                                     secret_members<M>().data(),
                                                                     secret_members<M>().size()};
  return &table;
}

}  // namespace actord::detail
