// SPDX-License-Identifier: Apache-2.0
//
// What a daemon's answer has to look like for a verb to read it: whoever listens at the socket may
// be of another version, or no daemon at all.
//
// Not here: what is checked of every answer (wire/control_message.hpp).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "wire/control_message.hpp"

namespace actord::ctl {

/// A member of an object. Others than those that are named may be there.
struct Part {
  enum class Form : std::uint8_t { text, flag, number, texts, object, objects };

  std::string_view name;
  Form form = Form::text;
  std::vector<Part> parts = {};  // of an object, or of each of a list of them
  bool is_needed = false;
};
using AnswerShape = std::vector<Part>;

/// What is wrong with it, as in "\"changes\" is no list of objects"; empty if nothing is.
std::string misshape_of(const wire::Json& answer, const AnswerShape& shape);

}  // namespace actord::ctl
