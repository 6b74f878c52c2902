// SPDX-License-Identifier: Apache-2.0
//
// The matrix of companions: deliveries, on both sides. Item 184.
#include <actord/at_least_once.hpp>

#include "matrix.hpp"

namespace actord::conformance::matrix::delivery {

namespace {

struct Sent {
  std::int64_t n = 0;
};
struct Parcel {
  DeliveryId delivery;
  std::int64_t n = 0;
};
struct Got {
  DeliveryId delivery;
  std::int64_t n = 0;
};
struct Letters {
  std::int64_t sent = 0;
};
struct Shelf {
  std::int64_t total = 0;
  DeliveryLog deliveries;
};
ACTORD_MESSAGE(Sent, "matrix.Sent/1", n)
ACTORD_MESSAGE(Parcel, "matrix.Parcel/1", delivery, n)
ACTORD_MESSAGE(Got, "matrix.Got/1", delivery, n)
ACTORD_MESSAGE(Letters, "matrix.Letters/1", sent)
ACTORD_MESSAGE(Shelf, "matrix.Shelf/1", total, deliveries)

/// What both sides have told. Only one of them fails: the subject of the scene.
struct Told {
  std::int64_t sent = -1, total = -1;  // the states
  std::int64_t unconfirmed = -1;
  bool is_deaf = false;  // the receiver takes no parcels
};

/// The hooks of an actor that is the subject or the other side.
template <class Base>
class Side : public Base {
 public:
  Side(Scene* scene, Told* told, std::string peer, bool is_subject)
      : told_(*told), peer_(std::move(peer)), scene_(*scene), is_subject_(is_subject) {
    at(Place::constructor);
  }
  void pre_start(Context&) override { at(Place::pre_start); }
  void post_restart(Context& ctx, const Failure& reason) override {
    at(Place::post_restart);
    Base::post_restart(ctx, reason);
  }
  void pre_restart(Context& ctx, const Failure& reason) override {
    at(Place::pre_restart);
    Base::pre_restart(ctx, reason);
  }
  void post_stop(Context&) override { at(Place::post_stop); }

 protected:
  void at(Place place) {
    if (is_subject_) scene_.at(place);
  }
  Told& told_;
  const std::string peer_;

 private:
  Scene& scene_;
  const bool is_subject_;
};

class Sender : public Side<AtLeastOnce<Sender, Letters>> {
 public:
  using Side::Side;

  Redelivery redelivery() const override {
    return {.first = 100ms, .longest = 1s, .random_factor = 0, .warn_after = 2};
  }
  void send(Context& ctx, const Note& wanted) {
    at(Place::before_call);
    persist(ctx, Sent{wanted.n}, [this] { at(Place::continuation); });
    at(Place::after_call);
  }
  void apply(Letters& letters, const Sent& event) {
    at(Place::apply);
    letters.sent += event.n;
    deliver(peer_, [this, n = event.n](const DeliveryId& id) {
      at(Place::message_made);
      return Parcel{id, n};
    });
  }
  void delivery_confirmed(Context&, std::uint64_t) override { at(Place::delivery_confirmed); }
  void delivery_unconfirmed(Context&, const UnconfirmedDelivery&) override {
    told_.is_deaf = false;
    at(Place::delivery_unconfirmed);
  }
  void look(const Answer&) {
    told_.sent = state().sent;
    told_.unconfirmed = static_cast<std::int64_t>(unconfirmed());
  }

  using Events = actord::Events<Sent>;
  using Receive = Delivering<&Sender::send, &Sender::look>;
};

class Receiver : public Side<Persistent<Receiver, Shelf>> {
 public:
  using Side::Side;

  void take(Context& ctx, const Parcel& parcel) {
    if (told_.is_deaf) return;
    if (state().deliveries.has(parcel.delivery)) return confirm_delivery(ctx, parcel.delivery);
    at(Place::before_call);
    persist(ctx, Got{parcel.delivery, parcel.n}, [this](Context& c, const Got& event) {
      at(Place::continuation);
      confirm_delivery(c, event.delivery);
    });
    at(Place::after_call);
  }
  void apply(Shelf& shelf, const Got& event) {
    at(Place::apply);
    shelf.deliveries.add(event.delivery);
    shelf.total += event.n;
  }
  void look(const Answer&) { told_.total = state().total; }

  using Events = actord::Events<Got>;
  using Receive = Handlers<&Receiver::take, &Receiver::look>;
};

constexpr const char* subject_path = "/user/top/boss/subject";
constexpr const char* peer_path = "/user/peer";

void look(Scene& it) {
  it.test.world.tell(it.subject().value, Answer{});
  it.test.world.send(it.test.find(peer_path).value, Answer{});
}

// A handler of the sender that fails has persisted nothing, and sends nothing (183c).
bool is_sent(const Cell& cell) {
  const bool is_in_handler = cell.place == Place::before_call || cell.place == Place::after_call ||
                             is_hook_of_end(cell.place);
  return !is_in_handler || cell.verdict == Verdict::all_for_one;
}

// All that was sent has arrived once, and is confirmed; so again after both recover.
void check(Scene& it, Told& told, std::int64_t sum) {
  it.settle();
  look(it);
  CHECK(told.sent == sum);
  CHECK(told.total == sum);
  CHECK(told.unconfirmed == 0);
}

void play_sender(Scene& it) {
  Told told{.is_deaf = it.cell.place == Place::delivery_unconfirmed};
  it.test.world.spawn<Receiver>("peer", &it, &told, std::string{}, false);
  it.create<Sender>(&it, &told, std::string{peer_path}, true);
  it.test.note(it.subject(), 1);
  it.settle();
  it.revive();
  const std::int64_t sum = is_sent(it.cell) ? 1 : 0;
  check(it, told, sum);
  it.test.note(it.subject(), 10);
  check(it, told, sum + 10);
  it.check_failures();
  it.test.stop(it.subject());
  it.settle();
  it.revive();
  check(it, told, sum + 10);
}

// Whatever the receiver does, the sender sends until it has confirmed.
void play_receiver(Scene& it) {
  Told told;
  it.create<Receiver>(&it, &told, std::string{}, true);
  const Ref sender{
      it.test.world.spawn<Sender>("peer", &it, &told, std::string{subject_path}, false)};
  it.test.note(sender, 1);
  it.settle();
  it.revive();
  check(it, told, 1);
  it.test.note(sender, 10);
  check(it, told, 11);
  it.check_failures();
  it.test.stop(it.subject());
  it.settle();
  it.revive();
  check(it, told, 11);
}

SeededTest::Setup with_messages() {
  SeededTest::Setup setup;
  setup.before_start = [](SeededTest& test) {
    test.world.use(
        *plugin_table<Behaviours<>,
                      Messages<Act, Note, Question, Answer, Sent, Parcel, Got, Letters, Shelf>>(
            "matrix", "1"));
  };
  return setup;
}

}  // namespace

TEST_CASE("matrix at-least-once sender: what it has stored arrives once, and is confirmed") {
  each_cell({Place::before_call, Place::after_call, Place::apply, Place::continuation,
             Place::message_made, Place::delivery_confirmed, Place::delivery_unconfirmed,
             Place::constructor, Place::pre_start, Place::post_restart, Place::pre_restart,
             Place::post_stop},
            &play_sender, with_messages());
}

TEST_CASE("matrix at-least-once receiver: it has each delivery once, and confirms it") {
  each_cell(
      {Place::before_call, Place::after_call, Place::apply, Place::continuation, Place::constructor,
       Place::pre_start, Place::post_restart, Place::pre_restart, Place::post_stop},
      &play_receiver, with_messages());
}

}  // namespace actord::conformance::matrix::delivery
