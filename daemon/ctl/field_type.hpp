// SPDX-License-Identifier: Apache-2.0
//
// The types of fields that `actorctl plugin new` knows: how they are written in C++ and in C.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace actord::ctl {

/// How plugin.h takes a type, for a plugin in C.
struct FieldTypeInC {
  std::string_view kind;      // "int": what types of the same functions share
  std::string_view type;      // "int64_t"
  std::string_view reader;    // the function of actord_reader
  std::string_view wide;      // the type that the reader writes
  std::string_view converts;  // appended to what was read
  std::string_view expected;  // "an integer": what the reader wants
  std::string_view writer;    // the function of actord_writer
  std::string_view field;     // the kind of an actord_field, without ACTORD_
  std::string_view member;    // the member of its value
};

struct FieldType {
  std::string boundary;  // as in actord_member: "int64", "list<text>"
  std::string cxx;       // "std::int64_t"
  std::string initial;   // the initialiser of a member: " = 0"
  std::string sample;    // a value in JSON; empty: there is none that always works
  std::set<std::string, std::less<>> headers;  // of the standard library
  bool is_loggable = false;                    // may be a field of a log event
  const FieldTypeInC* in_c = nullptr;          // null: a member in C has no fixed size
};

/// The type that an author writes: "int", "list<text>"; nullopt: there is no such type.
std::optional<FieldType> field_type(std::string_view written);

/// "bool, int, …": all names, or those of the types that a message in C may have.
std::string field_type_names(bool in_c);

}  // namespace actord::ctl
