// SPDX-License-Identifier: Apache-2.0

#include "fetcher.hpp"

#include "causes.hpp"
#include "links.hpp"

namespace crawler {

void Fetcher::fetch(actord::Context& ctx, const Fetch& m) {
  try {
    get(ctx, m);
  } catch (...) {
    // Sent for every exception and before the decision: with `resume` no hook runs that could send
    // it.
    ctx.tell(ctx.parent(), Failing{m.page, m.attempt});
    throw;
  }
}

void Fetcher::get(actord::Context& ctx, const Fetch& m) {
  const auto url = parse_url(m.url);
  if (!url) throw actord::Error("not a URL", {{"url", m.url}});  // the master sends valid URLs only
  if (settings_.chaos.fails(url->location, m.attempt)) {
    throw RetrievalException("chaos struck", {{"url", m.url}, {"attempt", m.attempt}});
  }
  const Answer answer = downloader_.get(m.url);
  if (answer.outcome == Answer::Outcome::timed_out) {
    throw Timeout(answer.problem, {{"url", m.url}, {"attempt", m.attempt}});
  }
  if (answer.outcome == Answer::Outcome::connection_lost) {
    throw ConnectionLost(answer.problem, {{"url", m.url}, {"attempt", m.attempt}});
  }
  ctx.tell(ctx.parent(), read(ctx, m, answer));
}

Fetched Fetcher::read(actord::Context& ctx, const Fetch& m, const Answer& answer) {
  Fetched result{m.page,
                 m.attempt,
                 Finding::broken,
                 static_cast<std::int32_t>(answer.status),
                 answer.content_type,
                 {}};
  const Url url = *parse_url(m.url);
  const auto follow = [&](const Url& target) {
    if (settings_.scope.contains(target)) result.links.push_back(target.text());
  };
  if (!answer.location.empty()) {
    result.finding = Finding::redirect;
    if (const auto target = resolve_url(url, answer.location)) follow(*target);
  } else if (answer.outcome == Answer::Outcome::complete && answer.status < 300 &&
             answer.is_html()) {
    result.finding = Finding::page;
    Document document = read_page(answer.body, url, answer.charset);
    for (const Url& target : document.links) follow(target);
    // The page goes out before the result, so that the indexer has every page when it gets Finish.
    ctx.tell(settings_.indexer,
             Page{url.location, std::move(document.title), std::move(document.text)});
  }
  return result;
}

void Fetcher::pre_restart(actord::Context& ctx, const actord::Failure& reason) {
  ctx.tell(ctx.parent(), Restarting{});
  const auto* failed = ctx.message_as<Fetch>();
  if (failed && settings_.is_handing_back) {
    ctx.tell(ctx.parent(), Fetch{failed->page, failed->attempt + 1, failed->url});
  }
  Actor::pre_restart(ctx, reason);
}

void Fetcher::post_restart(actord::Context& ctx, const actord::Failure& reason) {
  Actor::post_restart(ctx, reason);
  ctx.tell(ctx.parent(), Ready{});
}

}  // namespace crawler
