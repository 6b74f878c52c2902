// SPDX-License-Identifier: Apache-2.0
//
// Layers: texts, files, overrides, merged as if they were one file.
#include "hocon/source.hpp"

#include "resolved.hpp"
#include "support/scratch_folder.hpp"

namespace actord::hocon::test {

TEST_SUITE_BEGIN("hocon/source");

TEST_CASE("later layers go over earlier ones, and substitutions see the result of all") {
  Source source;
  source.add_text("reference.conf", "port = 80, url = \"http://x:\"${port}, list = [1]");
  source.add_text("site.conf", "port = 90, list += 2");
  source.add_override("port=91");
  CHECK(resolved(source) == R"({"port":91,"url":"http://x:91","list":[1,2]})");
}

TEST_CASE("an override's value is HOCON and its place is named") {
  Source source;
  source.add_override("a.b = 5 s");
  source.add_override("a.list += x");
  source.add_override("a.o={p=1}");
  CHECK(resolved(source) == R"({"a":{"b":"5 s","list":["x"],"o":{"p":1}}})");

  Source broken;
  broken.add_override("a.b = x*y");
  const auto tree = broken.resolve();
  REQUIRE_FALSE(tree);
  CHECK(tree.error().front().file == "--set");
  CHECK(brief(tree.error().front()) == "1:8: the character \"*\" must be quoted");
}

TEST_CASE("a string layer is taken as it is") {
  Source source;
  source.add_text("t", "a.b = 1, c = ${a.b}");
  source.add_string("a.b", "${x} # [1]", "environment A_B");
  const auto tree = source.resolve();
  REQUIRE(tree);
  CHECK(tree->find("a.b").text() == "${x} # [1]");
  CHECK(tree->find("c").text() == "${x} # [1]");
  CHECK(tree->find("a.b").origin_text() == "environment A_B:1");

  Source broken;
  broken.add_string("a..b", "x", "environment A__B");
  CHECK(resolved(broken) == "1:1: \"a..b\" is not a key");
}

TEST_CASE("a file that cannot be read says why") {
  const support::ScratchFolder folder;
  folder.write("folder/x", "");
  Source source;
  const auto missing = source.add_file(folder.at("nope.conf"));
  REQUIRE_FALSE(missing);
  CHECK(missing.error().reason == FileError::Reason::missing);
  CHECK(missing.error().diagnostic.file == folder.at("nope.conf"));
  const auto directory = source.add_file(folder.at("folder"));
  REQUIRE_FALSE(directory);
  CHECK(directory.error().reason == FileError::Reason::unreadable);
  CHECK(resolved(source) == "{}");
}

TEST_CASE("the place of a value names its layer's file") {
  const support::ScratchFolder folder;
  const std::string path = folder.write("site.conf", "# site\n\nport = 90\n");
  Source source;
  source.add_text("reference.conf", "port = 80");
  REQUIRE(source.add_file(path));
  const auto tree = source.resolve();
  REQUIRE(tree);
  CHECK(tree->find("port").origin_text() == path + ":3");
  REQUIRE(tree->find("port").overridden().size() == 1);
  CHECK(tree->find("port").overridden()[0].place == "reference.conf:1");
  REQUIRE(tree->files().size() == 1);
  CHECK(tree->files()[0].name == path);
}

TEST_CASE("no layers are an empty configuration") {
  Source source;
  CHECK(resolved(source) == "{}");
}

TEST_SUITE_END();

}  // namespace actord::hocon::test
