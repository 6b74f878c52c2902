// SPDX-License-Identifier: Apache-2.0
//
// Takes any bytes as a configuration in YAML.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "hocon/source.hpp"
#include "layers/yaml_syntax.hpp"
#include "tree_properties.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (actord::fuzz::can_forge_secret_prefix(input)) return 0;
  const actord::hocon::Limits limits = actord::fuzz::small_limits();
  actord::hocon::Source source(limits);
  source.set_syntax(".yaml", actord::layers::yaml_syntax());
  source.add_text("main.yaml", std::string(input));
  actord::fuzz::check_resolved(source, limits);
  return 0;
}
