// SPDX-License-Identifier: Apache-2.0

#include "crawler/sniffing.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace std::string_view_literals;

namespace {

std::string sniffed(std::string_view page, std::string_view header = {}) {
  const crawler::SniffedEncoding found = crawler::sniff_encoding(page, header);
  return std::string{found.encoding->name} + " by " + std::string{name_of(found.source)};
}

}  // namespace

TEST_SUITE("crawler/sniffing") {
  TEST_CASE("a byte order mark wins over the header, and the header over the page") {
    const std::string page = "<meta charset=euc-kr><p>x";
    CHECK(sniffed("\xEF\xBB\xBF" + page, "shift_jis") == "utf-8 by bom");
    CHECK(sniffed("\xFF\xFE<\0"sv, "shift_jis") == "utf-16le by bom");
    CHECK(sniffed("\xFE\xFF\0<"sv) == "utf-16be by bom");
    CHECK(sniffed(page, "shift_jis") == "shift_jis by header");
    CHECK(sniffed(page) == "euc-kr by meta");
  }

  TEST_CASE("a header that names no encoding does not count") {
    CHECK(sniffed("<meta charset=euc-kr>", "no-such-charset") == "euc-kr by meta");
    CHECK(sniffed("<p>x", "no-such-charset") == "utf-8 by assumed");
  }

  TEST_CASE("a meta declares the encoding by charset, or by http-equiv with content") {
    for (const std::string_view page :
         {R"(<meta charset="EUC-KR">)", R"(<META  CHARSET = 'euc-kr' >)", "<meta/charset=euc-kr >",
          R"(<meta http-equiv="Content-Type" content="text/html; charset=EUC-KR">)",
          R"(<meta content="text/html;CharSet = 'euc-kr' ;x" http-equiv=content-type>)",
          R"(<meta name=a content=b charset=euc-kr>)", R"(<meta charset=euc-kr charset=utf-8>)",
          R"(<!doctype html><html lang=ko><head><!-- > --><title>a</title><meta charset=euc-kr>)",
          R"(<p title="<meta charset=utf-8>"><meta charset=euc-kr>)",
          R"(<meta charset=no-such><meta charset=euc-kr>)", R"(<!--><meta charset=euc-kr>-->)",
          R"(<meta content="charset charset=euc-kr" http-equiv=content-type>)"}) {
      CAPTURE(page);
      CHECK(sniffed(page) == "euc-kr by meta");
    }
  }

  TEST_CASE("what only looks like a declaration is none") {
    for (const std::string_view page :
         {R"(<meta name=x content="text/html; charset=euc-kr">)", "<!-- <meta charset=euc-kr> -->",
          "<metadata charset=euc-kr>", "<p>charset=euc-kr", "<meta charset=euc-kr",
          R"(<meta http-equiv=refresh content="charset=euc-kr">)", "<meta charset=\"euc-kr",
          R"(<meta http-equiv=content-type content="charset='euc-kr">)",
          "<meta charset=", R"(</x title="<meta charset=euc-kr>">)", "<", "<!--", "<meta", "</",
          "<?meta charset=x"}) {
      CAPTURE(page);
      CHECK(sniffed(page) == "utf-8 by assumed");
    }
  }

  TEST_CASE("only the first 1024 bytes are searched") {
    const std::string meta = "<meta charset=euc-kr>";
    CHECK(sniffed(std::string(1024 - meta.size(), ' ') + meta) == "euc-kr by meta");
    CHECK(sniffed(std::string(1025 - meta.size(), ' ') + meta) == "utf-8 by assumed");
  }

  TEST_CASE("a page with a meta in ASCII is not UTF-16, whatever that says") {
    CHECK(sniffed("<meta charset=utf-16>") == "utf-8 by meta");
    CHECK(sniffed("<meta charset=utf-16be>") == "utf-8 by meta");
    CHECK(sniffed("<p>", "utf-16") == "utf-16le by header");
  }

  TEST_CASE("an XML declaration counts where no meta does") {
    CHECK(sniffed(R"(<?xml version="1.0" encoding="euc-kr"?><html>)") == "euc-kr by xml");
    CHECK(sniffed(R"(<?xml version='1.0' encoding = 'euc-kr'?><meta charset=big5>)") ==
          "big5 by meta");
    CHECK(sniffed("<\0?\0x\0m\0l\0"sv) == "utf-16le by xml");
    CHECK(sniffed("\0<\0?\0x\0m\0l"sv) == "utf-16be by xml");
    for (const std::string_view page :
         {"<?xml encoding=euc-kr?>", "<?xml version='1'?>", "<?xml encoding",
          "<?xml encoding='euc-kr?>", " <?xml encoding='euc-kr'?>"}) {
      CAPTURE(page);
      CHECK(sniffed(page) == "utf-8 by assumed");
    }
  }

  TEST_CASE("a page that declares nothing is UTF-8 if its bytes are, and else windows-1252") {
    CHECK(sniffed("<p>café") == "utf-8 by assumed");
    CHECK(sniffed("<p>\xC3\xA9 caf\xC3") == "utf-8 by assumed");
    CHECK(sniffed("<p>caf\xE9!") == "windows-1252 by assumed");
    CHECK(sniffed("") == "utf-8 by assumed");
  }
}
