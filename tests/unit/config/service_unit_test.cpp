// SPDX-License-Identifier: Apache-2.0
#include "config/service_unit.hpp"

#include <doctest/doctest.h>

#include "support/scratch_folder.hpp"

using namespace actord::config;
using actord::support::ScratchFolder;

TEST_SUITE_BEGIN("config/service_unit");

TEST_CASE("without a unit there is nothing to read") {
  const ScratchFolder root;
  CHECK_FALSE(installed_unit(root.path().string()).has_value());
}

TEST_CASE("the unit says who runs what with which state directory") {
  const ScratchFolder root;
  root.write("usr/lib/systemd/system/actord.service",
             "[Unit]\nUser=wrong\n[Service]\n# User=comment\nUser = actord\n"
             "StateDirectory=actord more\n"
             "ExecStart=/usr/sbin/actord \\\n  --config /etc/actord/actord.conf\n");
  const auto unit = installed_unit(root.path().string());
  REQUIRE(unit.has_value());
  CHECK(unit->user == "actord");
  CHECK(unit->state_directory == "/var/lib/actord");
  CHECK(unit->starts_with("/etc/actord/actord.conf"));
  CHECK_FALSE(unit->starts_with("/etc/actord/other.conf"));
}

TEST_CASE("a unit in /etc replaces the packaged one, and drop-ins override it by their names") {
  const ScratchFolder root;
  root.write("usr/lib/systemd/system/actord.service", "[Service]\nUser=packaged\n");
  root.write("etc/systemd/system/actord.service",
             "[Service]\nUser=own\nExecStart=actord --config=/srv/a.conf\n");
  root.write("usr/lib/systemd/system/actord.service.d/20-later.conf", "[Service]\nUser=later\n");
  root.write("etc/systemd/system/actord.service.d/10-first.conf", "[Service]\nUser=first\n");
  CHECK(installed_unit(root.path().string())->user == "later");
  root.write("etc/systemd/system/actord.service.d/20-later.conf", "");  // hides that of its name
  CHECK(installed_unit(root.path().string())->user == "first");
  CHECK(installed_unit(root.path().string())->starts_with("/srv/a.conf"));
}

TEST_SUITE_END();
