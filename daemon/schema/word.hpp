// SPDX-License-Identifier: Apache-2.0
//
// A word of the configuration and its value.
#pragma once

#include <string_view>
#include <vector>

namespace actord::schema {

template <class E>
struct Word {
  std::string_view word;
  E value;
};

/// The words of a table, for the schema.
template <class Words>
std::vector<std::string_view> names_of(const Words& words) {
  std::vector<std::string_view> names;
  for (const auto& each : words) names.push_back(each.word);
  return names;
}

}  // namespace actord::schema
