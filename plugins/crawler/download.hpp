// SPDX-License-Identifier: Apache-2.0
//
// Fetches one page at a time from a web server, over a connection that stays open between pages.
//
// Redirects are not followed: the crawler treats the target as a link, so that no page is fetched
// under two names. Not here: how an answer is used (fetcher.hpp).
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

namespace crawler {

/// The limits of one download.
struct DownloadSettings {
  std::chrono::milliseconds timeout{10'000};  // until the whole answer is there
  std::size_t body_bytes_max = 8 << 20;       // size after decompression
};

/// The answer of a server, or why there is none.
struct Answer {
  enum class Outcome { complete, too_large, timed_out, connection_lost };

  Outcome outcome = Outcome::complete;
  long status = 0;           // HTTP status; 0 if there was no answer
  std::string content_type;  // lower case, without parameters: "text/html"
  std::string charset;       // charset of the content type, or empty
  std::string location;      // target of a redirect, as the server wrote it; else empty
  std::string body;          // body of a successful HTML answer; else empty
  std::string problem;       // in words, if there is no complete answer

  [[nodiscard]] bool is_html() const;
};

/// One HTTP client. Threads: one at a time.
class Downloader {
 public:
  /// Throws std::runtime_error if libcurl has no memory left.
  explicit Downloader(const DownloadSettings& settings);
  ~Downloader();
  Downloader(const Downloader&) = delete;
  Downloader& operator=(const Downloader&) = delete;

  /// Fetches `url`. Blocks up to the timeout. A scheme other than http or https gives
  /// Outcome::connection_lost.
  [[nodiscard]] Answer get(const std::string& url);

 private:
  class Transfer;
  struct Handle;
  std::unique_ptr<Handle> handle_;
  DownloadSettings settings_;
};

}  // namespace crawler
