// SPDX-License-Identifier: Apache-2.0
#include "actor/census.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "actor/cell_extras.hpp"
#include "actor/turn.hpp"

namespace actord::actor {

namespace {

/// The most frequent type among the first messages that are looked at.
class TypeTally {
 public:
  void add(message::TypeId type, std::size_t messages) {
    if (looked_at_ >= looks_max) return;
    looked_at_ += messages;
    const auto found = std::ranges::find(types_, type, &Entry::type);
    if (found != types_.end()) return void(found->messages += messages);
    const auto vacant = std::ranges::find(types_, message::TypeId{0}, &Entry::type);
    if (vacant != types_.end()) *vacant = {type, messages};
  }
  void write_to(Census::Count& count) const {
    const Entry& most = *std::ranges::max_element(types_, {}, &Entry::messages);
    count.type = most.type;
    count.of_type = most.messages;
    count.looked_at = looked_at_;
  }

 private:
  static constexpr std::size_t looks_max = 1000;
  struct Entry {
    message::TypeId type = 0;
    std::size_t messages = 0;
  };
  std::array<Entry, 32> types_ = {};  // further types are not told
  std::size_t looked_at_ = 0;
};

}  // namespace

void Census::add(const Count& count) noexcept try {
  std::lock_guard lock(mutex_);
  counts_.push_back(count);
} catch (const std::bad_alloc&) {}

std::size_t Census::answers() const {
  std::lock_guard lock(mutex_);
  return counts_.size();
}

std::vector<Census::Count> Census::counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

Census::Count count_messages(Turn& turn) {
  Census::Count count;
  count.actor = turn.self;
  TypeTally tally;
  const message::TypeRegistry& types = turn.environment().types;
  const auto add = [&](message::Envelope& envelope) {
    if (!envelope.has(message::Envelope::packet)) {
      ++count.messages;
      tally.add(types.first_layout(message::message_in(envelope).type()), 1);
    } else {
      const message::Packet& packet = message::Packet::of(envelope);
      count.messages += packet.size();
      if (packet.holds_words()) tally.add(types.first_layout(packet.word_type()), packet.size());
      else if (packet.size() != 0)
        tally.add(types.first_layout(packet.envelope(0)->type()), packet.size());
    }
    count.has_more = count.messages >= Census::messages_max;
    return !count.has_more;
  };
  Cell& cell = turn.cell();
  cell.inbox.for_each(cell.mailbox, add);
  if (const CellExtras* const extras = turn.find_extras())
    count.messages += static_cast<std::size_t>(extras->stash.count());
  tally.write_to(count);
  return count;
}

void answer_census(Turn& turn, Census& census) { census.add(count_messages(turn)); }

}  // namespace actord::actor
