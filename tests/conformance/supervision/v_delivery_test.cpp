// SPDX-License-Identifier: Apache-2.0
//
// Messages that are delivered at least once: item 184.
#include <actord/at_least_once.hpp>

#include <set>

#include "persistence_support.hpp"

namespace actord::conformance::delivery {

namespace {

using persist::MemoryStore;

struct Send {
  std::int64_t n = 0;
  std::string to;
  std::int64_t copies = 1;
};
struct Sent {  // the event of the sender
  std::int64_t n = 0;
  std::string to;
  std::int64_t copies = 1;  // 0: all that were sent have arrived
};
struct Parcel {
  DeliveryId delivery;
  std::int64_t n = 0;
};
struct Got {  // the event of the receiver
  DeliveryId delivery;
  std::int64_t n = 0;
};
struct Shelf {
  std::int64_t total = 0;
  DeliveryLog deliveries;
};
struct Letters {  // the state of the sender
  std::int64_t sent = 0;
};
struct Break {};
struct Save {};
ACTORD_MESSAGE(Send, "post.Send/1", n, to, copies)
ACTORD_MESSAGE(Sent, "post.Sent/1", n, to, copies)
ACTORD_MESSAGE(Parcel, "post.Parcel/1", delivery, n)
ACTORD_MESSAGE(Got, "post.Got/1", delivery, n)
ACTORD_MESSAGE(Shelf, "post.Shelf/1", total, deliveries)
ACTORD_MESSAGE(Letters, "post.Letters/1", sent)
ACTORD_MESSAGE(Break, "post.Break/1")
ACTORD_MESSAGE(Save, "post.Save/1")

/// What has happened, over all processes of a case.
struct Diary {
  std::vector<std::string> entries;
  bool is_deaf = false;        // the receiver does not take parcels
  bool is_rude = false;        // it takes them and does not confirm
  bool fails_behind = false;   // the sender, in what follows its events
  bool fails_to_warn = false;  // the sender, when it is told of unconfirmed messages
  std::size_t unconfirmed_max = 100'000;
  std::int64_t unconfirmed = -1;
  std::vector<std::uint64_t> numbers;  // of the parcels that have come
  std::int64_t total = 0;              // of the receiver

  static inline Diary* open = nullptr;
  static void note(std::string what) { open->entries.push_back(std::move(what)); }
};

class Sender : public AtLeastOnce<Sender, Letters> {
 public:
  Redelivery redelivery() const override {
    return {.first = 100ms,
            .longest = 1s,
            .random_factor = 0.1,
            .warn_after = 3,
            .unconfirmed_max = Diary::open->unconfirmed_max};
  }
  void delivery_unconfirmed(Context& ctx, const UnconfirmedDelivery& delivery) override {
    if (Diary::open->fails_to_warn) throw Error("nobody to warn");
    AtLeastOnce::delivery_unconfirmed(ctx, delivery);
  }
  void recovery_completed(Context&) override { look(); }
  void delivery_confirmed(Context&, std::uint64_t) override {
    Diary::note("confirmed");
    look();
  }
  void send(Context& ctx, const Send& wanted) {
    persist(ctx, Sent{wanted.n, wanted.to, wanted.copies}, [] {
      if (Diary::open->fails_behind) throw Error("behind the event");
    });
  }
  void apply(Letters& letters, const Sent& event) {
    ++letters.sent;
    for (std::int64_t i = 0; i < event.copies; ++i)
      given_.push_back(deliver(event.to, [n = event.n](const DeliveryId& id) {
        Diary::note("sends " + std::to_string(n));
        return Parcel{id, n};
      }));
    if (event.copies == 0)
      for (const std::uint64_t number : std::exchange(given_, {})) confirm(number);
    look();
  }
  void fail(const Break&) { throw Error("again"); }
  void save(Context& ctx, const Save&) { save_snapshot(ctx); }
  void look() const { Diary::open->unconfirmed = static_cast<std::int64_t>(unconfirmed()); }

  using Events = actord::Events<Sent>;
  using Receive = Delivering<&Sender::send, &Sender::fail, &Sender::save>;

 private:
  std::vector<std::uint64_t> given_;
};

class Receiver : public Persistent<Receiver, Shelf> {
 public:
  void recovery_completed(Context&) override { Diary::open->total = state().total; }
  void take(Context& ctx, const Parcel& parcel) {
    Diary::open->numbers.push_back(parcel.delivery.number);
    if (Diary::open->is_deaf) return;
    if (state().deliveries.has(parcel.delivery)) {
      Diary::note("has " + std::to_string(parcel.n));
      return confirm_delivery(ctx, parcel.delivery);
    }
    persist(ctx, Got{parcel.delivery, parcel.n}, [](Context& c, const Got& event) {
      if (!Diary::open->is_rude) confirm_delivery(c, event.delivery);
    });
  }
  void apply(Shelf& shelf, const Got& event) {
    shelf.deliveries.add(event.delivery);
    shelf.total += event.n;
    Diary::open->total = shelf.total;
  }
  void fail(const Break&) { throw Error("again"); }

  using Events = actord::Events<Got>;
  using Receive = Handlers<&Receiver::take, &Receiver::fail>;
};

struct Scene {
  actor::Ref find(std::string_view path) { return test.world.find(path); }
  void send(std::int64_t n, std::string to = "/user/receiver") {
    test.world.send(find("/user/sender"), Send{n, std::move(to)});
  }
  void fail(std::string_view path) { test.world.send(find(path), Break{}); }
  std::int64_t count(std::string_view entry) const {
    return std::ranges::count(diary.entries, entry);
  }
  SeededTest& test;
  Diary& diary;
};

using Process = std::function<void(Scene&)>;

// Processes, one after the other, with one store.
void under_seeds(std::initializer_list<Process> processes,
                 const std::vector<std::string>& actors = {"receiver", "sender"},
                 const system::LiveJournalSettings& journal = {},
                 const std::optional<actor::Strategy>& strategy = {}) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    Diary diary;
    Diary::open = &diary;
    const auto store = std::make_shared<MemoryStore>();
    for (const Process& process : processes) {
      SeededTest::Setup setup;
      setup.options.store = store;
      setup.options.journal = journal;
      setup.before_start = [&](SeededTest& test) {
        test.world.use(
            *plugin_table<Behaviours<Sender, Receiver>,
                          Messages<Send, Sent, Parcel, Got, Shelf, Letters, Break, Save>>("post",
                                                                                          "1"));
        test.user.options.strategy = strategy;
        for (const std::string& name : actors) {
          actor::NodeSpec& node = test.user.children.emplace_back();
          node.name = name;
          node.behaviour = *test.world.system().behaviours().find(
              name == "sender" ? "post/Sender" : "post/Receiver");
        }
      };
      SeededTest test(seed, setup);
      test.world.run();
      Scene scene{test, diary};
      process(scene);
      test.end();
    }
  }
}

}  // namespace

// ---- 184a ---------------------------------------------------------------------------------------

TEST_CASE("184a a message is sent when the event is stored, and no more once it is confirmed") {
  under_seeds({[](Scene& it) {
                 it.send(5);
                 CHECK(it.diary.total == 5);
                 CHECK(it.diary.unconfirmed == 0);
                 it.test.world.advance(10s);
                 CHECK(it.count("sends 5") == 1);
                 CHECK(it.count("confirmed") == 1);
               },
               [](Scene& it) {
                 it.test.world.advance(10s);
                 CHECK(it.count("sends 5") == 1);
                 CHECK(it.diary.unconfirmed == 0);
               }});
}

TEST_CASE("184a a message that is not confirmed is sent again, later each time") {
  under_seeds({[](Scene& it) {
    it.diary.is_deaf = true;
    it.send(5);
    CHECK(it.count("sends 5") == 1);
    it.test.world.advance(99ms);
    CHECK(it.count("sends 5") == 1);
    it.test.world.advance(12ms);
    CHECK(it.count("sends 5") == 2);
    it.test.world.advance(150ms);  // the next one comes 200 to 220 ms after the second
    CHECK(it.count("sends 5") == 2);
    it.test.world.advance(75ms);
    CHECK(it.count("sends 5") == 3);
    const auto warnings = it.test.world.events("delivery.unconfirmed");
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].field("delivery.attempts") == "3");
    CHECK(warnings[0].field("delivery.path") == "/user/receiver");
    it.test.world.advance(20s);
    const std::int64_t sent = it.count("sends 5");
    it.test.world.advance(10s);  // the longest delay is 1 to 1.1 s
    CHECK(it.count("sends 5") - sent >= 9);
    CHECK(it.count("sends 5") - sent <= 10);
    it.diary.is_deaf = false;
    it.test.world.advance(2s);
    CHECK(it.diary.total == 5);
    CHECK(it.diary.unconfirmed == 0);
  }});
}

// ---- 184b ---------------------------------------------------------------------------------------

TEST_CASE("184b what is not confirmed is sent again after a restart of the sender, or of actord") {
  under_seeds({[](Scene& it) {
                 it.diary.is_deaf = true;
                 it.send(5);
                 it.send(6);
                 it.fail("/user/sender");
                 CHECK(it.diary.unconfirmed == 2);
                 CHECK(it.count("sends 5") == 2);
               },
               [](Scene& it) {
                 CHECK(it.count("sends 5") == 3);
                 CHECK(it.diary.unconfirmed == 2);
                 it.diary.is_deaf = false;
                 it.test.world.advance(1s);
                 CHECK(it.diary.total == 11);
                 CHECK(it.diary.unconfirmed == 0);
               },
               [](Scene& it) {
                 it.test.world.advance(1s);
                 CHECK(it.diary.total == 11);
                 CHECK(it.diary.unconfirmed == 0);
               }});
}

TEST_CASE("184b after a recovery what is not confirmed is sent in its order, before what is new") {
  under_seeds({[](Scene& it) {
    it.diary.is_deaf = true;
    for (int n = 1; n <= 3; ++n) it.send(n);
    it.diary.entries.clear();
    it.test.world.tell(it.find("/user/sender"), Break{});
    it.send(4);
    CHECK(it.diary.entries == std::vector<std::string>{"sends 1", "sends 2", "sends 3", "sends 4"});
  }});
}

// ---- 184c ---------------------------------------------------------------------------------------

TEST_CASE("184c a receiver takes a message once that comes again, also after a restart") {
  under_seeds({[](Scene& it) {
                 it.diary.is_rude = true;
                 it.send(5);
                 it.send(6);
                 CHECK(it.diary.total == 11);
                 CHECK(it.diary.unconfirmed == 2);
                 it.fail("/user/receiver");
               },
               [](Scene& it) {
                 it.test.world.advance(5s);
                 CHECK(it.diary.total == 11);
                 CHECK(it.count("has 5") == 1);
                 CHECK(it.count("has 6") == 1);
                 CHECK(it.diary.unconfirmed == 0);
               }});
}

TEST_CASE("184c the receiver forgets what the sender will not send again") {
  DeliveryLog log;
  for (std::uint64_t number = 1; number <= 1000; ++number) log.add({"sender", number, number});
  CHECK(log.senders.at("sender").numbers.size() == 1);
  CHECK(log.has({"sender", 1, 1}));
  CHECK(log.has({"sender", 1000, 1000}));
  CHECK_FALSE(log.has({"sender", 1001, 1000}));
  CHECK_FALSE(log.has({"other", 1, 1}));
  log.add({"sender", 1003, 1001});
  CHECK_FALSE(log.has({"sender", 1002, 1001}));
  log.add({"sender", 1002, 1001});
  log.add({"sender", 1002, 1001});
  CHECK(log.senders.at("sender").numbers == std::vector<std::uint64_t>{1002, 1003});
}

// ---- 184d ---------------------------------------------------------------------------------------

TEST_CASE("184d a message to an actor that is not there is sent when there is one") {
  under_seeds({[](Scene& it) {
                it.send(5);
                it.test.world.advance(3s);
                CHECK(it.count("sends 5") == 0);
                CHECK(it.test.read_dead_letters().empty());
                it.test.world.spawn<Receiver>("receiver");
                it.test.world.advance(2s);
                CHECK(it.diary.total == 5);
                CHECK(it.diary.unconfirmed == 0);
              }},
              {"sender"});
}

// ---- 184e ---------------------------------------------------------------------------------------

TEST_CASE("184e a snapshot of the sender is taken while everything is confirmed") {
  system::LiveJournalSettings journal;
  journal.snapshot_every = 3;
  under_seeds({[](Scene& it) {
                 it.diary.is_deaf = true;
                 for (int i = 0; i < 5; ++i) it.send(1);
               },
               [](Scene& it) {
                 CHECK(it.diary.unconfirmed == 5);
                 it.diary.is_deaf = false;
                 it.test.world.advance(5s);
                 CHECK(it.diary.total == 5);
               }},
              {"receiver", "sender"}, journal);
}

TEST_CASE("184e a snapshot that the sender asks for waits until everything is confirmed") {
  under_seeds({[](Scene& it) {
                 it.diary.is_deaf = true;
                 it.send(5);
                 it.test.world.send(it.find("/user/sender"), Save{});
                 CHECK(it.test.world.store().snapshots("/user/sender").empty());
               },
               [](Scene& it) {
                 CHECK(it.diary.unconfirmed == 1);
                 it.test.world.send(it.find("/user/sender"), Save{});
                 it.diary.is_deaf = false;
                 it.test.world.advance(1s);
                 CHECK(it.diary.total == 5);
                 const auto snapshots = it.test.world.store().snapshots("/user/sender");
                 REQUIRE(snapshots.size() == 1);
                 CHECK(snapshots[0].sequence == 2);  // behind the confirmation
               }});
}

TEST_CASE(
    "184e after more deliveries of one event than it has numbers, a snapshot waits for more") {
  system::LiveJournalSettings journal;
  journal.snapshot_every = 1;
  under_seeds({[](Scene& it) {
                 it.diary.is_deaf = true;
                 it.test.world.send(it.find("/user/sender"), Send{1, "/user/receiver", 2500});
                 CHECK(it.diary.unconfirmed == 2500);
                 it.test.world.send(it.find("/user/sender"), Send{1, "/user/receiver", 0});
                 CHECK(it.diary.unconfirmed == 0);
                 CHECK(it.test.world.store().snapshots("/user/sender").empty());
                 it.diary.is_deaf = false;
                 it.send(1);
                 CHECK(it.test.world.store().snapshots("/user/sender").size() == 1);
               },
               [](Scene& it) {
                 it.send(1);
                 CHECK(it.diary.total == 2);
                 CHECK(it.diary.unconfirmed == 0);
                 const std::set<std::uint64_t> unique(it.diary.numbers.begin(),
                                                      it.diary.numbers.end());
                 CHECK(unique.size() == 2502);
               }},
              {"receiver", "sender"}, journal);
}

// ---- 184f ---------------------------------------------------------------------------------------

TEST_CASE("184f what follows the event fails, and the sender is resumed: the message is sent") {
  under_seeds({[](Scene& it) {
                it.diary.fails_behind = true;
                it.send(5);
                CHECK(it.test.world.events("actor.failed").size() == 1);
                CHECK(it.diary.total == 5);
                CHECK(it.diary.unconfirmed == 0);
              }},
              {"receiver", "sender"}, {}, always(actor::Strategy::Otherwise::resume));
}

TEST_CASE("184f the sender fails when it is told of what is unconfirmed: it sends on") {
  under_seeds({[](Scene& it) {
                it.diary.is_deaf = it.diary.fails_to_warn = true;
                it.send(5);
                it.send(6);
                it.test.world.advance(5s);
                CHECK(it.test.world.events("actor.failed").size() >= 2);
                it.diary.is_deaf = false;
                it.test.world.advance(2s);
                CHECK(it.diary.total == 11);
                CHECK(it.diary.unconfirmed == 0);
              }},
              {"receiver", "sender"}, {}, always(actor::Strategy::Otherwise::resume));
}

// ---- 184g ---------------------------------------------------------------------------------------

TEST_CASE("184g too many are unconfirmed: an event that leads to one more is refused, not stored") {
  under_seeds({[](Scene& it) {
                 it.diary.is_deaf = true;
                 it.diary.unconfirmed_max = 2;
                 for (int i = 1; i <= 4; ++i) it.send(i);
                 CHECK(it.diary.unconfirmed == 2);
                 CHECK(it.test.world.store().events("/user/sender").size() == 2);
                 const auto failed = it.test.world.events("actor.failed");
                 REQUIRE(failed.size() == 2);
                 CHECK(failed[0].field("failure.type") == "actord::TooManyUnconfirmed");
                 CHECK(it.find("/user/sender") != actor::nobody);
                 it.diary.is_deaf = false;
                 it.test.world.advance(2s);
                 CHECK(it.diary.total == 3);
                 it.send(7);
                 CHECK(it.diary.total == 10);
               },
               [](Scene& it) {
                 it.diary.unconfirmed_max = 1;
                 it.send(1);
                 CHECK(it.diary.total == 11);
               }});
}

TEST_CASE("184g events that wait to be stored count: a burst is refused, too") {
  under_seeds({[](Scene& it) {
    it.diary.is_deaf = true;
    it.diary.unconfirmed_max = 3;
    it.send(1);
    for (int i = 2; i <= 6; ++i)
      it.test.world.tell(it.find("/user/sender"), Send{i, "/user/receiver"});
    it.test.world.run();
    CHECK(it.diary.unconfirmed == 3);
  }});
}

TEST_CASE("184g what is stored is replayed, though fewer are allowed now") {
  under_seeds({[](Scene& it) {
                 it.diary.is_deaf = true;
                 for (int i = 1; i <= 4; ++i) it.send(i);
               },
               [](Scene& it) {
                 it.diary.unconfirmed_max = 2;
                 it.fail("/user/sender");
                 CHECK(it.diary.unconfirmed == 4);
                 it.diary.is_deaf = false;
                 it.test.world.advance(2s);
                 CHECK(it.diary.total == 10);
               }});
}

// ---- 184h ---------------------------------------------------------------------------------------

TEST_CASE("184h after the events of the sender were dropped, no delivery has a former number") {
  under_seeds({[](Scene& it) {
                 it.send(5);
                 CHECK(it.diary.total == 5);
                 it.test.stop(Ref{it.find("/user/sender")});
                 it.test.world.run();
                 REQUIRE(it.test.world.store().drop("/user/sender").ok());
               },
               [](Scene& it) {
                 it.send(7);
                 CHECK(it.diary.total == 12);
                 CHECK(it.diary.unconfirmed == 0);
               }});
}

}  // namespace actord::conformance::delivery
