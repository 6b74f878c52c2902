// SPDX-License-Identifier: Apache-2.0
//
// The verbs that need no daemon.
#include "ctl/verbs.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "options/command_line.hpp"
#include "unit/ctl/ctl_support.hpp"

using namespace actord::ctl;
using Json = nlohmann::ordered_json;

namespace {

const std::string wrong_twice = "actord.log.level = loud\nactord.nme = x\n";

}  // namespace

TEST_SUITE_BEGIN("ctl/verbs");

TEST_CASE("check reports all errors at once, with their places, and ends with 78") {
  const ConfigFolder folder;
  const Ran ran = run({"config", "check", folder.write("a.conf", wrong_twice)});
  CHECK(ran.exit == 78);
  CHECK(has(ran.err, "a.conf:1:20: error: "));
  CHECK(has(ran.err, "a.conf:2:"));
  CHECK(has(ran.err, "did you mean \"name\"?"));
  CHECK(has(ran.err, "2 errors"));
  CHECK(ran.out.empty());
}

TEST_CASE("check says ok, and with --strict not while there is a warning") {
  const ConfigFolder folder;
  const std::string file = folder.write("a.conf", "include \"absent.conf\"");
  CHECK(run({"config", "check", file}).exit == 0);
  CHECK(has(run({"config", "check", file}).out, "configuration ok, 1 warning"));
  CHECK(run({"config", "check", file, "--strict"}).exit == 78);
}

TEST_CASE("check counts notes beside warnings, and --strict accepts them") {
  const ConfigFolder folder;
  const std::string rule =
      "actord.user.x { supervisor-strategy.decider.\"shop::X\" = stop, children.y {} }\n";
  const std::string note = folder.write("a.conf", rule);
  CHECK(has(run({"config", "check", note}).out, "configuration ok, 1 note\n"));
  CHECK(run({"config", "check", note, "--strict"}).exit == 0);
  const Json json = Json::parse(run({"config", "check", note, "-o", "json"}).out);
  CHECK(json["warnings"] == 0);
  CHECK(json["notes"] == 1);
  CHECK(json["findings"][0]["severity"] == "note");
  const std::string both = folder.write("b.conf", rule + "include \"absent.conf\"");
  CHECK(has(run({"config", "check", both}).out, "configuration ok, 1 warning and 1 note\n"));
  // without the plugins nothing is known of what they throw
  CHECK(has(run({"config", "check", note, "--no-environment"}).out, "configuration ok\n"));
}

TEST_CASE("check looks at plugins, unless it is to look at the text alone") {
  const ConfigFolder folder;
  const std::string file =
      folder.write("a.conf", "actord.user.x.behaviour = \"absent_plugin/Thing\"");
  CHECK(run({"config", "check", file}).exit == 78);
  CHECK(run({"config", "check", file, "--no-environment"}).exit == 0);
}

TEST_CASE("findings come as lines of gcc and as JSON, too") {
  const ConfigFolder folder;
  const std::string file = folder.write("a.conf", wrong_twice);
  const Ran gcc = run({"config", "check", file, "--format", "gcc"});
  CHECK(gcc.exit == 78);
  CHECK(has(gcc.out, file + ":1:20: error: "));
  CHECK(std::count(gcc.out.begin(), gcc.out.end(), '\n') == 2);
  const Json json = Json::parse(run({"config", "check", file, "-o", "json"}).out);
  CHECK(json["ok"] == false);
  CHECK(json["errors"] == 2);
  CHECK(json["findings"][0]["file"] == file);
  CHECK(json["findings"][0]["line"] == 1);
  CHECK(json["findings"][0]["column"] == 20);
  CHECK(json["findings"][0]["code"] == "E0302");
  CHECK(has(gcc.out, "[E0302]\n"));
}

TEST_CASE("whatever fails, its JSON has an error and the exit status") {
  const ConfigFolder folder;
  const std::string wrong = folder.write("wrong.conf", wrong_twice);
  const std::string broken = folder.write("broken.conf", "a = {");
  const std::string right = folder.write("right.conf", "");
  for (std::vector<std::string> words : std::vector<std::vector<std::string>>{
           {"check", wrong},
           {"show", "--config", wrong},
           {"explain", "actord.name", wrong},
           {"explain", "actord.nme", right},
           {"diff", right, wrong},
           {"files", broken},
           {"render", broken},
           {"render", folder.at("absent.conf")},
           {"unit", "duration", "soon"},
           {"reload", "--socket", folder.at("absent.sock")},
           {"show", "--running", "--socket", folder.at("absent.sock")}}) {
    CAPTURE(words[0]);
    words.insert(words.begin(), "config");
    words.insert(words.end(), {"-o", "json"});
    const Ran ran = run(words);
    CHECK(ran.exit != 0);
    CHECK(ran.err.empty());
    const Json json = Json::parse(ran.out, nullptr, false);
    REQUIRE(json.is_object());
    CHECK(json["exit"] == ran.exit);
    CHECK(json["error"].is_string());
    if (json.contains("findings")) CHECK(json["findings"][0]["code"].is_string());
  }
}

TEST_CASE("show prints what was written, resolved, as a configuration") {
  const ConfigFolder folder;
  const std::string file =
      folder.write("a.conf", "vars.l = debug\nactord.log.level = ${vars.l}\nactord.name = a");
  const Ran shown = run({"config", "show", "--config", file, "--origin"});
  CHECK(has(shown.out, "actord.log.level = \"debug\"  # " + file + ":2:20\n"));
  CHECK_FALSE(has(shown.out, "built in"));
  const std::string again = folder.write("b.conf", run({"config", "show", "--config", file}).out);
  CHECK(run({"config", "diff", file, again}).exit == 0);
  CHECK(run({"config", "show", file, "--origin"}).out == shown.out);
  const Ran all = run({"config", "show", "--config", file, "--origin", "--defaults"});
  CHECK(has(all.out, "actord.boot.on-failure = \"fail\"  # built in\n"));
}

TEST_CASE("show prints what can be read of a configuration with mistakes, and reports them") {
  const ConfigFolder folder;
  const std::string file = folder.write("a.conf", "actord.log.format = json\n" + wrong_twice);
  const Ran ran = run({"config", "show", file});
  CHECK(ran.exit == 78);
  CHECK(has(ran.out, "actord.log.format = \"json\"\n"));
  CHECK(has(ran.err, "a.conf:2:20: error: "));
  const Json json = Json::parse(run({"config", "show", file, "-o", "json"}).out);
  CHECK(json["values"].size() == 4);
  CHECK(json["exit"] == 78);
  CHECK(json["findings"].size() == 2);
  CHECK(run({"config", "diff", file, file}).exit == 78);
}

TEST_CASE("an assignment of the command line is shown with its origin") {
  const ConfigFolder folder;
  const Ran shown = run({"config", "show", "--origin", "--config", folder.write("a.conf", ""),
                         "--set", "actord.name=b"});
  CHECK(has(shown.out, "actord.name = \"b\"  # --set\n"));
}

TEST_CASE("diff prints each key's old and new value, and when the change takes effect") {
  const ConfigFolder folder;
  const std::string a = folder.write("a.conf", "actord.log.level = info\nactord.name = a");
  const std::string b = folder.write("b.conf", "actord.log.level = debug\nactord.name = a");
  const Ran ran = run({"config", "diff", a, b});
  CHECK(ran.exit == 1);
  CHECK(
      has(ran.out, "actord.log.level: info (" + a + ":1:20) -> debug (" + b + ":1:20)  [live]\n"));
  CHECK_FALSE(has(ran.out, "actord.name"));
  CHECK(run({"config", "diff", a, a}).exit == 0);
  CHECK(run({"config", "diff", a, folder.write("c.conf", "actord {")}).exit == 78);
  const Json json = Json::parse(run({"config", "diff", a, b, "-o", "json"}).out);
  CHECK(json["changes"][0]["key"] == "actord.log.level");
  CHECK(json["changes"][0]["reload"] == "live");
}

TEST_CASE("diff says that a secret has changed, and not what it was") {
  const ConfigFolder folder;
  const std::string rest =
      "actord.user.x { behaviour = \"absent/X\", config.pw = ${vars.secret.pw} }";
  const std::string a = folder.write("a.conf", "vars.secret.pw = opensesame\n" + rest);
  const std::string b = folder.write("b.conf", "vars.secret.pw = hocuspocus\n" + rest);
  const Ran ran = run({"config", "diff", a, b});
  CHECK(ran.exit == 1);
  CHECK(has(ran.out, "actord.user.x.config.pw: (secret)"));
  CHECK_FALSE(has(ran.out + ran.err, "opensesame"));
  CHECK_FALSE(has(ran.out + ran.err, "hocuspocus"));
}

TEST_CASE("a message about a line with an actor's config does not show the line") {
  const ConfigFolder folder;
  const std::string line =
      "actord.user.x { behaviour = \"absent/X\", config { pw = opensesame }, dispatcher = wrong }";
  const Ran wrong = run({"config", "check", folder.write("a.conf", line)});
  CHECK(wrong.exit == 78);
  CHECK(has(wrong.err, "a.conf:1:"));
  CHECK_FALSE(has(wrong.err, "opensesame"));
  const Ran missing =
      run({"config", "check",
           folder.write("b.conf",
                        "actord.user.x { behaviour = \"absent/X\", config { pw = opensesame } }")});
  CHECK(has(missing.err, "b.conf:1:"));
  CHECK_FALSE(has(missing.err, "opensesame"));
}

TEST_CASE("show is JSON also of what JSON's readers refuse") {
  const ConfigFolder folder;
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  const std::string file = folder.write("a.conf", "vars { n = 1e400, l = " + deep + ", m = 2 }");
  const Json json = Json::parse(run({"config", "show", "-o", "json", "--config", file}).out);
  const Json& values = json["values"];
  const auto of = [&](const std::string& key) {
    for (const Json& each : values) {
      if (each["key"] == key) return each["value"];
    }
    return Json{};
  };
  CHECK(of("vars.n") == "1e400");
  CHECK(of("vars.m") == 2);
  CHECK(of("vars.l").is_string());
}

TEST_CASE("diff says when an object was merged into the one before, and not when it was replaced") {
  const ConfigFolder folder;
  const std::string strategy = "actord.user.x.supervisor-strategy.decider";
  const std::string a = folder.write("a.conf", strategy + " { \"A\" = restart, default = stop }");
  const std::string include = "include \"a.conf\"\n";
  const Ran merged =
      run({"config", "diff", a, folder.write("b.conf", include + strategy + " { \"B\" = stop }")});
  CHECK(merged.exit == 1);
  CHECK(has(merged.out, "note: " + strategy + " at "));
  CHECK(has(merged.out, "A (" + a + ":1:"));
  CHECK(has(merged.out, "default (" + a + ":1:"));
  const Ran replaced = run(
      {"config", "diff", a,
       folder.write("c.conf", include + strategy + " = null\n" + strategy + " { \"B\" = stop }")});
  CHECK(replaced.exit == 1);
  CHECK_FALSE(has(replaced.out, "note:"));
  const Ran on_purpose =
      run({"config", "diff", a, folder.write("d.conf", include + strategy + ".\"B\" = stop")});
  CHECK(on_purpose.exit == 1);
  CHECK_FALSE(has(on_purpose.out, "note:"));
}

TEST_CASE("files lists what was read, and what an include did not find") {
  const ConfigFolder folder;
  const std::string file = folder.write("a.conf", "include \"absent.conf\"");
  const Ran ran = run({"config", "files", file});
  CHECK(has(ran.out, file + "  loaded\n"));
  CHECK(has(ran.out, "absent.conf  missing"));
  CHECK(Json::parse(run({"config", "files", file, "-o", "json"}).out)["files"].size() >= 2);
}

TEST_CASE("files lists what was looked at also where the configuration is wrong") {
  const ConfigFolder folder;
  const std::string file = folder.write("a.conf", "actord { user = [ }");
  std::filesystem::create_directory(folder.at("conf.d"));
  folder.write("conf.d/10-b.conf", "");
  const Ran broken = run({"config", "files", file});
  CHECK(broken.exit == 78);
  CHECK(has(broken.out, file + "  loaded\n"));
  CHECK(has(broken.out, "conf.d/10-b.conf  loaded\n"));
  CHECK(has(broken.err, "a.conf:1:"));
  const Json listed = Json::parse(run({"config", "files", file, "-o", "json"}).out);
  CHECK(listed["files"].size() == 2);
  CHECK(listed["findings"][0]["line"] == 1);
  const std::string absent = folder.at("absent.conf");
  const Ran missing = run({"config", "files", absent});
  CHECK(missing.exit == 66);
  CHECK(has(missing.out, absent + "  missing\n"));
}

TEST_CASE("files lists a folder of drop-ins that has none") {
  const ConfigFolder folder;
  const std::string file = folder.write("a.conf", "");
  CHECK(has(run({"config", "files", file}).out, "conf.d  missing: there is no such folder\n"));
  std::filesystem::create_directory(folder.at("conf.d"));
  CHECK(has(run({"config", "files", file}).out,
            folder.at("conf.d") + "  empty: a folder without files\n"));
  const Json listed = Json::parse(run({"config", "files", file, "-o", "json"}).out)["files"];
  CHECK(listed.back()["state"] == "empty");
  folder.write("conf.d/10-b.conf", "");
  CHECK_FALSE(has(run({"config", "files", file}).out, "empty"));
}

TEST_CASE("files without a configuration says where it was looked for") {
  if (std::filesystem::exists("/etc/actord")) return;  // this machine runs actord
  const Ran none = run({"config", "files"});
  CHECK(none.exit == 0);
  CHECK(has(none.out, "/etc/actord/actord.conf  missing\n"));
  CHECK(has(none.out, "/etc/actord/conf.d  missing: there is no such folder\n"));
  CHECK(has(none.out, "/usr/lib/actord/conf.d  "));
  CHECK(has(none.out, "/run/actord/conf.d  "));
  CHECK(has(none.err, "only the built-in defaults apply"));
}

TEST_CASE("keys lists the keys of actord and of the file, and its actors") {
  const ConfigFolder folder;
  const std::string file = folder.write(
      "a.conf", "actord.user.a { config { b-c = 1 }, children.x {} }\nvars.v = 1\nactord.nme = 2");
  const Ran keys = run({"config", "keys", file});
  CHECK(keys.exit == 0);
  for (const char* key : {"actord.log", "actord.log.level", "actord.user.a",
                          "actord.user.a.config.b-c", "actord.user.a.children.x", "vars.v"}) {
    CAPTURE(key);
    CHECK(has('\n' + keys.out, '\n' + std::string{key} + '\n'));
  }
  CHECK_FALSE(has(keys.out, "*"));
  CHECK(run({"config", "keys", "--actors", file}).out == "/user/a\n/user/a/x\n");
  CHECK(Json::parse(run({"config", "keys", "--actors", file, "-o", "json"}).out)["actors"].size() ==
        2);
  CHECK(run({"config", "keys", folder.write("b.conf", "actord {")}).exit == 78);
  CHECK(run({"config", "keys", folder.at("absent.conf")}).exit == 66);
}

TEST_CASE("an actor's path stands for the key of its node") {
  const ConfigFolder folder;
  const std::string file =
      folder.write("a.conf", "actord.user.a { children.b { mailbox.capacity = 5 } }");
  const Ran found = run({"config", "explain", "/user/a/b", file});
  CHECK(has(found.out, "actord.user.a.children.b "));
  const Ran absent = run({"config", "explain", "/user/a/c", file});
  CHECK(absent.exit == 1);
  CHECK(has(absent.err, "no actor is configured at /user/a/c"));
  CHECK(has(absent.err, "did you mean \"/user/a/b\"?"));
}

TEST_CASE("render prints any file as JSON, whatever its keys") {
  const ConfigFolder folder;
  const std::string file = folder.at("any.conf");
  std::ofstream(file) << "a = 1, b = [${a}, x]";
  CHECK(Json::parse(run({"config", "render", file}).out).dump() == R"({"a":1,"b":[1,"x"]})");
  std::ofstream(folder.at("any.yaml")) << "a:\n  - 1\n  - x\n";
  CHECK(Json::parse(run({"config", "render", folder.at("any.yaml")}).out).dump() ==
        R"({"a":[1,"x"]})");
  std::ofstream(file) << "a = {";
  const Ran broken = run({"config", "render", file});
  CHECK(broken.exit == 78);
  CHECK(has(broken.err, "any.conf:1:"));
}

TEST_CASE("the help of unit describes each kind") {
  const std::string help = run({"config", "unit", "--help"}).out;
  for (const char* kind : {"duration", "bytes ", "period", "bool", "int32", "int64", "envname"})
    CHECK(has(help, kind));
}

TEST_CASE("unit prints what a text means") {
  struct Row {
    const char *kind, *text, *value;
  };
  for (const Row& row :
       {Row{"duration", "5 s", "5000000000 ns"}, Row{"bytes", "64k", "65536 bytes"},
        Row{"period", "2 weeks", "P14D"}, Row{"bool", "on", "true"}, Row{"int32", "3.0", "3"},
        Row{"int64", "5000000000", "5000000000"}, Row{"envname", "a_b__c", "a.b-c"},
        Row{"envname", "ACTORD_SET_actord_user_aB__C___d", "actord.user.aB-C_d"},
        Row{"envname", "Ab_cD", "Ab.cD"}, Row{"int32", "-3", "-3"},
        Row{"duration", "-1.5 s", "-1500000000 ns"}}) {
    CAPTURE(row.kind);
    CHECK(run({"config", "unit", row.kind, row.text}).out == std::string{row.value} + '\n');
  }
  for (const Row& row :
       {Row{"duration", "5 sec", ""}, Row{"int32", "5000000000", ""}, Row{"envname", "a_", ""},
        Row{"envname", "ACTORD_SET__a", ""}, Row{"envname", "", ""}, Row{"envname", "a____b", ""},
        Row{"bool", "maybe", ""}, Row{"int32", "1.5", ""}}) {
    CAPTURE(row.text);
    CHECK(run({"config", "unit", row.kind, row.text}).exit == 78);
  }
  const Json size = Json::parse(run({"config", "unit", "bytes", "1k", "-o", "json"}).out);
  CHECK(size["value"] == "1024");
  CHECK(size["unit"] == "bytes");
  CHECK_FALSE(
      Json::parse(run({"config", "unit", "bool", "on", "-o", "json"}).out).contains("unit"));
}

TEST_CASE("schema is JSON with every section in it") {
  const Json schema = Json::parse(run({"config", "schema"}).out);
  CHECK(schema["properties"].contains("actord"));
}

TEST_CASE("completion knows every verb and option, in each shell") {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    CAPTURE(shell);
    const Ran ran = run({"completion", shell});
    CHECK(ran.exit == 0);
    for (const Verb& verb : verbs()) {
      CHECK(has(ran.out, std::string{verb.name}));
      for (const Option& option : verb.options) CHECK(has(ran.out, std::string{option.name}));
    }
    for (const actord::options::KnownOption& option : actord::options::known_options())
      CHECK(has(ran.out, std::string{option.name}));
  }
}
