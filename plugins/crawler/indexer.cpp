// SPDX-License-Identifier: Apache-2.0

#include "indexer.hpp"

namespace crawler {
namespace {

using namespace std::chrono_literals;
constexpr auto flush_period = 500ms;

// After a restart the pages of the failed batch come after a Finish that was in the mailbox
// already. A timer then repeats Finish, to come after these pages. The number of tries is limited,
// because a page that never comes must not prevent the end.
constexpr auto finish_pause = 20ms;
constexpr std::uint32_t finish_tries_max = 100;

constexpr std::uint32_t search_limit_max = 1000;

}  // namespace

void Indexer::pre_start(actord::Context& ctx) {
  index_.emplace(settings_.file);
  ctx.start_timer("flush", flush_period, Flush{}, flush_period);
}

void Indexer::accept(actord::Context& ctx, const Page& m) {
  if (is_finished_) return;  // a page that was given up; the rows have been counted
  pending_.push_back(m);
  if (pending_.size() >= settings_.batch_pages) flush(ctx, Flush{});
}

void Indexer::flush(actord::Context& ctx, const Flush&) {
  if (pending_.empty()) return;
  store();
  ctx.tell(ctx.parent(),
           Indexed{static_cast<std::uint64_t>(index_->count(settings_.crawl)), false});
}

void Indexer::finish(actord::Context& ctx, const Finish& m) {
  store();
  index_->remove(m.without);
  const auto stored = static_cast<std::uint64_t>(index_->count(settings_.crawl));
  if (stored < m.pages && m.tries < finish_tries_max) {
    ctx.start_timer("finish", finish_pause, Finish{m.pages, m.without, m.dead_links, m.tries + 1});
    return;
  }
  std::vector<IndexedDeadLink> dead_links;
  dead_links.reserve(m.dead_links.size());
  for (const DeadLink& link : m.dead_links)
    dead_links.push_back({link.source, link.target, link.status});
  index_->finish(settings_.crawl, dead_links);
  is_finished_ = true;
  ctx.tell(ctx.parent(), Indexed{static_cast<std::uint64_t>(index_->rows()), true});
}

void Indexer::search(actord::Context& ctx, const Search& m) {
  if (m.query.find_first_not_of(" \t\r\n\"") == std::string::npos)
    return ctx.reply_failure<InvalidSearch>("a search needs a word");
  if (m.limit < 1 || m.limit > search_limit_max)
    return ctx.reply_failure<InvalidSearch>("the limit of a search is 1 to 1000 pages");
  Found found;
  try {
    for (IndexHit& hit : index_->search(m.query, m.limit)) {
      const auto rank = static_cast<std::uint32_t>(found.pages.size() + 1);
      found.pages.push_back(
          {rank, settings_.site + hit.path, std::move(hit.title), std::move(hit.excerpt)});
    }
  } catch (const IndexError& error) {
    return ctx.reply_failure<IndexError>(error.what());
  }
  ctx.reply(std::move(found));
}

void Indexer::store() {
  std::vector<IndexedPage> batch;
  batch.reserve(pending_.size());
  for (const Page& page : pending_) batch.push_back({page.path, page.title, page.body});
  index_->store(settings_.crawl, batch);
  pending_.clear();
}

void Indexer::pre_restart(actord::Context& ctx, const actord::Failure& reason) {
  for (Page& page : pending_) ctx.tell(ctx.self(), std::move(page));
  pending_.clear();  // post_stop, called below, must not try the failed batch again
  if (const auto* failed = ctx.message_as<Finish>()) ctx.tell(ctx.self(), Finish{*failed});
  Actor::pre_restart(ctx, reason);
}

void Indexer::post_stop(actord::Context& ctx) {
  if (index_) flush(ctx, Flush{});
}

}  // namespace crawler
