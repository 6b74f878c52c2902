// SPDX-License-Identifier: Apache-2.0
#include "ctl/answer_shape.hpp"

#include <algorithm>

namespace actord::ctl {

using wire::Json;
using Form = Part::Form;

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

std::string misshape_of(const Json& object, const Part& part) {
  const std::string name = '"' + std::string{part.name} + '"';
  const auto found = object.find(part.name);
  if (found == object.end()) return part.is_needed ? "there is no " + name : "";
  if (!has_form(*found, part.form)) return name + " is no " + std::string{name_of(part.form)};
  if (part.form == Form::object) return ctl::misshape_of(*found, part.parts);
  if (part.form != Form::objects) return {};
  for (const Json& each : *found) {
    if (std::string wrong = ctl::misshape_of(each, part.parts); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace

std::string misshape_of(const Json& answer, const AnswerShape& shape) {
  if (!answer.is_object()) return "the answer is no object";
  for (const Part& part : shape) {
    if (std::string wrong = misshape_of(answer, part); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace actord::ctl
