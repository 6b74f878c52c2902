// SPDX-License-Identifier: Apache-2.0
#include "sinks/failure_outcomes.hpp"

#include "sinks/record_fields.hpp"

namespace actord::sinks {

void FailureOutcomes::note(const log::Record& failure) {
  const std::string id(text_of(failure, "failure.id"));
  if (id.empty()) return;
  Decision decision{.directive = std::string(text_of(failure, "decision.directive")),
                    .is_denied = value_of(failure, "decision.denied") != nullptr,
                    .is_delayed = value_of(failure, "restart.delay") != nullptr};
  if (!decisions_.insert_or_assign(id, std::move(decision)).second) return;
  ids_.push_back(id);
  if (ids_.size() <= remembered) return;
  decisions_.erase(ids_.front());
  ids_.pop_front();
}

bool FailureOutcomes::is_confirmation(const log::Record& record) const {
  const auto found = decisions_.find(std::string(text_of(record, "failure.id")));
  if (found == decisions_.end()) return false;
  const Decision& decision = found->second;
  // An actor whose creation has failed is created anew: it starts.
  if (record.event == "actor.restarted" || record.event == "actor.started")
    return decision.directive == "restart";
  if (record.event == "actor.resumed") return decision.directive == "resume";
  if (record.event == "actor.stopped") return decision.directive == "stop";
  if (record.event == "actor.backoff") return decision.is_delayed;
  return record.event == "supervisor.limit" && decision.is_denied;
}

}  // namespace actord::sinks
