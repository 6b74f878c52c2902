// SPDX-License-Identifier: Apache-2.0
//
// The many messages of one handler: collected in packets, in order for each receiver, also while
// another thread empties the send buffer.
#include "actor/send_buffer.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <thread>
#include <vector>

namespace actord::actor {

TEST_SUITE_BEGIN("actor/send_buffer");

namespace {

using message::Packet;

constexpr message::TypeId number_type = 7, other_type = 8;
constexpr Ref sender = 99;

Ref receiver(std::uint32_t index) { return make_ref(index, 1); }
Ref in_same_bucket(std::uint32_t n) { return receiver(1 + n * SendBuffer::buckets); }

/// The words of all packets that were sent, by receiver, in their order.
class Post {
 public:
  void operator()(Packet* packet) {
    ++packets_;
    for (std::uint32_t i = 0; i < packet->size(); ++i)
      received_[receiver_of(*packet)].push_back(packet->word(i));
    blocks_.give(packet, base::block_of<Packet>);
  }
  std::vector<std::uint64_t> of(Ref to) { return received_[to]; }
  int packets() const { return packets_; }

 private:
  base::BlockDepots depots_{std::size_t{1} << 24};
  base::BlockPool blocks_{depots_};
  std::map<Ref, std::vector<std::uint64_t>> received_;
  int packets_ = 0;
};

struct Sender {
  SendBuffer buffer;
  base::BlockDepots depots{std::size_t{1} << 26};
  base::BlockPool blocks{depots};

  /// False if collecting does not pay, and the message is better sent alone.
  template <class Send>
  bool add(Ref to, std::uint64_t word, Send& send, message::TypeId type = number_type) {
    return buffer.add(to, type, &word, sender, blocks, send) != SendBuffer::Added::not_worth_it;
  }
};

std::vector<std::uint64_t> numbers(std::uint64_t first, std::uint64_t count) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < count; ++i) all.push_back(first + i);
  return all;
}

}  // namespace

TEST_CASE("a packet leaves when it is full, the rest when the send buffer is emptied") {
  Sender from;
  Post post;
  for (std::uint64_t i = 0; i < Packet::capacity + 3; ++i) from.add(receiver(1), i, post);
  CHECK(post.packets() == 1);
  CHECK_FALSE(from.buffer.is_empty());
  from.buffer.flush(post);
  CHECK(post.packets() == 2);
  CHECK(post.of(receiver(1)) == numbers(0, Packet::capacity + 3));
  CHECK(from.buffer.is_empty());
}

TEST_CASE("each receiver has a packet of its own, also four that fall into the same bucket") {
  Sender from;
  Post post;
  for (std::uint64_t i = 0; i < 3; ++i) {
    for (std::uint32_t n = 0; n < SendBuffer::slots; ++n)
      from.add(in_same_bucket(n), 10 * n + i, post);
    from.add(receiver(2), 100 + i, post);
  }
  CHECK(post.packets() == 0);
  from.buffer.flush(post);
  for (std::uint32_t n = 0; n < SendBuffer::slots; ++n)
    CHECK(post.of(in_same_bucket(n)) == numbers(10 * n, 3));
  CHECK(post.of(receiver(2)) == numbers(100, 3));
}

TEST_CASE("if a bucket is full, the packet with the fewest messages is sent") {
  Sender from;
  Post post;
  for (std::uint32_t n = 0; n < SendBuffer::slots; ++n) {
    for (std::uint64_t i = 0; i < (n == 2 ? 1u : 2u); ++i) from.add(in_same_bucket(n), i, post);
  }
  from.add(in_same_bucket(SendBuffer::slots), 7, post);
  CHECK(post.packets() == 1);
  CHECK(post.of(in_same_bucket(2)) == numbers(0, 1));
  from.buffer.flush(post);
  CHECK(post.of(in_same_bucket(SendBuffer::slots)) == numbers(7, 1));
}

TEST_CASE("one receiver too many in a bucket costs two of them their packets, and no other") {
  Sender from;
  Post post;
  constexpr std::uint64_t rounds = 50 * Packet::capacity;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    for (std::uint32_t n = 0; n <= SendBuffer::slots; ++n)
      CHECK(from.add(in_same_bucket(n), i, post));
    for (std::uint32_t index = 2; index < 40; ++index) CHECK(from.add(receiver(index), i, post));
  }
  from.buffer.flush(post);
  CHECK(post.of(in_same_bucket(0)) == numbers(0, rounds));
  CHECK(post.of(in_same_bucket(SendBuffer::slots)) == numbers(0, rounds));
  const std::uint64_t in_company = SendBuffer::slots - 1 + 38;
  CHECK(post.packets() <= 2 * rounds + in_company * rounds / Packet::capacity);
}

TEST_CASE(
    "packets for very many receivers are reported as in vain; a later fan that fills its packets "
    "is not, though some of its receivers share a bucket") {
  Sender from;
  Post post;
  constexpr std::uint32_t room = SendBuffer::slots * SendBuffer::buckets;
  std::uint32_t sent = 1;
  while (from.add(receiver(sent), 0, post) && sent < 10 * room) ++sent;
  CHECK(sent > room);
  CHECK(sent <= 3 * room);
  from.buffer.flush(post);
  for (std::uint64_t round = 0; round < 30; ++round) {
    for (std::uint32_t n = 0; n <= SendBuffer::slots; ++n)
      CHECK(from.add(in_same_bucket(n), round, post));
    for (std::uint32_t index = 2; index < 57; ++index)
      CHECK(from.add(receiver(index), round, post));
  }
  CHECK(from.buffer.flush(post));
}

TEST_CASE("a handler that sends once to each of a hundred learns that packets were in vain") {
  Sender from;
  Post post;
  for (std::uint32_t index = 1; index <= 100; ++index) CHECK(from.add(receiver(index), 0, post));
  CHECK_FALSE(from.buffer.flush(post));
}

TEST_CASE("what is left over of packets that were filled is no reason against them") {
  Sender from;
  Post post;
  for (std::uint64_t i = 0; i <= Packet::capacity; ++i) {
    for (std::uint32_t index = 1; index <= 200; ++index) CHECK(from.add(receiver(index), i, post));
  }
  CHECK(from.buffer.flush(post));
}

TEST_CASE("another tenant of a cell is another receiver") {
  Sender from;
  Post post;
  from.add(make_ref(1, 1), 1, post);
  from.add(make_ref(1, 2), 2, post);
  from.buffer.flush(post);
  CHECK(post.of(make_ref(1, 1)) == numbers(1, 1));
  CHECK(post.of(make_ref(1, 2)) == numbers(2, 1));
}

TEST_CASE("what cannot share a packet follows the one before it") {
  Sender from;
  Post post;
  from.add(receiver(1), 1, post);
  from.add(receiver(1), 2, post, other_type);
  CHECK(post.packets() == 1);
  message::Envelope envelope{};
  std::vector<std::uint32_t> sizes;
  const auto note = [&](Packet* packet) {
    sizes.push_back(packet->size());
    CHECK((sizes.size() == 1 || !packet->holds_words()));
    CHECK((sizes.size() == 1 || packet->envelope(0) == &envelope));
    from.blocks.give(packet, base::block_of<Packet>);
  };
  from.buffer.add(receiver(1), &envelope, from.blocks, note);
  CHECK(sizes.size() == 1);
  from.buffer.flush(note);
  CHECK(sizes == std::vector<std::uint32_t>{1, 1});
}

TEST_CASE("while one adds and another empties, nothing is lost, doubled or overtaken") {
  constexpr std::uint64_t many = 100'000;
  Sender from;
  Post post;  // guarded by the send buffer's lock
  std::atomic<bool> is_over{false};
  {
    std::jthread relief([&] {
      while (!is_over) from.buffer.flush_as_other([&](Packet* packet) { post(packet); });
    });
    for (std::uint64_t i = 0; i < many; ++i) {
      from.add(receiver(1), i, post);
      from.add(receiver(2), i, post);
      if (i % 1000 == 999) from.buffer.flush(post);
    }
    from.buffer.flush(post);
    is_over = true;
  }
  CHECK(from.buffer.is_empty());
  CHECK(post.of(receiver(1)) == numbers(0, many));
  CHECK(post.of(receiver(2)) == numbers(0, many));
}

TEST_SUITE_END();

}  // namespace actord::actor
