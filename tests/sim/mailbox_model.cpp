// SPDX-License-Identifier: Apache-2.0
//
// Every interleaving of the one-word mailbox, explored: senders of messages and of orders, two
// workers, a cell that dies and is given to a new tenant. The steps stand in mailbox_protocol.hpp;
// here is the search.
//
// States that differ in the names of blocks or of workers alone are one; visited ones are known by
// 64-bit fingerprints. Not here: memory orders, for the model is sequentially consistent (the
// thread sanitizer runs tests/unit/actor/mailbox_threads_test.cpp).
//
//   mailbox_model [--all]               explores the small configurations, or the large ones too
//   mailbox_model --bug NAME [--trace]  the same with a bug put in; --trace tells how it shows
//   mailbox_model --bugs                puts in one bug after the other; each must be found
//
// Exits 1 on a violation, and on a bug that is not found.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "sim/mailbox_protocol.hpp"

namespace {

using namespace actord::sim;

// ---- what is played -----------------------------------------------------------------------------

const Configuration configurations[] = {
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

/// The same state with blocks named in the order in which they are met.
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

/// One for all states that differ in the names of blocks and workers alone.
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
  /// False if it is there already.
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

/// Depth first, so that the stack is the way to where a violation shows.
struct Frame {
  State state;
  Byte thread = 0;  // next to be tried
  bool has_moved = false;
};

/// True if nothing is violated.
bool explore(const Configuration& configuration, Bug bug, bool is_traced) {
  const auto start = std::chrono::steady_clock::now();
  const Model model(configuration, bug);
  Fingerprints visited;
  std::vector<Frame> stack{{model.initial()}};
  std::size_t ends = 0, depth = 0;
  bool is_at_rest = false;
  visited.insert(fingerprint(stack.back().state));
  try {
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.thread == model.threads()) {
        is_at_rest = !frame.has_moved;
        if (is_at_rest) model.at_rest(frame.state), ++ends;
        is_at_rest = false;
        stack.pop_back();
        continue;
      }
      State next = frame.state;
      if (!model.step(next, frame.thread++)) continue;
      frame.has_moved = true;
      if (visited.insert(fingerprint(next))) stack.push_back({next});
      depth = std::max(depth, stack.size());
    }
  } catch (const Violation& violation) {
    std::printf("violation: %s (%s; state %zu, step %zu)\n", violation.what, configuration.name,
                visited.size(), stack.size());
    if (is_at_rest) stack.pop_back();
    for (const Frame& frame : stack) {
      if (is_traced) model.tell_step(frame.state, frame.thread - 1u);
    }
    return false;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (bug != Bug::none) return true;
  std::printf("%-50s%9zu states%3zu ends%4zu deep%7.2f s: holds\n", configuration.name,
              visited.size(), ends, depth, took.count());
  std::fflush(stdout);
  return true;
}

bool explore_all(Bug bug, bool with_large, bool is_traced) {
  return std::ranges::all_of(configurations, [&](const Configuration& configuration) {
    return (configuration.has(large) && !with_large) || explore(configuration, bug, is_traced);
  });
}

bool finds_every_bug() {
  bool is_found = true;
  for (const NamedBug& bug : bugs) {
    std::printf("%-24s", bug.name);
    if (explore_all(bug.bug, false, false)) {
      std::puts("NOT FOUND");
      is_found = false;
    }
  }
  return is_found;
}

int usage() {
  std::fputs("usage: mailbox_model [--all | --bugs | --bug NAME] [--trace]\n", stderr);
  for (const NamedBug& bug : bugs) std::fprintf(stderr, "  %-24s%s\n", bug.name, bug.what);
  return 64;
}

}  // namespace

int main(int argc, char** argv) {
  bool with_large = false, is_traced = false;
  Bug bug = Bug::none;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--bugs") return finds_every_bug() ? 0 : 1;
    if (argument == "--all") {
      with_large = true;
    } else if (argument == "--trace") {
      is_traced = true;
    } else if (argument == "--bug" && i + 1 < argc) {
      const std::string_view wanted = argv[++i];
      const auto* const found = std::ranges::find(bugs, wanted, &NamedBug::name);
      if (found == std::end(bugs)) return usage();
      bug = found->bug;
    } else {
      return usage();
    }
  }
  return explore_all(bug, with_large, is_traced) ? 0 : 1;
}
