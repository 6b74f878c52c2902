// SPDX-License-Identifier: Apache-2.0
//
// The form that a verb expects of a daemon's answer. The peer at the socket may be of another
// version, or no daemon at all.
//
// Not here: the checks that apply to every answer (wire/control_message.hpp).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "wire/control_message.hpp"

namespace actord::ctl {

/// A member of an object. The object may have further members.
struct MemberShape {
  enum class Form : std::uint8_t { text, flag, number, texts, object, objects };

  std::string_view name;
  Form form = Form::text;
  std::vector<MemberShape> members = {};  // of an object, or of each object in a list
  bool is_needed = false;
};
using AnswerShape = std::vector<MemberShape>;

/// What is wrong with `answer`, such as "\"changes\" is no list of objects"; empty: nothing.
std::string shape_error(const wire::Json& answer, const AnswerShape& shape);

}  // namespace actord::ctl
