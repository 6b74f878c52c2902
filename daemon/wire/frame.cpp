// SPDX-License-Identifier: Apache-2.0
#include "wire/frame.hpp"

#include "base/assert.hpp"

namespace actord::wire {

namespace {

std::uint32_t length_at(std::string_view bytes) {
  std::uint32_t length = 0;
  for (const char byte : bytes.substr(0, length_size)) {
    length = length << 8U | static_cast<unsigned char>(byte);
  }
  return length;
}

}  // namespace

std::string framed(std::string_view text) {
  ACTORD_ASSERT(text.size() <= text_size_max);
  std::string frame;
  frame.reserve(length_size + text.size());
  for (unsigned shift = 32; shift != 0;) {
    shift -= 8;
    frame.push_back(static_cast<char>(text.size() >> shift & 0xFFU));
  }
  return frame.append(text);
}

base::Result<std::optional<std::string>> FrameReader::next() {
  if (bytes_.size() < length_size) return std::optional<std::string>{};
  const std::uint32_t length = length_at(bytes_);
  if (length == 0 || length > text_size_max) {
    return base::Error{"a frame of " + std::to_string(length) + " bytes; 1 to " +
                       std::to_string(text_size_max) + " are allowed"};
  }
  if (bytes_.size() < length_size + length) return std::optional<std::string>{};
  std::optional<std::string> text{bytes_.substr(length_size, length)};
  bytes_.erase(0, length_size + length);
  return text;
}

}  // namespace actord::wire
