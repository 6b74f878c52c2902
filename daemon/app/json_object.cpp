// SPDX-License-Identifier: Apache-2.0
#include "app/json_object.hpp"

namespace actord::app {

using wire::Json;

base::Result<Json> read_object(const std::string& text, std::string_view kind) {
  const std::string name{kind};
  try {
    Json json = Json::parse(text);
    if (json.is_object()) return json;
    return base::Error{"a " + name + " is written as an object, {}"};
  } catch (const Json::exception& error) {
    // without the parser's own name and number: "at line 1, column 3: ..."
    const std::string_view what = error.what();
    const std::size_t at = what.find("at line");
    return base::Error{"the " + name + " is no JSON " +
                       std::string{what.substr(at == what.npos ? 0 : at)}};
  }
}

}  // namespace actord::app
