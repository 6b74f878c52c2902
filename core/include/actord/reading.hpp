// SPDX-License-Identifier: Apache-2.0
//
// Reads values from the host's tree, for config and messages.
//
// A value of a wrong type is rejected through the reader, so that the host can add its place. A
// member that is absent keeps the default of its struct. Unknown keys of a config are refused by
// the host before it reads the config.
#pragma once

#include <limits>

#include <actord/about.hpp>
#include <actord/field_kinds.hpp>

namespace actord::detail {

inline actord_status reject(actord_value in, std::string_view reason, actord_errors* errors) {
  return in.reader->reject(in, to_c(reason), errors);
}

/// The member of that name, where _ and - are alike: max_attempts may be written max-attempts.
inline actord_value member_of(actord_value in, std::string_view name) {
  const actord_value found = in.reader->member(in, to_c(name));
  if (found.node != nullptr || name.find('_') == name.npos) return found;
  std::string hyphenated{name};
  for (char& c : hyphenated) c = c == '_' ? '-' : c;
  return in.reader->member(in, to_c(hyphenated));
}

/// Whether two names of enumerators are equal, where _ and - are alike.
inline bool is_same_name(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if ((a[i] == '-' ? '_' : a[i]) != (b[i] == '-' ? '_' : b[i])) return false;
  }
  return true;
}

template <class T>
actord_status read(actord_value in, T& out, actord_errors* errors);

// Out of line: the texts of errors would otherwise be most of the code.
[[gnu::noinline, gnu::cold]] inline actord_status reject_missing(actord_value in,
                                                                 std::string_view name,
                                                                 actord_errors* errors) {
  return reject(in, std::string{"needs "}.append(name), errors);
}
template <class Wide>
[[gnu::noinline, gnu::cold]] actord_status reject_integer(actord_value in, Wide min, Wide max,
                                                          actord_errors* errors) {
  std::string reason = "expected an integer from ";
  reason.append(std::to_string(min)).append(" to ").append(std::to_string(max));
  return reject(in, reason, errors);
}

template <std::integral T>
actord_status read_integer(actord_value in, T& out, actord_errors* errors) {
  using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  constexpr Wide min = std::numeric_limits<T>::min(), max = std::numeric_limits<T>::max();
  Wide number = 0;
  bool is_number = false;
  if constexpr (std::is_signed_v<T>) is_number = in.reader->integer(in, &number) != 0;
  else is_number = in.reader->natural(in, &number) != 0;
  if (!is_number || number < min || number > max) return reject_integer(in, min, max, errors);
  out = static_cast<T>(number);
  return ACTORD_OK;
}

template <class T>
actord_status read_duration(actord_value in, T& out, actord_errors* errors) {
  using std::chrono::nanoseconds;
  std::int64_t ns = 0;
  if (!in.reader->duration(in, &ns)) return reject(in, "expected a duration such as 500ms", errors);
  out = std::chrono::duration_cast<T>(nanoseconds{ns});
  if constexpr (std::is_integral_v<typename T::rep> && !std::is_same_v<T, nanoseconds>) {
    if (std::chrono::duration_cast<nanoseconds>(out).count() != ns) {
      constexpr std::int64_t unit = std::chrono::duration_cast<nanoseconds>(T{1}).count();
      std::string reason = "expected a multiple of ";
      return reject(in, reason.append(std::to_string(unit)).append(" ns"), errors);
    }
  }
  return ACTORD_OK;
}

template <Enumerated T>
actord_status read_name(actord_value in, T& out, actord_errors* errors) {
  actord_str text{};
  const bool is_text = in.reader->text(in, &text) != 0;
  std::string names;
  for (const auto& known : enumerators<T>) {
    if (is_text && is_same_name(known.name, view(text))) return out = known.value, ACTORD_OK;
    names.append(names.empty() ? "" : ", ").append(known.name);
  }
  return reject(in, "expected one of " + names, errors);
}

template <List T>
actord_status read_list(actord_value in, T& out, actord_errors* errors) {
  if (in.reader->kind(in) != ACTORD_LIST) return reject(in, "expected a list", errors);
  out.clear();
  const std::size_t size = in.reader->size(in);
  for (std::size_t i = 0; i < size; ++i) {
    typename T::value_type element{};
    if (read(in.reader->at(in, i, nullptr), element, errors) != ACTORD_OK) return ACTORD_FAILED;
    out.push_back(std::move(element));
  }
  return ACTORD_OK;
}

template <Map T>
actord_status read_map(actord_value in, T& out, actord_errors* errors) {
  if (in.reader->kind(in) != ACTORD_MAP) return reject(in, "expected an object", errors);
  out.clear();
  const std::size_t size = in.reader->size(in);
  for (std::size_t i = 0; i < size; ++i) {
    actord_str key{};
    const actord_value found = in.reader->at(in, i, &key);
    typename T::mapped_type element{};
    if (read(found, element, errors) != ACTORD_OK) return ACTORD_FAILED;
    out.emplace(std::string{view(key)}, std::move(element));
  }
  return ACTORD_OK;
}

template <class T>
actord_status read_member(actord_value in, std::string_view name, T& out, actord_errors* errors) {
  const actord_value found = member_of(in, name);
  if (found.node != nullptr) return read(found, out, errors);
  if constexpr (is_required<T>) return reject_missing(in, name, errors);
  else return ACTORD_OK;
}

/// Rejects a value outside the range of its About. Defaults are not checked: only written values
/// are.
template <class T, class M, class V>
actord_status check_bounds(actord_value in, const M& member, const V& value,
                           actord_errors* errors) {
  if constexpr (HasAbout<T> && Bounded<V>) {
    const About* const about = about_member<T>(member);
    if (about == nullptr || about->holds(bound_of(value))) return ACTORD_OK;
    const actord_value written = member_of(in, member.name);
    if (written.node != nullptr) return reject(written, "expected " + about->range(), errors);
  }
  return ACTORD_OK;
}

/// Rejects a value that must be a file name in the state directory and is none, also a default.
template <class T, class M, class V>
actord_status check_file_name(actord_value in, const M& member, const V& value,
                              actord_errors* errors) {
  if constexpr (HasAbout<T> && std::is_same_v<Plain<V>, std::string>) {
    const About* const about = about_member<T>(member);
    const bool is_in_state = about != nullptr && (about->use() & ACTORD_IN_STATE_DIRECTORY) != 0;
    if (!is_in_state) return ACTORD_OK;
    if constexpr (is_optional<V>) {
      if (!value || is_file_name(*value)) return ACTORD_OK;
    } else if (is_file_name(std::string_view{static_cast<const std::string&>(value)})) {
      return ACTORD_OK;
    }
    const actord_value written = member_of(in, member.name);
    return reject(written.node != nullptr ? written : in, "expected a file name, without a folder",
                  errors);
  }
  return ACTORD_OK;
}

template <Described T>
actord_status read_members(actord_value in, T& out, actord_errors* errors) {
  if (in.reader->kind(in) != ACTORD_MAP) return reject(in, "expected an object", errors);
  const bool is_read = with_members<T>([&](auto... m) {
    return ((read_member(in, m.name, out.*m.pointer, errors) == ACTORD_OK &&
             check_bounds<T>(in, m, out.*m.pointer, errors) == ACTORD_OK &&
             check_file_name<T>(in, m, out.*m.pointer, errors) == ACTORD_OK) &&
            ...);
  });
  return is_read ? ACTORD_OK : ACTORD_FAILED;
}

template <class T>
actord_status read(actord_value in, T& out, actord_errors* errors) {
  const actord_reader& r = *in.reader;
  if constexpr (std::is_same_v<T, bool>) {
    std::int32_t truth = 0;
    if (!r.boolean(in, &truth)) return reject(in, "expected true or false", errors);
    out = truth != 0;
  } else if constexpr (Enumerated<T>) {
    return read_name(in, out, errors);
  } else if constexpr (std::is_enum_v<T>) {
    std::underlying_type_t<T> number{};
    if (read(in, number, errors) != ACTORD_OK) return ACTORD_FAILED;
    out = static_cast<T>(number);
  } else if constexpr (std::is_same_v<T, Bytes>) {
    if (!r.bytes(in, &out.count)) return reject(in, "expected a size such as 64k", errors);
  } else if constexpr (std::is_integral_v<T>) {
    return read_integer(in, out, errors);
  } else if constexpr (std::is_floating_point_v<T>) {
    double number = 0;
    if (!r.real(in, &number)) return reject(in, "expected a number", errors);
    out = static_cast<T>(number);
  } else if constexpr (std::is_same_v<T, std::string>) {
    actord_str text{};
    if (!r.text(in, &text)) return reject(in, "expected text", errors);
    out = view(text);
  } else if constexpr (std::is_same_v<T, Ref>) {
    if (!r.ref(in, &out.value)) return reject(in, "expected the path of a living actor", errors);
  } else if constexpr (is_duration<T>) {
    return read_duration(in, out, errors);
  } else if constexpr (is_required<T>) {
    return read(in, *out, errors);
  } else if constexpr (is_optional<T>) {
    if (r.kind(in) == ACTORD_NULL) return out.reset(), ACTORD_OK;
    return read(in, out.emplace(), errors);
  } else if constexpr (Map<T>) {
    return read_map(in, out, errors);
  } else if constexpr (List<T>) {
    return read_list(in, out, errors);
  } else if constexpr (Described<T>) {
    return read_members(in, out, errors);
  } else {
    static_assert(!is_unsupported<T>,
                  "a field is a bool, number, text, enum, duration, Ref, Bytes, a struct with "
                  "ACTORD_FIELDS, or an optional, vector or map of these");
  }
  return ACTORD_OK;
}

}  // namespace actord::detail
