// SPDX-License-Identifier: Apache-2.0
//
// Envelopes in a row.
#pragma once

#include <utility>

#include "message/envelope.hpp"

namespace actord::actor {

using message::Envelope;

/// Envelopes in order, linked through themselves.
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
  /// The whole list, oldest first.
  Envelope* take() noexcept {
    last_ = nullptr;
    return std::exchange(first_, nullptr);
  }

 private:
  Envelope* first_ = nullptr;
  Envelope* last_ = nullptr;
};

}  // namespace actord::actor
