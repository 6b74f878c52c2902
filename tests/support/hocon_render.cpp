// SPDX-License-Identifier: Apache-2.0
//
// hocon_render FILE: the resolved file as JSON on standard output, or what is wrong with it on
// standard error and exit status 78. hocon_render --unit KIND TEXT: one value of a kind (duration
// in ns, bytes, period, bool, int32, envname). For conformance corpora; not installed.
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "hocon/render.hpp"
#include "hocon/source.hpp"
#include "hocon/units.hpp"

namespace {

namespace hocon = actord::hocon;

constexpr int exit_usage = 64;
constexpr int exit_config = 78;

int print(const std::string& text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return written ? 0 : 1;
}

int complain(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  return exit_config;
}

template <class T>
std::optional<std::string> printed(const actord::base::Result<T>& result) {
  if (!result) return std::nullopt;
  using std::to_string;
  return to_string(*result);
}

std::optional<std::string> unit(std::string_view kind, std::string_view text) {
  if (kind == "duration") return printed(hocon::parse_duration_ns(text));
  if (kind == "bytes") return printed(hocon::parse_bytes(text));
  if (kind == "period") return printed(hocon::parse_period(text));
  if (kind == "envname") return hocon::key_of_environment_name(text);
  if (kind == "bool") {
    const auto value = hocon::parse_bool(text);
    return value ? std::optional<std::string>(*value ? "true" : "false") : std::nullopt;
  }
  const auto value = hocon::parse_integer(text);
  if (kind != "int32" || !value || *value < INT32_MIN || *value > INT32_MAX) return std::nullopt;
  return std::to_string(*value);
}

int render(const std::string& file) {
  hocon::Source source;
  source.set_environment(hocon::process_environment());
  if (const auto added = source.add_file(file); !added)
    return complain(hocon::format(added.error().diagnostic));
  const auto tree = source.resolve();
  if (!tree) return complain(hocon::format(tree.error()));
  return print(hocon::render_json(tree->root(), true));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2) return render(argv[1]);
  if (argc != 4 || std::string_view(argv[1]) != "--unit") {
    std::fputs("usage: hocon_render FILE | --unit KIND TEXT\n", stderr);
    return exit_usage;
  }
  const auto value = unit(argv[2], argv[3]);
  if (!value) return complain(std::string("not a value of kind ") + argv[2] + "\n");
  return print(*value + "\n");
}
