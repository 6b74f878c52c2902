// SPDX-License-Identifier: Apache-2.0
//
// What the arguments of a verb must be, as data, and what is wrong with those of a request. An
// argument that the verb does not have is an error, so that a misspelt dry_run is not carried out
// as a reload.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "wire/control_message.hpp"

namespace actord::app {

struct VerbArgument {
  enum class Kind : std::uint8_t { text, number, flag };

  std::string_view name;
  Kind kind = Kind::text;
  bool is_needed = true;
  std::uint64_t min = 1, max = UINT64_MAX;  // of a number
};

/// How long the client waits at most, in milliseconds.
inline constexpr VerbArgument timeout_argument{
    .name = "timeout_ms", .kind = VerbArgument::Kind::number, .max = 1000ULL * 3600 * 24 * 365};

/// What is wrong, such as "needs a text \"path\""; empty: nothing.
std::string argument_fault(const wire::Json& given, std::span<const VerbArgument> known);

// ---- arguments that have been checked -------------------------------------------------------
/// Those that are not given are 0 and false.
std::uint64_t number_in(const wire::Json& given, std::string_view name);
bool flag_in(const wire::Json& given, std::string_view name);
std::chrono::milliseconds timeout_in(const wire::Json& given);

}  // namespace actord::app
