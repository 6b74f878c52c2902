// SPDX-License-Identifier: Apache-2.0
#include "config/json_forms.hpp"

#include <doctest/doctest.h>

#include "config/explanation.hpp"
#include "support/scratch_folder.hpp"

using namespace actord::config;
using actord::wire::Json;

namespace {

const actord::support::ScratchFolder& folder() {
  static const actord::support::ScratchFolder folder;
  return folder;
}

Configuration configuration(const std::string& text) {
  actord::options::Options options;
  options.config_files = {folder().write("a.conf", text + "\nactord.state-dir = /nowhere\n")};
  auto read = read_configuration(std::move(options));
  REQUIRE(read.ok());
  return std::move(read).value();
}

}  // namespace

TEST_SUITE_BEGIN("config/json_forms");

TEST_CASE("the arguments of a request are logged without the secrets of the configuration") {
  const Configuration own =
      configuration("vars.secret { pw = opensesame, pin = 4711, none = \"\" }\nvars.x = crawler");
  const Json arguments = {{"path", "/user/crawler"},
                          {"message", {{"url", "http://u:opensesame@h"}, {"pin", 4711}, {"n", 3}}},
                          {"list", {"opensesame", "sesame", true}}};
  const Json shown = without_secrets(arguments, own.settings.tree);
  CHECK(shown["path"] == "/user/crawler");
  CHECK(shown["message"] == Json({{"url", "(secret)"}, {"pin", "(secret)"}, {"n", 3}}));
  CHECK(shown["list"] == Json({"(secret)", "sesame", true}));
  CHECK(without_secrets(arguments, configuration("vars.x = opensesame").settings.tree) ==
        arguments);
}

TEST_CASE("an explanation is the same after a daemon has sent it") {
  Explanation it;
  it.key = "actord.name";
  it.value = "a";
  it.remark = "remark";
  it.type = "text";
  it.range = "a text";
  it.reload = "restart";
  it.default_value = "actord";
  it.from = Written{"a.conf:1:2", "name = a"};
  it.via = {{"b.conf:1:2", "vars.x = a"}};
  it.overrides = {{"built in", "actord"}};
  it.environment = "ACTORD_SET_actord_name";
  it.members = {"m"};
  it.failures = {"f"};
  it.doc = "A sentence.";
  it.is_secret = true;
  it.running = RunningValue{3, 2, "2024-05-01T10:32:01.123456Z", Written{"c.conf:1:1", "x"}};
  const Json sent = json_of(it);
  CHECK(json_of(explanation_of(sent)) == sent);
  CHECK(sent["running"]["is_pending"] == true);
  it.running = RunningValue{3, 0, {}, {}};
  it.value.reset();
  CHECK(json_of(explanation_of(json_of(it))) == json_of(it));
  CHECK_FALSE(json_of(it)["running"].contains("since"));
}

TEST_SUITE_END();
