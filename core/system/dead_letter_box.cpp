// SPDX-License-Identifier: Apache-2.0
#include "system/dead_letter_box.hpp"

#include <algorithm>

namespace actord::system {

namespace {

auto at_number(const std::deque<KeptLetterPtr>& letters, std::uint64_t number) {
  const auto found = std::ranges::lower_bound(
      letters, number, {}, [](const KeptLetterPtr& each) { return each->number; });
  return found != letters.end() && (*found)->number == number ? found : letters.end();
}

}  // namespace

void DeadLetterBox::set_bytes_max(std::size_t bytes) {
  std::vector<KeptLetterPtr> gone;
  std::lock_guard lock(mutex_);
  bytes_max_.store(bytes, base::relaxed);
  gone = make_room();
}

void DeadLetterBox::add(std::shared_ptr<KeptLetter> letter) {
  std::vector<KeptLetterPtr> gone;
  std::lock_guard lock(mutex_);
  if (letter->bytes > bytes_max()) return;
  letter->number = ++last_;
  bytes_ += letter->bytes;
  letters_.push_back(std::move(letter));
  gone = make_room();
}

std::vector<KeptLetterPtr> DeadLetterBox::all() const {
  std::lock_guard lock(mutex_);
  return {letters_.begin(), letters_.end()};
}

KeptLetterPtr DeadLetterBox::find(std::uint64_t number) const {
  std::lock_guard lock(mutex_);
  const auto found = at_number(letters_, number);
  return found == letters_.end() ? nullptr : *found;
}

bool DeadLetterBox::remove(std::uint64_t number) {
  KeptLetterPtr gone;
  std::lock_guard lock(mutex_);
  const auto found = at_number(letters_, number);
  if (found == letters_.end()) return false;
  gone = *found;
  bytes_ -= gone->bytes;
  letters_.erase(found);
  return true;
}

std::vector<KeptLetterPtr> DeadLetterBox::make_room() {
  std::vector<KeptLetterPtr> gone;
  while (bytes_ > bytes_max()) {
    bytes_ -= letters_.front()->bytes;
    gone.push_back(std::move(letters_.front()));
    letters_.pop_front();
  }
  return gone;
}

}  // namespace actord::system
