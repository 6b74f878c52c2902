// SPDX-License-Identifier: Apache-2.0
//
// The actor that keeps the count in memory, so that a failure of the storage does not lose it. The
// storage saves the count, which may fail. The counter works without a storage, too.
#pragma once

#include <actord/actord.hpp>

#include <optional>
#include <string>

#include "store_messages.hpp"

namespace data_store {

class Counter : public actord::Actor {
 public:
  static constexpr std::string_view doc = "Counts, and sends each count to the storage.";

  /// `saved` is the count that the storage has for `key`.
  Counter(std::string key, std::int64_t saved)
      : key_(std::move(key)), count_(saved), saved_(saved), saved_at_last_question_(saved) {}

  void use(actord::Context& ctx, const UseStorage& m);
  CurrentCount increment(actord::Context& ctx, const Increment& m);
  CurrentCount current(actord::Context& ctx, const GetCurrentCount& m);
  void stored(const Stored& m);

  using Receive =
      actord::Handlers<&Counter::use, &Counter::increment, &Counter::current, &Counter::stored>;

 private:
  void save(actord::Context& ctx);

  std::string key_;
  std::int64_t count_;
  std::int64_t saved_;
  std::int64_t saved_at_last_question_;  // `saved_` at the last GetCurrentCount
  std::optional<actord::Ref> storage_;
};

}  // namespace data_store
