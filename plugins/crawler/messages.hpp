// SPDX-License-Identifier: Apache-2.0
//
// The messages between master, fetchers and indexer.
#pragma once

#include <actord/actord.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "reason.hpp"

namespace crawler {

/// Master to fetcher: fetch this page. Fetcher to master, from pre_restart: the attempt before this
/// one failed, the page may be tried again.
struct Fetch {
  std::uint64_t page = 0;
  std::uint32_t attempt = 1;
  std::string url;
};
ACTORD_MESSAGE(Fetch, "crawler.Fetch/1", page, attempt, url)

/// What a fetched page is. Only links to a `dead` one are dead links.
enum class Finding {
  page,
  redirect,
  dead,       // HTTP status 400 or more
  not_html,   // the server has it, but it is an image, a text or something else without links
  too_large,  // HTML above max-page-size
};
ACTORD_ENUM(Finding, page, redirect, dead, not_html, too_large)

/// Fetcher to master: the fetcher has begun with this attempt.
struct Begun {
  std::uint64_t page = 0;
  std::uint32_t attempt = 1;
};
ACTORD_MESSAGE(Begun, "crawler.Begun/1", page, attempt)

/// Fetcher to master: the server has answered. The only link of a redirect is its target.
struct Fetched {
  std::uint64_t page = 0;
  std::uint32_t attempt = 1;
  Finding finding = Finding::page;
  std::int32_t status = 0;  // HTTP status
  std::string content_type;
  std::string problem;             // why it is no page, in words; empty for a page
  std::uint64_t replaced = 0;      // how often U+FFFD stands for unreadable bytes in its text
  std::vector<std::string> links;  // absolute, in scope, each once
};
ACTORD_MESSAGE(Fetched, "crawler.Fetched/2", page, attempt, finding, status, content_type, problem,
               replaced, links)

ACTORD_ENUM(Reason, chaos, timeout, connection_lost, failure, deadline, no_fetcher, index_lost)

/// Fetcher to master, just before it fails on this attempt.
struct Failing {
  std::uint64_t page = 0;
  std::uint32_t attempt = 1;
  Reason reason = Reason::failure;
};
ACTORD_MESSAGE(Failing, "crawler.Failing/2", page, attempt, reason)

/// Fetcher to master, from pre_restart: the fetcher takes no page until it sends Ready.
struct Restarting {};
ACTORD_MESSAGE(Restarting, "crawler.Restarting/1")

/// Fetcher to master, from pre_start and post_restart: the fetcher takes pages.
struct Ready {
  bool is_restarted = false;
  // Its process ended, so that it has sent neither Failing nor Restarting.
  bool has_crashed = false;
};
ACTORD_MESSAGE(Ready, "crawler.Ready/3", is_restarted, has_crashed)

/// Fetcher to indexer, before Fetched goes to the master.
struct Page {
  std::string path;  // path and query of the URL
  std::string title;
  std::string body;  // text, not HTML
};
ACTORD_MESSAGE(Page, "crawler.Page/1", path, title, body)

/// A link to a page that the server does not have.
struct DeadLink {
  std::string source;  // path of the page with the link; empty: the start of the crawl
  std::string target;  // path that the link leads to
  std::int32_t status = 0;
};
ACTORD_FIELDS(DeadLink, source, target, status)

/// Master to indexer: all pages are over, and `pages` of them were fetched.
struct Finish {
  std::uint64_t pages = 0;
  std::vector<std::string> without;  // paths that were given up; late pages of them are removed
  std::vector<DeadLink> dead_links;
  std::uint32_t tries = 0;  // used by the indexer
};
ACTORD_MESSAGE(Finish, "crawler.Finish/2", pages, without, dead_links, tries)

/// Indexer to master, after each batch; with is_final once after Finish.
struct Indexed {
  std::uint64_t pages = 0;  // stored by this crawl
  bool is_final = false;
};
ACTORD_MESSAGE(Indexed, "crawler.Indexed/1", pages, is_final)

/// To the master, from anyone: which pages have all these words? Words in double quotes must follow
/// each other. The answer is a Found, or a failure InvalidSearch or IndexError.
struct Search {
  std::string query;
  std::uint32_t limit = 10;  // pages, at most 1000
};
ACTORD_MESSAGE(Search, "crawler.Search/1", query, limit)

struct FoundPage {
  std::uint32_t rank = 0;  // 1 is the best
  std::string url;
  std::string title;
  std::string excerpt;  // the text around the words
};
ACTORD_FIELDS(FoundPage, rank, url, title, excerpt)

/// The best pages first. A crawl that is running has stored only a part of the site.
struct Found {
  std::vector<FoundPage> pages;
};
ACTORD_MESSAGE(Found, "crawler.Found/1", pages)

// Messages of timers.
struct Flush {};
ACTORD_MESSAGE(Flush, "crawler.Flush/1")
struct Sweep {};
ACTORD_MESSAGE(Sweep, "crawler.Sweep/1")
struct Report {};
ACTORD_MESSAGE(Report, "crawler.Report/1")

}  // namespace crawler
