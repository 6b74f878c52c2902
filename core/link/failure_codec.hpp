// SPDX-License-Identifier: Apache-2.0
//
// Failures in frames, with their causes, details and payloads.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "link/message_codec.hpp"

namespace actord::link {

/// A failure that was taken from a frame; its texts point into the frame.
class TakenFailure {
 public:
  const actord_failure* c() const noexcept { return &c_; }

 private:
  friend bool take_failure(FrameReader&, const MessageCodec&, TakenFailure&, int depth);

  actord_failure c_{};
  std::vector<actord_str> types_;
  std::vector<actord_field> details_;
  TakenMessage payload_;
  std::unique_ptr<TakenFailure> cause_, original_;
};

/// A payload that the plugin cannot write is left out.
void put_failure(FrameWriter& frame, const MessageCodec& codec, const actord_failure& failure,
                 int depth = 0);
/// False: the frame has failed.
bool take_failure(FrameReader& frame, const MessageCodec& codec, TakenFailure& failure,
                  int depth = 0);

void put_fields(FrameWriter& frame, const actord_field* fields, std::size_t n);
bool take_fields(FrameReader& frame, std::vector<actord_field>& fields);

/// Keeps what is reported as a frame.
class ErrorFrame : public actord_errors {
 public:
  explicit ErrorFrame(const MessageCodec& codec);
  ErrorFrame(const ErrorFrame&) = delete;

  /// Empty: nothing was reported.
  std::string_view bytes() const noexcept { return frame_.bytes(); }
  void clear() noexcept { frame_.clear(); }

 private:
  const MessageCodec& codec_;
  FrameWriter frame_;
};

}  // namespace actord::link
