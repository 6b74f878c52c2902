// SPDX-License-Identifier: Apache-2.0
//
// /system/log: writes a log line for each dead letter and unhandled message, up to a limit, then
// none for a while (supervision.md 147-151). Writes which failures were not logged and which
// restart storms are over (supervision.md, section 4). It is the last actor to stop before the
// guardians.
//
// Not here: the log path itself, which works without any actor (core/log).
#pragma once

#include <actord/actord.hpp>

namespace actord::system {

class Log : public Actor {
 public:
  static constexpr std::string_view doc = "Logs dead letters and unhandled messages.";

  void pre_start(Context& ctx) override;
  void dead_letter(Context& ctx, const DeadLetter& letter);
  void unhandled(Context& ctx, const Unhandled& message);
  void write_summary(Context& ctx, const detail::WriteSummary& request);
  void post_stop(Context& ctx) override;

  using Receive = Handlers<&Log::dead_letter, &Log::unhandled, &Log::write_summary>;

 private:
  /// Whether one more line may be written, and how many were suppressed before it.
  struct Permission {
    bool is_given = false;
    // The line must say that no more will follow for a while.
    bool is_last = false;
    std::uint64_t suppressed = 0;
  };
  // Counts one line against the limit, unless the log is silent.
  Permission ask_for_line(Context& ctx);
  void write_line(Context& ctx, std::string_view event, std::string_view text,
                  std::string_view type, std::string_view recipient, Ref sender,
                  std::string_view reason);

  // Lines since the last silence.
  std::int64_t count_ = 0;
  std::int64_t silent_until_ns_ = 0;  // 0: not silent
  std::uint64_t suppressed_ = 0;
};

}  // namespace actord::system
