// SPDX-License-Identifier: Apache-2.0
#include "config/json_forms.hpp"

#include <doctest/doctest.h>

#include "config/configuration.hpp"
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

TEST_SUITE_END();
