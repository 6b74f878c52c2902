// SPDX-License-Identifier: Apache-2.0
//
// The object that a system message carries if its sender waits for the result.
#pragma once

#include "base/intrusive_ptr.hpp"

namespace actord::actor {

struct Request : base::RefCounted<Request> {
  Request() = default;
  virtual ~Request() = default;
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
};
using RequestPtr = base::IntrusivePtr<Request>;

}  // namespace actord::actor
