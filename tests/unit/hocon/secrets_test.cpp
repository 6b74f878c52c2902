// SPDX-License-Identifier: Apache-2.0
//
// Secrets are fetched where they are used, and never shown, whatever they became a part of.
#include "hocon/secrets.hpp"

#include "hocon/kept_secrets.hpp"
#include "resolved.hpp"
#include "support/scratch_folder.hpp"

namespace actord::hocon::test {

namespace {

/// Knows every secret except "none": its text is "<form:name>".
base::Result<FetchedSecret, Diagnostic> fetch(const SecretRequest& request) {
  if (request.name == "none") {
    Diagnostic missing = request.at;
    missing.message = "there is no such secret";
    return missing;
  }
  const std::string name = std::string(request.form) + ':' + std::string(request.name);
  return FetchedSecret{'<' + name + '>', {}};
}

Source source_of(std::string text, std::vector<std::string> places = {"vars.secret.*"}) {
  Source source;
  source.set_secrets(places, &fetch);
  source.set_environment([](std::string_view name) -> std::optional<std::string> {
    return name == "PASSWORD" ? std::optional<std::string>("env-pw") : std::nullopt;
  });
  source.add_text("t", std::move(text));
  return source;
}

/// The JSON as it is shown, with *** for each hidden text.
std::string shown(const Value& value) {
  constexpr std::string_view word = "\"(secret)\"";
  std::string json = render_json(value, false);
  for (std::size_t at = 0; (at = json.find(word, at)) != std::string::npos;)
    json.replace(at, word.size(), "***");
  return json;
}

Tree tree_of(std::string text, std::vector<std::string> places = {"vars.secret.*"}) {
  auto tree = source_of(std::move(text), std::move(places)).resolve();
  REQUIRE(tree);
  return std::move(tree).value();
}

std::string shown(std::string text, std::vector<std::string> places = {"vars.secret.*"}) {
  return shown(tree_of(std::move(text), std::move(places)).root());
}

/// All findings of a wrong text, as an operator sees them.
std::string screen(std::string text) {
  const auto tree = source_of(std::move(text)).resolve();
  REQUIRE_FALSE(tree);
  return format(tree.error());
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE_BEGIN("hocon/secrets");

TEST_CASE("what lies at a secret place is shown as such, and read as it is") {
  const Tree tree = tree_of("vars { secret { pw = hunter2, deep { list = [a, 1] } }, open = x }");
  CHECK(shown(tree.root()) ==
        R"({"vars":{"secret":{"pw":***,"deep":{"list":[***,***]}},"open":"x"}})");
  CHECK(tree.find("vars.secret.pw").text() == "hunter2");
  CHECK(tree.find("vars.secret.pw").is_secret());
  CHECK_FALSE(tree.find("vars.open").is_secret());
}

TEST_CASE("what stands in the place of an object of secrets is secret, too") {
  CHECK(shown("vars.secret = hunter2, a = ${vars.secret}") == R"({"vars":{"secret":***},"a":***})");
  CHECK(shown("vars.secret = [hunter2, { pw = x }]") == R"({"vars":{"secret":[***,{"pw":***}]}})");
  const Tree tree = tree_of("vars.secret = hunter2, n = x\nvars.secret = [y]");
  CHECK_FALSE(has(format(tree.find("n").mismatch("a number")), "hunter2"));
  CHECK_FALSE(has(screen("vars.secret = hunter2, a = ${nope}"), "hunter2"));
}

TEST_CASE("a place may have a name of the operator's anywhere") {
  CHECK(shown("db { a { pw = x, user = y }, b { pw { z = 1 } } }, pw = w", {"db.*.pw"}) ==
        R"({"db":{"a":{"pw":***,"user":"y"},"b":{"pw":{"z":***}}},"pw":"w"})");
}

TEST_CASE("what a secret goes into is secret, however far") {
  CHECK(shown(R"(
          vars.secret.pw = hunter2
          url = "postgres://u:"${vars.secret.pw}"@h"
          list = [${url}, plain]
          again { url = ${list} }
          joined = [x] ${list}
          open = "postgres://"${host}
          host = h)") == R"({"vars":{"secret":{"pw":***}},"url":***,"list":[***,"plain"],)"
                         R"("again":{"url":[***,"plain"]},)"
                         R"("joined":["x",***,"plain"],"open":"postgres://h","host":"h"})");
}

TEST_CASE("a text that grows by itself keeps what went into it") {
  CHECK(shown("vars.secret.a = x, p = 1, p = ${p}${vars.secret.a}, p = ${p}2, q = ${p}3") ==
        R"({"vars":{"secret":{"a":***}},"p":***,"q":***})");
}

TEST_CASE("objects carry their secrets along") {
  CHECK(shown("vars.secret { a { pw = x } }, copy = ${vars.secret.a}, copy { user = y }") ==
        R"({"vars":{"secret":{"a":{"pw":***}}},"copy":{"pw":***,"user":"y"}})");
}

TEST_CASE("what a secret is made of is secret, too, and so is what else is made of that") {
  CHECK(shown("vars.pw = hunter2, vars.secret.url = \"u:\"${vars.pw}, other = ${vars.pw}") ==
        R"({"vars":{"pw":***,"secret":{"url":***}},"other":***})");
}

TEST_CASE("a variable of the environment that goes into a secret is one wherever it is used") {
  CHECK(shown("vars.secret.pw = ${PASSWORD}, a = \"x\"${PASSWORD}, b = ${?NOTHING}x") ==
        R"({"vars":{"secret":{"pw":***}},"a":***,"b":"x"})");
  const Tree tree = tree_of("a = ${PASSWORD}");
  CHECK_FALSE(tree.find("a").is_secret());
  CHECK(has(format(tree.find("a").mismatch("x")),
            "note: the value comes from the environment variable PASSWORD"));
}

// ---- kept elsewhere

TEST_CASE("an object says where a secret is kept") {
  const Tree tree = tree_of(R"(
    vars.secret { a { file = /run/pw }, b { credential = db }, c { env = X }, d.deep { file = f }
                  group { file = x, user = y }, other { key = z } }
    url = "u:"${vars.secret.a}"@h", copy = ${vars.secret})");
  const auto text = [&](const char* path) { return tree.find(path).text(); };
  CHECK(text("vars.secret.a") == "<file:/run/pw>");
  CHECK(text("vars.secret.b") == "<credential:db>");
  CHECK(text("vars.secret.c") == "<env:X>");
  CHECK(text("vars.secret.d.deep") == "<file:f>");
  CHECK(text("vars.secret.group.file") == "x");
  CHECK(text("url") == "u:<file:/run/pw>@h");
  CHECK(text("copy.a") == "<file:/run/pw>");
  CHECK(text("copy.d.deep") == "<file:f>");
  CHECK_FALSE(has(render_json(tree.root(), false), "<"));
}

TEST_CASE("where it is kept may be put together") {
  const Tree tree = tree_of(R"(
    dir = /run, vars.secret { a { file = ${dir}"/pw" } }
    vars.secret.b = ${where}, where { credential = c })");
  CHECK(tree.find("vars.secret.a").text() == "<file:/run/pw>");
  CHECK(tree.find("vars.secret.b").text() == "<credential:c>");
  CHECK(tree.find("where").is_object());
}

TEST_CASE("where a secret is kept is said by the definition that comes last") {
  const auto kept = [](std::string text) {
    return std::string(tree_of(std::move(text)).find("vars.secret.a").text());
  };
  CHECK(kept("vars.secret.a { file = f }\nvars.secret.a { env = E }") == "<env:E>");
  CHECK(kept("vars.secret.a { env = E }\nvars { secret { a { file = f } } }") == "<file:f>");
  CHECK(kept("vars.secret.a { file = f }\nvars.secret.a.env = E") == "<env:E>");
  CHECK(kept("vars.secret.a.file = f\nvars.secret.a.env = E\nvars.secret.a.file = g") ==
        "<file:g>");
  CHECK(kept("vars.secret.a { file = f } { env = E }") == "<env:E>");
  CHECK(kept("w { file = f }\nvars.secret.a = ${w}\nvars.secret.a { env = E }") == "<env:E>");
  CHECK(kept("w { file = f }\nvars.secret.a { env = E }\nvars.secret.a = ${w}") == "<file:f>");
  CHECK(kept("w { file = f }, w { env = E }\nvars.secret.a = ${w}") == "<env:E>");
  CHECK(kept("vars.secret.a { file = f }\nvars.secret.a { env = ${?nothing} }") == "<file:f>");
  CHECK(kept("vars.secret.a { file = f } { credential = c } { env = ${?nothing} }") ==
        "<credential:c>");
  CHECK(kept("vars.secret.a { file = none }\nvars.secret.a { env = E }") == "<env:E>");
}

TEST_CASE("one object that says it twice, or nearly says it, is an error") {
  const std::string twice = screen("vars.secret.a { file = f, env = E }");
  CHECK(has(twice, "t:1:15: error: this secret is kept in two places"));
  CHECK(has(twice, "help: keep one of"));
  CHECK(has(screen("w { file = f, env = E }, vars.secret.a = ${w}"), "in two places"));
  const std::string misspelt = screen("vars.secret.a { fiel = hunter2 }");
  CHECK(has(misspelt, "\"fiel\" does not say where this secret is kept"));
  CHECK(has(misspelt, "did you mean \"file\"?"));
  CHECK_FALSE(has(misspelt, "hunter2"));
  CHECK(has(screen("vars.secret.a { file = f }\nvars.secret.a { enf = E }"),
            "did you mean \"env\"?"));
}

TEST_CASE("elsewhere an object of that form is an object") {
  CHECK(shown("log { file = x }, vars { file = y }") ==
        R"({"log":{"file":"x"},"vars":{"file":"y"}})");
}

TEST_CASE("a secret that cannot be fetched is an error at its place, reported once") {
  CHECK(screen("vars.secret.a { file = none }\nb = ${vars.secret.a}x\nc = ${vars.secret.a}") ==
        "t:1:24: error: there is no such secret\n  1 | vars.secret.a { file = none }\n"
        "    |                        ^^^^\n");
  CHECK(has(screen("vars.secret.a { file = [x] }"), "a secret's `file` is a name, not a list"));
  CHECK(has(screen("vars.secret.a { file = ${vars.secret.a} }"), "refers to the secret itself"));
}

TEST_CASE("in a list as well, at any depth, and wherever the list is taken") {
  const Tree tree = tree_of(R"(
    dir = /run, where { env = E }
    vars.secret.list = [plain, { file = a }, [{ credential = b }],
                        { user = u, pw { file = ${dir}"/c" } }, ${where}, { two = 1, file = x }]
    vars.secret.list += { file = d }
    copy = ${vars.secret.list}, more { of = [x] ${copy} }
    open = [{ file = a }])");
  for (const std::string at : {"vars.secret.list", "copy"}) {
    const Value list = tree.find(at);
    CHECK(list.at(0).value.text() == "plain");
    CHECK(list.at(1).value.text() == "<file:a>");
    CHECK(list.at(2).value.at(0).value.text() == "<credential:b>");
    CHECK(list.at(3).value.member("user").text() == "u");
    CHECK(list.at(3).value.member("pw").text() == "<file:/run/c>");
    CHECK(list.at(4).value.text() == "<env:E>");
    CHECK(list.at(5).value.member("file").text() == "x");
    CHECK(list.at(6).value.text() == "<file:d>");
  }
  CHECK(tree.find("more.of").at(2).value.text() == "<file:a>");
  CHECK(tree.find("open").at(0).value.is_object());
  CHECK(tree.find("where").is_object());
  CHECK_FALSE(has(render_json(tree.root(), false), "<"));
}

TEST_CASE("a secret of a list that cannot be fetched is an error at its place, reported once") {
  CHECK(screen("vars.secret.a = [{ file = none }, { file = ok }]\nb = ${vars.secret.a}") ==
        "t:1:27: error: there is no such secret\n"
        "  1 | vars.secret.a = [{ file = none }, { file = \u2026 }]\n"
        "    |                           ^^^^\n");
  CHECK(has(screen("vars.secret.a = [{ file = [x] }]\nb = ${vars.secret.a}"),
            "t:1:27: error: a secret's `file` is a name, not a list"));
}

TEST_CASE("objects in a list may have some of their members kept elsewhere") {
  for (const char* name : {"a", "${who}"}) {
    CAPTURE(std::string(name));
    const Tree tree = tree_of(std::string("who = a, vars.secret.users = [{ name = ") + name +
                              ", password { file = p } }, { name = b, password { env = Q } }]\n"
                              "copy = ${vars.secret.users}, joined = [x] ${vars.secret.users}");
    for (const std::string at : {"vars.secret.users", "copy"}) {
      const Value users = tree.find(at);
      CHECK(users.at(0).value.find("name").text() == "a");
      CHECK(users.at(0).value.find("password").text() == "<file:p>");
      CHECK(users.at(1).value.find("password").text() == "<env:Q>");
    }
    CHECK(tree.find("joined").at(1).value.find("password").text() == "<file:p>");
    CHECK_FALSE(has(render_json(tree.root(), false), "<"));
  }
}

TEST_CASE("a list of secrets is replaced as a whole, and nothing of the old one is fetched") {
  Source source = source_of("vars.secret.a = [{ file = none }, { env = none }]");
  source.add_override("vars.secret.a = [{ env = E }]", "--set");
  source.add_override("vars.secret.a += { file = f }", "--set #2");
  const auto tree = source.resolve();
  REQUIRE(tree);
  const Value list = tree->find("vars.secret.a");
  REQUIRE(list.size() == 2);
  CHECK(list.at(0).value.text() == "<env:E>");
  CHECK(list.at(1).value.text() == "<file:f>");
}

TEST_CASE("in a list, too, the definition that comes last says where a secret is kept") {
  const auto kept = [](std::string text) {
    return std::string(tree_of(std::move(text)).find("vars.secret.a").at(0).value.text());
  };
  CHECK(kept("vars.secret.a = [{ file = f } { env = E }]") == "<env:E>");
  CHECK(kept("vars.secret.a = [{ env = E } { file = f }]") == "<file:f>");
  CHECK(kept("vars.secret.a = [{ file = f } { env = ${?nothing} }]") == "<file:f>");
  CHECK(kept("vars.secret.a = [{ file = f } { credential = c } { env = ${?nothing} }]") ==
        "<credential:c>");
  CHECK(kept("w { file = f }, w { env = E }\nvars.secret.a = [${w}]") == "<env:E>");
  CHECK(kept("w { env = E }, vars.secret.a = [{ file = f } ${w}]") == "<env:E>");
  CHECK(kept("vars.secret.a = [{ credential = 7 }]") == "<credential:7>");
}

TEST_CASE("wrong forms in a list are errors at their places") {
  const std::string all = screen(
      "vars.secret.a = [{ file = f, env = E },\n"
      "  [{ fiel = hunter2 }], { name = n, pw { file = f, enf = hunter2 } },\n"
      "  { env = { x = hunter2 } }]");
  CHECK(has(all, "t:1:18: error: this secret is kept in two places"));
  CHECK(has(all, "t:2:4: error: \"fiel\" does not say where this secret is kept"));
  CHECK(has(all, "t:2:40: error: \"enf\" does not say where this secret is kept"));
  CHECK(has(all, "t:3:11: error: a secret's `env` is a name, not an object"));
  CHECK_FALSE(has(all, "hunter2"));
}

TEST_CASE("all errors of secrets are reported together, in lists and elsewhere, and once") {
  const std::string all = screen(
      "vars.secret.key { file = none }\n"
      "vars.secret.list = [{ file = none }, { user = u, pw { env = none } }]\n"
      "vars.secret.more = ${vars.secret.list} [{ fiel = x }]\n"
      "nowhere = ${nope}\n"
      "where { file = none }, vars.secret.one = ${where}, vars.secret.two = [${where}]");
  std::vector<std::string> places;
  for (std::size_t at = 0; (at = all.find("error: ", at)) != std::string::npos; ++at) {
    const std::size_t line = all.rfind("t:", at);
    places.push_back(all.substr(line, at - line));
  }
  CAPTURE(all);
  CHECK(places == std::vector<std::string>{
                      "t:1:26: ", "t:2:30: ", "t:2:61: ", "t:3:41: ", "t:4:11: ", "t:5:16: "});
}

TEST_CASE("an error does not show a secret that got into its line by a substitution") {
  for (const char* text : {"l = [{ file = none }, hunter2]\nvars.secret.l = ${l}",
                           "w { pin = hunter2, pw { file = none } }\nvars.secret.w = ${w}",
                           "w = hunter2, n = ${nope}\nvars.secret.w = ${w}"}) {
    CAPTURE(std::string(text));
    const std::string all = screen(text);
    CHECK(has(all, "t:1:"));
    CHECK_FALSE(has(all, "hunter2"));
  }
}

// ---- messages

TEST_CASE("no message has the text of a secret") {
  const Tree tree = tree_of("vars.secret { pw = hunter2, n = 4711 }, copy = x${vars.secret.pw}");
  const Value secret = tree.find("vars.secret.pw");
  const std::string line =
      "  1 | vars.secret { pw = \u2026, n = \u2026 }, copy = \u2026${vars.secret.pw}\n";
  CHECK(format(secret.mismatch("an object")) ==
        "t:1:20: error: expected an object, got a string [E0302]\n" + line +
            "    |                    ^\n");
  CHECK(format(tree.find("copy").mismatch("an object")) ==
        "t:1:48: error: expected an object, got a string [E0302]\n" + line +
            "    |                                       ^\n");
  CHECK(format(tree.find("vars.secret.n").mismatch("a list")) ==
        "t:1:33: error: expected a list, got a number [E0302]\n" + line +
            "    |                           ^\n");
  for (const Diagnostic& finding :
       {secret.as_bool().error(), secret.as_int64().error(), secret.as_duration_ns().error(),
        secret.as_bytes().error(), secret.reject("\"hunter2\" is odd", "not hunter2")}) {
    CHECK_FALSE(has(format(finding), "hunter2"));
    CHECK(finding.line == 1);
  }
  CHECK(secret.reject("this is odd", "mend it").message == "this is odd");
}

TEST_CASE("a message about something else does not show the secret in its line") {
  const Tree tree = tree_of("vars.secret { pw = hunter2 }, n = x\nm = y");
  CHECK(format(tree.find("n").mismatch("a number")) ==
        "t:1:35: error: expected a number, got the string \"x\" [E0302]\n"
        "  1 | vars.secret { pw = \u2026 }, n = x\n"
        "    |                             ^\n");
  CHECK(has(format(tree.find("m").mismatch("a number")), "  2 | m = y\n"));
  const Tree lines = tree_of("vars.secret.key = \"\"\"a\nhunter2\"\"\", n = x\nm = y");
  CHECK_FALSE(has(format(lines.find("n").mismatch("a number")), "hunter2"));
  CHECK(has(format(lines.find("m").mismatch("a number")), "m = y"));
}

TEST_CASE("neither do errors of syntax and of substitutions") {
  for (const char* text :
       {"vars.secret { pw = hunter2 }, a = ${nope}", "vars.secret { pw = hunter2 }, a = [",
        "vars.secret.pw = hunter2, a = {} x", "vars.secret { pw = \"hunter2 }",
        "vars.secret { pw = hunter2:x }", "vars.secret { hunter2 }",
        "vars { secret.pw = [hunter2 { }", "vars.secret.pw = x, vars.secret.pw = ${?a}hunter2 [1]",
        "vars.secret.pw = hunter2 ${l}\nl=[]"}) {
    CAPTURE(std::string(text));
    const std::string all = screen(text);
    CHECK_FALSE(has(all, "hunter2"));
    CHECK(has(all, "t:1:"));
  }
  CHECK(screen("vars.secret { pw = \"hunter2 }") ==
        "t:1:20: error: a quoted string that is not closed [E0201]\n"
        "  1 | vars.secret { pw = \u2026 }\n"
        "    |                    ^\n"
        "  help: close it with \" on the same line, or use \"\"\" for text of several lines\n");
}

TEST_CASE("older definitions of a secret are not shown") {
  const Tree tree = tree_of("vars.secret.pw = hunter1\nvars.secret.pw = hunter2\nn = 1\nn = 2");
  REQUIRE(tree.find("vars.secret.pw").overridden().size() == 1);
  CHECK(tree.find("vars.secret.pw").overridden()[0].text == "(secret)");
  CHECK(tree.find("vars.secret.pw").overridden()[0].place == "t:1");
  CHECK(tree.find("n").overridden()[0].text == "1");
}

// ---- later

TEST_CASE("a value may turn out to be secret after the tree was made") {
  Tree tree = tree_of("a.pw = hunter2\nurl = \"u:\"${a.pw}\nb.pw { file = f }");
  CHECK(tree.fetch_secrets({tree.find("a.pw"), tree.find("b.pw")}, &fetch).errors.empty());
  CHECK(shown(tree.root()) == R"({"a":{"pw":***},"url":***,"b":{"pw":***}})");
  CHECK(tree.find("b.pw").text() == "<file:f>");
  CHECK_FALSE(has(format(tree.find("a.pw").mismatch("a list")), "hunter2"));
}

TEST_CASE("secrets found late are fetched in lists, too, and reported once") {
  Tree tree =
      tree_of("a.keys = [{ file = x }, { none = hunter2 }, [{ env = none }]], b = ${a.keys}");
  const SecretFindings found = tree.fetch_secrets({tree.find("a.keys")}, &fetch);
  CHECK(format(found.errors) ==
        "t:1:54: error: there is no such secret\n"
        "  1 | a.keys = [{ file = \u2026 }, { none = \u2026 }, [{ env = none }]], b = ${a.keys}\n"
        "    |                                                ^^^^\n");
  CHECK(tree.find("b").at(0).value.text() == "<file:x>");
  // The reference to a secret that cannot be fetched is itself no secret.
  CHECK(shown(tree.root()) == R"({"a":{"keys":[***,{"none":***},[{"env":"none"}]]},)"
                              R"("b":[***,{"none":***},[{"env":"none"}]]})");
  CHECK(found.unfetched == std::vector{tree.find("a.keys").at(2).value.at(0).value,
                                       tree.find("b").at(2).value.at(0).value});
}

TEST_CASE("an error about what was found late shows no other value of its line") {
  Tree tree = tree_of(
      "a.key { file = none }\nb.key { file = none }, b.pin = hunter2\n"
      "c.key { fiel = hunter2 }");
  const SecretFindings found = tree.fetch_secrets(
      {tree.find("a.key"), tree.find("b.key"), tree.find("b.pin"), tree.find("c.key")}, &fetch);
  REQUIRE(found.errors.size() == 3);
  CHECK(has(format(found.errors[0]), "  1 | a.key { file = none }\n"));
  CHECK(format(found.errors[1]) ==
        "t:2:16: error: there is no such secret\n"
        "  2 | b.key { file = none }, b.pin = \u2026\n"
        "    |                ^^^^\n");
  CHECK_FALSE(has(format(found.errors[2]), "hunter2"));
}

TEST_CASE("what may be secret is hidden without being fetched, whatever it looks like") {
  Tree tree = tree_of("a { file = x, keys = [{ env = E }] }");
  tree.make_secret({tree.find("a")});
  CHECK(shown(tree.root()) == R"({"a":{"file":***,"keys":[{"env":***}]}})");
}

TEST_CASE("a long chain of joined texts is no trouble") {
  std::string text = "vars.secret.x = x, a0 = ${vars.secret.x}1\n";
  for (int i = 1; i < 20'000; ++i)
    text += "a" + std::to_string(i) + " = ${a" + std::to_string(i - 1) + "}\"\"\n";
  const Tree tree = tree_of(text + "z = ${a19999}1");
  CHECK(tree.find("z").is_secret());
}

TEST_SUITE_END();

}  // namespace actord::hocon::test
