// SPDX-License-Identifier: Apache-2.0
#include "loader/plugin_note.hpp"

#include <actord/plugin.h>

#include <doctest/doctest.h>

TEST_SUITE_BEGIN("loader/plugin_note");

namespace {

using actord::loader::mismatch;
using actord::loader::parse_note;
using actord::loader::PluginNote;

PluginNote own_note() { return *parse_note(ACTORD_NOTE_TEXT("echo", "1.2.3")); }

std::string why(const PluginNote& note, std::string_view name = "echo") {
  const auto refusal = mismatch(note, name);
  return refusal ? refusal->what : "";
}

}  // namespace

TEST_CASE("a note of this build is read and fits") {
  const PluginNote note = own_note();
  CHECK(note.name == "echo");
  CHECK(note.version == "1.2.3");
  CHECK(note.abi_major == ACTORD_ABI_MAJOR);
  CHECK(note.abi_minor == ACTORD_ABI_MINOR);
  CHECK(note.sanitizer == ACTORD_SANITIZER);
  CHECK(why(note) == "");
}

TEST_CASE("keys of the future are let pass, in any order") {
  const auto note = parse_note("abi=1.7;future=x;name=echo;san=none;future2=");
  REQUIRE(note.ok());
  CHECK(note->name == "echo");
  CHECK(note->abi_minor == 7);
}

TEST_CASE("a damaged note is refused") {
  for (const char* text :
       {"", "name=echo", "abi=1.0", "name=;abi=1.0", "name=echo;abi=", "name=echo;abi=1",
        "name=echo;abi=1.", "name=echo;abi=1.0x", "name=echo;abi=-1.0",
        "name=echo;abi=99999999999.0", "name=echo;abi=1.0;;", "name=echo;abi=1.0;x",
        "name=e\x1b[2Jcho;abi=1.0", "name=ech\xc3\xb6;abi=1.0"}) {
    CAPTURE(text);
    const auto note = parse_note(text);
    REQUIRE_FALSE(note.ok());
    CHECK(note.error().what.find("damaged") != std::string::npos);
  }
}

TEST_CASE("the refusal names the key that differs, both sides, and the mend") {
  PluginNote other_abi = own_note(), older_minor = own_note(), other_sanitizer = own_note();
  other_abi.abi_major = ACTORD_ABI_MAJOR + 1;
  older_minor.abi_minor = ACTORD_ABI_MINOR + 1;
  other_sanitizer.sanitizer = "imagined";

  const std::string minor = std::to_string(ACTORD_ABI_MINOR);
  CHECK(why(other_abi) == "abi differs: it was built for plugin interface 2." + minor +
                              ", and this daemon has 1." + minor);
  CHECK(why(older_minor) == "");
  CHECK(why(other_sanitizer).find("san differs: it was built with the imagined sanitizer") == 0);
  for (const PluginNote* note : {&other_abi, &other_sanitizer}) {
    CHECK(mismatch(*note, "echo")->help != "");
  }
}

TEST_CASE("a file under another name than the plugin's is refused") {
  CHECK(why(own_note(), "ecco").find("\"echo\"") != std::string::npos);
}

TEST_CASE("any compiler and any standard library will do") {
  PluginNote note = own_note();
  note.compiler = "rustc";
  for (const char* const library : {"none", "libc++-15000", "libstdc++-99"}) {
    note.standard_library = library;
    CHECK(why(note) == "");
  }
}
