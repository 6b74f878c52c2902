// SPDX-License-Identifier: Apache-2.0
#include "actor/crash_charge.hpp"

namespace actord::actor {

FailurePtr failure_of(const CrashCharge& charge, TypeChains& chains) {
  FailurePtr failure(new Failure);
  if (charge.signal.empty()) {
    failure->types = &chains.intern(causes::crash_exit, true);
  } else {
    const std::string signal = "actord::crash::" + charge.signal;
    std::vector<actord_str> names{message::to_c(signal)};
    names.insert(names.end(), causes::crash_signal.begin(), causes::crash_signal.end());
    failure->types = &chains.intern(names, false);
  }
  failure->what = charge.what;
  Detail& id = failure->details.emplace_back(Detail{"crash", ACTORD_TEXT, {}, charge.id});
  id.value = {message::to_c(id.key), ACTORD_TEXT, {}};
  id.value.value.text = message::to_c(id.text);
  return failure;
}

}  // namespace actord::actor
