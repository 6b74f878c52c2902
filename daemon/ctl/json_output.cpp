// SPDX-License-Identifier: Apache-2.0
#include "ctl/json_output.hpp"

#include "hocon/render.hpp"

namespace actord::ctl {

std::string json_text(const wire::Json& json, int indent) {
  const std::string dumped = json.dump(indent, ' ', false, wire::Json::error_handler_t::replace);
  return hocon::with_controls_escaped(dumped);
}

}  // namespace actord::ctl
