// SPDX-License-Identifier: Apache-2.0
//
// The tables that plugins publish for other plugins (actord_host::publish_extension), and which
// plugin has asked for which. Plugins are never unmapped, so that a table stays valid; the
// list of users says which plugins would go on calling one that is to be retired.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/sync.hpp"

namespace actord::system {

/// An extension that is offered.
struct Extension {
  std::string id;         // "shop.prices/1"
  std::string publisher;  // name of the plugin
  // The plugins that have asked for it, in order; an empty name stands for threads that run no
  // actor, such as a plugin's own.
  std::vector<std::string> users;
};

/// Any thread.
class Extensions {
 public:
  /// Until end_attach(), this thread runs the attach() of `plugin`. One thread at a time.
  void begin_attach(std::string_view plugin);
  /// From now on offers what the plugin has published, or forgets it if it has refused to start.
  void end_attach(bool is_attached);

  /// Fails if this thread runs no attach(), if the id is not one of the plugin being attached, or
  /// if it is taken.
  base::Result<void> publish(std::string_view id, const void* table);
  /// Null if no plugin offers it. Notes the user: the plugin that this thread attaches, else
  /// `plugin`, which is empty if it is not known.
  const void* find(std::string_view id, std::string_view plugin);

  /// What is offered, by id.
  std::vector<Extension> all() const;
  /// Another build of the plugin, which was retired, is loaded: no longer offers what the first one
  /// has published, and forgets what it has used.
  void forget(std::string_view plugin);

 private:
  struct Offer {
    const void* table = nullptr;
    std::string publisher;
    std::vector<std::string> users;
    bool is_pending = true;  // the attach() that publishes it has not returned
  };

  bool is_attaching() const noexcept { return attaching_thread_ == base::this_thread(); }

  mutable base::SharedMutex mutex_;
  std::map<std::string, Offer, std::less<>> offers_;  // by id
  std::string attaching_;                             // the plugin
  base::ThreadId attaching_thread_;
};

}  // namespace actord::system
