// SPDX-License-Identifier: Apache-2.0

#include "master.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "index.hpp"
#include "indexer.hpp"

namespace crawler {
namespace {

using namespace std::chrono_literals;
constexpr auto progress_period = 1s;

// The strategy of the router.
actord::Strategy strategy_of_fetchers() {
  return actord::one_for_one({.max_restarts = 100, .within = 1min})
      .on<RetrievalException>(actord::Directive::restart)
      .on<actord::WorkerCrash>(actord::Directive::restart)
      .otherwise(actord::Directive::escalate);
}

std::chrono::nanoseconds sweep_period(std::chrono::nanoseconds deadline) {
  return std::clamp<std::chrono::nanoseconds>(deadline / 4, 10ms, 1s);
}

/// `file` as one word for a shell.
std::string shell_word(const std::string& file) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+";
  if (file.find_first_not_of(plain) == file.npos) return file;
  std::string word = "'";
  for (const char c : file) word += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return word + '\'';
}

std::filesystem::path index_file(const actord::Context& ctx, const std::string& name) {
  return std::filesystem::path{ctx.state_directory()} / "crawler" / name;
}

}  // namespace

std::vector<actord::About> ChaosConfig::about() {
  return {
      actord::about(&ChaosConfig::probability).between(0, 1).doc("Share of fetches that throw."),
      actord::about(&ChaosConfig::seed).doc("Seed of the random choice."),
  };
}

std::vector<actord::About> MasterConfig::about() {
  using C = MasterConfig;
  return {
      actord::about(&C::start)
          .url({"http", "https"})
          .doc("The http or https URL to begin with; its host is crawled."),
      actord::about(&C::workers)
          .between(1, 256)
          .doc("Fetchers at once; the pattern /user/NAME/fetchers may say more."),
      actord::about(&C::max_attempts).at_least(1).doc("Fetches of one page before it is given up."),
      actord::about(&C::deadline)
          .at_least(1ms)
          .doc("Time limit of one attempt, checked by the master."),
      actord::about(&C::timeout).at_least(1ms).doc("Time limit of one download."),
      actord::about(&C::max_page_size).at_least({1}).doc("Larger pages are not kept."),
      actord::about(&C::max_pages).at_least(1).doc("Pages of one crawl."),
      actord::about(&C::batch).at_least(1).doc("Pages written to the index at once."),
      actord::about(&C::hand_back).doc("Whether a fetcher that fails hands its page back."),
      actord::about(&C::on_exhausted).doc("What the master does when a page is given up."),
      actord::about(&C::index).file().writable().in_state_directory("crawler").doc(
          "A file name within crawler/ of the state directory."),
  };
}

actord::Strategy Master::supervision() {
  return actord::one_for_one({.max_restarts = 100, .within = 1min})
      .on<actord::WorkerCrash>(actord::Directive::restart)
      .otherwise(actord::Directive::escalate);
}

Master::Master(const Config& config)
    : config_(config),
      frontier_({.attempts_max = config.max_attempts, .pages_max = config.max_pages}) {}

void Master::validate(const Config& config, actord::Findings& findings) {
  if (!parse_url(std::string{config.start}))
    findings.reject(&Config::start, "this is no http or https URL that can be fetched");
}

// ---- the start ----------------------------------------------------------------------------------

void Master::pre_start(actord::Context& ctx) {
  const Url start = parse_url(std::string{config_.start}).value();  // validate() has seen it
  spawn_children(ctx, start);
  started_ = ctx.now();
  ctx.start_timer("progress", progress_period, Report{}, progress_period);
  ctx.start_timer("sweep", sweep_period(config_.deadline), Sweep{}, sweep_period(config_.deadline));
  frontier_.add(start.text());
  proceed(ctx);
}

// Called by pre_start, which also runs after a restart: the children before it have been stopped.
void Master::spawn_children(actord::Context& ctx, const Url& start) {
  const std::filesystem::path file = index_file(ctx, config_.index);
  prepare_index_file(file);
  const std::int64_t crawl = Index{file}.begin_crawl(start.text());
  indexer_ = ctx.spawn<Indexer>("indexer",
                                IndexerSettings{file.string(), start.site, crawl, config_.batch});
  ctx.watch(indexer_);

  const FetcherSettings settings{
      .start = start.text(),
      .download = {.timeout =
                       std::chrono::duration_cast<std::chrono::milliseconds>(config_.timeout),
                   .body_bytes_max = static_cast<std::size_t>(config_.max_page_size)},
      .chaos = config_.chaos,
      .is_handing_back = config_.hand_back,
      .master = ctx.self(),
      .indexer = indexer_,
  };
  fetchers_ = ctx.spawn_router<Fetcher>(
      "fetchers", actord::pool(config_.workers).balancing().strategy(strategy_of_fetchers()),
      settings);
  ctx.watch(fetchers_);
}

// ---- messages of fetchers -----------------------------------------------------------------------

// A fetcher that has begun with another page has not been restarted: it was resumed.
void Master::begun(actord::Context& ctx, const Begun& m) {
  const Attempt attempt{m.page, m.attempt};
  std::erase(sent_, attempt);
  Worker* const w = worker(ctx.sender());
  if (w == nullptr) return frontier_.take_back(attempt);  // it has ended meanwhile
  w->forget_failure();
  w->attempt = attempt;
}

void Master::fetched(actord::Context& ctx, const Fetched& m) {
  if (worker(ctx.sender()) == nullptr) return;  // a fetcher of an earlier incarnation
  const Attempt attempt{m.page, m.attempt};
  release(attempt);
  const bool is_dead = m.finding == Finding::dead;
  if (is_dead ? frontier_.find_dead(attempt, m.status) : frontier_.succeed(attempt)) {
    note(ctx, m);
    const bool was_full = frontier_.is_full();
    for (const std::string& link : m.links) frontier_.add(link, m.page);
    if (frontier_.is_full() && !was_full) {
      ctx.event(actord::Level::warning, "crawler.limit", "the site has more pages than max-pages",
                {{"max_pages", config_.max_pages}});
    }
  }
  proceed(ctx);
}

// Counts a result. A link to a dead URL is a mistake of the site, one to an image is none.
void Master::note(actord::Context& ctx, const Fetched& m) {
  last_problem_ = m.problem;
  if (m.replaced > 0) ++outcome_.bad_texts;
  const auto tell = [&](actord::Level level, const char* event, const char* text) {
    const PageId from = frontier_.linked_from(m.page);
    ctx.event(level, event, text,
              {{"url", frontier_.url(m.page)},
               {"linked_from", from == 0 ? std::string{} : frontier_.url(from)},
               {"status", m.status},
               {"content_type", m.content_type}});
  };
  switch (m.finding) {
    case Finding::page: ++pages_; break;
    case Finding::redirect: ++outcome_.redirects; break;
    case Finding::dead:
      ++outcome_.dead;
      tell(actord::Level::debug, "crawler.dead_link", "dead link");
      break;
    case Finding::not_html:
      ++outcome_.not_html;
      tell(actord::Level::debug, "crawler.not_html", "link to something that is no HTML page");
      break;
    case Finding::too_large:
      ++outcome_.too_large;
      tell(actord::Level::warning, "crawler.too_large", "a page is larger than max-page-size");
      break;
  }
}

void Master::handed_back(actord::Context& ctx, const Fetch& m) {
  if (worker(ctx.sender()) != nullptr) fail(ctx, {m.page, m.attempt - 1}, Reason::failure);
}

// Counts the failure, with any directive. After a restart Restarting comes, after a stop
// Terminated; after a resume no message comes: see sweep().
void Master::failing(actord::Context& ctx, const Failing& m) {
  Worker* const w = worker(ctx.sender());
  if (w == nullptr) return;
  ++outcome_.failures;
  frontier_.explain({m.page, m.attempt}, m.reason);
  w->failing = Attempt{m.page, m.attempt};
  w->sweeps = 0;
}

void Master::restarting(actord::Context& ctx, const Restarting&) {
  Worker* const w = worker(ctx.sender());
  if (w == nullptr) return;
  w->is_restarting = true;
  w->forget_failure();
}

// The page that a crash of the fetcher's process has cost is the one it has begun with last.
void Master::ready(actord::Context& ctx, const Ready& m) {
  Worker* const w = worker(ctx.sender());
  if (w == nullptr) {
    ctx.watch(ctx.sender());
    workers_.push_back({.ref = ctx.sender()});
    return proceed(ctx);
  }
  // Not at Restarting: during a back-off the fetcher may still be stopped.
  if (m.is_restarted) ++outcome_.restarts;
  w->is_restarting = false;
  w->forget_failure();
  if (m.has_crashed && w->attempt && config_.hand_back) {
    ++outcome_.failures;
    return fail(ctx, *w->attempt, Reason::failure);
  }
  proceed(ctx);
}

void Master::terminated(actord::Context& ctx, const actord::Terminated& m) {
  if (m.who == indexer_) return indexer_lost(ctx);
  if (m.who != fetchers_) return fetcher_gone(ctx, m.who);
  fetchers_ = {};
  while (!workers_.empty()) fetcher_gone(ctx, workers_.back().ref);
  for (const Attempt attempt : std::exchange(sent_, {})) frontier_.take_back(attempt);
  abandon(ctx, Reason::no_fetcher);
  proceed(ctx);
}

void Master::indexer_lost(actord::Context& ctx) {
  indexer_ = {};
  if (phase_ == Phase::over) return;
  ctx.event(actord::Level::error, "crawler.index_lost",
            "the indexer has stopped, so the crawl ends here");
  outcome_.is_index_complete = false;
  abandon(ctx, Reason::index_lost);
  finish(ctx);
}

void Master::fetcher_gone(actord::Context& ctx, actord::Ref fetcher) {
  const Worker* const found = worker(fetcher);
  if (found == nullptr) return;
  const Worker gone = *found;
  std::erase_if(workers_, [&](const Worker& w) { return w.ref == fetcher; });
  // Only an attempt on which the fetcher failed counts. One that it had not begun does not.
  if (gone.attempt && gone.attempt != gone.failing) frontier_.take_back(*gone.attempt);
  if (gone.failing) fail(ctx, *gone.failing, Reason::failure);
  proceed(ctx);
}

// ---- pages and attempts -------------------------------------------------------------------------

Master::Worker* Master::worker(actord::Ref ref) {
  const auto found =
      std::find_if(workers_.begin(), workers_.end(), [&](const Worker& w) { return w.ref == ref; });
  return found == workers_.end() ? nullptr : &*found;
}

void Master::Worker::forget_failure() {
  if (attempt == failing) attempt.reset();
  failing.reset();
}

void Master::release(Attempt attempt) {
  std::erase(sent_, attempt);
  for (Worker& w : workers_) {
    if (w.attempt == attempt) w.attempt.reset();
  }
}

void Master::fail(actord::Context& ctx, Attempt attempt, Reason reason) {
  release(attempt);
  if (frontier_.fail(attempt, reason) == Fate::given_up) {
    const Frontier::GivenUp& lost = frontier_.given_up().back();
    note_given_up(ctx, lost);
    if (config_.on_exhausted == OnExhausted::escalate) {
      throw Exhausted("a page failed in every attempt",
                      {{"url", lost.url}, {"attempts", lost.attempts}});
    }
  }
  proceed(ctx);
}

void Master::abandon(actord::Context& ctx, Reason reason) {
  for (const auto& lost : frontier_.abandon(reason)) note_given_up(ctx, lost);
}

void Master::note_given_up(actord::Context& ctx, const Frontier::GivenUp& lost) {
  ++outcome_.given_up.at(static_cast<std::size_t>(lost.reason));
  last_problem_ = text_of(lost.reason).words;
  ctx.event(
      actord::Level::warning, "crawler.given_up", "gave up a page",
      {{"url", lost.url}, {"attempts", lost.attempts}, {"reason", text_of(lost.reason).name}});
}

// Gives waiting pages to free fetchers, and notices the end.
void Master::proceed(actord::Context& ctx) {
  if (phase_ != Phase::crawling) return;
  const auto free = static_cast<std::size_t>(std::ranges::count_if(workers_, &Worker::is_free));
  while (fetchers_ && sent_.size() < free) {
    const auto attempt = frontier_.next(ctx.now() + config_.deadline);
    if (!attempt) break;
    sent_.push_back(*attempt);
    ctx.tell(fetchers_, Fetch{attempt->page, attempt->number, frontier_.url(attempt->page)});
  }
  if (frontier_.is_over()) {
    phase_ = Phase::finishing;
    ask_to_finish(ctx);
  }
}

void Master::sweep(actord::Context& ctx, const Sweep&) {
  if (phase_ == Phase::finishing && ctx.now() - finish_asked_ > config_.deadline)
    return ask_to_finish(ctx);
  if (phase_ != Phase::crawling) return;
  // A fetcher that has failed and neither restarted nor stopped by the second sweep has been
  // resumed: it is free. Its attempt stays in progress until the deadline. If the decision comes
  // even later, the page given to the fetcher meanwhile waits in its mailbox, or is taken back when
  // it stops.
  for (Worker& w : workers_) {
    if (w.failing && ++w.sweeps == 2) w.forget_failure();
  }
  for (const Attempt attempt : frontier_.overdue(ctx.now())) {
    ctx.event(actord::Level::warning, "crawler.overdue", "an attempt missed its deadline",
              {{"url", frontier_.url(attempt.page)}, {"attempt", attempt.number}});
    fail(ctx, attempt, Reason::deadline);
  }
  proceed(ctx);
}

// ---- the end ------------------------------------------------------------------------------------

// May send Finish more than once, because a message may be lost: with `resume` the message on which
// the indexer failed is not handled again.
void Master::ask_to_finish(actord::Context& ctx) {
  if (finish_tries_++ == config_.max_attempts) {
    ctx.event(actord::Level::error, "crawler.index_lost",
              "the indexer does not answer, so the crawl ends here");
    outcome_.is_index_complete = false;
    return finish(ctx);
  }
  finish_asked_ = ctx.now();
  Finish question{.pages = pages_, .without = {}, .dead_links = {}, .tries = 0};
  for (const auto& page : frontier_.given_up())
    question.without.push_back(parse_url(page.url)->location);
  for (const auto& link : frontier_.dead_links()) {
    question.dead_links.push_back(
        {.source = link.source.empty() ? std::string{} : parse_url(link.source)->location,
         .target = parse_url(link.target)->location,
         .status = link.status});
  }
  ctx.tell(indexer_, std::move(question));
}

void Master::indexed(actord::Context& ctx, const Indexed& m) {
  if (ctx.sender() != indexer_ || phase_ == Phase::over) return;
  indexed_ = m.pages;
  finish_tries_ = std::min(finish_tries_, 1u);  // the indexer is slow, but works
  if (m.is_final) finish(ctx);
}

void Master::finish(actord::Context& ctx) {
  phase_ = Phase::over;
  ctx.cancel_timer("sweep");
  ctx.cancel_timer("progress");
  outcome_.pages = indexed_;
  outcome_.dead_links = frontier_.dead_links().size();
  outcome_.seconds = std::chrono::duration<double>(ctx.now() - started_).count();
  // All pages but the first are found on pages. So if there is none, the last answer is that to the
  // start page, or to what it redirects to.
  if (pages_ == 0) outcome_.start_problem = last_problem_;
  write_outcome(ctx);
}

void Master::write_outcome(actord::Context& ctx) {
  const Outcome& o = outcome_;
  const auto given_up = [&o](Reason reason) {
    return o.given_up.at(static_cast<std::size_t>(reason));
  };
  const std::string file = index_file(ctx, config_.index).string();
  // The texts of `summary` are for a terminal, which shows them as a block.
  ctx.event(o.is_complete() ? actord::Level::info : actord::Level::warning, "crawler.finished",
            headline(o),
            {{"crawl.pages", o.pages},
             {"crawl.redirects", o.redirects},
             {"crawl.dead", o.dead},
             {"crawl.not_html", o.not_html},
             {"crawl.too_large", o.too_large},
             {"crawl.bad_texts", o.bad_texts},
             {"crawl.dead_links", o.dead_links},
             {"crawl.failures", o.failures},
             {"crawl.restarts", o.restarts},
             {"crawl.start_problem", o.start_problem},
             {"crawl.given_up", o.all_given_up()},
             {"crawl.reasons.chaos", given_up(Reason::chaos)},
             {"crawl.reasons.timeout", given_up(Reason::timeout)},
             {"crawl.reasons.connection_lost", given_up(Reason::connection_lost)},
             {"crawl.reasons.failure", given_up(Reason::failure)},
             {"crawl.reasons.deadline", given_up(Reason::deadline)},
             {"crawl.reasons.no_fetcher", given_up(Reason::no_fetcher)},
             {"crawl.reasons.index_lost", given_up(Reason::index_lost)},
             {"crawl.seconds", o.seconds},
             {"summary.pages", sentence_on_pages(o)},
             {"summary.dead_links",
              o.dead_links == 0 ? std::string{"none"}
                                : std::to_string(o.dead_links) + ", in the table dead_links"},
             {"summary.failures",
              std::to_string(o.failures) + ", and " + std::to_string(o.restarts) + " restarts"},
             {"summary.index",
              "sqlite3 " + shell_word(file) + " \"select path from pages('WORD') limit 9\""}});
}

void Master::report(actord::Context& ctx, const Report&) {
  ctx.event(actord::Level::info, "crawler.progress", "crawling",
            {{"in_progress", frontier_.in_progress()},
             {"seen", frontier_.seen()},
             {"indexed", indexed_}});
}

// ---- searches -----------------------------------------------------------------------------------

void Master::search(actord::Context& ctx, const Search&) {
  if (indexer_) ctx.forward(indexer_);
  else ctx.reply_failure<IndexError>("the indexer has stopped");
}

}  // namespace crawler
