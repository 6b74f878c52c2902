// SPDX-License-Identifier: Apache-2.0
//
// A list of envelopes.
#pragma once

#include <utility>

#include "message/envelope.hpp"

namespace actord::actor {

using message::Envelope;

/// A singly linked list, by Envelope::next. Does not own the envelopes.
class EnvelopeList {
 public:
  EnvelopeList() = default;
  EnvelopeList(Envelope* first, Envelope* last) noexcept : first_(first), last_(last) {}

  bool is_empty() const noexcept { return first_ == nullptr; }
  Envelope* first() const noexcept { return first_; }
  Envelope* last() const noexcept { return last_; }
  void push_back(Envelope* envelope) noexcept {
    envelope->next = nullptr;
    (last_ != nullptr ? last_->next : first_) = envelope;
    last_ = envelope;
  }
  /// Takes the first envelopes off, at most `n`, and returns them.
  EnvelopeList take_first(std::int64_t n) noexcept {
    EnvelopeList taken;
    while (first_ != nullptr && n-- > 0) {
      Envelope* const envelope = std::exchange(first_, first_->next);
      taken.push_back(envelope);
    }
    if (first_ == nullptr) last_ = nullptr;
    return taken;
  }
  /// Empties the list and returns its first envelope.
  Envelope* take() noexcept {
    last_ = nullptr;
    return std::exchange(first_, nullptr);
  }

 private:
  Envelope* first_ = nullptr;
  Envelope* last_ = nullptr;
};

}  // namespace actord::actor
