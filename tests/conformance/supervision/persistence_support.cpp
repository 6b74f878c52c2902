// SPDX-License-Identifier: Apache-2.0
#include "persistence_support.hpp"

#include "message/message_pack.hpp"
#include "pattern/configured_backoff.hpp"

namespace actord::conformance::persistence {

std::int64_t Scene::stored(std::string_view id) {
  std::int64_t sum = 0;
  for (const persist::StoredEntry& event : store().events(id)) {
    const message::PackReader reader(event.content);
    const actord_value root = reader.root();
    std::int64_t n = 0;
    actord_str key{};
    static_cast<void>(root.reader->integer(root.reader->at(root, 0, &key), &n));
    sum += n;
  }
  return sum;
}

namespace {

/// As daemon/settings makes it of the configuration.
actor::NodeSpec behind_backoff(SeededTest& test, actor::NodeSpec of) {
  using namespace std::chrono_literals;
  actor::NodeSpec spec;
  spec.name = of.name;
  spec.behaviour = *test.world.system().behaviours().find("actord/BackoffSupervisor");
  pattern::Construction construction =
      pattern::construction_of(BackoffOptions::on_stop(10ms, 1s), of.name);
  spec.create = construction.create;
  spec.args = std::move(construction.args);
  spec.children.push_back(std::move(of));
  return spec;
}

}  // namespace

void run_process(std::uint64_t seed, const Wanted& wanted,
                 const std::function<void(Scene&)>& scene) {
  Book book;
  Book::open = &book;
  if (wanted.prepare) wanted.prepare(book);
  SeededTest::Setup setup;
  setup.options.store = wanted.store;
  setup.options.journal = wanted.journal;
  setup.options.boots_degraded = true;
  setup.before_start = [&](SeededTest& test) {
    test.world.use(
        *plugin_table<Behaviours<Ledger, Keeper>,
                      Messages<Sum, Added, AddedBefore, Loan, Do, Add, Setting>>("ledger", "1"));
    test.user.options.strategy = wanted.strategy;
    for (const std::string& name : wanted.ledgers) {
      actor::NodeSpec& node = test.user.children.emplace_back();
      node.name = name;
      node.behaviour = *test.world.system().behaviours().find("ledger/Ledger");
      if (wanted.is_behind_backoff) node = behind_backoff(test, std::move(node));
    }
  };
  SeededTest test(seed, setup);
  test.world.run();
  Scene it{test, book};
  scene(it);
  test.end();
}

void under_seeds(const std::function<void(Scene&)>& scene, const Wanted& wanted) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    run_process(seed, wanted, scene);
  }
}

void restarted(const std::function<void(Scene&)>& first, const std::function<void(Scene&)>& second,
               Wanted wanted) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    wanted.store = std::make_shared<MemoryStore>();
    run_process(seed, wanted, first);
    run_process(seed, wanted, second);
  }
}

void add_all(Scene& it, std::initializer_list<std::int64_t> numbers) {
  for (const std::int64_t n : numbers) it.add(it.ledger(), n);
  it.test.world.run();
}

// ---- what an earlier process has written --------------------------------------------------------

std::string packed(std::string_view key, const std::function<void(actord_writer&)>& write) {
  message::PackWriter pack;
  actord_writer& writer = pack;
  writer.begin_map(&writer, 1);
  writer.key(&writer, message::to_c(key));
  write(writer);
  writer.end(&writer);
  return pack.bytes();
}

std::string added(std::int64_t n) {
  return packed("n", [&](actord_writer& writer) { writer.integer(&writer, n); });
}

std::string added_before(std::string_view amount) {
  return packed("amount",
                [&](actord_writer& writer) { writer.text(&writer, message::to_c(amount)); });
}

StorePtr store_of(const std::vector<Written>& events) {
  auto store = std::make_shared<MemoryStore>();
  std::vector<persist::Entry> entries;
  for (const Written& each : events) entries.push_back({each.sequence, each.type, each.content});
  persist::Write write;
  write.id = "/user/ledger";
  write.events = entries;
  REQUIRE(store->write(std::span{&write, 1}, 0).ok());
  return store;
}

}  // namespace actord::conformance::persistence
