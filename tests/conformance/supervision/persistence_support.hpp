// SPDX-License-Identifier: Apache-2.0
//
// Helpers for the cases about persistent actors: a ledger that does what a case tells it, and
// worlds that share a store, as the processes of a daemon do one after the other.
#pragma once

#include <actord/persistent.hpp>

#include "configured.hpp"

namespace actord::conformance::persistence {

using persist::Fault;
using persist::MemoryStore;
using persist::StoreError;
using StorePtr = std::shared_ptr<MemoryStore>;

struct Sum {
  std::int64_t total = 0;
  std::int64_t events = 0;
};
struct Added {
  std::int64_t n = 0;
};
struct AddedBefore {  // what an earlier version of the plugin has persisted
  std::string amount;
};
struct Loan {  // has a ref
  Ref who;
};
struct Do {  // runs the act of the case with this number
  std::uint64_t number = 0;
};
struct Add {  // persists Added{n}, then records and answers the total
  std::int64_t n = 0;
};
ACTORD_MESSAGE(Sum, "ledger.Sum/1", total, events)
ACTORD_MESSAGE(Added, "ledger.Added/2", n)
ACTORD_MESSAGE(AddedBefore, "ledger.Added/1", amount)
ACTORD_MESSAGE(Loan, "ledger.Loan/1", who)
ACTORD_MESSAGE(Do, "ledger.Do/1", number)
ACTORD_MESSAGE(Add, "ledger.Add/1", n)

class Ledger;
using Act = std::function<void(Ledger&, Context&)>;

/// What the ledgers of a case do and have done.
struct Book {
  std::vector<Act> acts;
  std::vector<std::string> entries;
  Act on_start, on_recovered, on_stop;
  std::function<void(const Added&)> on_apply;
  std::function<Directive(const Failure&)> decide;

  static inline Book* open = nullptr;
};

class Ledger : public Persistent<Ledger, Sum> {
 public:
  explicit Ledger(Context& ctx) {
    if (Book::open->on_start) Book::open->on_start(*this, ctx);
  }

  void pre_start(Context&) override { record("start"); }
  void post_stop(Context& ctx) override {
    record("stop");
    if (Book::open->on_stop) Book::open->on_stop(*this, ctx);
  }
  void recovery_completed(Context& ctx) override {
    record("recovered " + std::to_string(state().total));
    if (Book::open->on_recovered) Book::open->on_recovered(*this, ctx);
  }
  void persist_rejected(Context&, const PersistRejection& rejection) override {
    record("rejected " + rejection.type + ": " + rejection.reason);
  }

  void apply(Sum& sum, const Added& event) {
    if (Book::open->on_apply) Book::open->on_apply(event);
    sum.total += event.n;
    ++sum.events;
  }
  void apply(Sum&, const Loan&) {}
  static Added adapt(const AddedBefore& event) { return {std::stoll(event.amount)}; }

  void act(Context& ctx, const Do& order) { Book::open->acts[order.number](*this, ctx); }
  void add(Context& ctx, const Add& wanted) {
    record("add " + std::to_string(wanted.n));
    persist(ctx, Added{wanted.n}, [this](Context& c) {
      record("total " + std::to_string(state().total));
      if (c.sender()) c.reply(state());
    });
  }

  static void record(std::string what) { Book::open->entries.push_back(std::move(what)); }

  using Persistent::defer;
  using Persistent::delete_events;
  using Persistent::is_recovering;
  using Persistent::persist;
  using Persistent::persist_async;
  using Persistent::persistence_id;
  using Persistent::save_snapshot;
  using Persistent::sequence;
  using Persistent::state;

  using Events = actord::Events<Added, AddedBefore, Loan>;
  using Receive = Handlers<&Ledger::act, &Ledger::add>;
};

struct Setting {
  std::string value;
};
ACTORD_MESSAGE(Setting, "ledger.Setting/1", value)

/// Keeps the newest Setting that it was sent.
class Keeper : public DurableState<Keeper, Setting> {
 public:
  void recovery_completed(Context&) override { record("recovered '" + state().value + "'"); }
  void set(Context& ctx, const Setting& next) {
    store(ctx, next, [this](const Setting& now) {
      record("stored " + now.value + (state().value == now.value ? "" : " late"));
    });
  }
  static void record(std::string what) { Book::open->entries.push_back(std::move(what)); }
  using Receive = Handlers<&Keeper::set>;
};

/// The process of a daemon with a ledger in it.
struct Scene {
  Scene(SeededTest& t, Book& of) : test(t), book(of) {}

  Ref ledger(const std::string& name = "ledger") { return test.find("/user/" + name); }
  /// The number of entries that are exactly this.
  int count(std::string_view entry) const {
    return static_cast<int>(std::ranges::count(book.entries, entry));
  }
  std::string entries() {
    std::string all;
    for (const std::string& each : book.entries) all += (all.empty() ? "" : ", ") + each;
    book.entries.clear();
    return all;
  }
  /// Sends the order; perform() also runs the world.
  void queue(Ref whom, Act what) {
    book.acts.push_back(std::move(what));
    test.world.tell(whom.value, Do{book.acts.size() - 1});
  }
  void perform(Ref whom, Act what) {
    queue(whom, std::move(what));
    test.world.run();
  }
  void add(Ref whom, std::int64_t n) { test.world.tell(whom.value, Add{n}); }
  /// While it is held, the journal answers nothing.
  void hold_journal() {
    test.world.send_system(test.find("/system/journal").value, actor::SystemMessage::suspend());
  }
  void release_journal() {
    test.world.send_system(test.find("/system/journal").value, actor::SystemMessage::resume());
  }
  MemoryStore& store() { return test.world.store(); }
  /// The sum of the events in the store.
  std::int64_t stored(std::string_view id = "/user/ledger");

  SeededTest& test;
  Book& book;
};

struct Wanted {
  StorePtr store = {};
  system::LiveJournalSettings journal = {};
  std::vector<std::string> ledgers = {"ledger"};
  std::optional<actor::Strategy> strategy = {};  // of /user
  bool is_behind_backoff = false;                // each ledger, as the configuration may say
  std::function<void(Book&)> prepare = {};       // before the system starts
};

/// An entry as an earlier process may have written it.
struct Written {
  std::uint64_t sequence = 0;
  std::string_view type;
  std::string content;
};
/// Calls `write` with the writer of the value of the only member `key`.
std::string packed(std::string_view key, const std::function<void(actord_writer&)>& write);
std::string added(std::int64_t n);
std::string added_before(std::string_view amount);
/// A store that has these events of /user/ledger.
StorePtr store_of(const std::vector<Written>& events);

/// Runs the scene in one world of each seed.
void under_seeds(const std::function<void(Scene&)>& scene, const Wanted& wanted = {});
/// One world of that seed: the process runs until the scene is over, and stops in order.
void run_process(std::uint64_t seed, const Wanted& wanted,
                 const std::function<void(Scene&)>& scene);

/// Two processes, one after the other, with one store.
void restarted(const std::function<void(Scene&)>& first, const std::function<void(Scene&)>& second,
               Wanted wanted = {});
/// Adds the numbers, and runs the world.
void add_all(Scene& it, std::initializer_list<std::int64_t> numbers);

}  // namespace actord::conformance::persistence
