// SPDX-License-Identifier: Apache-2.0
//
// Frames of a control connection: each is a text that follows its length in bytes, four bytes with
// the most significant first.
//
// Not here: what the texts mean (control_message.hpp), and reading and writing the socket (admin,
// ctl).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace actord::wire {

/// The longest text of a frame, in bytes. A greater length is an error, and no memory is allocated
/// for it.
inline constexpr std::size_t text_size_max = std::size_t{1} << 20;
inline constexpr std::size_t length_size = 4;

/// `text` as a frame. `text` has at most text_size_max bytes.
std::string framed(std::string_view text);

/// Splits a byte stream into the texts of its frames. Used by one thread.
class FrameReader {
 public:
  /// Appends received bytes, in pieces of any size.
  void add(std::string_view bytes) { bytes_.append(bytes); }

  /// The next complete text; nullopt while it is incomplete. A length of 0 or beyond text_size_max
  /// is an error, and every later call returns it again.
  base::Result<std::optional<std::string>> next();

  /// Whether bytes remain that next() has not returned.
  bool is_within_a_frame() const noexcept { return !bytes_.empty(); }

 private:
  std::string bytes_;
};

}  // namespace actord::wire
