// SPDX-License-Identifier: Apache-2.0
//
// What a handler sends in great number: filled into packets, for each receiver in its order, also
// while another thread empties the send buffer.
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

/// The words of all packets that were sent, for each receiver in their order.
class Post {
 public:
  void operator()(Packet* packet) {
    ++packets_;
    for (std::uint32_t i = 0; i < packet->size(); ++i)
      received_[packet->to].push_back(packet->items[i].word);
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

  template <class Send>
  void add(Ref to, std::uint64_t word, Send& send, message::TypeId type = number_type) {
    buffer.add(to, type, &word, sender, blocks, send);
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
  from.buffer.empty(post);
  CHECK(post.packets() == 2);
  CHECK(post.of(receiver(1)) == numbers(0, Packet::capacity + 3));
  CHECK(from.buffer.is_empty());
}

TEST_CASE(
    "receivers have packets of their own, and who needs the same place makes room for itself") {
  Sender from;
  Post post;
  constexpr std::uint32_t same_place = 65;  // as 1, of 64
  for (std::uint64_t i = 0; i < 3; ++i) {
    from.add(receiver(1), i, post);
    from.add(receiver(2), 10 + i, post);
  }
  CHECK(post.packets() == 0);
  from.add(receiver(same_place), 20, post);
  CHECK(post.of(receiver(1)) == numbers(0, 3));
  from.buffer.empty(post);
  CHECK(post.of(receiver(2)) == numbers(10, 3));
  CHECK(post.of(receiver(same_place)) == numbers(20, 1));
}

TEST_CASE("another tenant of a cell is another receiver") {
  Sender from;
  Post post;
  from.add(make_ref(1, 1), 1, post);
  from.add(make_ref(1, 2), 2, post);
  from.buffer.empty(post);
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
    CHECK((sizes.size() == 1 || packet->items[0].envelope == &envelope));
    from.blocks.give(packet, base::block_of<Packet>);
  };
  from.buffer.add(receiver(1), &envelope, from.blocks, note);
  CHECK(sizes.size() == 1);
  from.buffer.empty(note);
  CHECK(sizes == std::vector<std::uint32_t>{1, 1});
}

TEST_CASE("while one adds and another empties, nothing is lost, doubled or overtaken") {
  constexpr std::uint64_t many = 100'000;
  Sender from;
  Post post;  // under the send buffer's lock
  std::atomic<bool> is_over{false};
  {
    std::jthread relief([&] {
      while (!is_over) from.buffer.empty_as_other([&](Packet* packet) { post(packet); });
    });
    for (std::uint64_t i = 0; i < many; ++i) {
      from.add(receiver(1), i, post);
      from.add(receiver(2), i, post);
      if (i % 1000 == 999) from.buffer.empty(post);
    }
    from.buffer.empty(post);
    is_over = true;
  }
  CHECK(from.buffer.is_empty());
  CHECK(post.of(receiver(1)) == numbers(0, many));
  CHECK(post.of(receiver(2)) == numbers(0, many));
}

TEST_SUITE_END();

}  // namespace actord::actor
