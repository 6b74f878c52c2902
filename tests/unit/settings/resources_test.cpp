// SPDX-License-Identifier: Apache-2.0
#include "settings/resources.hpp"

#include <doctest/doctest.h>

#include "unit/settings/settings_text.hpp"

using namespace actord;
using namespace actord::settings;

namespace {

actord_config_key key(actord_str path, std::uint32_t resource) {
  actord_config_key made{};
  made.struct_size = sizeof made;
  made.path = path;
  made.least.kind = made.most.kind = ACTORD_NULL;
  made.resource = resource;
  return made;
}

const actord_str web_schemes[] = {ACTORD_STR("http"), ACTORD_STR("https")};

actord_config_key url_key(bool is_web) {
  actord_config_key made = key(ACTORD_STR("start"), ACTORD_URL);
  if (is_web) made.schemes = web_schemes, made.n_schemes = 2;
  return made;
}

std::string web_error(std::string_view url) { return url_error(url, url_key(true)); }

}  // namespace

TEST_SUITE_BEGIN("settings/resources");

TEST_CASE("the written values that name a resource are found, in lists and maps, too") {
  actord_config_key root = key(ACTORD_STR("sites.*.root"), ACTORD_FOLDER);
  actord_config_key port = key(ACTORD_STR("sites.*.http_port"), ACTORD_PORT);
  port.address_key = ACTORD_STR("sites.*.host");
  actord_config_key plain = key(ACTORD_STR("name"), 0);
  const actord_config_key* const keys[] = {&root, &port, &plain};
  actord_behaviour behaviour{};
  behaviour.struct_size = sizeof behaviour;
  behaviour.config_keys = keys;
  behaviour.n_config_keys = 3;
  const Settings settings = read(R"(vars.x {
    name = n, sites = [{ root = /a, http-port = 80, host = "::1" }, { root = null }, { root = /b }]
  })");
  const std::vector<Resource> found = resources_in(settings.tree.find("vars.x"), behaviour);
  REQUIRE(found.size() == 3);
  CHECK(found[0].value.text() == "/a");
  CHECK(found[1].value.text() == "/b");
  CHECK(found[2].declared == &port);
  CHECK(found[2].value.text() == "80");
  CHECK(found[2].address.text() == "::1");
  CHECK(resources_in({}, behaviour).empty());
}

TEST_CASE("a key of an older plugin names nothing") {
  actord_config_key old = key(ACTORD_STR("root"), ACTORD_FOLDER);
  CHECK(schema::resource_of(old) == ACTORD_FOLDER);
  old.struct_size = offsetof(actord_config_key, resource);
  CHECK(schema::resource_of(old) == 0);
  CHECK(schema::resource_text(old).empty());
}

TEST_CASE("a resource is described in words") {
  actord_config_key file = key(ACTORD_STR("index"), ACTORD_FILE);
  file.use = ACTORD_WRITES | ACTORD_IN_STATE_DIRECTORY;
  file.folder = ACTORD_STR("crawler");
  CHECK(schema::resource_text(file) == "a file in crawler/ of the state directory that is written");
  actord_config_key folder = key(ACTORD_STR("root"), ACTORD_FOLDER);
  folder.use = ACTORD_READS;
  CHECK(schema::resource_text(folder) == "a folder that is read");
  CHECK(schema::resource_text(url_key(true)) == "an absolute http or https URL");
  CHECK(schema::resource_text(key(ACTORD_STR("p"), ACTORD_PORT)) ==
        "a TCP port that the actor listens on");
}

TEST_CASE("a URL has a known scheme, a host, and a port that can be one") {
  for (const char* const right : {"http://a", "HTTPS://a.b:8080/x?y#z", "http://[::1]:80/",
                                  "http://user@a/", "http://a:", "http://ä.example/wörter"}) {
    CAPTURE(right);
    CHECK(web_error(right).empty());
  }
  for (const char* const wrong : {"", "a", "/a/b", "htp:/nowhere", "mailto:a@b", "//a", "http:///x",
                                  "http://:80/", "http://a:0/", "http://a:70000/", "http://a:b/",
                                  "http://a b/", "http://[::1/", "ftp://a"}) {
    CAPTURE(wrong);
    CHECK_FALSE(web_error(wrong).empty());
  }
  CHECK(url_error("redis://a:6379", url_key(false)).empty());
  CHECK(web_error("ftp://a") == "expected a URL that begins with http:// or https://");
}

TEST_SUITE_END();
