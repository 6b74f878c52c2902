// SPDX-License-Identifier: Apache-2.0

#include "static_site/responder.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <string>

#include "static_site/http_date.hpp"
#include "support/scratch_folder.hpp"

using actord::support::ScratchFolder;
using static_site::DocumentRoot;
using static_site::Reply;
using static_site::Request;
using static_site::respond;

namespace {

struct Site {
  Site() { folder.write("a/page.html", "<p>page"); }
  Reply get(const std::string& target, const std::string& since = "") const {
    return respond(root, Request{.method = "GET", .target = target, .if_modified_since = since});
  }

  ScratchFolder folder;
  DocumentRoot root{folder.path()};
};

}  // namespace

TEST_SUITE("static_site/responder") {
  TEST_CASE("a file is answered with its type, size and date") {
    const Site site;
    const Reply reply = site.get("/a/page.html?query");
    CHECK(reply.status == 200);
    CHECK(reply.content_type == "text/html");
    CHECK(reply.content_language.empty());
    CHECK(reply.body_size_bytes() == 7);
    REQUIRE(reply.document);
    CHECK(reply.last_modified == reply.document->modified);
  }

  TEST_CASE("a charset is said only if the name, the first bytes or the configuration tell it") {
    const Site site;
    site.folder.write("korean.html", "<meta charset=euc-kr><p>\xB9\xAE");
    site.folder.write("korean.html.ko.euc-kr", "<p>\xB9\xAE");
    site.folder.write("marked.txt", "\xEF\xBB\xBFtext");
    site.folder.write("marked.html.ko.euc-kr", "\xEF\xBB\xBFtext");
    site.folder.write("empty.html", "");
    site.folder.write("data.bin", "\xEF\xBB\xBF");
    site.folder.write("a.json", "{}");
    CHECK(site.get("/korean.html").content_type == "text/html");
    CHECK(site.get("/korean.html.ko.euc-kr").content_type == "text/html; charset=EUC-KR");
    CHECK(site.get("/korean.html.ko.euc-kr").content_language == "ko");
    CHECK(site.get("/marked.txt").content_type == "text/plain; charset=UTF-8");
    CHECK(site.get("/marked.html.ko.euc-kr").content_type == "text/html; charset=UTF-8");
    CHECK(site.get("/empty.html").content_type == "text/html");

    const auto configured = [&site](const char* target) {
      return respond(site.root, Request{.method = "GET", .target = target}, "utf-8").content_type;
    };
    CHECK(configured("/korean.html") == "text/html; charset=utf-8");
    CHECK(configured("/korean.html.ko.euc-kr") == "text/html; charset=EUC-KR");
    CHECK(configured("/data.bin") == "application/octet-stream");
    CHECK(configured("/a.json") == "application/json");
  }

  TEST_CASE("the first bytes are read without moving the beginning of the answer") {
    const Site site;
    site.folder.write("marked.html", "\xEF\xBB\xBFtext");
    const Reply reply = site.get("/marked.html");
    REQUIRE(reply.document);
    char bytes[16] = {};
    CHECK(::read(reply.document->file.get(), bytes, sizeof bytes) == 7);
  }

  TEST_CASE("HEAD is answered as GET is; the body is left to the connection") {
    const Site site;
    const Reply reply = respond(site.root, Request{.method = "HEAD", .target = "/a/page.html"});
    CHECK(reply.status == 200);
    CHECK(reply.body_size_bytes() == 7);
  }

  TEST_CASE("all other methods are refused, and the answer lists the allowed ones") {
    const Site site;
    for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "BREW"}) {
      CAPTURE(method);
      const Reply reply = respond(site.root, Request{.method = method, .target = "/a/page.html"});
      CHECK(reply.status == 405);
      CHECK(reply.allow == "GET, HEAD");
    }
  }

  TEST_CASE("a folder is redirected to its name with a slash") {
    const Site site;
    const Reply reply = site.get("/a?q=1");
    CHECK(reply.status == 301);
    CHECK(reply.location == "/a/?q=1");
  }

  TEST_CASE("a page that is not there has a page of its own, which repeats nothing") {
    const Site site;
    const Reply reply = site.get("/<script>");
    CHECK(reply.status == 404);
    CHECK(reply.content_type == "text/html; charset=UTF-8");
    CHECK(reply.body.find("404 Not Found") != std::string::npos);
    CHECK(reply.body.find("script") == std::string::npos);
  }

  TEST_CASE("a target that leads out is a bad request") {
    CHECK(Site{}.get("/../a/page.html").status == 400);
  }

  TEST_CASE("what the client has is not sent again") {
    const Site site;
    const auto modified = site.get("/a/page.html").document->modified;
    const auto at = [](std::chrono::sys_seconds time) { return static_site::http_date(time); };

    const Reply same = site.get("/a/page.html", at(modified));
    CHECK(same.status == 304);
    CHECK_FALSE(same.document);
    CHECK(same.last_modified == modified);
    CHECK(site.get("/a/page.html", at(modified + std::chrono::hours{1})).status == 304);
    CHECK(site.get("/a/page.html", at(modified - std::chrono::seconds{1})).status == 200);
    CHECK(site.get("/a/page.html", "yesterday").status == 200);
  }

  TEST_CASE("what the connection found wrong is answered with the status it names") {
    const Site site;
    for (const std::uint16_t problem : {400, 431, 505}) {
      CHECK(respond(site.root, Request{.problem = problem}).status == problem);
    }
  }
}
