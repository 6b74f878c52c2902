// SPDX-License-Identifier: Apache-2.0
//
// A stream buffer that passes only printable text to another stream.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace actord::ctl {

/// Passes complete lines on, and the rest when it is flushed or destroyed. Errors of the target
/// stream are errors of this one. JSON passes unchanged, because json_output.hpp has escaped it.
class PrintableBuffer : public std::streambuf {
 public:
  explicit PrintableBuffer(std::ostream& target) : target_(target) {}
  PrintableBuffer(const PrintableBuffer&) = delete;
  PrintableBuffer& operator=(const PrintableBuffer&) = delete;
  ~PrintableBuffer() override { pass_on(pending_.size()); }

  /// Passes what was written so far on, and then a text of actorctl's own that is not to be made
  /// printable: an escape sequence.
  void pass_unchanged(std::string_view text) {
    pass_on(pending_.size());
    target_ << text;
  }

 protected:
  int_type overflow(int_type byte) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  bool pass_on(std::size_t size);

  std::ostream& target_;
  std::string pending_;  // an incomplete line
};

}  // namespace actord::ctl
