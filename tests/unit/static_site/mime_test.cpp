// SPDX-License-Identifier: Apache-2.0

#include "static_site/mime.hpp"

#include <doctest/doctest.h>

TEST_SUITE("static_site/mime") {
  TEST_CASE("a file's extension gives the media type, and text says that it is UTF-8") {
    struct Row {
      const char* name;
      const char* type;
    };
    for (const Row& row : {
             Row{"index.html", "text/html; charset=utf-8"},
             Row{"a.css", "text/css; charset=utf-8"},
             Row{"a.js", "text/javascript; charset=utf-8"},
             Row{"a.svg", "image/svg+xml; charset=utf-8"},
             Row{"a.txt", "text/plain; charset=utf-8"},
             Row{"a.xml", "application/xml; charset=utf-8"},
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
      CHECK(static_site::mime_type(row.name) == row.type);
    }
  }

  TEST_CASE("only the last ending counts, in any case") {
    CHECK(static_site::mime_type("page.HTML") == "text/html; charset=utf-8");
    CHECK(static_site::mime_type("notes.html.gz") == "application/gzip");
  }

  TEST_CASE("what is not known is bytes") {
    for (const char* name : {"README", "", ".", "a.", "a.unheard", "html"}) {
      CAPTURE(name);
      CHECK(static_site::mime_type(name) == "application/octet-stream");
    }
  }
}
