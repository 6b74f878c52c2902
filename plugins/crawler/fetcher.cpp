// SPDX-License-Identifier: Apache-2.0

#include "fetcher.hpp"

#include "causes.hpp"
#include "links.hpp"

namespace crawler {
namespace {

constexpr long http_error = 400;  // the least status of an error

}  // namespace

Fetcher::Fetcher(const FetcherSettings& settings)
    : settings_(settings),
      scope_(parse_url(settings.start).value()),
      chaos_(settings.chaos.probability, settings.chaos.seed),
      downloader_(settings.download) {}

// Failing is sent for every exception and before the decision: with `resume` no hook runs that
// could send it.
void Fetcher::fetch(actord::Context& ctx, const Fetch& m) {
  const auto announce = [&](Reason reason) {
    ctx.tell(settings_.master, Failing{m.page, m.attempt, reason});
  };
  ctx.tell(settings_.master, Begun{m.page, m.attempt});
  try {
    get(ctx, m);
  } catch (const Timeout&) {
    announce(Reason::timeout);
    throw;
  } catch (const ConnectionLost&) {
    announce(Reason::connection_lost);
    throw;
  } catch (const RetrievalException&) {
    announce(Reason::chaos);
    throw;
  } catch (...) {
    announce(Reason::failure);
    throw;
  }
}

void Fetcher::get(actord::Context& ctx, const Fetch& m) {
  const auto url = parse_url(m.url);
  if (!url) throw actord::Error("not a URL", {{"url", m.url}});  // the master sends valid URLs only
  if (chaos_.fails(url->location, m.attempt)) {
    throw RetrievalException("chaos struck", {{"url", m.url}, {"attempt", m.attempt}});
  }
  const Answer answer = downloader_.get(m.url);
  if (answer.outcome == Answer::Outcome::timed_out) {
    throw Timeout(answer.problem, {{"url", m.url}, {"attempt", m.attempt}});
  }
  if (answer.outcome == Answer::Outcome::connection_lost) {
    throw ConnectionLost(answer.problem, {{"url", m.url}, {"attempt", m.attempt}});
  }
  ctx.tell(settings_.master, read(ctx, m, *url, answer));
}

Fetched Fetcher::read(actord::Context& ctx, const Fetch& m, const Url& url, const Answer& answer) {
  Fetched result{.page = m.page,
                 .attempt = m.attempt,
                 .finding = Finding::not_html,
                 .status = static_cast<std::int32_t>(answer.status),
                 .content_type = answer.content_type,
                 .problem = {},
                 .replaced = 0,
                 .links = {}};
  if (!answer.location.empty()) {
    result.finding = Finding::redirect;
    result.problem = "it redirects to " + answer.location;
    const auto target = resolve_url(url, answer.location);
    if (target && scope_.contains(*target)) result.links.push_back(target->text());
    else result.problem += ", which is outside of the crawl";
  } else if (answer.status >= http_error) {
    result.finding = Finding::dead;
    result.problem = "HTTP status " + std::to_string(answer.status);
  } else if (answer.status >= 300 || !answer.is_html()) {
    result.problem = answer.content_type.empty() ? "the answer has no content type"
                                                 : "the answer is " + answer.content_type;
  } else if (answer.outcome == Answer::Outcome::too_large) {
    result.finding = Finding::too_large;
    result.problem = "it is larger than max-page-size";
  } else {
    result.finding = Finding::page;
    read_html(ctx, url, answer, result);
  }
  return result;
}

// The page goes out before the result, so that the indexer has every page when it gets Finish.
void Fetcher::read_html(actord::Context& ctx, const Url& url, const Answer& answer,
                        Fetched& result) {
  Document document = read_page(answer.body, url, answer.charset);
  for (const Url& target : document.links) {
    if (scope_.contains(target)) result.links.push_back(target.text());
  }
  result.replaced = document.replaced;
  if (document.replaced > 0) {
    ctx.event(actord::Level::debug, "crawler.bad_text",
              "bytes of a page are no text in its encoding",
              {{"url", url.text()},
               {"encoding", document.encoding.encoding->name},
               {"declared_by", name_of(document.encoding.source)},
               {"replaced", document.replaced}});
  }
  ctx.tell(settings_.indexer,
           Page{url.location, std::move(document.title), std::move(document.text)});
}

void Fetcher::pre_start(actord::Context& ctx) { ctx.tell(settings_.master, Ready{}); }

void Fetcher::pre_restart(actord::Context& ctx, const actord::Failure& reason) {
  ctx.tell(settings_.master, Restarting{});
  const auto* failed = ctx.message_as<Fetch>();
  if (failed && settings_.is_handing_back) {
    ctx.tell(settings_.master, Fetch{failed->page, failed->attempt + 1, failed->url});
  }
  Actor::pre_restart(ctx, reason);
}

void Fetcher::post_restart(actord::Context& ctx, const actord::Failure& reason) {
  const bool has_crashed = reason.is<actord::WorkerCrash>() && !reason.is<actord::PeerCrash>();
  ctx.tell(settings_.master, Ready{.is_restarted = true, .has_crashed = has_crashed});
}

}  // namespace crawler
