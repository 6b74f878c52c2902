// SPDX-License-Identifier: Apache-2.0
#include "sim/mailbox_search.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/random.hpp"

namespace actord::sim::mailbox {

namespace {

// ---- the configurations -------------------------------------------------------------------------

const Configuration all_configurations[] = {
    {"a sender of 3", {{tell, tell, tell}}},
    {"senders of 2 and 1", {{tell, tell}, {tell}}},
    {"sender of 2, a watch", {{tell, tell}, {watch}}},
    {"one sends watch, tell, watch, tell", {{watch, tell, watch, tell}}},
    {"senders of 2 and 1, suspend-resume", {{tell, tell}, {tell}, {suspend, resume}}},
    {"sender of 2, suspend and resume of two", {{tell, tell}, {suspend}, {resume}}},
    {"senders of 2 and 1, terminate", {{tell, tell}, {tell}, {terminate}}},
    {"sender of 1, suspend, watch-terminate", {{tell}, {suspend}, {watch, terminate}}},
    {"forward and tell, a sender of 1", {{forward, tell}, {tell}}},
    {"2 forwards, suspend-resume", {{forward, forward}, {suspend, resume}}},
    {"slices end: senders of 2 and 1, a watch", {{tell, tell}, {tell}, {watch}}, yields},
    {"slices end: forward, suspend-resume", {{forward, tell}, {suspend, resume}}, yields},
    {"a new tenant: terminate, late tells", {{tell, tell}, {terminate}, {tell_next}}, recycles},
    {"a new tenant: late watch", {{terminate, watch}, {watch}, {watch_next, tell_next}}, recycles},
    {"senders of 2 and 1, suspend-resume, terminate",
     {{tell, tell}, {tell}, {suspend, resume}, {terminate}},
     large},
    {"senders of 3 and 2, suspend-resume-watch",
     {{tell, tell, tell}, {tell, tell}, {suspend, resume, watch}},
     large},
    {"senders of 2 and 2, suspend-resume-terminate",
     {{tell, tell}, {tell, tell}, {suspend, resume, terminate}},
     large},
    {"senders of 3 and 2, suspend-resume",
     {{tell, tell, tell}, {tell, tell}, {suspend, resume}},
     large},
    {"slices end: forward-tell, tell, suspend-resume",
     {{forward, tell}, {tell}, {suspend, resume}},
     yields},
    {"a new tenant: tells, suspend, terminate-tell",
     {{tell, tell}, {suspend}, {terminate, tell_next}},
     recycles},
};

// ---- the search ---------------------------------------------------------------------------------

/// The same state with blocks renumbered in the order in which they are met.
State renamed(const State& s) {
  std::array<Byte, 16> name;
  std::array<Byte, blocks_max> met;
  name.fill(nil);
  for (const Byte special : {nil, closed_queue, poison}) name[special] = special;
  Byte n = 0;
  const auto meet = [&](Byte b) {
    if (b < blocks_max && name[b] == nil) met[n] = b, name[b] = n++;
  };
  for (const Byte b : {s.word_pointer, s.system, s.fifo, s.seen}) meet(b);
  for (const Sender& t : s.senders) meet(t.block), meet(t.old_pointer);
  for (const Worker& w : s.worker)
    meet(w.block), meet(w.current), meet(w.orders), meet(w.old_pointer);
  for (Byte i = 0; i < n; ++i) meet(s.next[met[i]]);
  for (Byte i = s.free_count; i-- > 0;) meet(s.free[i]);
  for (Byte b = 0; b < blocks_max; ++b) meet(b);
  State c = s;
  c.live = 0;
  for (Byte b = 0; b < blocks_max; ++b) {
    c.live |= static_cast<Byte>((s.live >> b & 1) << name[b]);
    c.next[name[b]] = name[s.next[b]];
    c.content[name[b]] = s.content[b];
  }
  for (Byte i = 0; i < blocks_max; ++i) c.free[i] = i < s.free_count ? name[s.free[i]] : nil;
  for (Byte* b : {&c.word_pointer, &c.system, &c.fifo, &c.seen}) *b = name[*b];
  for (Sender& t : c.senders) t.block = name[t.block], t.old_pointer = name[t.old_pointer];
  for (Worker& w : c.worker) {
    for (Byte* b : {&w.block, &w.current, &w.orders, &w.old_pointer}) *b = name[*b];
  }
  return c;
}

/// One representative of all states that differ only in the names of blocks and workers.
State canonical(const State& s) {
  const auto key = [](const Worker& w) { return static_cast<int>(w.at) << 8 | w.old_flags; };
  State swapped = s;
  std::swap(swapped.worker[0], swapped.worker[1]);
  if (key(s.worker[0]) != key(s.worker[1])) {
    return renamed(key(s.worker[0]) < key(s.worker[1]) ? s : swapped);
  }
  const State one = renamed(s), other = renamed(swapped);
  return std::memcmp(&one, &other, sizeof one) <= 0 ? one : other;
}

std::uint64_t fingerprint(const State& state) {
  const State c = canonical(state);
  std::uint64_t words[sizeof c / 8];
  std::memcpy(words, &c, sizeof c);
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  for (const std::uint64_t word : words) {
    const auto wide = static_cast<actord::base::Wide>(hash ^ word) * 0xd6e8feb86659fd93u;
    hash = static_cast<std::uint64_t>(wide >> 64) ^ static_cast<std::uint64_t>(wide) ^ (hash << 1);
  }
  return hash != 0 ? hash : 1;
}

class Fingerprints {
 public:
  /// False if it is present already.
  bool insert(std::uint64_t fingerprint) {
    if (count_ * 2 >= table_.size()) grow();
    if (!put(table_, fingerprint)) return false;
    ++count_;
    return true;
  }
  std::size_t size() const { return count_; }

 private:
  static bool put(std::vector<std::uint64_t>& table, std::uint64_t fingerprint) {
    for (std::size_t i = fingerprint;; ++i) {
      std::uint64_t& slot = table[i & (table.size() - 1)];
      if (slot == fingerprint) return false;
      if (slot == 0) return slot = fingerprint, true;
    }
  }
  void grow() {
    std::vector<std::uint64_t> larger(std::max<std::size_t>(table_.size() * 2, 1u << 16));
    for (const std::uint64_t fingerprint : table_) {
      if (fingerprint != 0) put(larger, fingerprint);
    }
    table_ = std::move(larger);
  }

  std::vector<std::uint64_t> table_;
  std::size_t count_ = 0;
};

/// The search is depth first, so that the stack is the path to a violation.
struct Frame {
  State state;
  Byte thread = 0;  // to be tried next
  bool has_moved = false;
};

}  // namespace

std::span<const Configuration> configurations() { return all_configurations; }

Explored explore(const Configuration& configuration, Bug bug, bool is_traced) {
  const Model model(configuration, bug);
  Explored explored;
  Fingerprints visited;
  std::vector<Frame> stack{{model.initial()}};
  bool is_at_rest = false;
  const auto visit = [&](const State& state) {
    const std::uint64_t print = fingerprint(state);
    if (!visited.insert(print)) return false;
    explored.hash = explored.hash * 31 + print;
    return true;
  };
  visit(stack.back().state);
  try {
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.thread == model.threads()) {
        is_at_rest = !frame.has_moved;
        if (is_at_rest) model.at_rest(frame.state), ++explored.ends;
        is_at_rest = false;
        stack.pop_back();
        continue;
      }
      State next = frame.state;
      if (!model.step(next, frame.thread++)) continue;
      frame.has_moved = true;
      if (visit(next)) stack.push_back({next});
      explored.depth = std::max(explored.depth, stack.size());
    }
  } catch (const Violation& violation) {
    explored.violation = std::string{violation.what} + " (" + configuration.name + "; state " +
                         std::to_string(visited.size()) + ", step " + std::to_string(stack.size()) +
                         ')';
    if (is_at_rest) stack.pop_back();
    for (const Frame& frame : stack) {
      if (is_traced) model.tell_step(frame.state, frame.thread - 1u);
    }
  }
  explored.states = visited.size();
  return explored;
}

}  // namespace actord::sim::mailbox

namespace actord::sim {

Outcome run_exhaustive(std::uint64_t seed, const RunOptions& options) {
  const auto all = mailbox::configurations();
  const mailbox::Configuration& configuration = all[(seed - 1) % all.size()];
  const mailbox::Explored explored =
      mailbox::explore(configuration, mailbox::Bug::none, options.is_traced);
  std::printf("%2llu %-50s%9zu states%3zu ends%4zu deep\n", static_cast<unsigned long long>(seed),
              configuration.name, explored.states, explored.ends, explored.depth);
  if (seed == all.size())
    std::puts("all states of 2 workers and up to 4 senders; schedules: ends; events: states");
  std::fflush(stdout);
  return {.violation = explored.violation,
          .schedules = explored.ends,
          .events = explored.states,
          .trace_hash = explored.hash};
}

}  // namespace actord::sim
