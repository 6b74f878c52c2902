// SPDX-License-Identifier: Apache-2.0
#include "app/mailbox_watch.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/counted.hpp"
#include "hocon/units.hpp"
#include "system/actor_system.hpp"

namespace actord::app {

namespace {

constexpr std::size_t mailboxes_told_max = 10;
// Fewer are no reason for the memory that the process takes up.
constexpr std::size_t messages_min = 1000;
constexpr std::chrono::milliseconds relief_interval{2000}, poll_interval{10};
// The next look comes sooner if the process has grown by this share of its memory since the last.
constexpr std::size_t growth_share = 64;
constexpr std::chrono::milliseconds hurried_interval{25};

std::string bytes_text(std::size_t bytes) {
  return hocon::bytes_text(static_cast<std::int64_t>(bytes >> 20U << 20U));
}

/// "/user/a: 12000 messages, most of them shop.Order/1".
std::string text_of(const actor::Census::Count& count, const system::ActorSystem& actors) {
  std::string text = actors.path(count.actor) + ": " + (count.has_more ? "more than " : "") +
                     base::counted(count.messages, "message");
  if (count.type == 0) return text;
  const bool is_one = count.messages == 1, is_most = count.of_type * 2 > count.looked_at;
  text += is_one ? ", " : is_most ? ", most of them " : ", many of them ";
  return text + std::string{actors.types.name(count.type)};
}

}  // namespace

bool Highwater::rises(std::size_t figure, std::size_t limit) {
  const std::size_t eighth = std::max<std::size_t>(limit / 8, 1);
  if (figure < eighth * eighths_.front() / 2) passed_ = 0;
  const std::size_t before = passed_;
  while (passed_ < eighths_.size() && figure >= eighth * eighths_[passed_]) ++passed_;
  return passed_ > before;
}

MailboxWatch::MailboxWatch(os::EventLoop& loop, log::Hub& hub, system::ActorSystem& actors,
                           Memory memory, std::function<void(std::string)> on_status)
    : hub_(hub),
      actors_(actors),
      memory_(std::move(memory)),
      on_status_(std::move(on_status)),
      answers_(loop),
      next_look_(loop) {}

MailboxWatch::Figures MailboxWatch::figures() const {
  return {actors_.message_memory(), actors_.message_memory_max(), memory_.resident(),
          memory_.limit};
}

std::vector<log::Field> MailboxWatch::fields_of(const Figures& figures) {
  return {{"in_use_bytes", figures.messages},
          {"limit_bytes", figures.messages_max},
          {"memory.resident_bytes", figures.resident},
          {"memory.limit_bytes", figures.memory}};
}

void MailboxWatch::look() {
  if (is_asking_ || is_stopped_) return;
  const Figures now = figures();
  const bool messages_rise = messages_.rises(now.messages, now.messages_max);
  const bool process_rises = process_.rises(now.resident, now.memory);
  const std::size_t before = std::exchange(last_resident_, now.resident);
  if (messages_rise || process_rises) {
    is_asking_ = true;
    await(actors_.take_census(), !messages_rise, answer_time);
    return;
  }
  if (is_told_ && !messages_.is_high() && !process_.is_high()) relieve();
  // The end must be told also when no worker runs any more, so that others do not look.
  if (now.resident > before + now.memory / growth_share) look_in(hurried_interval);
  else if (is_told_) look_in(relief_interval);
}

void MailboxWatch::look_in(std::chrono::milliseconds delay) {
  next_look_.start(delay, [this] { look(); });
}

void MailboxWatch::await(CensusPtr census, bool is_for_memory, std::chrono::milliseconds rest) {
  answers_.start(poll_interval, [this, census = std::move(census), is_for_memory,
                                 rest = rest - poll_interval]() mutable {
    if (is_stopped_) return;
    const bool is_complete = census->answers() == census->asked.size();
    if (!is_complete && rest > rest.zero()) return await(std::move(census), is_for_memory, rest);
    is_asking_ = false;
    report(*census, is_for_memory);
    look_in(hurried_interval);
  });
}

void MailboxWatch::report(const actor::Census& census, bool is_for_memory) {
  std::vector<actor::Census::Count> counts = census.counts();
  std::ranges::sort(counts, std::ranges::greater{}, &actor::Census::Count::messages);
  const bool has_silent = counts.size() < census.asked.size();
  const actor::Census::Count top = counts.empty() ? actor::Census::Count{} : counts.front();
  if (is_for_memory && top.messages < messages_min && !has_silent) return;
  std::vector<std::string> texts;
  for (const actor::Census::Count& each : counts) {
    if (texts.size() == mailboxes_told_max || each.messages == 0) break;
    texts.push_back(text_of(each, actors_));
  }
  std::unordered_set<actor::Ref> answered;
  for (const actor::Census::Count& each : counts) answered.insert(each.actor);
  for (const actor::Ref each : census.asked) {
    if (texts.size() == mailboxes_told_max) break;
    if (!answered.contains(each))
      texts.push_back(actors_.path(each) + ": \u2265 1 message, its handler has not returned");
  }
  const std::vector<std::string_view> views{texts.begin(), texts.end()};
  const Figures now = figures();
  std::vector<log::Field> fields = fields_of(now);
  fields.push_back({"mailboxes", std::span<const std::string_view>(views)});
  const std::string path = top.messages != 0 ? actors_.path(top.actor) : std::string{};
  if (!path.empty()) {
    fields.push_back({"mailbox.path", path});
    fields.push_back({"mailbox.depth", top.messages});
    if (top.type != 0) fields.push_back({"message.type", actors_.types.name(top.type)});
  }
  const std::string what =
      is_for_memory
          ? "the process takes up " + bytes_text(now.resident) + " of its " +
                bytes_text(now.memory) + ", and messages wait"
          : "messages take up " + bytes_text(now.messages) + " of " + bytes_text(now.messages_max);
  hub_.shared().emit(log::Level::warning, "mailbox.highwater", what, fields);
  is_told_ = true;
  on_status_(what + (texts.empty() ? "" : "; " + texts.front()));
}

void MailboxWatch::relieve() {
  is_told_ = false;
  hub_.shared().emit(log::Level::info, "mailbox.relieved", "few messages wait again",
                     fields_of(figures()));
  on_status_({});
}

void MailboxWatch::stop() {
  is_stopped_ = true;
  answers_.cancel();
  next_look_.cancel();
}

}  // namespace actord::app
