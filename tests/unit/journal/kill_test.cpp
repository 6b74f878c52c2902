// SPDX-License-Identifier: Apache-2.0
//
// SIGKILL at random instants under load: a child writes groups and says what was acknowledged. The
// number of kills is ACTORD_JOURNAL_CYCLES, which ./dev prove sets.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <map>
#include <memory>

#include "base/clock.hpp"
#include "base/random.hpp"
#include "journal/sqlite_store.hpp"
#include "os/descriptor.hpp"
#include "support/scratch_folder.hpp"
#include "unit/journal/journal_model.hpp"

namespace actord::journal {
namespace {

constexpr std::size_t ids = 8;

std::uint64_t cycles() {
  const char* wanted = std::getenv("ACTORD_JOURNAL_CYCLES");
  return wanted == nullptr ? 20 : std::strtoull(wanted, nullptr, 10);
}

std::string id_of(std::size_t nth) { return "/user/killed-" + std::to_string(nth); }

// What the child says after each group.
struct Acknowledgement {
  std::uint64_t last[ids] = {};
};

// The child: writes until it is killed.
[[noreturn]] void write_for_ever(const std::string& folder, std::uint64_t seed, int to) {
  base::Random random(seed);
  SqliteStore store({.folder = folder, .index_every = 500});
  Acknowledgement said;
  std::uint64_t covered[ids] = {};
  for (std::size_t i = 0; i < ids; ++i) {
    const auto beginning = store.look(id_of(i));
    if (!beginning) ::_exit(3);
    said.last[i] = beginning->last_sequence;
  }
  for (;;) {
    std::vector<std::string> names, contents;
    std::vector<std::vector<persist::Entry>> events(ids);
    std::vector<persist::Write> group;
    names.reserve(ids);
    contents.reserve(ids * 40);
    for (std::size_t i = 0; i < ids; ++i) {
      const std::string& id = names.emplace_back(id_of(i));
      for (std::uint64_t left = random.below(30); left > 0; --left)
        events[i].push_back(
            {++said.last[i], "test.Event/1", contents.emplace_back(content_of(id, said.last[i]))});
      persist::Write write{id, events[i], {}, i == 1, 0};
      if (i % 2 == 0 && random.chance(0.1) && said.last[i] > 0) {
        write.delete_to = covered[i];
        covered[i] = said.last[i];
        write.snapshot = {said.last[i], "test.State/1",
                          contents.emplace_back(content_of(id, said.last[i]))};
      }
      group.push_back(write);
    }
    if (!store.write(group, 1)) ::_exit(4);
    if (::write(to, &said, sizeof said) != sizeof said) ::_exit(5);
  }
}

// Starts a child, kills it at a random instant, and returns what it had said.
Acknowledgement kill_one(const std::string& folder, base::Random& random) {
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  const os::Descriptor from(ends[0]);
  os::Descriptor to(ends[1]);
  const std::uint64_t seed = random.next();
  const pid_t child = ::fork();
  if (child == 0) write_for_ever(folder, seed, to.get());
  to = os::Descriptor();
  Acknowledgement last, next;
  const auto hear = [&] {
    if (::read(from.get(), &next, sizeof next) != sizeof next) return false;
    return last = next, true;
  };
  for (std::uint64_t left = random.below(25); left > 0; --left)
    if (!hear()) break;
  const std::int64_t end =
      base::monotonic_ns() + static_cast<std::int64_t>(random.below(3'000'000));
  while (base::monotonic_ns() < end) {}
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFSIGNALED(status));
  while (hear()) {}
  return last;
}

}  // namespace

TEST_CASE("a process that is killed at a random instant has lost nothing that it acknowledged") {
  const std::uint64_t seed = static_cast<std::uint64_t>(base::monotonic_ns());
  CAPTURE(seed);
  base::Random random(seed);
  std::unique_ptr<support::ScratchFolder> scratch;
  std::uint64_t known[ids] = {}, events = 0;
  for (std::uint64_t cycle = 0; cycle < cycles(); ++cycle) {
    CAPTURE(cycle);
    if (cycle % 20 == 0) {
      scratch = std::make_unique<support::ScratchFolder>();
      std::fill(std::begin(known), std::end(known), 0);
    }
    const std::string folder = scratch->at("journal");
    const Acknowledgement said = kill_one(folder, random);
    SqliteStore store({.folder = folder, .index_every = 500});
    const auto opened = store.open();
    REQUIRE_MESSAGE(opened.ok(), (opened ? "" : opened.error().what));
    for (std::size_t i = 0; i < ids; ++i) {
      std::string wrong;
      const Recovered recovered = recover(store, id_of(i), wrong);
      CHECK(wrong == "");
      CHECK(recovered.last >= std::max(said.last[i], known[i]));
      events += recovered.last - known[i];
      known[i] = recovered.last;
    }
    Verification verification;
    for (auto more = store.verify(verification, 10'000); more && *more;)
      more = store.verify(verification, 10'000);
    CHECK(verification.damage_count() == 0);
  }
  MESSAGE(cycles() << " kills, " << events << " events");
}

}  // namespace actord::journal
