// SPDX-License-Identifier: Apache-2.0
#include "journal/checksum.hpp"

#include <doctest/doctest.h>

#include <boost/crc.hpp>
#include <string>

namespace actord::journal {

TEST_CASE("a checksum is CRC-32C") {
  CHECK(Checksum{}.value() == 0);
  CHECK(Checksum{}.add(std::string_view{"123456789"}).value() == 0xE3069283);
}

TEST_CASE("bytes in parts have the checksum that Boost has of the whole") {
  std::string bytes;
  for (int size = 0; size < 40; ++size, bytes += static_cast<char>(size * 37)) {
    boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> whole;
    whole.process_bytes(bytes.data(), bytes.size());
    const std::string_view view = bytes;
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut)
      CHECK(Checksum{}.add(view.substr(0, cut)).add(view.substr(cut)).value() == whole.checksum());
  }
}

TEST_CASE("the checksum of an entry knows where its type ends") {
  CHECK(entry_checksum({}, 1, "ab", "c") != entry_checksum({}, 1, "a", "bc"));
  CHECK(entry_checksum({}, 1, "a", "b") != entry_checksum({}, 2, "a", "b"));
}

}  // namespace actord::journal
