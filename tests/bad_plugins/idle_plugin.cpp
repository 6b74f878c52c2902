// SPDX-License-Identifier: Apache-2.0
#include <actord/actord.hpp>

#include "idle_plugin.hpp"

namespace {

class It : public actord::Actor {
 public:
  using Receive = actord::Handlers<>;
};

}  // namespace

const actord_plugin* idle_plugin(const char* name) {
  return actord::detail::exported_table<actord::Behaviours<It>, actord::Messages<>>(name, "1.0.0");
}
