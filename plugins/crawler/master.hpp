// SPDX-License-Identifier: Apache-2.0
//
// The actor that runs the crawl: it gives pages to a router of fetchers, gets their results and
// failures, and ends the crawl.
//
// The router is a pool, and gives each page to a fetcher that has none. A reload may change its
// size at any time. The master sends no more pages than there are free fetchers, so that the time
// limit of an attempt does not run while a page waits. It knows of a fetcher by its first Ready.
//
// The rules for pages and attempts are in frontier.hpp. A crawl always ends, because each attempt
// ends in one of five ways: a result; its fetcher hands the page back; its fetcher stops; the
// router ends; or the deadline, which needs no message from a fetcher.
#pragma once

#include <actord/actord.hpp>
#include <actord/router.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "causes.hpp"
#include "fetcher.hpp"
#include "frontier.hpp"
#include "messages.hpp"
#include "outcome.hpp"

namespace crawler {

/// What a page that is given up leads to: a log event, or the failure of the master.
enum class OnExhausted { report, escalate };
ACTORD_ENUM(OnExhausted, report, escalate)

struct MasterConfig {
  actord::Required<std::string> start;
  std::uint32_t workers = 8;
  std::uint32_t max_attempts = 5;
  std::chrono::nanoseconds deadline = std::chrono::seconds{30};
  std::chrono::nanoseconds timeout = std::chrono::seconds{10};
  actord::Bytes max_page_size{8 << 20};
  std::uint64_t max_pages = 100'000;
  std::uint32_t batch = 50;
  bool hand_back = true;
  OnExhausted on_exhausted = OnExhausted::report;
  std::string index = "index.sqlite";
  ChaosConfig chaos;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(MasterConfig, start, workers, max_attempts, deadline, timeout, max_page_size,
              max_pages, batch, hand_back, on_exhausted, index, chaos)

class Master : public actord::Actor {
 public:
  using Config = MasterConfig;
  static constexpr std::string_view doc =
      "Crawls a web site with fetchers that may fail, into a full-text index.";
  static actord::Strategy supervision();

  /// Rejects a start that the crawler cannot fetch.
  static void validate(const Config& config, actord::Findings& findings);

  explicit Master(const Config& config);

  void begun(actord::Context& ctx, const Begun& m);
  void fetched(actord::Context& ctx, const Fetched& m);
  void handed_back(actord::Context& ctx, const Fetch& m);
  void failing(actord::Context& ctx, const Failing& m);
  void restarting(actord::Context& ctx, const Restarting& m);
  void ready(actord::Context& ctx, const Ready& m);
  void terminated(actord::Context& ctx, const actord::Terminated& m);
  void indexed(actord::Context& ctx, const Indexed& m);
  void sweep(actord::Context& ctx, const Sweep& m);
  void report(actord::Context& ctx, const Report& m);
  /// The indexer answers.
  void search(actord::Context& ctx, const Search& m);

  using Receive =
      actord::Handlers<&Master::begun, &Master::fetched, &Master::handed_back, &Master::failing,
                       &Master::restarting, &Master::ready, &Master::terminated, &Master::indexed,
                       &Master::sweep, &Master::report, &Master::search>;

 private:
  enum class Phase { crawling, finishing, over };
  struct Worker {
    actord::Ref ref;
    std::optional<Attempt> attempt = std::nullopt;  // begun last; no result yet
    std::optional<Attempt> failing = std::nullopt;  // the one it failed on; directive not known
    std::uint32_t sweeps = 0;                       // sweeps since Failing
    bool is_restarting = false;

    [[nodiscard]] bool is_free() const { return !attempt && !failing && !is_restarting; }
    void forget_failure();  // resets `failing`, and `attempt` if that is the same one
  };

  void pre_start(actord::Context& ctx) override;

  void spawn_children(actord::Context& ctx, const Url& start);
  [[nodiscard]] Worker* worker(actord::Ref ref);
  void indexer_lost(actord::Context& ctx);
  void fetcher_gone(actord::Context& ctx, actord::Ref fetcher);
  void release(Attempt attempt);
  void note(actord::Context& ctx, const Fetched& m);
  void fail(actord::Context& ctx, Attempt attempt, Reason reason);
  void abandon(actord::Context& ctx, Reason reason);
  void note_given_up(actord::Context& ctx, const Frontier::GivenUp& lost);
  void proceed(actord::Context& ctx);
  void ask_to_finish(actord::Context& ctx);
  void finish(actord::Context& ctx);
  void write_outcome(actord::Context& ctx);

  Config config_;
  Frontier frontier_;
  Phase phase_ = Phase::crawling;
  std::vector<Worker> workers_;
  std::vector<Attempt> sent_;  // to the router; no fetcher has begun with them
  actord::Ref fetchers_, indexer_;
  Time started_{};
  Time finish_asked_{};
  std::uint32_t finish_tries_ = 0;
  std::uint64_t pages_ = 0;    // fetched
  std::uint64_t indexed_ = 0;  // stored, as the indexer says
  std::string last_problem_;   // of the last page that is none; empty after one that is
  Outcome outcome_;            // complete in finish()
};

}  // namespace crawler
