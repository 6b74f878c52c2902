// SPDX-License-Identifier: Apache-2.0
//
// Explores every interleaving of a model's threads, for models with small states.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace actord::sim {

/// A rule of the model is broken.
struct Broken {
  const char* what;
};

struct Found {
  std::string violation;  // empty: none
  std::size_t states = 0, ends = 0;
};

template <class State>
std::uint64_t fingerprint_of(const State& state) {
  static_assert(std::has_unique_object_representations_v<State>);
  unsigned char bytes[(sizeof state + 7) / 8 * 8] = {};
  std::memcpy(bytes, &state, sizeof state);
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  for (std::size_t i = 0; i < sizeof bytes; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes + i, 8);
    const auto wide = static_cast<base::Wide>(hash ^ word) * 0xd6e8feb86659fd93u;
    hash = static_cast<std::uint64_t>(wide >> 64) ^ static_cast<std::uint64_t>(wide) ^ (hash << 1);
  }
  return hash;
}

/// Fingerprints, numbered in the order of their arrival.
class Visited {
 public:
  struct Place {
    std::uint32_t number;
    bool is_new;
  };
  Place insert(std::uint64_t fingerprint) {
    if (std::size_t{count_} * 2 >= table_.size()) grow();
    Entry& entry = find(table_, fingerprint);
    if (entry.number != none) return {entry.number, false};
    entry = {fingerprint, count_};
    return {count_++, true};
  }
  std::uint32_t size() const { return count_; }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  struct Entry {
    std::uint64_t fingerprint = 0;
    std::uint32_t number = none;
  };
  static Entry& find(std::vector<Entry>& table, std::uint64_t fingerprint) {
    for (std::size_t i = fingerprint;; ++i) {
      Entry& entry = table[i & (table.size() - 1)];
      if (entry.number == none || entry.fingerprint == fingerprint) return entry;
    }
  }
  void grow() {
    std::vector<Entry> larger(table_.size() * 2);
    for (const Entry& entry : table_) {
      if (entry.number != none) find(larger, entry.fingerprint) = entry;
    }
    table_ = std::move(larger);
  }

  std::vector<Entry> table_ = std::vector<Entry>(1u << 12);
  std::uint32_t count_ = 0;
};

/// The transitions between states. From each state an end must be reachable; otherwise a thread
/// can loop for ever.
class Ways {
 public:
  void add(std::uint32_t from, std::uint32_t to) { all_.emplace_back(to, from); }
  void add_end(std::uint32_t number) { open_.push_back(number); }

  bool lead_to_an_end(std::uint32_t count) {
    std::sort(all_.begin(), all_.end());
    std::vector<bool> reaches(count, false);
    std::uint32_t reaching = 0;
    while (!open_.empty()) {
      const std::uint32_t number = open_.back();
      open_.pop_back();
      if (reaches[number]) continue;
      reaches[number] = true;
      ++reaching;
      auto way = std::lower_bound(all_.begin(), all_.end(), std::pair{number, std::uint32_t{0}});
      for (; way != all_.end() && way->first == number; ++way) open_.push_back(way->second);
    }
    return reaching == count;
  }

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all_;
  std::vector<std::uint32_t> open_;
};

/// A model has a State, initial(), threads(), step(state, thread), which returns false where that
/// thread cannot move, is_done(state), at_rest(state) for states in which no thread can move,
/// canonical(state), which is equal for states that differ only in names, and tell(state, thread).
template <class Model>
Found search(const Model& model, bool is_traced) {
  using State = typename Model::State;
  struct Frame {
    State state;
    std::uint32_t number;
    std::size_t thread = 0;  // to be tried next
    bool has_moved = false;
  };
  Found found;
  Visited visited;
  Ways ways;
  const auto number = [&](const State& state) {
    const auto place = visited.insert(fingerprint_of(model.canonical(state)));
    if (place.is_new && model.is_done(state)) ways.add_end(place.number);
    return place;
  };
  std::vector<Frame> stack{{model.initial(), number(model.initial()).number}};
  try {
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.thread == model.threads()) {
        if (!frame.has_moved) model.at_rest(frame.state), ++found.ends;
        stack.pop_back();
        continue;
      }
      State next = frame.state;
      if (!model.step(next, frame.thread++)) continue;
      frame.has_moved = true;
      const auto place = number(next);
      ways.add(frame.number, place.number);
      if (place.is_new) stack.push_back({next, place.number});
    }
    if (!ways.lead_to_an_end(visited.size())) throw Broken{"some go round and round for ever"};
  } catch (const Broken& broken) {
    found.violation = std::string{broken.what} + " (state " + std::to_string(visited.size()) +
                      ", step " + std::to_string(stack.size()) + ')';
    if (is_traced) {
      for (const Frame& frame : stack) model.tell(frame.state, frame.thread - 1);
    }
  }
  found.states = visited.size();
  return found;
}

}  // namespace actord::sim
