// SPDX-License-Identifier: Apache-2.0
//
// The cost of the boundary: the same actors in a plugin and without one run in turn, in one system.
#include <algorithm>

#include "boundary/direct_behaviours.hpp"
#include "rig.hpp"
#include "rows.hpp"

namespace actord::bench {

namespace {

// Spawns players of one side of the boundary.
class Side {
 public:
  Side(Rig& rig, bool is_plugin) : rig_(rig), is_plugin_(is_plugin) {}

  Ref player() { return spawn("boundary/Player", direct_player); }
  Ref source() { return spawn("boundary/Source", direct_source); }
  Ref sink() { return spawn("boundary/Sink", direct_sink); }

 private:
  Ref spawn(std::string_view name, const actord_behaviour& direct) {
    if (is_plugin_) return rig_.spawn(name);
    actord_props props{};
    props.struct_size = sizeof props;
    props.behaviour = &direct;
    return rig_.spawn(props);
  }

  Rig& rig_;
  bool is_plugin_;
};

double play(Rig& rig, Side side, std::int64_t hops) {
  Finish finish;
  const Ref referee = rig.spawn<Referee>(&finish);
  const Ref ping = side.player(), pong = side.player();
  rig.tell(ping, Roles{pong, referee});
  rig.tell(pong, Roles{ping, referee});
  const Stopwatch watch;
  rig.tell(ping, hops);
  check(finish.wait() == 0, "boundary_ratio: the ball is lost");
  return watch.seconds();
}

double flood(Rig& rig, Side side, std::int64_t each) {
  constexpr std::int64_t sources = 20;
  Finish finish;
  const Ref referee = rig.spawn<Referee>(&finish);
  const Ref sink = side.sink();
  rig.tell(sink, Roles{{}, referee});
  rig.tell(sink, Grow{0, sources * each});
  std::vector<Ref> all;
  for (std::int64_t i = 0; i < sources; ++i) {
    all.push_back(side.source());
    rig.tell(all.back(), Roles{sink, referee});
  }
  const Stopwatch watch;
  for (const Ref source : all) rig.tell(source, each);
  check(finish.wait() == sources * (each * (each - 1) / 2), "boundary_ratio: another sum");
  return watch.seconds();
}

// How many times as long `work` takes through the boundary as without it. The two run in turn,
// since the speed of the machine changes, and the result is the median of all turns.
template <class Work>
double ratio(Rig& rig, int turns, Work&& work) {
  std::vector<double> ratios;
  for (int i = 0; i < turns; ++i) {
    const double through = work(Side(rig, true));
    ratios.push_back(through / work(Side(rig, false)));
  }
  return median(std::move(ratios));
}

}  // namespace

Figures run_boundary(const Plan& plan) {
  Rig rig({.workers = plan.workers, .plugin = ACTORD_BOUNDARY_PLUGIN});
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const int turns = is_warm_up ? 1 : 9;
    const double ping_pong = ratio(
        rig, turns, [&](Side side) { return play(rig, side, is_warm_up ? 10'000 : 2'000'000); });
    const double fan_in =
        ratio(rig, turns, [&](Side side) { return flood(rig, side, is_warm_up ? 500 : 100'000); });
    return {{"boundary_ratio", std::max(ping_pong, fan_in), "x"},
            {"boundary_pingpong", ping_pong, "x"},
            {"boundary_many2one", fan_in, "x"}};
  });
}

}  // namespace actord::bench
