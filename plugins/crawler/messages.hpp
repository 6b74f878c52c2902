// SPDX-License-Identifier: Apache-2.0
//
// What master, fetchers and indexer say to each other.
#pragma once

#include <actord/actord.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace crawler {

/// Master to fetcher: get this page. Fetcher to master, from pre_restart: I failed on the attempt
/// before this one, please try again.
struct Fetch {
  std::uint64_t page = 0;
  std::uint32_t attempt = 1;
  std::string url;
};
ACTORD_MESSAGE(Fetch, "crawler.Fetch/1", page, attempt, url)

enum class Finding { page, redirect, broken };
ACTORD_ENUM(Finding, page, redirect, broken)

/// Fetcher to master: the server answered. A redirect has its target as its only link.
struct Fetched {
  std::uint64_t page = 0;
  std::uint32_t attempt = 1;
  Finding finding = Finding::page;
  std::int32_t status = 0;  // of HTTP
  std::string content_type;
  std::vector<std::string> links;  // absolute, in scope, each once
};
ACTORD_MESSAGE(Fetched, "crawler.Fetched/1", page, attempt, finding, status, content_type, links)

/// Fetcher to master, just before it fails: this attempt is lost, and my supervisor decides on me.
struct Failing {
  std::uint64_t page = 0;
  std::uint32_t attempt = 1;
};
ACTORD_MESSAGE(Failing, "crawler.Failing/1", page, attempt)

/// Fetcher to master, from pre_restart: I am away until I say Ready.
struct Restarting {};
ACTORD_MESSAGE(Restarting, "crawler.Restarting/1")

/// Fetcher to master, from post_restart.
struct Ready {};
ACTORD_MESSAGE(Ready, "crawler.Ready/1")

/// Fetcher to indexer, before the master hears of the page.
struct Page {
  std::string path;  // and query
  std::string title;
  std::string body;  // text, not HTML
};
ACTORD_MESSAGE(Page, "crawler.Page/1", path, title, body)

/// Master to indexer: the crawl has ended, `pages` were fetched.
struct Finish {
  std::uint64_t pages = 0;
  std::vector<std::string> without;  // paths that were given up, should one have come in late
  std::uint32_t tries = 0;           // the indexer's own
};
ACTORD_MESSAGE(Finish, "crawler.Finish/1", pages, without, tries)

/// Indexer to master, after each batch and, with is_final, once after Finish.
struct Indexed {
  std::uint64_t pages = 0;  // of this crawl
  bool is_final = false;
};
ACTORD_MESSAGE(Indexed, "crawler.Indexed/1", pages, is_final)

// Timers.
struct Flush {};
ACTORD_MESSAGE(Flush, "crawler.Flush/1")
struct Sweep {};
ACTORD_MESSAGE(Sweep, "crawler.Sweep/1")
struct Report {};
ACTORD_MESSAGE(Report, "crawler.Report/1")

}  // namespace crawler
