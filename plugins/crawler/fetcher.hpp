// SPDX-License-Identifier: Apache-2.0
//
// The actor that fetches one page at a time, and fails when the network fails.
//
// It does not try a page twice. It sends Failing to the master and throws; its supervisor decides;
// pre_restart hands the page back to the master. The message has the number of the attempt, because
// a restart clears the state of a fetcher.
#pragma once

#include <actord/actord.hpp>

#include "chaos.hpp"
#include "download.hpp"
#include "messages.hpp"
#include "url.hpp"

namespace crawler {

ACTORD_FIELDS(DownloadSettings, timeout, body_bytes_max)

struct ChaosConfig {
  double probability = 0;
  std::uint64_t seed = 1;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(ChaosConfig, probability, seed)

/// The arguments of a Fetcher. They can leave actord, so that fetchers may live in host processes.
struct FetcherSettings {
  std::string start;  // a URL that parse_url() takes: its scope is that of the crawl
  DownloadSettings download;
  ChaosConfig chaos;
  bool is_handing_back = true;
  actord::Ref master, indexer;
};
ACTORD_FIELDS(FetcherSettings, start, download, chaos, is_handing_back, master, indexer)

class Fetcher : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Downloads one page at a time and reads its links.";

  explicit Fetcher(const FetcherSettings& settings);

  /// Throws RetrievalException, Timeout or ConnectionLost. Any answer of a server is a result and
  /// no failure.
  void fetch(actord::Context& ctx, const Fetch& m);

  using Receive = actord::Handlers<&Fetcher::fetch>;

 private:
  void pre_start(actord::Context& ctx) override;
  void pre_restart(actord::Context& ctx, const actord::Failure& reason) override;
  void post_restart(actord::Context& ctx, const actord::Failure& reason) override;

  void get(actord::Context& ctx, const Fetch& m);
  Fetched read(actord::Context& ctx, const Fetch& m, const Url& url, const Answer& answer);
  void read_html(actord::Context& ctx, const Url& url, const Answer& answer, Fetched& result);

  FetcherSettings settings_;
  Scope scope_;
  Chaos chaos_;
  Downloader downloader_;
};

}  // namespace crawler
