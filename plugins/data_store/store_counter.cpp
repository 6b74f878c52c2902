// SPDX-License-Identifier: Apache-2.0

#include "store_counter.hpp"

namespace data_store {

void Counter::use(actord::Context& ctx, const UseStorage& m) {
  storage_ = m.storage;
  if (saved_ != count_) save(ctx);
}

CurrentCount Counter::increment(actord::Context& ctx, const Increment& m) {
  count_ += m.by;
  save(ctx);
  return {key_, count_, saved_};
}

// If a count is not saved, and nothing was saved since the question before, the storage has failed
// on it. No message says so, and saving again costs little.
CurrentCount Counter::current(actord::Context& ctx, const GetCurrentCount&) {
  if (saved_ != count_ && saved_ == saved_at_last_question_) save(ctx);
  saved_at_last_question_ = saved_;
  return {key_, count_, saved_};
}

void Counter::stored(const Stored& m) { saved_ = m.value; }

void Counter::save(actord::Context& ctx) {
  if (storage_) ctx.tell(*storage_, Store{key_, count_});
}

}  // namespace data_store
