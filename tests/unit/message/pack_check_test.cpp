// SPDX-License-Identifier: Apache-2.0
//
// Bytes of another process are one whole value, or they are refused.
#include "message/pack_check.hpp"

#include <doctest/doctest.h>

#include <string>

#include "message/message_pack.hpp"
#include "message/message_type.hpp"

namespace actord::message {

TEST_SUITE_BEGIN("message/pack_check");

namespace {

std::string everything() {
  PackWriter packed;
  actord_writer& w = packed;
  w.begin_map(&w, 8);
  w.key(&w, to_c("null"));
  w.null(&w);
  w.key(&w, to_c("yes"));
  w.boolean(&w, 1);
  w.key(&w, to_c("numbers"));
  w.begin_list(&w, 3);
  w.integer(&w, INT64_MIN);
  w.natural(&w, UINT64_MAX);
  w.real(&w, 0.5);
  w.end(&w);
  w.key(&w, to_c("text"));
  w.text(&w, to_c("short"));
  w.key(&w, to_c("long"));
  const std::string text(300, 'x');
  w.text(&w, to_c(text));
  w.key(&w, to_c("who"));
  w.ref(&w, 7);
  w.key(&w, to_c("time"));
  w.duration(&w, -1);
  w.key(&w, to_c("many"));
  w.begin_list(&w, 40);
  for (int i = 0; i < 40; ++i) w.boolean(&w, 0);
  w.end(&w);
  w.end(&w);
  REQUIRE(packed.fault() == "");
  return std::string{packed.bytes()};
}

std::string nested(std::size_t depth) { return std::string(depth, '\x91') + '\xc0'; }

}  // namespace

TEST_CASE("what a writer makes is whole, and each beginning of it is not") {
  const std::string whole = everything();
  CHECK(is_whole_pack(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    CHECK_FALSE(is_whole_pack(std::string_view{whole}.substr(0, size)));
  }
  CHECK_FALSE(is_whole_pack(whole + '\xc0'));
}

TEST_CASE("any changed byte is refused, or leaves a value that can be read to its end") {
  const std::string whole = everything();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int bit : {1, 2, 16, 64, 128}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ bit);
      if (!is_whole_pack(changed)) continue;
      const PackReader reader(changed);
      const actord_value root = reader.root();
      CHECK(root.reader->kind(root) >= 0);
    }
  }
}

TEST_CASE("a value may be as deep as a writer makes it, and no deeper") {
  CHECK(is_whole_pack(nested(PackWriter::depth_max)));
  CHECK_FALSE(is_whole_pack(nested(PackWriter::depth_max + 1)));
  CHECK_FALSE(is_whole_pack(nested(1'000'000)));
}

TEST_CASE("counts that lie are refused") {
  using namespace std::string_view_literals;
  for (const std::string_view lie :
       {"\xdd\xff\xff\xff\xff"sv, "\xdf\xff\xff\xff\xff\xa1z"sv, "\xdb\xff\xff\xff\xffz"sv,
        "\xdd\0\0\0\2\xc0"sv, "\x92\xc0"sv, "\x81\xa1z"sv, "\xa5zzzz"sv, "\xdb\0\0\0"sv})
    CHECK_FALSE(is_whole_pack(lie));
}

TEST_CASE("keys are texts, extensions are those of refs and durations, and no byte is unknown") {
  using namespace std::string_view_literals;
  CHECK_FALSE(is_whole_pack("\x81\xc0\xc0"sv));
  CHECK_FALSE(is_whole_pack("\x81\x90\xc0"sv));
  CHECK(is_whole_pack("\xd7\1\0\0\0\0\0\0\0\0"sv));
  CHECK(is_whole_pack("\xd7\2\0\0\0\0\0\0\0\0"sv));
  CHECK_FALSE(is_whole_pack("\xd7\3\0\0\0\0\0\0\0\0"sv));
  for (const char first : {'\xc1', '\xc4', '\xca', '\xcc', '\xd0', '\xd9', '\xdc', '\xde', '\xc7'})
    CHECK_FALSE(is_whole_pack(std::string(1, first) + std::string(16, '\0')));
}

TEST_SUITE_END();

}  // namespace actord::message
