// SPDX-License-Identifier: Apache-2.0
//
// Secrets from outside the configuration.
#include "layers/secret_store.hpp"

#include <sys/stat.h>

#include "hocon/kept_secrets.hpp"
#include "layers/layers.hpp"
#include "support/scratch_folder.hpp"
#include "unit/hocon/resolved.hpp"

namespace actord::layers::test {

namespace {

using support::ScratchFolder;

/// A configuration of one file, in a folder of its own.
struct Place {
  ScratchFolder folder;
  LayerOptions options;
  std::string credentials = "CREDENTIALS_DIRECTORY=" + folder.at("credentials");
  std::vector<const char*> variables = {"PW=from env\n", "EMPTY=", nullptr};

  explicit Place(const std::string& text) {
    options.built_in_name = "reference.conf";
    options.files = {folder.write("main.conf", text)};
    REQUIRE(::chmod(options.files[0].c_str(), 0640) == 0);
  }
  std::string secret(const std::string& name, const std::string& text) const {
    const std::string path = folder.write(name, text);
    REQUIRE(::chmod(path.c_str(), 0600) == 0);
    return path;
  }
  void set_credentials() { variables.insert(variables.begin(), credentials.c_str()); }
  auto resolve() {
    options.environment = variables.data();
    return gather(options).source.resolve();
  }
  hocon::Tree tree() {
    auto tree = resolve();
    const std::string findings = tree ? std::string() : hocon::format(tree.error());
    INFO(findings);
    REQUIRE(tree);
    return std::move(tree).value();
  }
  std::string text_of(std::string_view path) { return std::string(tree().find(path).text()); }
  std::string error() {
    const auto tree = resolve();
    REQUIRE_FALSE(tree);
    return tree.error().front().message;
  }
};

bool has(const std::string& text, std::string_view part) {
  CAPTURE(text);
  const bool found = text.find(part) != std::string::npos;
  CHECK(found);
  return found;
}

}  // namespace

TEST_SUITE_BEGIN("layers/secret_store");

TEST_CASE("a file's path starts at the folder of the file that names it") {
  Place place("include \"sub/part.conf\"\nvars.secret.a { file = pw }");
  place.secret("pw", "outer\n");
  place.secret("sub/pw", "inner");
  place.folder.write("sub/part.conf", "vars.secret.b { file = pw }");
  CHECK(place.text_of("vars.secret.a") == "outer");
  CHECK(place.text_of("vars.secret.b") == "inner");
}

TEST_CASE("one newline at the end is not part of a secret") {
  Place place("vars.secret { a { file = a }, b { file = b }, c { file = c }, d { env = PW } }");
  place.secret("a", "x\n\n");
  place.secret("b", "\n");
  place.secret("c", " x ");
  CHECK(place.text_of("vars.secret.a") == "x\n");
  CHECK(place.text_of("vars.secret.b").empty());
  CHECK(place.text_of("vars.secret.c") == " x ");
  CHECK(place.text_of("vars.secret.d") == "from env");
}

TEST_CASE("an empty file and a pipe without a writer are no secrets") {
  Place place("vars.secret { a { file = a } }");
  const std::string path = place.secret("a", "");
  has(place.error(), "the secret " + path + " is empty");
  REQUIRE(::unlink(path.c_str()) == 0);
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  has(place.error(), "the secret " + path + " is empty");
}

TEST_CASE("a secret in place of a secret's name is not shown") {
  for (const std::string form : {"file", "env", "credential"}) {
    for (const std::string name : {"${vars.secret.pw}", "x${vars.secret.pw}"}) {
      Place place("vars.secret { pw = hunter2, a { " + form + " = " + name + " } }");
      for (const SecretUse use : {SecretUse::needed, SecretUse::optional_credentials}) {
        place.options.secrets = use;
        if (form == "credential" && use == SecretUse::optional_credentials) {
          CHECK(hocon::format(place.tree().warnings()).find("hunter2") == std::string::npos);
          continue;
        }
        const std::string text = place.error();
        CAPTURE(text);
        CHECK(text.find("hunter2") == std::string::npos);
        has(text, "that a substitution names");
      }
    }
  }
}

TEST_CASE("credentials lie where systemd puts them") {
  Place place("vars.secret.db { credential = db-password }, url = \"u:\"${vars.secret.db}\"@h\"");
  place.secret("credentials/db-password", "hunter2\n");
  place.set_credentials();
  CHECK(place.text_of("url") == "u:hunter2@h");
  CHECK(place.tree().find("url").is_secret());
}

TEST_CASE("without systemd there are no credentials: an error, or by hand a remark") {
  Place place("vars.secret.db { credential = db }");
  has(place.error(), "the credential db does not exist: $CREDENTIALS_DIRECTORY is not set");
  place.options.secrets = SecretUse::optional_credentials;
  const hocon::Tree tree = place.tree();
  REQUIRE(tree.warnings().size() == 1);
  CHECK(tree.warnings()[0].remark);
  CHECK(tree.warnings()[0].line == 1);
  CHECK(tree.find("vars.secret.db").is_secret());
}

TEST_CASE("secrets can be ignored") {
  Place place("vars.secret { a { file = absent }, b { env = ABSENT }, c { credential = absent } }");
  place.options.secrets = SecretUse::ignored;
  const hocon::Tree tree = place.tree();
  CHECK(tree.warnings().empty());
  CHECK(tree.find("vars.secret.c").is_string());
}

TEST_CASE("a secret that is missing or no text says which and where") {
  has(Place("vars.secret.a { file = absent }").error(), "cannot read the secret ");
  has(Place("vars.secret.a { env = ABSENT }").error(),
      "the environment variable ABSENT is not set");
  has(Place("vars.secret.a { credential = ../x }").error(),
      "\"../x\" is not a valid name of a credential");
  Place place("vars.secret.a { file = pw }");
  place.secret("pw", std::string("a\0b", 3));
  has(place.error(), "there is a NUL in the secret");
  place.secret("pw", "\xFF");
  has(place.error(), "is not valid UTF-8");
  place.secret("pw", std::string(65'537, 'x'));
  has(place.error(), "has more than 64 KiB");
  place.secret("pw", std::string(65'536, 'x'));
  CHECK(place.text_of("vars.secret.a").size() == 65'536);
}

TEST_CASE("keys that others declare to be secret are treated alike") {
  Place place("db.x { password { env = PW }, user = u }");
  place.options.secret_keys = {"db.*.password"};
  const hocon::Tree tree = place.tree();
  CHECK(tree.find("db.x.password").text() == "from env");
  CHECK(tree.find("db.x.password").is_secret());
  CHECK_FALSE(tree.find("db.x.user").is_secret());
}

TEST_CASE("keys that turn out to be secret later are fetched and hidden then") {
  Place place("a { pin = 4711, key { env = PW }, none { file = absent } }, b = \"p\"${a.pin}");
  hocon::Tree tree = place.tree();
  const hocon::Diagnostics errors =
      tree.fetch_secrets(
              {tree.find("a.pin"), tree.find("a.key"), tree.find("a.none")},
              secret_store(hocon::environment_of(place.variables.data()), SecretUse::needed))
          .errors;
  REQUIRE(errors.size() == 1);
  has(errors[0].message, "cannot read the secret ");
  CHECK(errors[0].line == 1);
  CHECK(tree.find("a.key").text() == "from env");
  for (const char* path : {"a.pin", "a.key", "b"}) CHECK(tree.find(path).is_secret());
}

TEST_CASE("a later layer replaces where a secret is kept") {
  Place place("vars.secret.a { file = absent }");
  for (const char* later : {"vars.secret.a { env = PW }", "vars.secret.a.env = PW"}) {
    place.options.assignments = {{later, "--set"}};
    CHECK(place.text_of("vars.secret.a") == "from env");
  }
  place.options.assignments.clear();
  place.folder.write("conf.d/9.yaml", "vars: { secret: { a: { env: PW } } }");
  CHECK(place.text_of("vars.secret.a") == "from env");
  place.folder.write("conf.d/9.yaml", "vars: { secret: { a: { env: PW, credential: a } } }");
  has(place.error(), "this secret is kept in two places");
}

TEST_CASE("it does so as well for keys that turn out to be secret later") {
  Place place("a { key { file = absent }, both { file = a, env = PW }, typo { fiel = a } }");
  place.options.assignments = {{"a.key.env = PW", "--set"}};
  hocon::Tree tree = place.tree();
  const hocon::Diagnostics errors =
      tree.fetch_secrets(
              {tree.find("a.key"), tree.find("a.both"), tree.find("a.typo")},
              secret_store(hocon::environment_of(place.variables.data()), SecretUse::needed))
          .errors;
  CHECK(tree.find("a.key").text() == "from env");
  REQUIRE(errors.size() == 2);
  has(errors[0].message, "this secret is kept in two places");
  has(errors[1].message, "\"fiel\" does not say where this secret is kept");
}

TEST_CASE("in a list, too, a file's path starts at the folder of the file that names it") {
  Place place("vars.secret.a = [{ file = pw }]\ninclude \"sub/part.conf\"");
  place.secret("pw", "outer\n");
  place.secret("sub/pw", "inner");
  place.folder.write("sub/part.conf",
                     "vars.secret.a += { file = pw }, vars.secret.a += { env = PW }");
  const hocon::Tree tree = place.tree();
  const hocon::Value list = tree.find("vars.secret.a");
  REQUIRE(list.size() == 3);
  CHECK(list.at(0).value.text() == "outer");
  CHECK(list.at(1).value.text() == "inner");
  CHECK(list.at(2).value.text() == "from env");
}

TEST_CASE("a warning about a secret in a list comes once, however often it is used") {
  Place place("vars.secret.a = [{ file = pw }, { credential = c }], b = ${vars.secret.a}");
  REQUIRE(::chmod(place.secret("pw", "x").c_str(), 0644) == 0);
  has(place.error(), "the credential c does not exist");
  place.options.secrets = SecretUse::optional_credentials;
  const hocon::Tree tree = place.tree();
  REQUIRE(tree.warnings().size() == 2);
  has(tree.warnings()[0].message, "any user may read the secret");
  has(tree.warnings()[1].message, "the credential c exists only when systemd starts actord");
  CHECK(tree.find("b").at(1).value.is_secret());
}

TEST_CASE("a secret in a world-readable file is warned of, once a file") {
  Place place("vars.secret { a = x, b = y }\ninclude \"part.conf\"");
  place.secret("part.conf", "vars.secret { c = z }");
  CHECK(world_readable_secrets(place.tree()).empty());
  REQUIRE(::chmod(place.options.files[0].c_str(), 0644) == 0);
  const hocon::Diagnostics warnings = world_readable_secrets(place.tree());
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].file == place.options.files[0]);
  CHECK(warnings[0].line == 1);
  CHECK(warnings[0].warning);
  CHECK_FALSE(warnings[0].remark);
  CHECK(warnings[0].snippet_line == "vars.secret { a = \u2026, b = \u2026 }");
}

TEST_CASE("a value that is only suspected to be a secret is hidden, and not warned of") {
  Place place("a = x\nb = \"u:\"${a}");
  REQUIRE(::chmod(place.options.files[0].c_str(), 0644) == 0);
  hocon::Tree tree = place.tree();
  tree.make_secret({tree.find("b")});
  CHECK(tree.find("a").is_secret());
  CHECK(world_readable_secrets(tree).empty());
  tree.fetch_secrets({tree.find("b")}, {});  // a plugin declares it
  REQUIRE(world_readable_secrets(tree).size() == 1);
  CHECK(world_readable_secrets(tree)[0].line == 1);
}

TEST_CASE("a secret that is kept in a world-readable file is warned of") {
  Place place("vars.secret.a { file = pw }");
  const std::string path = place.secret("pw", "x");
  CHECK(place.tree().warnings().empty());
  REQUIRE(::chmod(path.c_str(), 0644) == 0);
  const hocon::Tree tree = place.tree();
  REQUIRE(tree.warnings().size() == 1);
  has(tree.warnings()[0].message, "any user may read the secret " + path);
}

TEST_CASE("a secret of the command line or of a variable is one as well") {
  Place place("url = \"u:\"${vars.secret.pw}");
  place.options.assignments = {{"vars.secret.pw=hunter2", "--set"}};
  CHECK(place.tree().find("url").is_secret());
  place.options.assignments.clear();
  place.variables.insert(place.variables.begin(), "ACTORD_SET_vars_secret_pw=hunter2");
  const hocon::Tree tree = place.tree();
  CHECK(tree.find("url").is_secret());
  CHECK(hocon::format(tree.find("vars.secret.pw").mismatch("a list")) ==
        "ACTORD_SET_vars_secret_pw:1:1: error: expected a list, got a string [E0302]\n"
        "  1 | \u2026\n    | ^\n");
  CHECK(world_readable_secrets(tree).empty());
}

TEST_SUITE_END();

}  // namespace actord::layers::test
