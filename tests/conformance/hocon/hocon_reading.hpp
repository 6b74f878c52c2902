// SPDX-License-Identifier: Apache-2.0
//
// The helpers of this folder's cases: a configuration goes in; JSON, or a finding with its place,
// comes out.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hocon/limits.hpp"
#include "hocon/tree.hpp"

namespace actord::hocon::conformance {

using Variables = std::map<std::string, std::string>;

/// Files by name, in a folder of their own. The first file, or the first few as layers, are read;
/// the others are there to be included.
using Files = std::vector<std::pair<std::string, std::string>>;

/// The text must mean exactly this JSON, with keys in the order of their first mention.
void reads(std::string_view text, std::string_view json, const Variables& environment = {});
void reads(const Files& files, std::string_view json, const Variables& environment = {});

/// The text must be refused: its first finding is at `place` ("line:column", in files
/// "name:line:column") and has `word` in its message.
void refuses(std::string_view text, std::string_view place, std::string_view word);
void refuses(const Files& files, std::string_view place, std::string_view word);

/// The first `count` files are layers, later ones laid upon earlier ones.
void reads_layers(const Files& files, std::size_t count, std::string_view json);

/// Every finding of a text as "line:column", with a blank between two; "" when there is none.
std::string places(std::string_view text, const Limits& limits = {});

/// The value that a text gives to a key `a`, read as one of several types: duration in ns, size in
/// bytes, whole number, number, boolean, string, length of the list; "refused" if it is none.
struct Typed {
  explicit Typed(std::string_view written);
  std::string duration() const;
  std::string bytes() const;
  std::string integer() const;
  std::string number() const;
  std::string boolean() const;
  std::string string() const;
  std::string list() const;

 private:
  Value value() const { return tree_.find("a"); }
  Tree tree_;
};

constexpr const char* refused = "refused";

}  // namespace actord::hocon::conformance
