// SPDX-License-Identifier: Apache-2.0
//
// The layers in their order, from folders that the cases create.
#include "layers/layers.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "support/scratch_folder.hpp"
#include "unit/hocon/resolved.hpp"

namespace actord::layers::test {

namespace {

using support::ScratchFolder;
using State = LayerFile::State;

/// A simulated machine: etc/actord.conf with its folders.
struct Machine {
  ScratchFolder folder;
  LayerOptions options;

  Machine() {
    options.built_in_name = "reference.conf";
    options.built_in_text = "who = [built-in], n = 0";
    options.system.file = folder.at("etc/actord.conf");
    options.system.vendor = {folder.at("usr"), folder.at("local")};
    options.system.runtime = folder.at("run");
    options.files = {folder.write("etc/actord.conf", "who += main")};
  }
  void write(const std::string& name, const std::string& text) const { folder.write(name, text); }

  std::string resolved() const {
    LayeredSource layered = gather(options);
    return hocon::test::resolved(layered.source);
  }
  /// Each file with its state; folders that do not exist are left out.
  std::vector<std::string> files() const {
    constexpr const char* words[] = {"loaded",  "missing", "empty", "masked",
                                     "masking", "skipped", "failed"};
    std::vector<std::string> all;
    for (const LayerFile& file : gather(options).files) {
      if (file.state == State::missing && file.included_from.empty() && !file.why.empty()) continue;
      all.push_back(file.path.substr(folder.at("").size()) + ' ' +
                    words[static_cast<std::size_t>(file.state)]);
    }
    return all;
  }
};

}  // namespace

TEST_SUITE_BEGIN("layers/layers");

TEST_CASE("each layer goes over those before it") {
  Machine machine;
  machine.write("usr/50-x.conf", "who += usr");
  machine.write("local/40-x.conf", "who += local");
  machine.write("etc/conf.d/60-x.conf", "who += etc");
  machine.write("run/50-y.conf", "who += run");
  machine.options.files.push_back(machine.folder.write("more.conf", "who += more"));
  const char* const environment[] = {"ACTORD_SET_n=7", "HOME=/", nullptr};
  machine.options.environment = environment;
  machine.options.assignments = {{"who += first", "--set #1"}, {"who += second", "--set #2"}};
  CHECK(machine.resolved() ==
        R"({"who":["built-in","local","usr","main","more","run","etc","first","second"],"n":"7"})");
}

TEST_CASE("all layers are resolved together") {
  Machine machine;
  machine.write("usr/10-x.conf", "url = \"http://\"${host}");
  machine.write("etc/actord.conf", "host = main");
  machine.write("etc/conf.d/60-x.yaml", "host: drop-in\n");
  CHECK(machine.resolved() ==
        R"({"who":["built-in"],"n":0,"url":"http://drop-in","host":"drop-in"})");
}

TEST_CASE("a file of /etc masks the vendor's of the same name and stands in its own layer") {
  Machine machine;
  machine.write("usr/10-x.conf", "who += usr");
  machine.write("etc/conf.d/10-x.conf", "who += etc");
  machine.write("usr/20-x.conf", "who += usr");
  machine.write("run/20-x.conf", "");
  CHECK(machine.resolved() == R"({"who":["built-in","main","etc"],"n":0})");
  CHECK(machine.files() == std::vector<std::string>{"usr/10-x.conf masked", "usr/20-x.conf masked",
                                                    "etc/actord.conf loaded",
                                                    "etc/conf.d/10-x.conf loaded",
                                                    "run/20-x.conf masking"});
}

TEST_CASE("a configuration in a folder of its own has only the drop-ins beside it") {
  Machine machine;
  machine.write("usr/10-x.conf", "who += usr");
  machine.write("run/10-y.conf", "who += run");
  machine.write("etc/conf.d/10-z.conf", "who += etc");
  machine.write("home/conf.d/10-x.conf", "who += home");
  machine.options.files = {machine.folder.write("home/crawler.conf", "who += crawler"),
                           machine.folder.at("etc/actord.conf")};
  CHECK(machine.resolved() == R"({"who":["built-in","crawler","main","home"],"n":0})");
}

TEST_CASE("the system's configuration is known under any spelling of its path") {
  Machine machine;
  machine.write("usr/10-x.conf", "who += usr");
  machine.options.files = {machine.folder.at("etc/../etc/./actord.conf")};
  CHECK(machine.resolved() == R"({"who":["built-in","usr","main"],"n":0})");
}

TEST_CASE("drop-ins can be left out") {
  Machine machine;
  machine.write("usr/10-x.conf", "who += usr");
  machine.write("etc/conf.d/10-z.conf", "who += etc");
  machine.options.drop_ins = false;
  CHECK(machine.resolved() == R"({"who":["built-in","main"],"n":0})");
}

TEST_CASE("a variable is a text for the key that its name spells, never HOCON") {
  Machine machine;
  const char* const environment[] = {"ACTORD_SET_a_b__c___d=${x} # [1]",
                                     "ACTORD_SET_n=", "ACTORD_SETTING=1", nullptr};
  machine.options.environment = environment;
  CHECK(machine.resolved() == R"({"who":["built-in","main"],"n":"","a":{"b-c_d":"${x} # [1]"}})");
  const auto tree = gather(machine.options).source.resolve();
  REQUIRE(tree);
  CHECK(tree->find("a.b-c_d").file() == "ACTORD_SET_a_b__c___d");
}

TEST_CASE("variables apply in the order of their names, not in that of the environment") {
  Machine machine;
  const char* const environment[] = {"ACTORD_SET_o_p=1", "ACTORD_SET_o=x", nullptr};
  machine.options.environment = environment;
  CHECK(machine.resolved() == R"({"who":["built-in","main"],"n":0,"o":{"p":"1"}})");
}

TEST_CASE("a variable that spells no key is an error") {
  Machine machine;
  const char* const environment[] = {"ACTORD_SET_a____b=1", nullptr};
  machine.options.environment = environment;
  const auto tree = gather(machine.options).source.resolve();
  REQUIRE_FALSE(tree);
  CHECK(tree.error().front().file == "ACTORD_SET_a____b");
}

TEST_CASE("a substitution sees the environment") {
  Machine machine;
  const char* const environment[] = {"PORT=80", nullptr};
  machine.options.environment = environment;
  machine.write("etc/actord.conf", "port = ${PORT}");
  CHECK(machine.resolved() == R"({"who":["built-in"],"n":0,"port":"80"})");
}

TEST_CASE("unreadable sources fail, and all are reported at once") {
  Machine machine;
  machine.write("etc/conf.d/10-x.conf", "a = [");
  REQUIRE(::symlink("nowhere", machine.folder.at("etc/conf.d/20-x.conf").c_str()) == 0);
  machine.options.files.push_back(machine.folder.at("nope.conf"));
  LayeredSource layered = gather(machine.options);
  CHECK(layered.failure == hocon::FileError::Reason::missing);
  const auto tree = layered.source.resolve();
  REQUIRE_FALSE(tree);
  REQUIRE(tree.error().size() == 3);
  CHECK(tree.error()[0].file == machine.folder.at("etc/conf.d/10-x.conf"));
  CHECK(tree.error()[1].file == machine.folder.at("etc/conf.d/20-x.conf"));
  CHECK(tree.error()[2].file == machine.folder.at("nope.conf"));
  CHECK(machine.files() == std::vector<std::string>{"etc/actord.conf loaded", "nope.conf missing",
                                                    "etc/conf.d/10-x.conf loaded",
                                                    "etc/conf.d/20-x.conf failed"});
}

TEST_CASE("included files are listed behind the file that names them, with the place") {
  Machine machine;
  machine.write("etc/actord.conf", "include \"part.conf\"\ninclude \"absent.conf\"");
  machine.write("etc/part.conf", "a = 1");
  machine.write("etc/conf.d/10-x.conf", "b = 1");
  const std::vector<std::string> all = {"etc/actord.conf loaded", "etc/part.conf loaded",
                                        "etc/absent.conf missing", "etc/conf.d/10-x.conf loaded"};
  CHECK(machine.files() == all);
  for (const LayerFile& file : gather(machine.options).files) {
    if (file.path.ends_with("absent.conf"))
      CHECK(file.included_from == machine.folder.at("etc/actord.conf") + ":2");
  }
}

TEST_CASE("a world-writable file is warned of") {
  Machine machine;
  machine.write("etc/actord.conf", "include \"part.conf\"");
  machine.write("etc/part.conf", "a = 1");
  CHECK(gather(machine.options).warnings.empty());
  REQUIRE(::chmod(machine.folder.at("etc/part.conf").c_str(), 0666) == 0);
  const hocon::Diagnostics warnings = gather(machine.options).warnings;
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].file == machine.folder.at("etc/part.conf"));
}

TEST_SUITE_END();

}  // namespace actord::layers::test
