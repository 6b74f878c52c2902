// SPDX-License-Identifier: Apache-2.0
//
// Fetches one page at a time, and dies of it when the network fails.
//
// It does not try twice: it tells the master and throws, its supervisor decides, and pre_restart
// hands the failed page back to the master with the attempt counted in the message, because a
// fetcher's memory does not survive.
#pragma once

#include <actord/actord.hpp>

#include "chaos.hpp"
#include "download.hpp"
#include "messages.hpp"
#include "url.hpp"

namespace crawler {

struct FetcherSettings {
  Scope scope;
  DownloadSettings download;
  Chaos chaos;
  bool is_handing_back = true;
  actord::Ref indexer;
};

class Fetcher : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Downloads one page at a time and reads its links.";

  explicit Fetcher(const FetcherSettings& settings)
      : settings_(settings), downloader_(settings.download) {}

  /// Throws RetrievalException, Timeout or ConnectionLost; every answer of a server is a result.
  void fetch(actord::Context& ctx, const Fetch& m);

  using Receive = actord::Handlers<&Fetcher::fetch>;

 private:
  void pre_restart(actord::Context& ctx, const actord::Failure& reason) override;
  void post_restart(actord::Context& ctx, const actord::Failure& reason) override;

  void get(actord::Context& ctx, const Fetch& m);
  Fetched read(actord::Context& ctx, const Fetch& m, const Answer& answer);

  FetcherSettings settings_;
  Downloader downloader_;
};

}  // namespace crawler
