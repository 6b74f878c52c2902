// SPDX-License-Identifier: Apache-2.0
#include "message/pack_check.hpp"

#include <cstdint>

#include "message/message_pack.hpp"

namespace actord::message {

namespace {

class Check {
 public:
  explicit Check(std::string_view bytes) : rest_(bytes) {}

  bool is_value(std::size_t depth) noexcept {
    if (rest_.empty()) return false;
    const unsigned first = take_byte();
    if (first == 0xc0 || first == 0xc2 || first == 0xc3) return true;  // null, no, yes
    if (first == 0xcb || first == 0xcf || first == 0xd3) return skip(8);
    if (first == 0xd7) return !rest_.empty() && is_extension(take_byte()) && skip(8);
    if (first >= 0xa0 && first <= 0xbf) return skip(first & 0x1f);
    if (first >= 0x80 && first <= 0x8f) return are_members(first & 0xf, depth);
    if (first >= 0x90 && first <= 0x9f) return are_elements(first & 0xf, depth);
    if (first != 0xdb && first != 0xdd && first != 0xdf) return false;
    std::uint32_t n = 0;
    if (!take_size(n)) return false;
    if (first == 0xdb) return skip(n);
    return first == 0xdd ? are_elements(n, depth) : are_members(n, depth);
  }
  bool is_at_end() const noexcept { return rest_.empty(); }

 private:
  static bool is_extension(unsigned type) noexcept { return type == 1 || type == 2; }

  unsigned take_byte() noexcept {
    const auto first = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }
  bool skip(std::size_t n) noexcept {
    if (rest_.size() < n) return false;
    rest_.remove_prefix(n);
    return true;
  }
  bool take_size(std::uint32_t& n) noexcept {
    if (rest_.size() < 4) return false;
    for (int i = 0; i < 4; ++i) n = n << 8 | take_byte();
    return true;
  }
  // An element takes up a byte at least, so that the loops are no longer than the bytes.
  bool are_elements(std::size_t n, std::size_t depth) noexcept {
    if (depth == PackWriter::depth_max) return false;
    for (std::size_t i = 0; i < n; ++i) {
      if (!is_value(depth + 1)) return false;
    }
    return true;
  }
  bool are_members(std::size_t n, std::size_t depth) noexcept {
    if (depth == PackWriter::depth_max) return false;
    for (std::size_t i = 0; i < n; ++i) {
      if (!is_key() || !is_value(depth + 1)) return false;
    }
    return true;
  }
  bool is_key() noexcept {
    if (rest_.empty()) return false;
    const auto first = static_cast<unsigned char>(rest_.front());
    return ((first >= 0xa0 && first <= 0xbf) || first == 0xdb) && is_value(0);
  }

  std::string_view rest_;
};

}  // namespace

bool is_whole_pack(std::string_view bytes) noexcept {
  Check check(bytes);
  return check.is_value(0) && check.is_at_end();
}

}  // namespace actord::message
