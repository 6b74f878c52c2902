// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "unit/settings/settings_text.hpp"

namespace actord::settings {

using schema::LogFormat;
using schema::LogSinkType;

namespace {

LogSinkSettings sink_of(const std::string& text) {
  const Settings settings = read("actord.log.sinks.it { " + text + " }");
  REQUIRE(settings.log.sinks.size() == 1);
  return settings.log.sinks.front();
}

std::string sink_errors(const std::string& text) {
  return errors("actord.log.sinks {\n  it { " + text + " }\n}");
}

}  // namespace

TEST_SUITE_BEGIN("settings/log_reader");

TEST_CASE("each type of sink has its keys, and defaults of its own") {
  const LogSinkSettings file =
      sink_of("type = file, path = a.log, level = error, rotate { size = 1 MiB, keep = 2 }");
  CHECK(file.type == LogSinkType::file);
  CHECK(file.path == "/srv/here/a.log");
  CHECK(file.level == log::Level::error);
  CHECK(file.format == LogFormat::json);
  CHECK(file.rotate_bytes == 1 << 20);
  CHECK(file.keep == 2);
  const LogSinkSettings syslog = sink_of("type = syslog, facility = local3");
  CHECK(syslog.type == LogSinkType::syslog);
  CHECK(syslog.format == LogFormat::console);
  CHECK(syslog.facility == 19);
  CHECK(syslog.socket.empty());
  CHECK(sink_of("type = syslog").facility == 3);
  CHECK(sink_of("type = syslog, format = json").format == LogFormat::json);
  CHECK(sink_of("type = journald, socket = /run/j").socket == "/run/j");
}

TEST_CASE("the output can be off and have a level, and without sinks there are none") {
  const Settings settings = read("actord.log { format = off, output-level = error }");
  CHECK(settings.log.format == LogFormat::off);
  CHECK(settings.log.output_level == log::Level::error);
  CHECK(settings.log.level == log::Level::info);
  CHECK(read("actord.name = x").log.output_level == log::Level::debug);
  CHECK(read("actord.log.sinks.it = null").log.sinks.empty());
}

TEST_CASE("a key that the type does not have is an error at its place, and says whose it is") {
  CHECK_HAS(sink_errors("type = syslog, path = /x"),
            "test.conf:2:23: error: a sink of the type syslog has no path");
  CHECK_HAS(sink_errors("type = syslog, path = /x"),
            "only the type file has it; remove it, or change actord.log.sinks.it.type");
  CHECK_HAS(sink_errors("type = syslog, rotate.keep = 3"), "the type syslog has no rotate");
  CHECK_HAS(sink_errors("type = journald, format = json"), "only the type file or syslog has it");
  CHECK_HAS(sink_errors("type = file, path = /x, facility = user"), "has no facility");
  CHECK_HAS(sink_errors("type = file, path = /x, socket = /y"),
            "only the type syslog or journald has it");
  CHECK(sink_of("type = syslog, path = null").path.empty());  // takes an inherited one away
}

TEST_CASE("a sink without a type, a file without a path and a wrong word are errors") {
  CHECK_HAS(sink_errors("path = /x"), "it needs type");
  CHECK_HAS(sink_errors("path = /x"), "as in it { type = file }");
  CHECK_HAS(sink_errors("type = file"), "it needs path");
  CHECK_HAS(sink_errors("type = sylsog"), "did you mean \"syslog\"?");
  CHECK_HAS(sink_errors("type = syslog, facility = kern"), "expected one of daemon, user");
  CHECK_HAS(sink_errors("type = syslog, socket = \"/" + std::string(200, 'n') + "\""),
            "the path of a socket has 201 bytes, and 107 are allowed");
  const std::string only_type = sink_errors("type = sylsog, path = /x, facility = user");
  CHECK(only_type.find("has no") == std::string::npos);
}

TEST_CASE("the former name of the sinks is answered with theirs") {
  CHECK_HAS(errors("actord.log.files.all.path = /x"), "its name is \"sinks\" in actord");
}

TEST_SUITE_END();

}  // namespace actord::settings
