// SPDX-License-Identifier: Apache-2.0
#include "persist/store.hpp"

namespace actord::persist {

std::string_view name_of(Fault fault) noexcept {
  switch (fault) {
    case Fault::io: return "io";
    case Fault::full: return "full";
    case Fault::read_only: return "read-only";
    case Fault::damaged: return "damaged";
    case Fault::gap: return "gap";
  }
  return "unknown";
}

}  // namespace actord::persist
