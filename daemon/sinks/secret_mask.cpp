// SPDX-License-Identifier: Apache-2.0
#include "sinks/secret_mask.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

namespace actord::sinks {

namespace {

std::string_view beginning_of(std::string_view secret) noexcept {
  return secret.substr(0, SecretMask::size_min);
}

std::size_t hash_of(const char* beginning) noexcept {
  std::uint64_t bytes = 0;
  static_assert(sizeof bytes == SecretMask::size_min);
  std::memcpy(&bytes, beginning, sizeof bytes);
  return (bytes * 0x9E3779B97F4A7C15U) >> 52U;
}

}  // namespace

// ---- SecretMask ---------------------------------------------------------------------------------

void SecretMask::add(const std::vector<std::string>& secrets) {
  const std::scoped_lock locked(lock_);
  std::vector<std::string> all;
  if (secrets_ != nullptr) all = secrets_->by_beginning;
  const std::size_t known = all.size();
  for (const std::string& each : secrets)
    if (each.size() >= size_min) all.push_back(each);
  std::ranges::sort(all, [](const std::string& a, const std::string& b) {
    const auto order = [](const std::string& text) {
      return std::tuple(beginning_of(text), std::string::npos - text.size(),
                        std::string_view{text});
    };
    return order(a) < order(b);
  });
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() == known) return;
  auto made = std::make_shared<Secrets>();
  for (const std::string& each : all) made->beginnings.set(hash_of(each.data()));
  made->by_beginning = std::move(all);
  secrets_ = std::move(made);
  // The release pairs with the acquire in RecordMask::masked(): that thread then sees the secrets.
  version_.fetch_add(1, std::memory_order_release);
}

std::shared_ptr<const SecretMask::Secrets> SecretMask::secrets() const {
  const std::scoped_lock locked(lock_);
  return secrets_;
}

std::string SecretMask::masked(std::string_view text) const {
  const std::shared_ptr<const Secrets> known = secrets();
  std::string out;
  if (known == nullptr || !known->append_masked(text, out)) out = text;
  return out;
}

std::size_t SecretMask::Secrets::size_at(std::string_view text) const noexcept {
  for (auto each = std::ranges::lower_bound(by_beginning, beginning_of(text), {}, &beginning_of);
       each != by_beginning.end() && beginning_of(*each) == beginning_of(text); ++each) {
    if (text.starts_with(*each)) return each->size();
  }
  return 0;
}

bool SecretMask::Secrets::append_masked(std::string_view text, std::string& out) const {
  if (text.size() < size_min) return false;
  const std::size_t last = text.size() - size_min;
  std::size_t copied = 0;
  for (std::size_t at = 0; at <= last;) {
    const std::size_t size = beginnings[hash_of(text.data() + at)] ? size_at(text.substr(at)) : 0;
    if (size == 0) {
      ++at;
      continue;
    }
    out.append(text.substr(copied, at - copied)).append(mask);
    copied = at += size;
  }
  if (copied == 0) return false;
  out.append(text.substr(copied));
  return true;
}

// ---- RecordMask ---------------------------------------------------------------------------------

const log::Record& RecordMask::masked(const log::Record& record) {
  // The acquire pairs with the release in add(): the secrets of this version, or later ones, are
  // seen.
  const std::uint64_t version = mask_.version_.load(std::memory_order_acquire);
  if (version == 0) return record;
  if (std::exchange(version_, version) != version) secrets_ = mask_.secrets();
  texts_.clear();
  lists_.clear();
  fields_.clear();
  record_ = record;
  record_.msg = masked_text(record.msg);
  for (const log::Field& field : record.fields) {
    using Kind = log::Value::Kind;
    log::Value value = field.value;
    if (value.kind() == Kind::text) value = log::Value(masked_text(value.text()));
    if (value.kind() == Kind::texts) {
      std::vector<std::string_view>& list = lists_.emplace_back();
      for (const std::string_view each : value.texts()) list.push_back(masked_text(each));
      value = log::Value(std::span<const std::string_view>(list));
    }
    fields_.push_back({field.key, value});
  }
  record_.fields = fields_;
  return record_;
}

std::string_view RecordMask::masked_text(std::string_view text) {
  std::string out;
  return secrets_->append_masked(text, out) ? std::string_view(texts_.emplace_back(std::move(out)))
                                            : text;
}

}  // namespace actord::sinks
