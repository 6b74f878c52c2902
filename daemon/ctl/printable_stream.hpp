// SPDX-License-Identifier: Apache-2.0
//
// A stream in front of another one that lets through only what a terminal can show.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace actord::ctl {

/// Passes whole lines on, and the rest when it is flushed; what the other stream refuses fails here
/// as well. JSON passes unchanged: its texts are escaped where it matters (json_output.hpp).
class PrintableBuffer : public std::streambuf {
 public:
  explicit PrintableBuffer(std::ostream& target) : target_(target) {}
  PrintableBuffer(const PrintableBuffer&) = delete;
  PrintableBuffer& operator=(const PrintableBuffer&) = delete;
  ~PrintableBuffer() override { pass_on(pending_.size()); }

 protected:
  int_type overflow(int_type byte) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  bool pass_on(std::size_t size);

  std::ostream& target_;
  std::string pending_;  // a line that is not yet complete
};

}  // namespace actord::ctl
