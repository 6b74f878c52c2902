// SPDX-License-Identifier: Apache-2.0

#include "crawler/encoding.hpp"

#include <doctest/doctest.h>

#include "crawler/valid_utf8.hpp"

using namespace std::string_view_literals;
using crawler::Decoded;
using crawler::Encoding;
using crawler::encoding_of;

namespace {

std::string name_of(std::string_view label) {
  const Encoding* const found = encoding_of(label);
  return found == nullptr ? "none" : std::string{found->name};
}

Decoded decoded(std::string_view bytes, std::string_view label) {
  const Encoding* const encoding = encoding_of(label);
  REQUIRE(encoding != nullptr);
  Decoded result = crawler::decode(bytes, *encoding);
  CHECK(crawler::find_invalid_utf8(result.text).size == 0);
  return result;
}

std::string text(std::string_view bytes, std::string_view label) {
  const Decoded result = decoded(bytes, label);
  CHECK(result.replaced == 0);
  return result.text;
}

}  // namespace

TEST_SUITE("crawler/encoding") {
  TEST_CASE("labels mean what they mean to a browser") {
    CHECK(name_of("utf8") == "utf-8");
    CHECK(name_of(" UTF-8\n") == "utf-8");
    CHECK(name_of("ISO-8859-1") == "windows-1252");
    CHECK(name_of("us-ascii") == "windows-1252");
    CHECK(name_of("iso-8859-9") == "windows-1254");
    CHECK(name_of("TIS-620") == "windows-874");
    CHECK(name_of("gb2312") == "gbk");
    CHECK(name_of("ks_c_5601-1987") == "euc-kr");
    CHECK(name_of("x-sjis") == "shift_jis");
    CHECK(name_of("utf-16") == "utf-16le");
    CHECK(name_of("x-user-defined") == "windows-1252");
    CHECK(name_of("iso_8859-9:1989") == "windows-1254");
    CHECK(name_of("iso-10646-ucs-2") == "utf-16le");
    CHECK(name_of("x-mac-ukrainian") == "x-mac-cyrillic");
  }

  TEST_CASE("what is no label of the standard is no encoding") {
    for (const std::string_view label :
         {""sv, " "sv, "utf-7"sv, "utf-32"sv, "no-such-charset"sv, "utf"sv, "utf-8 utf8"sv}) {
      CAPTURE(label);
      CHECK(encoding_of(label) == nullptr);
    }
  }

  TEST_CASE("text of each family becomes UTF-8") {
    CHECK(text("\xB9\xAE\xBC\xAD", "euc-kr") == "문서");
    CHECK(text("\x93\xFA\x96\x7B \xB1", "shift_jis") == "日本 ｱ");
    CHECK(text("\xC6\xFC\xCB\xDC", "euc-jp") == "日本");
    CHECK(text("\x1B$BF|K\\\x1B(B.", "iso-2022-jp") == "日本.");
    CHECK(text("\xC4\xE3", "gb2312") == "你");
    CHECK(text("\xA7\x41", "big5") == "你");
    CHECK(text("\xCF\xF0\xE8", "windows-1251") == "При");
    CHECK(text("\xF0\xD2\xC9", "koi8-r") == "При");
    CHECK(text("caf\xE9", "iso-8859-1") == "café");
    CHECK(text("a\0\x3D\xD8\x00\xDE"sv, "utf-16le") == "a😀");
    CHECK(text("\0a\xD8\x3D\xDE\x00"sv, "utf-16be") == "a😀");
  }

  TEST_CASE("the converters are those of Windows, which the labels mean on the web") {
    CHECK(text("\x80 \x93x\x94", "iso-8859-1") == "€ “x”");
    CHECK(text("\x8C\x63", "euc-kr") == "똠");
    CHECK(text("\x87\x40", "shift_jis") == "①");
    CHECK(text("\x81\x40", "gb2312") == "丂");
  }

  TEST_CASE("this system can convert each encoding of the table") {
    for (const std::string_view label :
         {"ibm866",       "iso-8859-2",   "iso-8859-3",     "iso-8859-4",   "iso-8859-5",
          "iso-8859-6",   "iso-8859-7",   "iso-8859-8",     "iso-8859-8-i", "iso-8859-10",
          "iso-8859-13",  "iso-8859-14",  "iso-8859-15",    "iso-8859-16",  "koi8-r",
          "koi8-u",       "macintosh",    "windows-874",    "windows-1250", "windows-1251",
          "windows-1252", "windows-1253", "windows-1254",   "windows-1255", "windows-1256",
          "windows-1257", "windows-1258", "x-mac-cyrillic", "gbk",          "gb18030",
          "big5",         "euc-jp",       "iso-2022-jp",    "shift_jis",    "euc-kr",
          "iso-2022-kr",  "iso-2022-cn",  "utf-16be",       "utf-16le"}) {
      CAPTURE(label);
      const Encoding* const encoding = encoding_of(label);
      REQUIRE(encoding != nullptr);
      const bool is_wide = encoding->form == Encoding::Form::utf16;
      const std::string_view bytes = !is_wide                       ? "<p>a"sv
                                     : encoding->name == "utf-16le" ? "<\0p\0>\0a\0"sv
                                                                    : "\0<\0p\0>\0a"sv;
      CHECK(text(bytes, label) == "<p>a");
    }
  }

  TEST_CASE("bytes that are no character become U+FFFD and are counted") {
    const Decoded bad = decoded("caf\xE9 \xE2\x82\xAC", "utf-8");
    CHECK(bad.text == "caf\uFFFD €");
    CHECK(bad.replaced == 1);
    CHECK(decoded("a\x81z", "windows-1252").text == "a\uFFFDz");
    // A character that iconv has kept back, to see whether an accent follows, is not lost.
    CHECK(decoded("\xE0\xD9", "windows-1255").text == "א\uFFFD");
    CHECK(decoded("\0\xD8"
                  "b\0"sv,
                  "utf-16le")
              .text == "\uFFFDb");
  }

  TEST_CASE("a bad lead byte does not swallow the tag behind it") {
    CHECK(decoded("\xB9<b>\xB9\xAE", "euc-kr").text == "\uFFFD<b>문");
    CHECK(decoded("\xFF\xFF\xB9\xAE", "euc-kr").text == "\uFFFD문");
  }

  TEST_CASE("a text that ends within a character ends with U+FFFD") {
    struct Row {
      const char* label;
      std::string_view bytes;
    };
    for (const Row& row :
         {Row{"euc-kr", "x\xB9"}, Row{"shift_jis", "x\x93"}, Row{"gb18030", "x\x81\x30\x81"},
          Row{"utf-8", "x\xF0\x9F\x98"}, Row{"big5", "x\xA7"}, Row{"utf-16le", "x\0\x3D"sv}}) {
      CAPTURE(row.label);
      const Decoded cut = decoded(row.bytes, row.label);
      CHECK(cut.text == "x\uFFFD");
      CHECK(cut.replaced == 1);
    }
  }

  TEST_CASE("a byte order mark is no text, unless it is that of another encoding") {
    CHECK(text("\xEF\xBB\xBFx", "utf-8") == "x");
    CHECK(text("\xFF\xFEx\0"sv, "utf-16le") == "x");
    CHECK(text("\xFE\xFF\0x"sv, "utf-16be") == "x");
    CHECK(text("\xEF\xBB\xBFx", "windows-1252") == "ï»¿x");
  }

  TEST_CASE("an encoding that this system lacks is read as UTF-8") {
    const Encoding missing{"missing", "NO-SUCH-CONVERTER", Encoding::Form::multi};
    CHECK(crawler::decode("café", missing).text == "café");
    CHECK(crawler::decode("caf\xE9", missing).text == "caf\uFFFD");
  }

  TEST_CASE("a text of several buffers of iconv is whole") {
    std::string bytes, expected;
    for (int i = 0; i < 20'000; ++i) {
      bytes += "\xB9\xAE";
      expected += "문";
    }
    CHECK(text(bytes, "euc-kr") == expected);
  }
}
