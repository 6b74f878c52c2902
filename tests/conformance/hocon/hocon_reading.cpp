// SPDX-License-Identifier: Apache-2.0
#include "hocon_reading.hpp"

#include <optional>

#include "hocon/render.hpp"
#include "hocon/source.hpp"
#include "support/scratch_folder.hpp"

namespace actord::hocon::conformance {

namespace {

Source::Environment lookup(const Variables& environment) {
  return [&environment](std::string_view name) -> std::optional<std::string> {
    const auto found = environment.find(std::string(name));
    return found == environment.end() ? std::nullopt : std::optional(found->second);
  };
}

std::string place_of(const Diagnostic& finding) {
  return std::to_string(finding.line) + ":" + std::to_string(finding.column);
}

/// "b.conf:1:5" instead of the whole path, which differs from run to run.
std::string place_in_folder(const Diagnostic& finding) {
  return finding.file.substr(finding.file.rfind('/') + 1) + ":" + place_of(finding);
}

void expect(Source& source, std::string_view json) {
  const auto tree = source.resolve();
  if (!tree) FAIL_CHECK(format(tree.error()));
  else CHECK(render_json(tree->root(), false) == json);
}

template <class Place>
void expect_finding(Source& source, std::string_view place, std::string_view word, Place place_of) {
  const auto tree = source.resolve();
  if (tree) {
    FAIL_CHECK("it was taken: ", render_json(tree->root(), false));
    return;
  }
  const Diagnostic& finding = tree.error().front();
  CHECK(place_of(finding) == place);
  CHECK_MESSAGE(finding.message.find(word) != std::string::npos, finding.message);
}

void add_text(Source& source, std::string_view text) { source.add_text("t", std::string(text)); }

/// Files in a folder, of which the first `count` are layers.
struct Layered {
  Layered(const Files& files, std::size_t count) {
    for (const auto& [name, text] : files) folder.write(name, text);
    for (std::size_t i = 0; i < count; ++i) {
      const auto added = source.add_file(folder.at(files[i].first));
      REQUIRE(added.ok());
    }
  }
  support::ScratchFolder folder;
  Source source;
};

template <class Number>
std::string shown(const base::Result<Number, Diagnostic>& result) {
  return result ? std::to_string(*result) : refused;
}

}  // namespace

void reads(std::string_view text, std::string_view json, const Variables& environment) {
  INFO("text: ", std::string(text));
  Source source;
  source.set_environment(lookup(environment));
  add_text(source, text);
  expect(source, json);
}

void reads(const Files& files, std::string_view json, const Variables& environment) {
  Layered layered(files, 1);
  layered.source.set_environment(lookup(environment));
  expect(layered.source, json);
}

void reads_layers(const Files& files, std::size_t count, std::string_view json) {
  Layered layered(files, count);
  expect(layered.source, json);
}

void refuses(std::string_view text, std::string_view place, std::string_view word) {
  INFO("text: ", std::string(text));
  Source source;
  add_text(source, text);
  expect_finding(source, place, word, place_of);
}

void refuses(const Files& files, std::string_view place, std::string_view word) {
  Layered layered(files, 1);
  expect_finding(layered.source, place, word, place_in_folder);
}

std::string places(std::string_view text, const Limits& limits) {
  Source source(limits);
  add_text(source, text);
  const auto tree = source.resolve();
  std::string all;
  if (tree) return all;
  for (const Diagnostic& finding : tree.error())
    all.append(all.empty() ? "" : " ").append(place_of(finding));
  return all;
}

Typed::Typed(std::string_view written) {
  INFO("value: ", std::string(written));
  Source source;
  add_text(source, "a = " + std::string(written));
  const auto tree = source.resolve();
  REQUIRE(tree.ok());
  tree_ = *tree;
}

std::string Typed::duration() const { return shown(value().as_duration_ns()); }
std::string Typed::bytes() const { return shown(value().as_bytes()); }
std::string Typed::integer() const { return shown(value().as_int64()); }

std::string Typed::number() const {
  const auto number = value().as_double();
  return number ? std::to_string(*number) : refused;
}

std::string Typed::boolean() const {
  const auto boolean = value().as_bool();
  if (!boolean) return refused;
  return *boolean ? "true" : "false";
}

std::string Typed::string() const {
  const auto string = value().as_string();
  return string ? *string : refused;
}

std::string Typed::list() const {
  const auto list = value().as_list();
  if (!list) return refused;
  std::string all;
  for (const Value& element : *list)
    all.append(all.empty() ? "" : " ").append(render_json(element, false));
  return all;
}

}  // namespace actord::hocon::conformance
