// SPDX-License-Identifier: Apache-2.0
//
// The half of the link in the host process: the table of functions that the plugin there calls, and
// the instances of its behaviours. It does what the runtime's frames say, on the thread that gets
// them, and says with requests what the plugin asks of actord.
//
// In one process there may be several guests, for the loopback.
#pragma once

#include <actord/plugin.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "link/channel.hpp"

namespace actord::link {

struct GuestState;

class Guest {
 public:
  struct Surroundings {
    OutsideChannel* outside = nullptr;  // outlives the guest
    // The time, as in plugin.h; null: the runtime is asked.
    std::int64_t (*now_ns)() = nullptr;
    /// Called when the runtime is gone; does not return. Null: the call goes on, and gets zeros.
    void (*leave)() = nullptr;
    /// Called on the thread that handles the frame before code of the plugin runs for it, and with
    /// an empty text after it: what the crash record names. Null: not called.
    void (*note_work)(std::string_view what) = nullptr;
  };

  /// `plugin` has passed loader::table_fault(). It lives as long as the guest.
  Guest(const actord_plugin& plugin, Surroundings surroundings);
  ~Guest();
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

  /// The runtime's welcome (link::welcome()): the ids of the plugin's messages and what is constant
  /// for it. Then calls attach() of the plugin. The error is the text of its failure. Before
  /// serve().
  base::Result<void> attach(std::string_view welcome);
  /// Does what one frame says. The last request that it puts says that the call has returned.
  void perform(HostChannel& channel, std::string_view frame);
  /// Does what comes on the channel, until the runtime is gone. A thread for each channel.
  void serve(HostChannel& channel);
  /// Calls detach() of the plugin, when no thread serves any more.
  void detach();

 private:
  std::unique_ptr<GuestState> state_;
};

}  // namespace actord::link
