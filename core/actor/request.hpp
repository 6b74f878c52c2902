// SPDX-License-Identifier: Apache-2.0
//
// What an order carries beside its body: something that its sender waits for.
#pragma once

#include "base/intrusive_ptr.hpp"

namespace actord::actor {

struct Request : base::RefCounted<Request> {
  Request() = default;
  virtual ~Request() = default;
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
};

}  // namespace actord::actor
