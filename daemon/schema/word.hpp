// SPDX-License-Identifier: Apache-2.0
//
// A word of the configuration and its value.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace actord::schema {

template <class E>
struct Word {
  std::string_view word;
  E value;
};

/// The words of a table without their values.
template <class E, std::size_t n>
constexpr std::array<std::string_view, n> names_of(const std::array<Word<E>, n>& words) {
  std::array<std::string_view, n> names;
  std::ranges::transform(words, names.begin(), &Word<E>::word);
  return names;
}

/// The same as a constant to which the schema can refer.
template <const auto& words>
inline constexpr auto names = names_of(words);

}  // namespace actord::schema
