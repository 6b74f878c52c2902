// SPDX-License-Identifier: Apache-2.0
//
// Prints described structs into a stream, for tests and people; secret members as "…". The formats
// that programs read are the host's.
#pragma once

#include <cstdio>
#include <string>

#include <actord/about.hpp>
#include <actord/values_at.hpp>

namespace actord::detail {

inline void append_printed(std::string& out, const actord_data_type& type, const void* at);

struct ElementPrinter {
  std::string& out;
  const actord_data_type& type;  // of the container
  bool is_first = true;

  static void print(void* with, actord_str key, const void* element) {
    auto& self = *static_cast<ElementPrinter*>(with);
    if (!self.is_first) self.out += ", ";
    self.is_first = false;
    if (self.type.kind == ACTORD_DATA_MAP) self.out.append(detail::view(key)).append(": ");
    append_printed(self.out, *self.type.element, element);
  }
};

inline void append_members(std::string& out, const actord_data_struct& of, const void* at) {
  out += '{';
  for (std::size_t i = 0; i < of.n_members; ++i) {
    const actord_data_member& member = of.members[i];
    out.append(i == 0 ? "" : ", ").append(detail::view(member.name)).append(": ");
    const actord_data_about* const about = about_member(of, member.offset);
    if (about != nullptr && (about->flags & ACTORD_SECRET) != 0) out += "\u2026";
    else append_printed(out, *member.type, static_cast<const char*>(at) + member.offset);
  }
  out += '}';
}

inline void append_printed(std::string& out, const actord_data_type& type, const void* at) {
  ElementPrinter elements{out, type};
  switch (type.kind) {
    case ACTORD_DATA_BOOL: out += value_at<std::uint8_t>(at) != 0 ? "true" : "false"; break;
    case ACTORD_DATA_REAL: {
      char text[32];
      std::snprintf(text, sizeof text, "%g", real_at(type, at));
      out += text;
      break;
    }
    case ACTORD_DATA_REF: out.append("#").append(std::to_string(value_at<actord_ref>(at))); break;
    case ACTORD_DATA_DURATION:
      out.append(std::to_string(nanoseconds_at(type, at))).append("ns");
      break;
    case ACTORD_DATA_TEXT:
      out.append("\"").append(detail::view(type.of.text->get(at))).append("\"");
      break;
    case ACTORD_DATA_NAME: {
      const std::string_view name = name_at(type, at);
      out += name.empty() ? number_text(type, at) : std::string{name};
      break;
    }
    case ACTORD_DATA_OPTIONAL:
      if (type.of.container->size(at) == 0) out += "none";
      else type.of.container->each(at, &elements, &ElementPrinter::print);
      break;
    case ACTORD_DATA_LIST:
    case ACTORD_DATA_MAP:
      out += type.kind == ACTORD_DATA_LIST ? '[' : '{';
      type.of.container->each(at, &elements, &ElementPrinter::print);
      out += type.kind == ACTORD_DATA_LIST ? ']' : '}';
      break;
    case ACTORD_DATA_STRUCT: append_members(out, *type.of.members, at); break;
    default: out += number_text(type, at); break;
  }
}

template <class Out, class T>
Out& print(Out& out, const T& value) {
  std::string text;
  append_printed(text, data_type<T>, &value);
  out << text;
  return out;
}

}  // namespace actord::detail
