// SPDX-License-Identifier: Apache-2.0
//
// Producer-consumer: items go through a buffer that has room for a few.
#pragma once

#include <deque>

#include "program.hpp"

namespace savina {

struct BufferConfig {
  std::uint32_t producers = 40;
  std::uint32_t consumers = 40;
  std::uint32_t items = 1'000;
  std::uint32_t capacity = 50;
  std::chrono::nanoseconds deadline = usual_deadline;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(BufferConfig, producers, consumers, items, capacity, deadline)

/// A producer to the buffer: it has an item. Answered with Produce when there is room.
struct GetRoom {};
ACTORD_MESSAGE(GetRoom, "savina.GetRoom/1")
/// The buffer keeps a place for one item. Answered with the Item.
struct Produce {};
ACTORD_MESSAGE(Produce, "savina.Produce/1")
/// From a producer to the buffer, and from there to a consumer.
struct Item {
  std::uint64_t number = 0;
};
ACTORD_MESSAGE(Item, "savina.Item/1", number)
/// A consumer to the buffer. Answered with an Item, or with SoldOut in the end.
struct GetItem {};
ACTORD_MESSAGE(GetItem, "savina.GetItem/1")
struct SoldOut {};
ACTORD_MESSAGE(SoldOut, "savina.SoldOut/1")
/// A consumer to the master: the items that it got.
struct Consumed {
  std::vector<std::uint64_t> items;
};
ACTORD_MESSAGE(Consumed, "savina.Consumed/1", items)
/// The buffer to the master: the largest number of items in it.
struct Peak {
  std::uint64_t items = 0;
};
ACTORD_MESSAGE(Peak, "savina.Peak/1", items)

class Producer : public actord::Actor {
 public:
  Producer(actord::Ref buffer, std::uint64_t first, std::uint32_t items)
      : buffer_(buffer), next_(first), end_(first + items) {}

  void produce(actord::Context& ctx, const Produce&);
  using Receive = actord::Handlers<&Producer::produce>;

 private:
  void pre_start(actord::Context& ctx) override { ctx.tell(buffer_, GetRoom{}); }

  const actord::Ref buffer_;
  std::uint64_t next_;
  const std::uint64_t end_;
};

class Consumer : public actord::Actor {
 public:
  explicit Consumer(actord::Ref buffer) : buffer_(buffer) {}

  void consume(actord::Context& ctx, const Item& m);
  void end(actord::Context& ctx, const SoldOut&);
  using Receive = actord::Handlers<&Consumer::consume, &Consumer::end>;

 private:
  void pre_start(actord::Context& ctx) override { ctx.tell(buffer_, GetItem{}); }

  const actord::Ref buffer_;
  std::vector<std::uint64_t> items_;
};

/// Producers wait while it is full, and consumers while it is empty.
class Buffer : public actord::Actor {
 public:
  Buffer(std::uint32_t capacity, std::uint64_t items) : capacity_(capacity), expected_(items) {}

  void get_room(actord::Context& ctx, const GetRoom&);
  void store(actord::Context& ctx, const Item& m);
  void get_item(actord::Context& ctx, const GetItem&);
  using Receive = actord::Handlers<&Buffer::get_room, &Buffer::store, &Buffer::get_item>;

 private:
  void match(actord::Context& ctx);

  const std::uint32_t capacity_;
  const std::uint64_t expected_;  // items in all
  std::uint64_t given_ = 0, peak_ = 0;
  bool has_ended_ = false;
  std::uint32_t reserved_ = 0;  // places of producers that were told to produce
  std::deque<Item> items_;
  std::deque<actord::Ref> producers_, consumers_;  // that wait
};

class BufferMaster : public Escalating {
 public:
  using Config = BufferConfig;
  static constexpr std::string_view program = "ProducerConsumer";
  static constexpr std::string_view doc =
      "Carries items through a bounded buffer: flow control by messages.";
  /// The sum of the numbers of all items.
  static std::int64_t expected(const Config& config);

  explicit BufferMaster(const Config& config)
      : config_(config), is_consumed_(std::size_t{config.producers} * config.items) {}

  void consumed(actord::Context& ctx, const Consumed& m);
  void peak(actord::Context& ctx, const Peak& m);
  using Receive = actord::Handlers<&BufferMaster::consumed, &BufferMaster::peak>;

 private:
  void pre_start(actord::Context& ctx) override;
  void finish_if_complete(actord::Context& ctx);

  const Config config_;
  std::vector<bool> is_consumed_;
  std::uint32_t reports_ = 0;
  std::uint64_t count_ = 0, sum_ = 0;
};

using ProducerConsumer = Program<BufferMaster>;

}  // namespace savina
