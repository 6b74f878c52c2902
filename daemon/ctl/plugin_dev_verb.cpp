// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <ostream>
#include <variant>

#include "ctl/dev_session.hpp"
#include "ctl/verb_failure.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace fs = std::filesystem;

namespace {

/// The configuration in the folder: the only one, or that with the name of the folder.
std::variant<fs::path, Failure> find_config(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".conf") found.push_back(at->path());
  }
  if (found.size() == 1) return found.front();
  const fs::path own = folder / (folder.filename().string() + ".conf");
  if (fs::exists(own, error)) return own;
  return Failure{Exit::missing,
                 found.empty() ? "there is no configuration *.conf in " + folder.string()
                               : "there are several configurations in " + folder.string(),
                 "name the one to run: --config FILE"};
}

std::variant<DevOptions, Failure> options_of(const Call& call) {
  std::error_code error;
  const std::string written = call.operands.empty() ? "." : call.operands.front();
  const fs::path folder = fs::canonical(written, error);
  if (error || !fs::exists(folder / "CMakeLists.txt", error))
    return Failure{Exit::missing, "there is no CMakeLists.txt in " + written,
                   "name the folder of the plugin; `actorctl plugin new` writes one"};
  DevOptions options{folder, folder / "build", {}, !call.has("no-tests")};
  if (call.has("build")) options.build = fs::weakly_canonical(call.value("build"), error);
  if (!call.has("config")) {
    auto config = find_config(folder);
    if (auto* const failure = std::get_if<Failure>(&config)) return std::move(*failure);
    options.config = std::get<fs::path>(std::move(config));
  } else if (options.config = fs::absolute(call.value("config"));
             !fs::exists(options.config, error)) {
    return Failure{Exit::missing, "there is no file " + call.value("config")};
  }
  return options;
}

Exit develop(const Call& call) {
  auto options = options_of(call);
  if (const auto* const failure = std::get_if<Failure>(&options))
    return report_failure(call, *failure);
  auto session = DevSession::open(std::get<DevOptions>(std::move(options)), call.err);
  if (!session) return report_failure(call, {Exit::operating_system, session.error().what});
  session->run();
  return Exit::ok;
}

}  // namespace

Verb plugin_dev_verb() {
  return {
      .group = "plugin",
      .name = "dev",
      .summary = "build, test and run a plugin after each change of its sources",
      .description =
          "Builds the plugin in DIR by CMake, runs its tests, lets actord check it, and runs\n"
          "it in a daemon of its own, whose log follows. After each change of a file in DIR\n"
          "the same again. If the build, a test or the check fails, its output is shown, and\n"
          "the daemon of the last good build runs on. ^C ends the daemon and the verb. A\n"
          "build that is new is one of Ninja if that is installed and CMAKE_GENERATOR unset.\n"
          "\n"
          "The daemon has a state directory and a socket of its own in a temporary folder,\n"
          "which is removed at the end. Everything is written to standard error.\n"
          "\n"
          "  actorctl plugin dev demo\n"
          "  actorctl plugin dev --build ../demo-build --config other.conf",
      .operands = {{.name = "DIR", .takes = Takes::folder, .is_needed = false}},
      .options = {{.name = "config",
                   .letter = 'c',
                   .takes = Takes::file,
                   .argument = "FILE",
                   .help = "the configuration that runs the plugin; default: the *.conf in DIR"},
                  {.name = "build",
                   .takes = Takes::folder,
                   .argument = "DIR",
                   .help = "the folder of the build; default: build in DIR"},
                  {.name = "no-tests", .help = "do not run the tests"}},
      .run = &develop};
}

}  // namespace actord::ctl
