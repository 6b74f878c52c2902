// SPDX-License-Identifier: Apache-2.0
#include "sinks/stack_names.hpp"

#include <algorithm>
#include <charconv>

#include "os/call_stack.hpp"

namespace actord::sinks {

namespace {

constexpr std::string_view key = "failure.stack";
constexpr std::size_t names_max = 10'000;

/// Null if the text is no address, "0x7f12".
void* address_in(std::string_view text) noexcept {
  std::uintptr_t address = 0;
  if (!text.starts_with("0x")) return nullptr;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + 2, end, address, 16);
  return error == std::errc{} && stop == end ? reinterpret_cast<void*>(address) : nullptr;
}

}  // namespace

std::string name_of_call(std::string_view address) {
  void* const at = address_in(address);
  return at == nullptr ? std::string{address} : os::CallStack::of(std::span(&at, 1)).described()[0];
}

const log::Record& StackNames::named(const log::Record& record) {
  const auto stack = std::ranges::find(record.fields, key, &log::Field::key);
  if (stack == record.fields.end() || stack->value.kind() != log::Value::Kind::texts) return record;
  if (names_.size() > names_max) names_.clear();
  calls_.clear();
  for (const std::string_view address : stack->value.texts()) calls_.push_back(name_of(address));
  fields_.assign(record.fields.begin(), record.fields.end());
  fields_[static_cast<std::size_t>(stack - record.fields.begin())].value =
      log::Value(std::span<const std::string_view>(calls_));
  record_ = record;
  record_.fields = fields_;
  return record_;
}

const std::string& StackNames::name_of(std::string_view address) {
  const auto [place, is_new] = names_.try_emplace(std::string{address});
  if (is_new) place->second = name_of_call(address);
  return place->second;
}

}  // namespace actord::sinks
