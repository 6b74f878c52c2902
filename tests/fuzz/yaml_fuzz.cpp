// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a configuration in YAML.
#include <cstddef>
#include <cstdint>
#include <string>

#include "hocon/source.hpp"
#include "layers/yaml_syntax.hpp"
#include "tree_properties.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const actord::hocon::Limits limits = actord::fuzz::small_limits();
  actord::hocon::Source source(limits);
  source.set_syntax(".yaml", actord::layers::yaml_syntax());
  source.add_text("main.yaml", std::string(reinterpret_cast<const char*>(data), size));
  actord::fuzz::check_resolved(source, limits);
  return 0;
}
