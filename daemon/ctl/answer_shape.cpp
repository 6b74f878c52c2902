// SPDX-License-Identifier: Apache-2.0
#include "ctl/answer_shape.hpp"

#include <algorithm>

namespace actord::ctl {

using wire::Json;
using Form = MemberShape::Form;

namespace {

std::string_view name_of(Form form) {
  switch (form) {
    case Form::text: return "text";
    case Form::flag: return "true or false";
    case Form::number: return "number";
    case Form::texts: return "list of texts";
    case Form::object: return "object";
    case Form::objects: break;
  }
  return "list of objects";
}

bool has_form(const Json& json, Form form) {
  switch (form) {
    case Form::text: return json.is_string();
    case Form::flag: return json.is_boolean();
    case Form::number: return json.is_number_unsigned();
    case Form::texts: return json.is_array() && std::ranges::all_of(json, &Json::is_string);
    case Form::object: return json.is_object();
    case Form::objects: break;
  }
  return json.is_array() && std::ranges::all_of(json, &Json::is_object);
}

std::string shape_error(const Json& object, const MemberShape& member) {
  const std::string name = '"' + std::string{member.name} + '"';
  const auto found = object.find(member.name);
  if (found == object.end()) return member.is_needed ? "there is no " + name : "";
  if (!has_form(*found, member.form)) return name + " is no " + std::string{name_of(member.form)};
  if (member.form == Form::object) return ctl::shape_error(*found, member.members);
  if (member.form != Form::objects) return {};
  for (const Json& each : *found) {
    if (std::string wrong = ctl::shape_error(each, member.members); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace

std::string shape_error(const Json& answer, const AnswerShape& shape) {
  if (!answer.is_object()) return "the answer is not an object";
  for (const MemberShape& part : shape) {
    if (std::string wrong = shape_error(answer, part); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace actord::ctl
