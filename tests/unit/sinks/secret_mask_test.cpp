// SPDX-License-Identifier: Apache-2.0
//
// Known secrets in texts and in records.
#include "sinks/secret_mask.hpp"

#include <doctest/doctest.h>

#include "base/random.hpp"

namespace actord::sinks {

TEST_SUITE_BEGIN("sinks/secret_mask");

TEST_CASE("a secret is masked wherever it stands in a text") {
  SecretMask mask;
  CHECK(mask.masked("hunter2-hunter2") == "hunter2-hunter2");
  mask.add({"hunter2-hunter2", "short", "12345678"});
  CHECK(mask.masked("hunter2-hunter2") == "(secret)");
  CHECK(mask.masked("a hunter2-hunter2, 12345678.") == "a (secret), (secret).");
  CHECK(mask.masked("1234567812345678") == "(secret)(secret)");
  CHECK(mask.masked("hunter2-hunter") == "hunter2-hunter");
  CHECK(mask.masked("short").find("(secret)") == std::string::npos);
  CHECK(mask.masked("").empty());
}

TEST_CASE("of two secrets that begin alike the longer one is masked") {
  SecretMask mask;
  mask.add({"password-1", "password-12", "password-1"});
  CHECK(mask.masked("password-12") == "(secret)");
  CHECK(mask.masked("password-13") == "(secret)3");
}

TEST_CASE("secrets of before stay masked") {
  SecretMask mask;
  mask.add({"first-secret"});
  mask.add({"second-secret"});
  mask.add({});
  CHECK(mask.masked("first-secret second-secret") == "(secret) (secret)");
}

TEST_CASE("masking finds what a search would find") {
  base::Random random(7);
  const auto text_of = [&](std::size_t size) {
    std::string text;
    while (text.size() < size) text += static_cast<char>('a' + random.below(2));
    return text;
  };
  for (int i = 0; i < 200; ++i) {
    SecretMask mask;
    const std::string secret = text_of(8 + random.below(3));
    mask.add({secret});
    const std::string text = text_of(200);
    std::string expected = text;
    for (std::size_t at = 0; (at = expected.find(secret, at)) != std::string::npos;) {
      expected.replace(at, secret.size(), SecretMask::mask);
      at += SecretMask::mask.size();
    }
    CHECK(mask.masked(text) == expected);
  }
}

TEST_CASE("a record is masked in its message, its texts and its lists, and in nothing else") {
  SecretMask mask;
  RecordMask records(mask);
  const std::string_view list[] = {"x", "my-secret-1"};
  const log::Field fields[] = {
      {"my-secret-1", "my-secret-1"}, {"n", 5}, {"list", std::span<const std::string_view>(list)}};
  log::Record record;
  record.event = "my-secret-1";
  record.msg = "it is my-secret-1";
  record.fields = fields;
  CHECK(&records.masked(record) == &record);
  mask.add({"my-secret-1"});
  const log::Record& masked = records.masked(record);
  CHECK(masked.event == "my-secret-1");
  CHECK(masked.msg == "it is (secret)");
  REQUIRE(masked.fields.size() == 3);
  CHECK(masked.fields[0].key == "my-secret-1");
  CHECK(masked.fields[0].value.text() == "(secret)");
  CHECK(masked.fields[1].value.integer() == 5);
  CHECK(masked.fields[2].value.texts()[0] == "x");
  CHECK(masked.fields[2].value.texts()[1] == "(secret)");
}

TEST_SUITE_END();

}  // namespace actord::sinks
