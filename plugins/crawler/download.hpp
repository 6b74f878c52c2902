// SPDX-License-Identifier: Apache-2.0
//
// Asks a web server for one page at a time, over a connection that stays open in between.
//
// Redirects are answers here, not followed: the crawler treats their target as one more link, so
// that no page is fetched under two names. Not here: what to make of an answer (fetcher.hpp).
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

namespace crawler {

struct DownloadSettings {
  std::chrono::milliseconds timeout{10'000};  // for the whole answer
  std::size_t body_bytes_max = 8 << 20;       // after decompression
};

struct Answer {
  enum class Outcome { complete, too_large, timed_out, connection_lost };

  Outcome outcome = Outcome::complete;
  long status = 0;           // of HTTP; 0 if none came
  std::string content_type;  // lower case, without parameters: "text/html"
  std::string charset;       // of the content type, or empty
  std::string location;      // where a redirect points, as the server wrote it; else empty
  std::string body;          // of a successful HTML answer; else empty
  std::string problem;       // in words, when there is no complete answer

  [[nodiscard]] bool is_html() const;
};

/// One client. Threads: one at a time.
class Downloader {
 public:
  /// Throws std::runtime_error when libcurl has no memory left.
  explicit Downloader(const DownloadSettings& settings);
  ~Downloader();
  Downloader(const Downloader&) = delete;
  Downloader& operator=(const Downloader&) = delete;

  /// Blocks up to the timeout. `url` is http or https; other schemes are an
  /// Outcome::connection_lost.
  [[nodiscard]] Answer get(const std::string& url);

 private:
  class Transfer;
  struct Handle;
  std::unique_ptr<Handle> handle_;
  DownloadSettings settings_;
};

}  // namespace crawler
