// SPDX-License-Identifier: Apache-2.0
#include "actor/failure.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace actord::actor {

using message::view;

namespace {
constexpr int causes_max = 16;  // a plugin that reports a cycle of causes must not hang us
}

bool TypeChain::has(std::string_view name) const noexcept {
  return std::ranges::find(names, name) != names.end();
}

std::string TypeChains::key_of(const actord_str* names, std::size_t count) {
  std::string key;
  for (std::size_t i = 0; i < count; ++i) key.append(view(names[i])).push_back('\n');
  return key;
}

const TypeChain& TypeChains::intern(const actord_str* names, std::size_t count, bool is_static) {
  if (is_static) {
    std::shared_lock lock(mutex_);
    if (const auto known = by_address_.find(names); known != by_address_.end())
      return *known->second;
  }
  std::lock_guard lock(mutex_);
  auto& chain = by_names_[key_of(names, count)];
  if (!chain) {
    chain = std::make_unique<TypeChain>();
    for (std::size_t i = 0; i < count; ++i) chain->names.emplace_back(view(names[i]));
    if (count == 0)
      chain->names.emplace_back("actord::ForeignException");  // a plugin that breaks its word
    for (const std::string& name : chain->names) chain->views.push_back(message::to_c(name));
  }
  if (is_static) by_address_[names] = chain.get();
  return *chain;
}

const TypeChain& TypeChains::intern(std::initializer_list<std::string_view> names) {
  std::array<actord_str, 8> texts;
  std::transform(names.begin(), names.end(), texts.begin(),
                 [](std::string_view name) { return message::to_c(name); });
  return intern(texts.data(), names.size(), false);
}

std::string_view name_of(Phase phase) noexcept {
  constexpr std::string_view names[] = {"constructor",  "pre_start", "receive", "pre_restart",
                                        "post_restart", "post_stop", "decide",  "child_terminated"};
  return names[static_cast<std::size_t>(phase)];
}

Failure::~Failure() {
  if (payload == nullptr) return;
  if (!payload_type->is_trivial) payload_type->table->destroy(payload);
  ::operator delete (payload, std::align_val_t{payload_type->table->align});
}

const Failure& Failure::root_cause() const noexcept {
  const Failure* failure = this;
  while (failure->cause) failure = failure->cause.get();
  return *failure;
}

FailureView::FailureView(const Failure& failure) {
  c_.struct_size = sizeof c_;
  c_.flags = failure.is_foreign ? ACTORD_FOREIGN : 0;
  c_.types = failure.types->views.data();
  c_.n_types = static_cast<std::uint32_t>(failure.types->views.size());
  c_.what = message::to_c(failure.what);
  for (const Detail& detail : failure.details) fields_.push_back(detail.value);
  c_.details = fields_.data();
  c_.n_details = fields_.size();
  c_.payload_type = failure.payload_id;
  c_.payload = failure.payload;
  if (failure.cause) {
    cause_ = std::make_unique<FailureView>(*failure.cause);
    c_.cause = cause_->c();
  }
  if (failure.original) {
    original_ = std::make_unique<FailureView>(*failure.original);
    c_.original = original_->c();
  }
}

namespace {

std::vector<Detail> copy_details(const actord_failure& reported) {
  std::vector<Detail> details(reported.n_details);
  for (std::size_t i = 0; i < details.size(); ++i) {
    const actord_field& from = reported.details[i];
    Detail& to = details[i];
    to.key = view(from.key);
    to.kind = from.kind;
    to.value = from;
    to.value.key = message::to_c(to.key);
    if (from.kind != ACTORD_TEXT) continue;
    to.text = view(from.value.text);
    to.value.value.text = message::to_c(to.text);
  }
  return details;
}

// Null if the type refuses: the failure then travels without it.
void* copy_payload(const actord_failure& reported, const message::MessageType& type,
                   Payload payload) {
  void* const block = ::operator new (type.size, std::align_val_t{type.table->align});
  actord_errors ignored{[](actord_errors*, const actord_failure*) {}};
  if (type.is_trivial) {
    std::memcpy(block, reported.payload, type.size);
  } else if (payload == Payload::moved) {
    type.table->move(block, reported.payload);
  } else if (type.table->copy(block, reported.payload, &ignored) != ACTORD_OK) {
    ::operator delete (block, std::align_val_t{type.table->align});
    return nullptr;
  }
  return block;
}

FailurePtr copy_to_depth(const actord_failure& reported, TypeChains& chains,
                         const message::TypeRegistry& types, Payload payload, int depth) {
  FailurePtr failure{new Failure};
  failure->types =
      &chains.intern(reported.types, reported.n_types, (reported.flags & ACTORD_STATIC_TYPES) != 0);
  failure->what = view(reported.what);
  failure->is_foreign = (reported.flags & ACTORD_FOREIGN) != 0;
  failure->details = copy_details(reported);
  if (reported.payload_type != 0 && reported.payload != nullptr) {
    const message::MessageType& type = types.at(reported.payload_type);
    failure->payload_type = &type;
    failure->payload_id = reported.payload_type;
    failure->payload = copy_payload(reported, type, payload);
  }
  if (reported.cause != nullptr && depth < causes_max) {
    failure->cause = copy_to_depth(*reported.cause, chains, types, payload, depth + 1);
  }
  return failure;
}

}  // namespace

FailurePtr copy_failure(const actord_failure& reported, TypeChains& chains,
                        const message::TypeRegistry& types, Payload payload) {
  return copy_to_depth(reported, chains, types, payload, 0);
}

void Reports::take(actord_errors* self, const actord_failure* reported) {
  auto& reports = static_cast<Reports&>(*self);
  if (!reports.failure)
    reports.failure = copy_failure(*reported, reports.chains_, reports.types_, Payload::moved);
}

}  // namespace actord::actor
