// SPDX-License-Identifier: Apache-2.0
//
// What a host says in the bytes of a struct goes to actors of this process, too, so that the bytes
// must be such a struct: that is known only of those whose members the table tells in full.
#include <doctest/doctest.h>

#include "message/message_pack.hpp"
#include "support/puppet_host.hpp"

namespace actord::link {

TEST_SUITE_BEGIN("link/untrusted_bytes");

namespace {

enum class Mood : std::uint8_t { calm, cross };
ACTORD_ENUM(Mood, calm, cross)
struct Inner {
  bool is_deep = false;
};
ACTORD_FIELDS(Inner, is_deep)
/// Trivial, and with members of which the table does not say which bytes they may have.
struct Report {
  Mood mood = Mood::calm;
  Inner inner;
};
ACTORD_MESSAGE(Report, "mood.Report/1", mood, inner)

std::vector<Report> seen;

class Listener : public Actor {
 public:
  void report(const Report& what) { seen.push_back(what); }
  using Receive = Handlers<&Listener::report>;
};

const actord_plugin& mood_plugin() {
  return *plugin_table<Behaviours<Listener>, Messages<Report>>("mood", "1");
}

/// A world with the plugin in its process, where the listener is, and in a host.
struct MoodWorld {
  MoodWorld() {
    seen.clear();
    world.use(mood_plugin());
    auto added = IsolatedPlugin::add(world.system(), mood_plugin(), hosts, {});
    REQUIRE(added);
    plugin = std::move(added).value();
    world.start({});
    listener = world.spawn<Listener>("listener");
  }
  ~MoodWorld() { world.shut_down(); }
  MoodWorld(const MoodWorld&) = delete;

  /// Whether a thread of the host may tell that to the listener.
  bool is_taken(Form form, std::string_view content) {
    const std::string welcome = plugin->welcome();
    FrameReader types(welcome);
    static_cast<void>(types.take<std::uint32_t>());
    static_cast<void>(types.take<std::uint32_t>());
    FrameWriter request;
    request.put(Request::system_tell);
    request.put(listener);
    request.put(std::int64_t{0});
    request.put(std::int64_t{0});
    request.put(std::int32_t{0});
    request.put(types.take<actord_type_id>());
    request.put(form);
    request.text(content);
    std::string answer;
    const bool is_right = plugin->serve_outside(request.bytes(), answer);
    world.run();
    return is_right;
  }

  testkit::World world{{.seed = 1, .level = log::Level::info}};
  support::PuppetHosts hosts{world.system()};
  std::unique_ptr<IsolatedPlugin> plugin;
  actor::Ref listener = actor::nobody;
};

std::string packed(const std::function<void(actord_writer&)>& put_mood) {
  message::PackWriter writer;
  writer.begin_map(&writer, 1);
  writer.key(&writer, message::to_c("mood"));
  put_mood(writer);
  writer.actord_writer::end(&writer);
  REQUIRE(writer.fault().empty());
  return writer.bytes();
}

}  // namespace

TEST_CASE("an enumerator crosses by its name, to an actor of this process, too") {
  MoodWorld it;
  const std::string cross = packed([](actord_writer& w) { w.text(&w, message::to_c("cross")); });
  CHECK(it.is_taken(Form::packed, cross));
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].mood == Mood::cross);
}

TEST_CASE("bytes of a struct with an enumeration, or with a struct in it, are not taken") {
  static_assert(sizeof(Report) == 2);
  for (const std::string_view bytes : {"\x4d\x01", "\x01\x4d", "\x01\x01"}) {
    MoodWorld it;
    CHECK_FALSE(it.is_taken(Form::bytes, bytes));
    CHECK(seen.empty());
  }
}

TEST_CASE("a number that no enumerator has does not get to an actor of this process") {
  MoodWorld it;
  CHECK(it.is_taken(Form::packed, packed([](actord_writer& w) { w.natural(&w, 77); })));
  CHECK(seen.empty());
  const auto letters = it.world.events("deadletter");
  REQUIRE(letters.size() == 1);
  CHECK(letters[0].field("reason") == "not-translated");
}

TEST_SUITE_END();

}  // namespace actord::link
