// SPDX-License-Identifier: Apache-2.0
#include "link/twin_tables.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "link/remote.hpp"
#include "message/complete.hpp"
#include "message/message_type.hpp"

namespace actord::link {

using message::view;

namespace {

constexpr std::uint32_t items_max = 4096;
constexpr std::uint32_t text_size_max = 1 << 16;

/// Which hooks a behaviour has, as bits in a frame.
enum Hook : std::uint32_t {
  pre_start = 1,
  post_stop = 2,
  pre_restart = 4,
  post_restart = 8,
  decide = 16,
  review = 32,
  log_failure = 64,
  child_terminated = 128,
  // of actord_persistence
  persistent = 256,
  restores = 512,
  is_told_of_recovery = 1024,
  newest_only = 2048,
  repeats_persisted = 4096
};

template <class F>
std::uint32_t bit(F* function, Hook hook) {
  return function != nullptr ? static_cast<std::uint32_t>(hook) : 0;
}

std::uint32_t hooks_of(const actord_persistence* described) {
  if (described == nullptr) return 0;
  const actord_persistence it = message::complete(*described);
  return persistent | bit(it.restore, restores) | bit(it.recovered, is_told_of_recovery) |
         ((it.flags & ACTORD_NEWEST_ONLY) != 0 ? std::uint32_t{newest_only} : 0) |
         ((it.flags & ACTORD_REPEATS_PERSISTED) != 0 ? std::uint32_t{repeats_persisted} : 0);
}

std::uint32_t hooks_of(const actord_behaviour& it) {
  return hooks_of(it.persistence) | bit(it.pre_start, pre_start) | bit(it.post_stop, post_stop) |
         bit(it.pre_restart, pre_restart) | bit(it.post_restart, post_restart) |
         bit(it.decide, decide) | bit(it.review, review) | bit(it.log_failure, log_failure) |
         bit(it.child_terminated, child_terminated);
}

// One of the sixteen kinds of persistent behaviours.
const actord_persistence* twin_persistence(std::uint32_t hooks) {
  static const auto all = [] {
    std::array<actord_persistence, 16> made{};
    for (std::uint32_t i = 0; i < made.size(); ++i) {
      made[i] = remote_persistence();
      if ((i & 1) == 0) made[i].restore = nullptr;
      if ((i & 2) == 0) made[i].recovered = nullptr;
      made[i].flags = ((i & 4) != 0 ? std::uint32_t{ACTORD_NEWEST_ONLY} : 0) |
                      ((i & 8) != 0 ? std::uint32_t{ACTORD_REPEATS_PERSISTED} : 0);
    }
    return made;
  }();
  static_assert(is_told_of_recovery == 2 * restores && newest_only == 4 * restores &&
                repeats_persisted == 8 * restores);
  return (hooks & persistent) != 0 ? &all[hooks / restores & 15] : nullptr;
}

void set_hooks(actord_behaviour& twin, std::uint32_t hooks) {
  twin.persistence = twin_persistence(hooks);
  const actord_behaviour& remote = remote_hooks();
  twin.pre_start = (hooks & pre_start) != 0 ? remote.pre_start : nullptr;
  twin.post_stop = (hooks & post_stop) != 0 ? remote.post_stop : nullptr;
  twin.post_restart = (hooks & post_restart) != 0 ? remote.post_restart : nullptr;
  twin.decide = (hooks & decide) != 0 ? remote.decide : nullptr;
  twin.review = (hooks & review) != 0 ? remote.review : nullptr;
  twin.log_failure = (hooks & log_failure) != 0 ? remote.log_failure : nullptr;
  twin.child_terminated = (hooks & child_terminated) != 0 ? remote.child_terminated : nullptr;
  twin.pre_restart = (hooks & pre_restart) != 0 ? remote.pre_restart : nullptr;
}

/// A behaviour as a frame describes it, until its twin is made.
struct Described {
  actord_behaviour table{};
  std::vector<std::vector<actord_case>> cases;
  std::vector<actord_receive> receives;
  std::vector<const actord_receive*> pointers;
  TakenStrategy strategy;
};

actord_status no_handler(void*, actord_context*, const void*, actord_errors*) {
  return ACTORD_FAILED;
}

std::uint32_t take_count(FrameReader& frame) {
  const auto n = frame.take<std::uint32_t>();
  if (n > items_max) frame.fail();
  return frame.has_failed() ? 0 : n;
}

actord_str take_text(FrameReader& frame) {
  const actord_str text = frame.str();
  if (text.size > text_size_max) frame.fail();
  return text;
}

void take_receives(FrameReader& frame, Described& out) {
  const std::uint32_t n = take_count(frame);
  out.cases.resize(n);
  for (std::uint32_t i = 0; i < n && !frame.has_failed(); ++i) {
    actord_receive receive{};
    receive.struct_size = sizeof receive;
    receive.name = take_text(frame);
    receive.otherwise = frame.take<std::uint8_t>() != 0 ? &no_handler : nullptr;
    const std::uint32_t n_cases = take_count(frame);
    for (std::uint32_t j = 0; j < n_cases && !frame.has_failed(); ++j)
      out.cases[i].push_back({take_text(frame), &no_handler});
    receive.cases = out.cases[i].data();
    receive.n_cases = static_cast<std::uint32_t>(out.cases[i].size());
    out.receives.push_back(receive);
  }
  for (const actord_receive& each : out.receives) out.pointers.push_back(&each);
  out.table.receives = out.pointers.data();
  out.table.n_receives = out.pointers.size();
  if (out.pointers.empty()) frame.fail();
}

}  // namespace

void put_strategy(FrameWriter& frame, const actord_strategy* strategy) {
  frame.put(static_cast<std::uint8_t>(strategy != nullptr ? 1 : 0));
  if (strategy == nullptr) return;
  frame.put(strategy->kind);
  frame.put(strategy->max_restarts);
  frame.put(strategy->within_ns);
  frame.put(strategy->otherwise);
  frame.put(strategy->is_logging);
  frame.put(static_cast<std::uint32_t>(strategy->n_rules));
  for (const actord_rule& rule : std::span{strategy->rules, strategy->n_rules}) {
    frame.text(rule.type);
    frame.put(rule.directive);
    frame.put(rule.level);
  }
  frame.put(static_cast<std::uint8_t>(strategy->backoff != nullptr ? 1 : 0));
  if (strategy->backoff == nullptr) return;
  frame.put(strategy->backoff->min_ns);
  frame.put(strategy->backoff->max_ns);
  frame.put(strategy->backoff->reset_after_ns);
  frame.put(strategy->backoff->random_factor);
  frame.put(strategy->backoff->capacity);
}

bool TakenStrategy::take(FrameReader& frame) {
  is_there_ = frame.take<std::uint8_t>() != 0;
  if (!is_there_) return !frame.has_failed();
  c_.struct_size = sizeof c_;
  c_.kind = frame.take<std::int32_t>();
  c_.max_restarts = frame.take<std::int64_t>();
  c_.within_ns = frame.take<std::int64_t>();
  c_.otherwise = frame.take<std::int32_t>();
  c_.is_logging = frame.take<std::int32_t>();
  const std::uint32_t n = take_count(frame);
  for (std::uint32_t i = 0; i < n && !frame.has_failed(); ++i) {
    const actord_str type = take_text(frame);
    const auto directive = frame.take<std::int32_t>();
    rules_.push_back({type, directive, frame.take<std::int32_t>()});
  }
  c_.rules = rules_.data();
  c_.n_rules = rules_.size();
  if (frame.take<std::uint8_t>() != 0) {
    backoff_.min_ns = frame.take<std::int64_t>();
    backoff_.max_ns = frame.take<std::int64_t>();
    backoff_.reset_after_ns = frame.take<std::int64_t>();
    backoff_.random_factor = frame.take<double>();
    backoff_.capacity = frame.take<std::int64_t>();
    c_.backoff = &backoff_;
  }
  const bool is_kind = c_.kind == ACTORD_ONE_FOR_ONE || c_.kind == ACTORD_ALL_FOR_ONE;
  if (!is_kind) frame.fail();
  return !frame.has_failed();
}

void put_behaviour(FrameWriter& frame, const actord_behaviour& behaviour) {
  const actord_behaviour it = message::complete(behaviour);
  frame.text(it.name);
  frame.put(it.flags);
  frame.put(it.stash_capacity);
  frame.put(hooks_of(it));
  frame.put(static_cast<std::uint32_t>(it.n_receives));
  for (const actord_receive* const receive : std::span{it.receives, it.n_receives}) {
    frame.text(receive->name);
    frame.put(static_cast<std::uint8_t>(receive->otherwise != nullptr ? 1 : 0));
    frame.put(receive->n_cases);
    for (const actord_case& each : std::span{receive->cases, receive->n_cases})
      frame.text(each.type);
  }
  put_strategy(frame, it.strategy);
}

const actord_behaviour* TwinTables::add_described(std::string_view description) {
  if (const auto known = described_.find(description); known != described_.end())
    return known->second;
  if (described_.size() == items_max) return nullptr;
  FrameReader frame(description);
  Described described;
  actord_behaviour& table = described.table;
  table.struct_size = sizeof table;
  table.name = take_text(frame);
  table.flags = frame.take<std::uint32_t>();
  table.stash_capacity = frame.take<std::int64_t>();
  const auto hooks = frame.take<std::uint32_t>();
  set_hooks(table, hooks);
  take_receives(frame, described);
  described.strategy.take(frame);
  table.strategy = described.strategy.c();
  if (frame.has_failed() || !frame.is_at_end() || table.name.size == 0) return nullptr;
  const actord_behaviour& twin = add(table);
  described_.emplace(description, &twin);
  return &twin;
}

actord_str TwinTables::copy(actord_str text) {
  if (text.size == 0) return {"", 0};
  char* const to = allocate<char>(text.size);
  std::memcpy(to, text.data, text.size);
  return {to, text.size};
}

const actord_receive* TwinTables::copy(const actord_receive& described) {
  actord_receive& twin = *allocate<actord_receive>(1);
  twin.struct_size = sizeof twin;
  twin.name = copy(described.name);
  twin.otherwise = described.otherwise != nullptr ? &remote_receive : nullptr;
  twin.n_cases = described.n_cases;
  auto* const cases = allocate<actord_case>(twin.n_cases);
  auto** const ids = allocate<const actord_type_id*>(twin.n_cases);
  bool has_ids = true;
  for (std::uint32_t i = 0; i < twin.n_cases; ++i) {
    cases[i] = {copy(described.cases[i].type), &remote_receive};
    ids[i] = id_of_(of_, view(cases[i].type));
    has_ids = has_ids && ids[i] != nullptr;
  }
  twin.cases = cases;
  twin.ids = has_ids ? ids : nullptr;
  return &twin;
}

const actord_strategy* TwinTables::copy(const actord_strategy& described) {
  actord_strategy& twin = *allocate<actord_strategy>(1);
  twin = message::complete(described);
  auto* const rules = allocate<actord_rule>(twin.n_rules);
  for (std::size_t i = 0; i < twin.n_rules; ++i) {
    rules[i] = described.rules[i];
    rules[i].type = copy(rules[i].type);
  }
  twin.rules = rules;
  if (described.backoff != nullptr) {
    auto* const backoff = allocate<actord_backoff>(1);
    *backoff = *described.backoff;
    twin.backoff = backoff;
  }
  return &twin;
}

const actord_behaviour& TwinTables::add(const actord_behaviour& described) {
  actord_behaviour& twin = *allocate<actord_behaviour>(1);
  twin = message::complete(described);
  twin.struct_size = sizeof twin;
  twin.name = copy(twin.name);
  twin.doc = copy(twin.doc);
  twin.size = remote_size;
  twin.align = remote_align;
  auto** const receives = allocate<const actord_receive*>(twin.n_receives);
  for (std::size_t i = 0; i < twin.n_receives; ++i) receives[i] = copy(*described.receives[i]);
  twin.receives = receives;
  if (described.strategy != nullptr) twin.strategy = copy(*described.strategy);
  const actord_behaviour& remote = remote_hooks();
  twin.create = remote.create;
  twin.destroy = remote.destroy;
  set_hooks(twin, hooks_of(described));
  return twin;
}

}  // namespace actord::link
