// SPDX-License-Identifier: Apache-2.0

#include "static_site/mime.hpp"

#include <doctest/doctest.h>

using namespace std::string_view_literals;
using static_site::file_type;
using static_site::FileType;
using static_site::marked_charset;

TEST_SUITE("static_site/mime") {
  TEST_CASE("a file's extension gives the media type, and no charset") {
    struct Row {
      const char* name;
      const char* type;
      bool is_text = false;
    };
    for (const Row& row : {
             Row{"index.html", "text/html", true},
             Row{"a.css", "text/css", true},
             Row{"a.js", "text/javascript", true},
             Row{"a.svg", "image/svg+xml", true},
             Row{"a.txt", "text/plain", true},
             Row{"a.xml", "application/xml", true},
             Row{"a.png", "image/png"},
             Row{"a.jpg", "image/jpeg"},
             Row{"a.jpeg", "image/jpeg"},
             Row{"a.gif", "image/gif"},
             Row{"favicon.ico", "image/vnd.microsoft.icon"},
             Row{"a.json", "application/json"},
             Row{"a.pdf", "application/pdf"},
             Row{"a.woff", "font/woff"},
             Row{"a.woff2", "font/woff2"},
             Row{"a.zip", "application/zip"},
         }) {
      CAPTURE(row.name);
      const FileType type = file_type(row.name);
      CHECK(type.media_type == row.type);
      CHECK(type.is_text == row.is_text);
      CHECK(type.charset.empty());
      CHECK(type.language.empty());
    }
  }

  TEST_CASE("endings give language and charset, in any order and case") {
    struct Row {
      const char* name;
      const char* language;
      const char* charset;
    };
    for (const Row& row : {
             Row{"index.html.en", "en", ""},
             Row{"index.html.ko.euc-kr", "ko", "EUC-KR"},
             Row{"index.html.EUC-KR.ko", "ko", "EUC-KR"},
             Row{"index.ko.euc-kr.html", "ko", "EUC-KR"},
             Row{"index.html.ja.utf8", "ja", "UTF-8"},
             Row{"index.html.zh-cn.gb2312", "zh-CN", "GB2312"},
             Row{"index.html.pt-br", "pt-BR", ""},
             Row{"index.html.ru.koi8-r", "ru", "KOI8-R"},
             Row{"index.html.de.fr", "fr", ""},
         }) {
      CAPTURE(row.name);
      const FileType type = file_type(row.name);
      CHECK(type.media_type == "text/html");
      CHECK(type.is_text);
      CHECK(type.language == row.language);
      CHECK(type.charset == row.charset);
    }
    CHECK(file_type("notes.utf8.txt").charset == "UTF-8");
    CHECK(file_type("tr.png").language.empty());
    CHECK(file_type("home.tr.png").language == "tr");
    CHECK_FALSE(file_type("home.tr.png").is_text);
  }

  TEST_CASE("of two media types the last one counts") {
    CHECK(file_type("page.HTML").media_type == "text/html");
    CHECK(file_type("notes.html.gz").media_type == "application/gzip");
    CHECK_FALSE(file_type("notes.html.en.gz").is_text);
  }

  TEST_CASE("an unknown ending makes those before it void, and not those after it") {
    CHECK(file_type("page.html.bak").media_type == "application/octet-stream");
    CHECK(file_type("page.html.ko.euc-kr.orig").charset.empty());
    CHECK(file_type("jquery.min.js").media_type == "text/javascript");
    CHECK(file_type("release-2.4.html").media_type == "text/html");
  }

  TEST_CASE("what is not known is bytes") {
    for (const char* name : {"README", "", ".", "a.", "a.unheard", "html", "page.en", "a.euc-kr"}) {
      CAPTURE(name);
      CHECK(file_type(name).media_type == "application/octet-stream");
      CHECK_FALSE(file_type(name).is_text);
    }
  }

  TEST_CASE("a byte order mark gives the charset") {
    CHECK(marked_charset("\xEF\xBB\xBF<p>") == "UTF-8");
    CHECK(marked_charset("\xFE\xFF\0<"sv) == "UTF-16BE");
    CHECK(marked_charset("\xFF\xFE<"sv) == "UTF-16LE");
    for (const std::string_view none : {""sv, "\xEF\xBB"sv, "<p>"sv, "\xFF"sv})
      CHECK(marked_charset(none).empty());
  }

  TEST_CASE("a header has a charset only if there is one") {
    CHECK(static_site::content_type("text/html", "EUC-KR") == "text/html; charset=EUC-KR");
    CHECK(static_site::content_type("text/html", "") == "text/html");
  }
}
