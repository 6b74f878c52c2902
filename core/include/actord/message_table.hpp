// SPDX-License-Identifier: Apache-2.0
//
// The table of a message type for the host: how to move, copy, destroy, write and read a message.
#pragma once

#include <new>

#include <actord/message.hpp>
#include <actord/secret_members.hpp>

namespace actord::detail {

// What is the same for all types, once for the whole file.
[[gnu::noinline]] inline actord_status copy_guarded(void* to, const void* from,
                                                    void (*copy)(void* to, const void* from),
                                                    actord_errors* errors) {
  return guarded(errors, [=] { copy(to, from); });
}
[[gnu::noinline]] inline actord_status make_guarded(void* to, void (*make)(void* to),
                                                    actord_errors* errors) {
  return guarded(errors, [=] { make(to); });
}
/// Reads into the message at `to`, which is destroyed if it cannot be read.
[[gnu::noinline]] inline actord_status read_made(void* to, actord_value in,
                                                 const actord_data_type& type,
                                                 void (*destroy)(void*), actord_errors* errors) {
  if (in.node == nullptr) return ACTORD_OK;
  const actord_status status = read_data(in, type, to, errors);
  if (status != ACTORD_OK) destroy(to);
  return status;
}
[[noreturn, gnu::noinline, gnu::cold]] inline void refuse_copy(std::string_view type) {
  throw Error("a message of this type cannot be copied: " + std::string{type});
}

template <Message M>
struct MessageFunctions {
  static void move(void* to, void* from) { ::new (to) M(std::move(*static_cast<M*>(from))); }

  static void make_copy(void* to, const void* from) {
    if constexpr (std::is_copy_constructible_v<M>) ::new (to) M(*static_cast<const M*>(from));
    else refuse_copy(message_name<M>);
  }
  static actord_status copy(void* to, const void* from, actord_errors* errors) {
    if constexpr (std::is_trivially_copyable_v<M>) return make_copy(to, from), ACTORD_OK;
    else return copy_guarded(to, from, &make_copy, errors);
  }

  static void destroy(void* message) { static_cast<M*>(message)->~M(); }

  static actord_status write(const void* message, actord_writer* out, actord_errors* errors) {
    return write_data(out, data_type<M>, message, errors);
  }

  static void make(void* to) { ::new (to) M{}; }
  static actord_status read(void* to, actord_value in, actord_errors* errors) {
    if constexpr (noexcept(M{})) make(to);
    else if (make_guarded(to, &make, errors) != ACTORD_OK) return ACTORD_FAILED;
    return read_made(to, in, data_type<M>, &destroy, errors);
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

/// The members that a message type had, and that may be lost when what was stored is read. The
/// struct may name them in `static constexpr std::array dropped_members`: "note", "card.number",
/// "cards.*.pin".
template <Message M>
constexpr auto dropped_members() {
  if constexpr (requires { M::dropped_members; }) {
    std::array<actord_str, std::size(M::dropped_members)> dropped{};
    for (std::size_t i = 0; i < dropped.size(); ++i)
      dropped[i] = to_c(std::string_view{M::dropped_members[i]});
    return dropped;
  } else {
    return std::array<actord_str, 0>{};
  }
}
template <Message M>
inline constexpr auto dropped_table = dropped_members<M>();
template <Message M>
constexpr bool drops_a_member() {
  for (const actord_str each : dropped_table<M>) {
    for (std::size_t i = 0; i < member_table<M>.size(); ++i)
      if (detail::view(member_table<M>.data()[i].name) == detail::view(each)) return true;
  }
  return false;
}

/// What neither the text of a type nor an offset says of how a value is stored: the unit of a
/// duration, the numbers of an enumeration. Nothing for a whole number of nanoseconds.
constexpr void add_storage(TextSink& sink, const actord_data_type& type) {
  switch (type.kind) {
    case ACTORD_DATA_NAME:
      for (std::size_t i = 0; i < type.of.names->n_names; ++i) {
        if (i != 0) sink.add(" ");
        sink.add(detail::view(type.of.names->names[i].name));
        sink.add("=");
        sink.add_number(type.of.names->names[i].number);
      }
      break;
    case ACTORD_DATA_DURATION:
      if ((type.flags & ACTORD_DATA_UNIT) == 0) break;
      sink.add(type.of.duration->is_real != 0 ? "fractions of " : "units of ");
      sink.add_number(type.of.duration->num);
      sink.add("/");
      sink.add_number(type.of.duration->den);
      sink.add(" s");
      break;
    case ACTORD_DATA_OPTIONAL:
    case ACTORD_DATA_LIST:
    case ACTORD_DATA_MAP: add_storage(sink, *type.element); break;
    case ACTORD_DATA_STRUCT: {
      const std::size_t before = sink.size;
      for (std::size_t i = 0; i < type.of.members->n_members; ++i) {
        const actord_data_member& member = type.of.members->members[i];
        TextSink counted;
        add_storage(counted, *member.type);
        if (counted.size == 0) continue;
        if (sink.size != before) sink.add(", ");
        sink.add(detail::view(member.name));
        sink.add(": ");
        add_storage(sink, *member.type);
      }
      break;
    }
    default: break;
  }
}
/// How an M is stored, as far as its members do not say it.
template <Message M>
constexpr void add_library(TextSink& sink) {
  TextSink storage;
  add_storage(storage, data_type<M>);
  if constexpr (!std::is_trivially_copyable_v<M>) {
    sink.add(ACTORD_STDLIB);
    if (storage.size != 0) sink.add("; ");
  }
  add_storage(sink, data_type<M>);
}

template <Message M>
constexpr actord_message_type make_message_type() {
  static_assert(std::is_nothrow_move_constructible_v<M>,
                "sending moves the message and must not fail half-way");
  static_assert(std::string_view{ACTORD_STDLIB} != "none",
                "include <actord/actord.hpp> before <actord/plugin.h>");
  static_assert(!drops_a_member<M>(),
                "actord: dropped_members names members that the type has no longer");
  using Functions = MessageFunctions<M>;
  return {sizeof(actord_message_type),
          message_flags<M>(),
          to_c(message_name<M>),
          member_table<M>.data(),
          member_table<M>.size(),
          sizeof(M),
          alignof(M),
          KeptText<&add_library<M>>::text,
          &type_id<M>,
          &Functions::move,
          &Functions::copy,
          &Functions::destroy,
          &Functions::write,
          &Functions::read,
          to_c(message_family<M>()),
          nullptr,
          0,
          dropped_table<M>.data(),
          dropped_table<M>.size()};
}
template <Message M>
inline constexpr actord_message_type message_type = make_message_type<M>();

template <Message M>
const actord_message_type* message_table() {
  if constexpr ((data_type<M>.flags & ACTORD_DATA_ABOUT) == 0) {
    return &message_type<M>;
  } else {
    static const actord_message_type table = [] {
      actord_message_type made = message_type<M>;
      made.secrets = secret_members<M>().data();
      made.n_secrets = secret_members<M>().size();
      return made;
    }();
    return &table;
  }
}

}  // namespace actord::detail
