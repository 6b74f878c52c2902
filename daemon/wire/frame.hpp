// SPDX-License-Identifier: Apache-2.0
//
// What goes over a control connection: texts, each behind its length in four bytes, the most
// significant one first.
//
// Not here: what the texts say (control_message.hpp) and how bytes travel (admin, ctl).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace actord::wire {

/// The longest text of a frame. A length beyond it is never believed, so that nothing is allocated
/// for it.
inline constexpr std::size_t text_size_max = std::size_t{1} << 20;
inline constexpr std::size_t length_size = 4;

/// `text` as a frame; at most text_size_max bytes.
std::string framed(std::string_view text);

/// Cuts a stream of bytes into the texts of its frames. One thread.
class FrameReader {
 public:
  /// Takes bytes as they come, in pieces of any size.
  void add(std::string_view bytes) { bytes_.append(bytes); }

  /// The next whole text; nothing while it is incomplete. An error, for good, when a length is 0 or
  /// beyond text_size_max.
  base::Result<std::optional<std::string>> next();

  /// Whether there are bytes of a frame that is not whole.
  bool is_within_a_frame() const noexcept { return !bytes_.empty(); }

 private:
  std::string bytes_;
};

}  // namespace actord::wire
