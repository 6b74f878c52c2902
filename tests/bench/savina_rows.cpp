// SPDX-License-Identifier: Apache-2.0
//
// Savina's programs as the plugin has them: each alone, with its default sizes. They check their
// results themselves, and fail instead of answering if one is wrong.
#include "rig.hpp"
#include "rows.hpp"
#include "savina/savina_messages.hpp"

namespace actord::bench {

namespace {

struct SavinaProgram {
  std::string_view behaviour, figure;
};
constexpr SavinaProgram savina_programs[] = {
    {"ThreadRing", "savina_thread_ring_ms"},
    {"Chameneos", "savina_chameneos_ms"},
    {"ConcurrentDictionary", "savina_dictionary_ms"},
    {"ProducerConsumer", "savina_producer_consumer_ms"},
    {"Philosophers", "savina_philosophers_ms"},
    {"SleepingBarber", "savina_barber_ms"},
    {"BankTransaction", "savina_bank_ms"},
    {"Sieve", "savina_sieve_ms"},
    {"NQueens", "savina_n_queens_ms"},
    {"AStar", "savina_a_star_ms"},
    {"ForkJoin", "savina_fork_join_ms"},
};

// Asks a program to run, and signals its time in nanoseconds.
class SavinaAsker : public Actor {
 public:
  SavinaAsker(Ref program, Finish* finish) : program_(program), finish_(*finish) {}

  void on(Context& ctx, const Number&) {
    ctx.ask<&SavinaAsker::answered>(program_, savina::Run{}, std::chrono::minutes{2});
  }
  void answered(Context&, const Reply<savina::Result>& reply) {
    check(static_cast<bool>(reply), "savina: a program has no right result");
    finish_.signal(static_cast<std::int64_t>(reply->milliseconds * 1e6));
  }
  using Receive = Handlers<&SavinaAsker::on>;

 private:
  const Ref program_;
  Finish& finish_;
};

}  // namespace

// The run at a program's start is its warm-up; the one that it is asked for is measured.
Figures run_savina(const Plan& plan) {
  Rig rig({.workers = plan.workers, .plugin = ACTORD_SAVINA_PLUGIN});
  const auto* const messages =
      plugin_table<Behaviours<>, Messages<savina::Run, savina::Result>>("savina_row", "1");
  check(rig.system().add_plugin(*messages).ok(), "savina: the row's messages are refused");
  Figures figures;
  for (const auto& [behaviour, figure] : savina_programs) {
    Finish finish;
    const Ref program = rig.spawn("savina/" + std::string{behaviour});
    rig.tell(rig.spawn<SavinaAsker>(program, &finish), Number{});
    figures.push_back({std::string{figure}, static_cast<double>(finish.wait()) / 1e6, "ms"});
  }
  return figures;
}

}  // namespace actord::bench
