// SPDX-License-Identifier: Apache-2.0
//
// Replaces yaml_syntax.cpp in a build with ACTORD_YAML off.
#include "layers/yaml_syntax.hpp"

namespace actord::layers {

hocon::SyntaxReader yaml_syntax() {
  return [](std::string_view, hocon::LiteralBuilder& builder) {
    builder.fail(builder.span(0), "this actord was built without YAML",
                 "write the file as HOCON or JSON, or build with ACTORD_YAML=ON");
  };
}

}  // namespace actord::layers
