// SPDX-License-Identifier: Apache-2.0
#include "buffer.hpp"

#include <algorithm>

namespace savina {

std::vector<actord::About> BufferConfig::about() {
  using C = BufferConfig;
  return {actord::about(&C::producers).between(1, 1'000).doc("Actors that produce."),
          actord::about(&C::consumers).between(1, 1'000).doc("Actors that consume."),
          actord::about(&C::items).between(1, 10'000).doc("Items of each producer."),
          actord::about(&C::capacity).between(1, 1'000'000).doc("Items that the buffer can hold."),
          about_deadline(&C::deadline)};
}

void Producer::produce(actord::Context& ctx, const Produce&) {
  ctx.tell(buffer_, Item{next_++});
  if (next_ != end_) ctx.tell(buffer_, GetRoom{});
}

void Consumer::consume(actord::Context& ctx, const Item& m) {
  items_.push_back(m.number);
  ctx.tell(buffer_, GetItem{});
}

void Consumer::end(actord::Context& ctx, const SoldOut&) {
  ctx.tell(ctx.parent(), Consumed{std::move(items_)});
}

void Buffer::get_room(actord::Context& ctx, const GetRoom&) {
  producers_.push_back(ctx.sender());
  match(ctx);
}

void Buffer::store(actord::Context& ctx, const Item& m) {
  items_.push_back(m);
  --reserved_;
  peak_ = std::max<std::uint64_t>(peak_, items_.size());
  match(ctx);
}

void Buffer::get_item(actord::Context& ctx, const GetItem&) {
  consumers_.push_back(ctx.sender());
  match(ctx);
}

void Buffer::match(actord::Context& ctx) {
  for (; !items_.empty() && !consumers_.empty(); items_.pop_front(), consumers_.pop_front()) {
    ctx.tell(consumers_.front(), Item{items_.front()});
    ++given_;
  }
  for (; !producers_.empty() && items_.size() + reserved_ < capacity_; producers_.pop_front()) {
    ctx.tell(producers_.front(), Produce{});
    ++reserved_;
  }
  if (given_ != expected_) return;
  for (const actord::Ref consumer : std::exchange(consumers_, {})) ctx.tell(consumer, SoldOut{});
  if (!std::exchange(has_ended_, true)) ctx.tell(ctx.parent(), Peak{peak_});
}

std::int64_t BufferMaster::expected(const Config& config) {
  const std::uint64_t n = std::uint64_t{config.producers} * config.items;
  return static_cast<std::int64_t>((n - 1) * n / 2);
}

void BufferMaster::pre_start(actord::Context& ctx) {
  const actord::Ref buffer = ctx.spawn<Buffer>("buffer", config_.capacity, is_consumed_.size());
  for (std::uint32_t index = 0; index < config_.producers; ++index)
    ctx.spawn<Producer>("producer-" + std::to_string(index), buffer,
                        std::uint64_t{index} * config_.items, config_.items);
  for (std::uint32_t index = 0; index < config_.consumers; ++index)
    ctx.spawn<Consumer>("consumer-" + std::to_string(index), buffer);
}

void BufferMaster::consumed(actord::Context& ctx, const Consumed& m) {
  for (const std::uint64_t item : m.items) {
    if (is_consumed_.at(item)) throw WrongResult("an item was consumed twice", {{"item", item}});
    is_consumed_[item] = true;
    sum_ += item;
  }
  count_ += m.items.size();
  ++reports_;
  finish_if_complete(ctx);
}

void BufferMaster::peak(actord::Context& ctx, const Peak& m) {
  if (m.items > config_.capacity)
    throw WrongResult("the buffer held more than its capacity", {{"items", m.items}});
  ++reports_;
  finish_if_complete(ctx);
}

void BufferMaster::finish_if_complete(actord::Context& ctx) {
  if (reports_ != config_.consumers + 1) return;
  if (count_ != is_consumed_.size())
    throw WrongResult("not all items were consumed", {{"consumed", count_}});
  ctx.tell(ctx.parent(), Finished{static_cast<std::int64_t>(sum_),
                                  5 * count_ + 3 * std::uint64_t{config_.consumers} + 2});
}

}  // namespace savina
