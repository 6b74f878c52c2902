// SPDX-License-Identifier: Apache-2.0
//
// The actor that writes the index, one transaction for a batch of pages.
//
// It loses no page: a batch that could not be stored is stored at the next try, a restart sends it
// to the new incarnation, and a stop stores it first.
#pragma once

#include <actord/actord.hpp>

#include <optional>
#include <vector>

#include "index.hpp"
#include "messages.hpp"

namespace crawler {

/// The arguments of an Indexer.
struct IndexerSettings {
  std::string file;
  std::string site;  // of the crawl: "http://a"
  std::int64_t crawl = 0;
  std::size_t batch_pages = 50;
};
ACTORD_FIELDS(IndexerSettings, file, site, crawl, batch_pages)

class Indexer : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Writes pages into the full-text index, in batches.";

  explicit Indexer(const IndexerSettings& settings) : settings_(settings) {}

  // All of them throw IndexError.
  void accept(actord::Context& ctx, const Page& m);
  void flush(actord::Context& ctx, const Flush& m);
  void finish(actord::Context& ctx, const Finish& m);

  /// Answers with a Found. A search that fails does not fail the indexer.
  void search(actord::Context& ctx, const Search& m);

  using Receive =
      actord::Handlers<&Indexer::accept, &Indexer::flush, &Indexer::finish, &Indexer::search>;

 private:
  void pre_start(actord::Context& ctx) override;
  void pre_restart(actord::Context& ctx, const actord::Failure& reason) override;
  void post_stop(actord::Context& ctx) override;

  void store();

  IndexerSettings settings_;
  std::optional<Index> index_;  // opened in pre_start
  std::vector<Page> pending_;
  bool is_finished_ = false;
};

}  // namespace crawler
