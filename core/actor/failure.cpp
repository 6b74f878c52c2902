// SPDX-License-Identifier: Apache-2.0
#include "actor/failure.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "message/report.hpp"

namespace actord::actor {

using message::view;

namespace {
constexpr int causes_max = 16;  // limits the copying if a plugin reports a cycle of causes

base::Atomic<ThrowSiteReader> throw_site_reader{nullptr};
}  // namespace

void read_throw_sites_with(ThrowSiteReader reader) noexcept {
  throw_site_reader.store(reader, base::relaxed);
}

namespace {

std::vector<actord_str> views_of(const std::vector<std::string>& names) {
  std::vector<actord_str> views;
  for (const std::string& name : names) views.push_back(message::to_c(name));
  return views;
}

bool is_among(const std::vector<std::string>& names, std::string_view name) noexcept {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

TypeChain::TypeChain(std::vector<std::string> names_)
    : names(std::move(names_)),
      views(views_of(names)),
      texts(names.begin(), names.end()),
      is_foreign(is_among(names, "actord::ForeignException")),
      is_initialization_failure(is_among(names, "actord::InitializationFailure")),
      is_kill(is_among(names, "actord::Killed")),
      is_death_pact(is_among(names, "actord::DeathPact")) {}

bool TypeChain::has(std::string_view name) const noexcept { return is_among(names, name); }

std::string TypeChains::key_of(std::span<const actord_str> names) {
  std::string key;
  for (const actord_str name : names) key.append(view(name)).push_back('\n');
  return key;
}

const TypeChain& TypeChains::intern(std::span<const actord_str> names, bool is_static) {
  if (is_static) {
    std::shared_lock lock(mutex_);
    if (const auto known = by_address_.find(names.data()); known != by_address_.end())
      return *known->second;
  }
  std::lock_guard lock(mutex_);
  auto& chain = by_names_[key_of(names)];
  if (!chain) {
    std::vector<std::string> texts;
    for (const actord_str name : names) texts.emplace_back(view(name));
    if (texts.empty())
      // a plugin must report at least one name; this one did not
      texts.emplace_back("actord::ForeignException");
    chain = std::make_unique<TypeChain>(std::move(texts));
  }
  if (is_static) by_address_[names.data()] = chain.get();
  return *chain;
}

const TypeChain& TypeChains::intern(std::initializer_list<std::string_view> names) {
  std::array<actord_str, 8> texts;
  std::transform(names.begin(), names.end(), texts.begin(),
                 [](std::string_view name) { return message::to_c(name); });
  return intern({texts.data(), names.size()}, false);
}

std::string_view name_of(Phase phase) noexcept {
  constexpr std::string_view names[] = {"constructor",  "pre_start", "receive", "pre_restart",
                                        "post_restart", "post_stop", "decide",  "child_terminated",
                                        "crash",        "persisted"};
  return names[static_cast<std::size_t>(phase)];
}

Text& Text::operator=(std::string_view text) {
  if (size_ > in_place) delete[] outside_;
  size_ = 0;
  char* at = inside_;
  if (text.size() > in_place) at = outside_ = new char[text.size()];
  text.copy(at, text.size());
  size_ = text.size();
  return *this;
}

Failure::~Failure() {
  if (payload == nullptr) return;
  if (!payload_type->is_trivial) payload_type->table->destroy(payload);
  ::operator delete(payload, std::align_val_t{payload_type->table->align});
}

const Failure& Failure::root_cause() const noexcept {
  const Failure* failure = this;
  while (failure->cause) failure = failure->cause.get();
  return *failure;
}

FailureView::FailureView(const Failure& failure, const Reader& reader) {
  c_.struct_size = sizeof c_;
  c_.flags = failure.is_foreign ? ACTORD_FOREIGN : 0;
  c_.types = failure.types->views.data();
  c_.n_types = static_cast<std::uint32_t>(failure.types->views.size());
  c_.what = message::to_c(failure.what.view());
  for (const Detail& detail : failure.details) fields_.push_back(detail.value);
  c_.details = fields_.data();
  c_.n_details = fields_.size();
  c_.payload_type = failure.payload_id;
  c_.payload = failure.payload;
  if (failure.payload != nullptr && reader.types.has_further_layouts()) [[unlikely]]
    translate_payload(failure, reader);
  if (failure.cause) {
    cause_ = std::make_unique<FailureView>(*failure.cause, reader);
    c_.cause = cause_->c();
  }
  if (failure.original) {
    original_ = std::make_unique<FailureView>(*failure.original, reader);
    c_.original = original_->c();
  }
}

std::vector<Detail> details_of(std::span<const actord_field> fields) {
  std::vector<Detail> details(fields.size());
  for (std::size_t i = 0; i < details.size(); ++i) {
    const actord_field& from = fields[i];
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

void FailureView::translate_payload(const Failure& failure, const Reader& reader) {
  const message::TypeId wanted = reader.types.layout_in(reader.plugin, failure.payload_id);
  if (wanted == 0 || wanted == failure.payload_id) return;
  payload_ = std::make_unique<message::OwnedMessage>(wanted, reader.types.at(wanted));
  const bool is_translated = payload_->translate(*failure.payload_type, failure.payload,
                                                 message::ignored_errors()) == ACTORD_OK;
  c_.payload_type = is_translated ? wanted : 0;
  c_.payload = is_translated ? payload_->content() : nullptr;
}

namespace {

// Null if the copy of the payload fails: the failure then has no payload.
void* copy_payload(const actord_failure& reported, const message::MessageType& type,
                   Payload payload) {
  void* const block = ::operator new(type.size, std::align_val_t{type.table->align});
  if (type.is_trivial) {
    std::memcpy(block, reported.payload, type.size);
  } else if (payload == Payload::moved) {
    type.table->move(block, reported.payload);
  } else if (type.table->copy(block, reported.payload, &message::ignored_errors()) != ACTORD_OK) {
    ::operator delete(block, std::align_val_t{type.table->align});
    return nullptr;
  }
  return block;
}

}  // namespace

const TypeChain& FailureRecorder::static_chain(std::span<const actord_str> names) {
  const auto address = reinterpret_cast<std::uintptr_t>(names.data());
  Known& known = known_[(address >> 4 ^ address >> 8) % known_.size()];
  if (known.names != names.data()) [[unlikely]]
    known = {names.data(), &chains_.intern(names, true)};
  return *known.chain;
}

FailurePtr FailureRecorder::copy_to_depth(const actord_failure& reported, Payload payload,
                                          int depth) {
  FailurePtr failure = base::make_counted<Failure>();
  const std::span names{reported.types, reported.n_types};
  const bool is_static = (reported.flags & ACTORD_STATIC_TYPES) != 0 && !names.empty();
  failure->types = is_static ? &static_chain(names) : &chains_.intern(names, false);
  failure->what = view(reported.what);
  failure->is_foreign = (reported.flags & ACTORD_FOREIGN) != 0;
  if (reported.n_details != 0)
    failure->details = details_of({reported.details, reported.n_details});
  if (reported.payload_type != 0 && reported.payload != nullptr) {
    const message::MessageType& type = types_.at(reported.payload_type);
    failure->payload_type = &type;
    failure->payload_id = reported.payload_type;
    failure->payload = copy_payload(reported, type, payload);
  }
  if (reported.cause != nullptr && depth < causes_max)
    failure->cause = copy_to_depth(*reported.cause, payload, depth + 1);
  return failure;
}

FailurePtr FailureRecorder::copy(const actord_failure& reported, Payload payload) {
  return copy_to_depth(reported, payload, 0);
}

FailurePtr FailureRecorder::make(std::span<const actord_str> types, std::string_view what,
                                 FailurePtr cause) {
  FailurePtr failure = base::make_counted<Failure>();
  failure->types = &static_chain(types);
  failure->what = what;
  failure->cause = std::move(cause);
  return failure;
}

std::vector<std::string> Failure::throw_site_texts() const {
  std::vector<std::string> texts;
  if (throw_site == nullptr) return texts;
  for (const void* const each : *throw_site) {
    char digits[2 * sizeof each];
    const auto number = reinterpret_cast<std::uintptr_t>(each);
    texts.push_back(
        "0x" + std::string(digits, std::to_chars(digits, digits + sizeof digits, number, 16).ptr));
  }
  return texts;
}

void ErrorReceiver::take(actord_errors* self, const actord_failure* reported) {
  auto& errors = static_cast<ErrorReceiver&>(*self);
  if (errors.failure) return;
  errors.failure = errors.recorder_.copy(*reported, Payload::moved);
  const ThrowSiteReader reader = throw_site_reader.load(base::relaxed);
  if (reader == nullptr) return;
  if (const auto calls = reader(); !calls.empty())
    errors.failure->throw_site = std::make_unique<std::vector<void*>>(calls.begin(), calls.end());
}

}  // namespace actord::actor
