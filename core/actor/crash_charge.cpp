// SPDX-License-Identifier: Apache-2.0
#include "actor/crash_charge.hpp"

namespace actord::actor {

const TypeChain& chain_of_signal(std::string_view signal, TypeChains& chains) {
  const std::string type = "actord::crash::" + std::string{signal};
  std::vector<actord_str> names{message::to_c(type)};
  names.insert(names.end(), causes::crash_signal.begin(), causes::crash_signal.end());
  return chains.intern(names, false);
}

FailurePtr failure_of(const CrashCharge& charge, TypeChains& chains) {
  FailurePtr failure(new Failure);
  failure->types = charge.signal.empty() ? &chains.intern(causes::crash_exit, true)
                                         : &chain_of_signal(charge.signal, chains);
  failure->what = charge.what;
  Detail& id = failure->details.emplace_back(Detail{"crash", ACTORD_TEXT, {}, charge.id});
  id.value = {message::to_c(id.key), ACTORD_TEXT, {}};
  id.value.value.text = message::to_c(id.text);
  return failure;
}

}  // namespace actord::actor
