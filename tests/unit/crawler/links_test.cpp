// SPDX-License-Identifier: Apache-2.0

#include "crawler/links.hpp"

#include <doctest/doctest.h>

#include "crawler/chaos.hpp"
#include "crawler/valid_utf8.hpp"

using namespace std::string_view_literals;

namespace {

crawler::Document read(std::string_view html, const std::string& charset = {}) {
  return crawler::read_page(html, *crawler::parse_url("http://a/dir/page.html"), charset);
}

std::vector<std::string> links(std::string_view html) {
  std::vector<std::string> found;
  for (const crawler::Url& url : read(html).links) found.push_back(url.text());
  return found;
}

using Links = std::vector<std::string>;

}  // namespace

TEST_SUITE("crawler/links") {
  TEST_CASE("every kind of link to a page is found, once, in order") {
    CHECK(links(
              R"(<a href=b.html>b</a> <A HREF='../c.html#x'>c</A> <a href="b.html#y">again</a>
                <a name=z>no link</a>
                   <area href="/d"><iframe src="e.html"></iframe>)") ==
          Links{"http://a/dir/b.html", "http://a/c.html", "http://a/d", "http://a/dir/e.html"});
    CHECK(links(R"(<meta http-equiv="Refresh" content="0; URL='next.html'">)") ==
          Links{"http://a/dir/next.html"});
  }

  TEST_CASE("what is no page is no link") {
    CHECK(links(R"html(<img src=i.png><link rel=stylesheet href=s.css><script src=s.js></script>
                   <a href="mailto:x@y">mail</a><a href="javascript:go()">go</a><a href="">self</a>
                   <meta name=description content="url=x">)html") == Links{});
  }

  TEST_CASE("entities in a link are resolved before the URL is read") {
    CHECK(links(R"(<a href="x?a=1&amp;b=2">)") == Links{"http://a/dir/x?a=1&b=2"});
  }

  TEST_CASE("the first base of a page is where its links start from") {
    CHECK(links(R"(<base href="/other/"><base href="/third/"><a href=x>)") ==
          Links{"http://a/other/x"});
  }

  TEST_CASE("title and text are what a reader sees") {
    const auto page = read(R"(<html><head><title> The
          Title </title><style>p { color: red }</style></head>
      <body><h1>Head</h1><p>one<p>t<b>w</b>o &amp; <script>var hidden;</script>three
        <td>four<td>five</body></html>)");
    CHECK(page.title == "The Title");
    CHECK(page.text == "Head one two & three four five");
  }

  TEST_CASE("text arrives as UTF-8 whatever the page is written in") {
    CHECK(read("<meta charset=utf-8><p>caf\xc3\xa9").text == "caf\xc3\xa9");
    CHECK(read("<p>caf\xc3\xa9", "utf-8").text == "caf\xc3\xa9");
    CHECK(read("<p>caf\xe9", "iso-8859-1").text == "caf\xc3\xa9");
    CHECK(read("<p>caf\xe9").text == "caf\xc3\xa9");
    CHECK(read("<p>plain", "no-such-charset").text == "plain");
    CHECK(read("<meta charset=euc-kr><title>\xB9\xAE\xBC\xAD</title><p>\xB9\xAE").title == "문서");
    CHECK(read("<meta charset=Shift_JIS><p>\x93\xFA\x96\x7B").text == "日本");
    CHECK(read("<meta charset=iso-8859-1><p>\x80 caf\xE9").text == "€ café");
    CHECK(read("\xFF\xFE<\0p\0>\0\xE9\0"sv).text == "é");
    CHECK(read("<\0p\0>\0\xE9\0"sv, "utf-16le").text == "é");
  }

  TEST_CASE("of two declarations the one counts that the HTML standard prefers") {
    const std::string page = "<meta charset=euc-kr><p>caf\xC3\xA9";
    CHECK(read(page, "utf-8").text == "café");
    CHECK(read("\xEF\xBB\xBF" + page, "shift_jis").text == "café");
    CHECK(read(page).text != "café");
  }

  TEST_CASE("what cannot be read is told, and the text is valid all the same") {
    const auto page = read("<title>\xB9</title><p>x\xC9 \xA1<b>\xE2\x82", "utf-8");
    CHECK(page.title == "\uFFFD");
    CHECK(page.text == "x\uFFFD \uFFFD\uFFFD");
    CHECK(page.replaced == 4);
    CHECK(page.encoding.encoding->name == "utf-8");
    CHECK(page.encoding.source == crawler::EncodingSource::header);
    CHECK(read("<meta charset=euc-kr><p>x\xB9").text == "x\uFFFD");
  }

  TEST_CASE("no page makes invalid UTF-8, whatever it says of its bytes") {
    std::string bytes;
    for (unsigned i = 0; i < 2048; ++i) bytes += static_cast<char>(crawler::mixed(i));
    for (const char* charset : {"utf-8", "euc-kr", "shift_jis", "utf-16", "utf-16be", "big5",
                                "gb18030", "iso-2022-jp", "windows-1255", "euc-jp", ""}) {
      CAPTURE(charset);
      const auto page =
          read("<title>" + bytes + "</title><p>&#xD800;&#1;&#x110000;" + bytes, charset);
      CHECK(crawler::find_invalid_utf8(page.title).size == 0);
      CHECK(crawler::find_invalid_utf8(page.text).size == 0);
    }
  }

  TEST_CASE("a NUL does not end the page") {
    const auto page = read("<p>a\0b<a href=x\0y>c</a>"sv);
    CHECK(page.text == "abc");
    CHECK(page.links.size() == 1);
  }

  TEST_CASE("broken pages are read as far as they make sense") {
    CHECK(read("").text.empty());
    CHECK(read("no tags at all").text == "no tags at all");
    CHECK(read("<p>one</div></b><p>two").text == "one two");
    CHECK(read(std::string_view{"<p>a\0b", 6}).links.empty());
    CHECK(links("<a href=x <a href=y>").size() <= 2);
  }

  TEST_CASE("depth costs no stack") {
    std::string page;
    for (int i = 0; i < 200'000; ++i) page += "<div>";
    page += "<a href=x>deep</a>";
    CHECK(links(page) == Links{"http://a/dir/x"});
  }
}
