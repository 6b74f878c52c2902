// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <ostream>

#include "ctl/json_output.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"
#include "hocon/key_path.hpp"
#include "hocon/units.hpp"
#include "layers/layers.hpp"

namespace actord::ctl {

namespace {

/// The value of a text of that kind, or an error.
base::Result<std::string> meaning(std::string_view kind, std::string_view text) {
  const auto shown = [](const auto& read) -> base::Result<std::string> {
    using std::to_string;
    if (!read) return read.error();
    return to_string(*read);
  };
  const auto none = [&, written = text] {
    return base::Error{'"' + std::string{written} + "\" is not of the kind " + std::string{kind}};
  };
  if (kind == "duration") return shown(hocon::parse_duration_ns(text));
  if (kind == "bytes") return shown(hocon::parse_bytes(text));
  if (kind == "period") return shown(hocon::parse_period(text));
  if (kind == "envname") {
    if (text.starts_with(layers::variable_prefix))
      text.remove_prefix(layers::variable_prefix.size());
    const auto key = hocon::key_of_environment_name(text);
    return key && hocon::parse_path(*key) ? base::Result<std::string>(*key) : none();
  }
  if (kind == "bool") {
    const auto truth = hocon::parse_bool(text);
    return truth ? base::Result<std::string>(*truth ? "true" : "false") : none();
  }
  const auto number = hocon::parse_integer(text);
  const bool fits = kind != "int32" || (number && *number >= INT32_MIN && *number <= INT32_MAX);
  return number && fits ? base::Result<std::string>(std::to_string(*number)) : none();
}

/// The unit of a value of that kind; empty: it has none.
std::string_view unit_of(std::string_view kind) {
  return kind == "duration" ? "ns" : kind == "bytes" ? "bytes" : "";
}

Exit unit(const Call& call) {
  const auto value = meaning(call.operands[0], call.operands[1]);
  if (!value) return report_failure(call, {Exit::config_wrong, value.error().what});
  const std::string_view name = unit_of(call.operands[0]);
  if (call.is_json()) {
    wire::Json json = {{"kind", call.operands[0]}, {"text", call.operands[1]}, {"value", *value}};
    if (!name.empty()) json["unit"] = name;
    print_json(call.out, json);
  } else {
    call.out << *value << (name.empty() ? "" : " ") << name << '\n';
  }
  return Exit::ok;
}

}  // namespace

Verb unit_verb() {
  return {
      .group = "config",
      .name = "unit",
      .summary = "print the meaning of a duration, a size or another value",
      .description =
          "Prints how actord reads TEXT as a value of KIND, with its unit:\n"
          "\n"
          "  duration       10s, 500 ms: in ns, nanoseconds\n"
          "  bytes          a size, 512k, 64 MiB: in bytes\n"
          "  period         a time of the calendar, 2 weeks: in ISO 8601\n"
          "  bool           yes, off: true or false\n"
          "  int32, int64   a whole number that fits\n"
          "  envname        a variable, ACTORD_SET_a_b__c: the key that it sets, a.b-c. The\n"
          "                 case of letters is kept, as keys have it; ACTORD_SET_ itself\n"
          "                 may be left out",
      .operands = {{.name = "KIND",
                    .takes = Takes::words,
                    .words = {"duration", "bytes", "period", "bool", "int32", "int64", "envname"}},
                   {.name = "TEXT"}},
      .options = {output_option()},
      .run = &unit};
}

}  // namespace actord::ctl
