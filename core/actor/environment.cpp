// SPDX-License-Identifier: Apache-2.0
#include "actor/environment.hpp"

namespace actord::actor {

Environment::Environment(const Parts& parts)
    : host(parts.host),
      handle(parts.handle),
      cells(parts.cells),
      envelopes(parts.envelopes),
      types(parts.types),
      chains(parts.chains),
      log(parts.log),
      executor(parts.executor) {}

Environment::~Environment() = default;

}  // namespace actord::actor
