// SPDX-License-Identifier: Apache-2.0
//
// actord-manual: writes the files that are generated from the schema of the configuration and from
// the table of the log's events, below the folder of the sources. With --check it reports files
// that differ. Used by the build, not installed.
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "manual/event_page.hpp"
#include "manual/journal_catalogue.hpp"
#include "manual/man_page.hpp"
#include "schema/json_schema.hpp"
#include "schema/reference.hpp"

namespace {

struct Page {
  std::string path, text;
};

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

/// Writes the file. Returns whether that succeeded; reports an error if not.
bool write_page(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text << std::flush;
  if (!out) std::cerr << "actord-manual: cannot write " << path << '\n';
  return out.good();
}

/// Returns whether the file already has that text; reports the difference if not.
bool check_page(const std::string& path, const std::string& text) {
  if (text_of(path) == text) return true;
  std::cerr << path << " is not what its source says; ./dev manual writes it\n";
  return false;
}

/// Writes or checks all files below the folder `sources`. Returns whether that succeeded.
bool run(const std::string& sources, bool is_check) {
  const Page pages[] = {
      {"config/reference.conf", std::string{actord::schema::reference_text()}},
      {"config/actord.conf.5", actord::manual::man_page()},
      {"config/actord-log.7", actord::manual::log_man_page()},
      {"config/actord.schema.json", actord::schema::json_schema()},
      {"config/actord-log.schema.json", actord::manual::event_json_schema()},
      {"core/log/events.md", actord::manual::event_page()},
      {"systemd/actord.catalog", actord::manual::journal_catalogue()},
  };
  bool is_right = true;
  for (const Page& page : pages) {
    const std::string path = sources + '/' + page.path;
    is_right &= is_check ? check_page(path, page.text) : write_page(path, page.text);
  }
  return is_right;
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_check = argc == 3 && std::string_view{argv[1]} == "--check";
  if (argc != 2 && !is_check) {
    std::cerr << "usage: actord-manual [--check] SOURCES\n";
    return 64;
  }
  try {
    return run(argv[argc - 1], is_check) ? 0 : 1;
  } catch (const std::logic_error& error) {  // a table is wrong
    std::cerr << "actord-manual: " << error.what() << '\n';
    return 1;
  }
}
