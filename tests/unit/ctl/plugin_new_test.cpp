// SPDX-License-Identifier: Apache-2.0
//
// `actorctl plugin new`: the names and types that it takes, and the files that it writes. The
// integration test `plugin_new` builds and runs them.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "ctl/plugin_draft.hpp"
#include "ctl/plugin_project.hpp"
#include "unit/ctl/ctl_support.hpp"

using namespace actord::ctl;
namespace fs = std::filesystem;

namespace {

std::string error_of(const std::string& name, const std::vector<std::string>& messages = {},
                     bool in_c = false) {
  const auto draft = read_plugin_draft(name, messages, in_c);
  return draft ? "none" : draft.error().what + "; " + draft.error().help;
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Ran run_in(const fs::path& folder, std::vector<std::string> words) {
  words.insert(words.begin(), {"plugin", "new"});
  words.insert(words.end(), {"--dir", folder.string()});
  return run(words);
}

}  // namespace

TEST_SUITE_BEGIN("ctl/plugin_new");

TEST_CASE("the name of a plugin is that of a file, a namespace and a target") {
  for (const char* const name : {"demo", "a", "my_plugin", "http2"})
    CHECK(error_of(name) == "none");
  for (const char* const name :
       {"", "Demo", "2d", "_a", "a_", "a__b", "a-b", "a b", "../a", "a/b", "a.b", "\xc3\xa4"})
    CHECK(has(error_of(name), "cannot be the name of a plugin"));
  CHECK(has(error_of("my-plugin"), "use small letters, digits and _: my_plugin"));
  CHECK(has(error_of("MyPlugin"), ": my_plugin"));
  for (const char* const name : {"class", "std", "actord", "test", "all", "answer", "too_many"})
    CHECK(has(error_of(name), "which means something else"));
  CHECK(has(error_of(std::string(41, 'a')), "too long"));
}

TEST_CASE("what the C library declares is no name of a plugin, and a macro none of a message") {
  for (const char* const name : {"clock", "time", "index", "read", "stdin", "errno"}) {
    CAPTURE(name);
    CHECK(error_of(name) == "a plugin cannot be called \"" + std::string{name} +
                                "\", which means something else; choose another name, such as my_" +
                                name);
  }
  CHECK(error_of("demo", {"EOF"}) != "none");
  CHECK(error_of("demo", {"Actor"}) != "none");
}

TEST_CASE("a message has a name, and fields with types") {
  const auto draft = read_plugin_draft("shop", {"Order:sku:text,count:int", "List"}, false);
  REQUIRE(draft);
  REQUIRE(draft->messages.size() == 2);
  CHECK(draft->messages[0].fields[1].name == "count");
  CHECK(draft->messages[0].fields[1].type.cxx == "std::int64_t");
  CHECK(draft->messages[1].fields.empty());
  CHECK(sample_of(draft->messages[0]) == R"({"sku": "hello", "count": 7})");
  const auto standard = read_plugin_draft("demo", {}, false);
  REQUIRE(standard);
  CHECK(standard->messages[0].name == "Ping");
  CHECK(standard->messages[0].fields[0].name == "value");
}

TEST_CASE("a message that cannot be written in C++ is refused, with what to do") {
  CHECK(has(error_of("demo", {"ping"}),
            "begin with a capital letter, and use letters and digits: "
            "Ping"));
  CHECK(has(error_of("demo", {"Ping:in"}), "no field has the type \"in\""));
  CHECK(has(error_of("demo", {"Ping:"}), "no field has the type \"\""));
  CHECK(has(error_of("demo", {"Ping:list<in>"}), "no field has the type"));
  CHECK(has(error_of("demo", {"Ping:Count:int"}), "cannot be the name of a field of Ping"));
  CHECK(has(error_of("demo", {"Ping:Count:int"}), ": count"));
  CHECK(has(error_of("demo", {"Ping:class:int"}), "a keyword"));
  CHECK(has(error_of("demo", {"Ping:int,text"}), "two fields of Ping are called \"value\""));
  CHECK(has(error_of("demo", {"Answer"}), "the plugin has that already"));
  CHECK(has(error_of("demo", {"Demo"}), "the name of the actor"));
  CHECK(has(error_of("demo", {"Ping", "Ping"}), "two messages"));
}

TEST_CASE("a message in C has fields of a fixed size") {
  CHECK(error_of("demo", {"Ping:on:bool,n:uint,x:double,d:duration,r:ref"}, true) == "none");
  CHECK(has(error_of("demo", {"Ping:text"}, true),
            "a message of a plugin in C cannot have \"text\""));
}

TEST_CASE("names are told apart by their words") {
  CHECK(snake_case("PingPong") == "ping_pong");
  CHECK(snake_case("HTTPRequest") == "http_request");
  CHECK(actor_name("my_plugin2") == "MyPlugin2");
}

TEST_CASE("new writes the files, and says what comes next") {
  const ConfigFolder folder;
  const fs::path demo = folder.at("demo");
  const Ran ran = run_in(demo, {"demo"});
  CHECK(ran.exit == 0);
  CHECK(has(ran.out, "cmake --build build"));
  CHECK(has(ran.out, "actorctl ask /user/demo demo.Ping/1 '{\"value\": 7}'"));
  for (const char* const name :
       {"demo.hpp", "demo_actor.hpp", "demo.cpp", "demo_plugin.cpp", "demo_test.cpp", "demo.conf",
        "CMakeLists.txt", "README.md", ".gitignore", ".github/workflows/ci.yml"}) {
    CHECK_MESSAGE(fs::is_regular_file(demo / name), name);
    CHECK_MESSAGE(!has(content_of(demo / name), "%{"), name);
    CHECK_MESSAGE(!has(content_of(demo / name), "\n%"), name);
  }
  const Ran json = run_in(folder.at("other"), {"demo", "--c", "-o", "json"});
  const auto answer = nlohmann::json::parse(json.out);
  CHECK(answer["name"] == "demo");
  CHECK(std::ranges::count(answer["files"], "demo.c") == 1);
}

TEST_CASE("new writes over nothing") {
  const ConfigFolder folder;
  const fs::path demo = folder.at("demo");
  fs::create_directory(demo);
  CHECK(run_in(demo, {"demo"}).exit == 0);  // it is empty
  const std::string before = content_of(demo / "demo.cpp");
  const Ran again = run_in(demo, {"demo", "--message", "Other"});
  CHECK(again.exit == 71);
  CHECK(has(again.err, "is not empty: nothing is written over"));
  CHECK(content_of(demo / "demo.cpp") == before);
  CHECK(run_in(demo / "demo.cpp", {"demo"}).exit == 71);
  CHECK(run_in(folder.at("other"), {"Demo"}).exit == 64);
  CHECK(!fs::exists(folder.at("other")));
}
