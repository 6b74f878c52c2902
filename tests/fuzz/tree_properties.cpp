// SPDX-License-Identifier: Apache-2.0
#include "tree_properties.hpp"

#include <string>

#include "hocon/kept_secrets.hpp"
#include "hocon/render.hpp"
#include "property.hpp"

namespace actord::fuzz {

namespace {

/// The text with which every fetched secret begins; see can_forge_secret_prefix().
constexpr std::string_view fetched = "\u241F fetched \u241F";

void must_not_show(const std::string& text) {
  must(text.find(fetched) == std::string::npos, "what was fetched is not shown", text);
}

void read_as_everything(const hocon::Value& value) {
  for (const bool taken :
       {value.as_bool().ok(), value.as_int64().ok(), value.as_int64(1, 10).ok(),
        value.as_double().ok(), value.as_duration_ns().ok(), value.as_bytes().ok()}) {
    must(!taken || !value.is_object(), "an object is no scalar");
  }
  if (const auto text = value.as_string())
    must(*text == value.text(), "a text is as it is written");
  if (const auto list = value.as_list()) must(list->size() <= value.size(), "a list of members");
  const hocon::Diagnostic finding = value.reject("no");
  must(!format(finding).empty(), "a finding can be printed");
  must_not_show(format(value.mismatch("another")));
  must(finding.snippet_line.empty() || finding.snippet_column > 0, "a caret has a column");
  value.overridden();
}

void look_at(const hocon::Tree& tree, const hocon::Value& value) {
  read_as_everything(value);
  const std::string path = value.path();
  const bool in_list = path.find('[') != std::string::npos;  // or in a key, which is then quoted
  if (!path.empty() && !in_list) must(tree.find(path) == value, "a path leads to its value", path);
  for (std::size_t i = 0; i < value.size(); ++i) {
    const hocon::Member member = value.at(i);
    must(member.value.parent() == value, "a child knows its parent", path);
    if (value.is_object()) must(value.member(member.key) == member.value, "a key names its member");
    look_at(tree, member.value);
  }
}

// The rendered text must be JSON that means the same, read as a .json file and as HOCON.
void render_and_read_again(const hocon::Tree& tree) {
  const std::string json = render_json(tree.root(), true);
  must_not_show(json);
  for (const char* name : {"/again.json", "/again.conf"}) {
    hocon::Limits limits;
    limits.nesting += 1;  // for the braces of the root
    hocon::Source source(limits);
    source.add_text(name, json);
    const auto again = source.resolve();
    must(again.ok(), "rendered JSON can be read again", again ? "" : format(again.error()) + json);
    must(render_json(again->root(), true) == json, "rendered JSON means the same", json);
  }
}

void look_at(const hocon::Tree& tree) {
  look_at(tree, tree.root());
  must_not_show(format(tree.warnings()));
  render_and_read_again(tree);
}

void look_at(const hocon::Diagnostics& findings, const hocon::Limits& limits) {
  must(!findings.empty() && findings.size() <= limits.errors, "as many findings as are wanted");
  for (const hocon::Diagnostic& finding : findings) {
    must(!finding.message.empty(), "a finding has a message");
    must(!format(finding).empty(), "a finding can be printed");
    must_not_show(format(finding));
  }
}

}  // namespace

bool can_forge_secret_prefix(std::string_view input) {
  for (const std::string_view character : {"\u241F", "u241F", "u241f"}) {
    if (input.find(character) != std::string_view::npos) return true;
  }
  return false;
}

base::Result<hocon::FetchedSecret, hocon::Diagnostic> fetch(const hocon::SecretRequest& request) {
  hocon::Diagnostic finding = request.at;
  finding.message = "it is odd";
  // A message names the place of a secret. A place that is a secret itself must not be named.
  const bool is_secret_place = request.name.find(fetched) != std::string_view::npos;
  if (request.name == "none" || is_secret_place) return finding;
  return hocon::FetchedSecret{std::string(fetched) + std::string(request.name), finding};
}

hocon::Limits small_limits() {
  hocon::Limits limits;
  limits.source_bytes = 1U << 20U;
  limits.nodes = 20'000;
  limits.text_bytes = 1U << 20U;
  limits.reference_depth = 2'000;
  limits.files = 50;
  return limits;
}

void check_resolved(hocon::Source& source, const hocon::Limits& limits) {
  const auto tree = source.resolve();
  if (!tree) return look_at(tree.error(), limits);
  look_at(*tree);
  const hocon::Value late = tree->find("late");
  if (!late) return;
  hocon::Tree settled = *tree;
  const hocon::SecretFindings found = settled.fetch_secrets({late}, &fetch);
  must(found.errors.empty() || !found.unfetched.empty(), "an error is about a value");
  for (const hocon::Value& each : found.unfetched) must(each.is_object(), "it is still an object");
  must_not_show(format(found.errors));
  look_at(settled);
}

}  // namespace actord::fuzz
