// SPDX-License-Identifier: Apache-2.0
//
// The types of fields as data (plugin_data.h): constants that the host reads and writes values by,
// so that the plugin has no code for each type but a few lines for each container.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <actord/fields.hpp>
#include <actord/flattening.hpp>

namespace actord::detail {

// ---- texts that the compiler writes -------------------------------------------------------------

/// Counts the characters, and writes them if there is a place for them.
struct TextSink {
  char* to = nullptr;
  std::size_t size = 0;

  constexpr void add(std::string_view text) {
    if (to != nullptr)
      for (std::size_t i = 0; i < text.size(); ++i) to[size + i] = text[i];
    size += text.size();
  }
  constexpr void add_number(std::int64_t number) {
    if (number < 0) add("-");
    std::uint64_t rest =
        number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
    std::uint64_t place = 1;
    while (rest / place >= 10) place *= 10;
    for (; place != 0; place /= 10) {
      const char digit = static_cast<char>('0' + rest / place % 10);
      add({&digit, 1});
    }
  }
};

/// What `write` writes, as a constant.
template <void (*write)(TextSink&)>
struct KeptText {
  static constexpr std::size_t size = [] {
    TextSink sink;
    write(sink);
    return sink.size;
  }();
  struct Characters {
    char data[size + 1]{};
  };
  static constexpr Characters characters = [] {
    Characters made;
    TextSink sink{made.data};
    write(sink);
    return made;
  }();
  static constexpr actord_str text{characters.data, size};
};

// ---- the parts of types -------------------------------------------------------------------------

template <class T>
concept Text = std::convertible_to<const T&, std::string_view>;
template <class T>
concept Map = requires(T& map) {
  typename T::mapped_type;
  map.emplace(std::string{}, typename T::mapped_type{});
};
template <class T>
concept List = !Text<T> && requires(T& list) {
  typename T::value_type;
  list.begin();
  list.push_back(std::declval<typename T::value_type>());
};

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;
template <class T>
constexpr bool is_duration = false;
template <class R, class P>
constexpr bool is_duration<std::chrono::duration<R, P>> = true;

inline constexpr actord_data_text string_calls{
    [](const void* text) { return to_c(*static_cast<const std::string*>(text)); },
    [](void* text, actord_str value, actord_errors* errors) {
      return guarded(errors, [&] { *static_cast<std::string*>(text) = detail::view(value); });
    }};

template <class T>
inline constexpr actord_data_duration duration_calls{
    T::period::num, T::period::den, std::is_floating_point_v<typename T::rep>,
    [](const void* at) -> std::int64_t {
      return std::chrono::duration_cast<std::chrono::nanoseconds>(*static_cast<const T*>(at))
          .count();
    },
    [](void* at, std::int64_t ns) -> std::int32_t {
      const auto value = std::chrono::duration_cast<T>(std::chrono::nanoseconds{ns});
      *static_cast<T*>(at) = value;
      return std::is_floating_point_v<typename T::rep> ||
             std::chrono::duration_cast<std::chrono::nanoseconds>(value).count() == ns;
    }};

template <class C>
constexpr auto element_of() {
  if constexpr (Map<C>) return static_cast<typename C::mapped_type*>(nullptr);
  else return static_cast<typename C::value_type*>(nullptr);
}

template <class C>
struct ContainerCalls {
  using Element = std::remove_pointer_t<decltype(element_of<C>())>;
  using Visit = void (*)(void* with, actord_str key, const void* element);
  using Fill = actord_status (*)(void* with, void* element);

  static C& at(void* container) { return *static_cast<C*>(container); }
  static const C& at(const void* container) { return *static_cast<const C*>(container); }

  static std::size_t size(const void* container) {
    if constexpr (is_optional<C>) return at(container).has_value() ? 1 : 0;
    else return at(container).size();
  }
  static void each(const void* container, void* with, Visit visit) {
    if constexpr (is_optional<C>) {
      if (const C& it = at(container)) visit(with, {}, &*it);
    } else if constexpr (Map<C>) {
      for (const auto& [key, element] : at(container)) visit(with, to_c(key), &element);
    } else {
      for (const Element& element : at(container)) visit(with, {}, &element);
    }
  }
  static void clear(void* container) {
    if constexpr (is_optional<C>) at(container).reset();
    else at(container).clear();
  }
  static actord_status add(void* container, [[maybe_unused]] actord_str key, void* with, Fill fill,
                           actord_errors* errors) {
    actord_status filled = ACTORD_OK;
    const actord_status added = guarded(errors, [&] {
      Element element{};
      filled = fill(with, &element);
      if (filled != ACTORD_OK) return;
      if constexpr (is_optional<C>) at(container).emplace(std::move(element));
      else if constexpr (Map<C>)
        at(container).emplace(std::string{detail::view(key)}, std::move(element));
      else at(container).push_back(std::move(element));
    });
    return filled == ACTORD_OK ? added : filled;
  }

  static constexpr actord_data_container table{&size, &each, &clear, &add};
};

template <std::size_t n>
struct NameArray {
  actord_data_name items[n];
};
template <Enumerated E>
inline constexpr auto names_of = [] {
  NameArray<enumerators<E>.size()> names{};
  std::size_t i = 0;
  for (const auto& known : enumerators<E>)
    names.items[i++] = {to_c(known.name), static_cast<std::int64_t>(known.value)};
  return names;
}();
template <Enumerated E>
inline constexpr actord_data_names enum_data{enumerators<E>.size(), names_of<E>.items};

// ---- the types ----------------------------------------------------------------------------------

/// The members, in the order of ACTORD_FIELDS.
template <Described T>
inline constexpr auto members_of = actord_members(static_cast<const T*>(nullptr));

template <class T>
constexpr void write_list_text(TextSink& sink) {
  sink.add(Map<T> ? "map<" : is_optional<T> ? "optional<" : "list<");
  sink.add(detail::view(data_type<typename ContainerCalls<T>::Element>.text));
  sink.add(">");
}
template <class T>
constexpr void write_struct_text(TextSink& sink) {
  sink.add("{");
  for (std::size_t i = 0; i < members_of<T>.size; ++i) {
    const actord_data_member& member = members_of<T>.items[i];
    if (i != 0) sink.add(",");
    sink.add(detail::view(member.name));
    sink.add(":");
    sink.add(detail::view(member.type->text));
  }
  sink.add("}");
}

/// Whether the list of fields is that of the struct, or of a base of the same size, which is all of
/// it: then the offsets are right.
template <class T>
constexpr bool is_described_whole() {
  if constexpr (requires(const T* type) { actord_described(type); })
    return sizeof(T) == sizeof(*actord_described(static_cast<const T*>(nullptr)));
  return true;
}

/// About.hpp has these; a struct without about() needs no more than their names.
template <class T>
concept HasAbout = requires { T::about(); };
template <class T>
const actord_data_about* about_of(std::size_t* n) noexcept;

template <class T>
constexpr auto about_function() {
  if constexpr (HasAbout<T>) return &about_of<T>;
  else return nullptr;
}
template <class T>
inline constexpr actord_data_struct struct_data{members_of<T>.size, members_of<T>.items,
                                                about_function<T>()};
template <class T>
constexpr std::uint32_t struct_flags() {
  if (HasAbout<T>) return ACTORD_DATA_ABOUT;
  for (std::size_t i = 0; i < members_of<T>.size; ++i) {
    if ((members_of<T>.items[i].type->flags & ACTORD_DATA_ABOUT) != 0) return ACTORD_DATA_ABOUT;
  }
  return 0;
}

constexpr std::string_view number_text(bool is_signed, std::size_t size) {
  switch (size) {
    case 1: return is_signed ? "int8" : "uint8";
    case 2: return is_signed ? "int16" : "uint16";
    case 4: return is_signed ? "int32" : "uint32";
    default: return is_signed ? "int64" : "uint64";
  }
}

/// A type without parts.
constexpr actord_data_type simple_type(std::uint32_t kind, std::size_t size,
                                       std::string_view text) {
  return {sizeof(actord_data_type),
          kind,
          0,
          static_cast<std::uint32_t>(size),
          to_c(text),
          nullptr,
          {nullptr}};
}

template <class T>
constexpr actord_data_type make_container_type(std::uint32_t kind) {
  using Calls = ContainerCalls<T>;
  actord_data_type type =
      simple_type(kind, sizeof(T), detail::view(KeptText<&write_list_text<T>>::text));
  type.element = &data_type<typename Calls::Element>;
  type.flags = type.element->flags & ACTORD_DATA_ABOUT;
  type.of.container = &Calls::table;
  return type;
}

template <class T>
constexpr actord_data_type make_data_type() {
  if constexpr (std::is_same_v<T, std::string>) {
    actord_data_type type = simple_type(ACTORD_DATA_TEXT, sizeof(T), "text");
    type.of.text = &string_calls;
    return type;
  } else if constexpr (std::is_same_v<T, bool>) {
    return simple_type(ACTORD_DATA_BOOL, sizeof(T), "bool");
  } else if constexpr (std::is_same_v<T, Ref>) {
    return simple_type(ACTORD_DATA_REF, sizeof(T), "ref");
  } else if constexpr (std::is_integral_v<T>) {
    return simple_type(std::is_signed_v<T> ? ACTORD_DATA_INT : ACTORD_DATA_UINT, sizeof(T),
                       number_text(std::is_signed_v<T>, sizeof(T)));
  } else if constexpr (std::is_floating_point_v<T>) {
    return simple_type(ACTORD_DATA_REAL, sizeof(T), sizeof(T) == 4 ? "float" : "double");
  } else if constexpr (Enumerated<T>) {
    actord_data_type type = simple_type(ACTORD_DATA_NAME, sizeof(T), "text");
    if (std::is_signed_v<std::underlying_type_t<T>>) type.flags = ACTORD_DATA_SIGNED;
    type.of.names = &enum_data<T>;
    return type;
  } else if constexpr (std::is_enum_v<T>) {
    return data_type<std::underlying_type_t<T>>;
  } else if constexpr (std::is_same_v<T, Bytes>) {
    return simple_type(ACTORD_DATA_SIZE, sizeof(T), "int64");
  } else if constexpr (is_duration<T>) {
    actord_data_type type = simple_type(ACTORD_DATA_DURATION, sizeof(T), "duration");
    constexpr bool is_plain = std::is_same_v<typename T::period, std::nano> &&
                              std::is_integral_v<typename T::rep> && sizeof(T) == 8;
    if constexpr (!is_plain) {
      type.flags = ACTORD_DATA_UNIT;
      type.of.duration = &duration_calls<T>;
    }
    return type;
  } else if constexpr (is_required<T>) {
    static_assert(sizeof(T) == sizeof(typename T::value_type), "a Required is stored as its value");
    return data_type<typename T::value_type>;
  } else if constexpr (is_optional<T>) {
    return make_container_type<T>(ACTORD_DATA_OPTIONAL);
  } else if constexpr (Described<T>) {
    static_assert(members_of<T>.size > 0 || std::is_empty_v<T>,
                  "the list names no field, but the struct has some");
    static_assert(is_described_whole<T>(),
                  "the list of fields is that of a base: the struct needs one of its own");
    actord_data_type type = simple_type(ACTORD_DATA_STRUCT, sizeof(T),
                                        detail::view(KeptText<&write_struct_text<T>>::text));
    type.flags = struct_flags<T>();
    type.of.members = &struct_data<T>;
    return type;
  } else if constexpr (Map<T>) {
    return make_container_type<T>(ACTORD_DATA_MAP);
  } else if constexpr (List<T>) {
    return make_container_type<T>(ACTORD_DATA_LIST);
  } else {
    static_assert(!is_unsupported<T>,
                  "a field is a bool, number, text, enum, duration, Ref, Bytes, a struct with "
                  "ACTORD_FIELDS, or an optional, vector or map of these");
    return {};
  }
}

/// Whether a value of T can be written and read again, as the fields of messages can.
template <class T>
constexpr bool is_portable() {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || is_duration<T>) return true;
  else if constexpr (std::is_same_v<T, Bytes> || std::is_same_v<T, Ref>) return true;
  else if constexpr (std::is_same_v<T, std::string>) return true;
  else if constexpr (is_required<T> || is_optional<T>)
    return is_portable<std::remove_cvref_t<decltype(*std::declval<T&>())>>();
  else if constexpr (Described<T>) return std::is_default_constructible_v<T>;
  else if constexpr (Map<T>) return is_portable<typename T::mapped_type>();
  else if constexpr (List<T>) return is_portable<typename T::value_type>();
  else return false;
}

/// The name of the first field of T that is Required; empty if there is none.
template <Described T>
constexpr std::string_view first_required() {
  for (std::size_t i = 0; i < members_of<T>.size; ++i) {
    if (members_of<T>.items[i].is_required != 0) return detail::view(members_of<T>.items[i].name);
  }
  return {};
}

template <std::size_t n>
struct MemberTable {
  actord_member items[n + 1]{};  // 1 more, so that there is an array
  std::size_t n_items = n;

  constexpr const actord_member* data() const { return items; }
  constexpr std::size_t size() const { return n_items; }
};
/// The members as plugin.h has them in the tables of messages and behaviours: name, type as text,
/// offset. The types of two plugins are the same message type if name and members are equal.
template <Described T>
inline constexpr auto member_table = [] {
  MemberTable<members_of<T>.size> table;
  for (std::size_t i = 0; i < members_of<T>.size; ++i) {
    const actord_data_member& member = members_of<T>.items[i];
    table.items[i] = {member.name, member.type->text, member.offset};
  }
  return table;
}();

// ---- reading and writing ------------------------------------------------------------------------

[[gnu::noinline, gnu::cold]] inline actord_status report_old_host(actord_errors* errors) {
  const actord_failure failure =
      plain_failure(chain_of(typeid(Error)), "the plugin needs an actord that offers ABI 1.13");
  errors->report(errors, &failure);
  return ACTORD_FAILED;
}

/// Describes a value to the host's writer. The host makes JSON and other formats of it.
[[gnu::noinline]] inline actord_status write_data(actord_writer* out, const actord_data_type& type,
                                                  const void* at, actord_errors* errors) {
  if (!ACTORD_HAS(actord_writer, out, data)) return report_old_host(errors);
  out->data(out, &type, at);
  return ACTORD_OK;
}

/// Reads a value from the host's tree, of a config or a message. A value of a wrong type is
/// rejected through the reader, so that the host can add its place. A member that is absent keeps
/// the default of its struct. Unknown keys of a config are refused by the host before it reads it.
[[gnu::noinline]] inline actord_status read_data(actord_value in, const actord_data_type& type,
                                                 void* to, actord_errors* errors) {
  if (!ACTORD_HAS(actord_reader, in.reader, data)) return report_old_host(errors);
  return in.reader->data(in, &type, to, errors);
}

}  // namespace actord::detail
