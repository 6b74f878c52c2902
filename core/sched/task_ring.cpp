// SPDX-License-Identifier: Apache-2.0
#include "sched/task_ring.hpp"

namespace actord::sched {

void TaskRing::grow() {
  std::unique_ptr<Task*[]> larger{new Task*[std::size_t{capacity_} * 2]};
  for (std::uint32_t i = 0; i < size_; ++i) larger[i] = (*this)[i];
  slots_ = std::move(larger);
  head_ = 0;
  capacity_ *= 2;
}

}  // namespace actord::sched
