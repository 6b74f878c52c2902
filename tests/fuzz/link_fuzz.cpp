// SPDX-License-Identifier: Apache-2.0
//
// A host process that says any bytes: in the calls of its actor, and from its other threads. The
// input is a row of pieces, each with a byte before it: its low six bits are the piece's size, to
// which, if they are all ones, the next byte is added; its high bits say how the piece is said.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "property.hpp"
#include "support/puppet_host.hpp"

namespace {

using actord::fuzz::must;
using actord::link::Call;
using actord::support::PuppetWorld;

enum How : unsigned {
  request = 0,  // a request, after which others follow in the same turn
  end = 1,      // the last request of a turn
  raw = 2,      // the last bytes of a turn as they are, without the size of a request
  outside = 3   // a request of another thread
};

/// Says the input, turn by turn, and then that each call has returned.
class Script {
 public:
  Script(PuppetWorld& world, std::string_view input) : world_(world), rest_(input) {}

  bool is_over() const { return rest_.empty(); }
  std::string next_turn() {
    std::string turn;
    while (!rest_.empty()) {
      const unsigned first = take_byte();
      const unsigned low = first & 0x3f;
      const unsigned size = low == 0x3f ? low + take_byte() : low;
      const std::string_view piece = rest_.substr(0, size);
      rest_.remove_prefix(piece.size());
      switch (first >> 6) {
        case request: turn += actord::support::sized(piece); break;
        case end: return turn + actord::support::sized(piece);
        case raw: return turn.append(piece);
        default: {
          std::string answer;
          if (!world_.plugin->serve_outside(piece, answer)) return turn;
        }
      }
    }
    return turn + actord::support::returning();
  }

 private:
  unsigned take_byte() {
    if (rest_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }

  PuppetWorld& world_;
  std::string_view rest_;
};

void check(std::string_view input) {
  PuppetWorld it;
  Script script(it, input);
  it.hosts.say = [&script](Call call, std::string_view) {
    // A host that never lets an instance live says nothing else.
    return call == Call::create ? actord::support::returning() : script.next_turn();
  };
  for (std::int32_t n = 0; n < 64 && !script.is_over() && it.world.is_alive(it.puppet); ++n) {
    it.world.tell(it.puppet, actord::support::Poke{n});
    it.world.advance(std::chrono::milliseconds{1});
  }
  it.hosts.say = [](Call, std::string_view) { return actord::support::returning(); };
  must(it.world.shut_down(), "the system stops, whatever a host has said");
  const auto counters = it.world.system().counters();
  must(counters.sent == counters.ended(), "each message ends once");
  must(it.world.system().blocks_in_use() == 0, "nothing is left");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
