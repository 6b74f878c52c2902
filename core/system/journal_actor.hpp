// SPDX-License-Identifier: Apache-2.0
//
// The actor that carries out what persistent actors ask of the journal.
//
// Not here: what that is (event_journal.hpp).
#pragma once

#include <actord/actord.hpp>

namespace actord::system {

/// /system/journal, on a thread of its own, which may wait for the medium.
class JournalActor : public Actor {
 public:
  static constexpr std::string_view name = "Journal";
  static constexpr std::string_view doc = "Stores what persistent actors persist.";

  void pre_start(Context& ctx) override;
  void post_stop(Context& ctx) override;
  void work(Context& ctx, const detail::JournalWork& notice);
  void tidy_up(Context& ctx, const ReceiveTimeout& idle);
  using Receive = Handlers<&JournalActor::work, &JournalActor::tidy_up>;
};

}  // namespace actord::system
