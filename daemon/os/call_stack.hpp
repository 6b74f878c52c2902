// SPDX-License-Identifier: Apache-2.0
//
// The calls that a thread is in: taken in a signal handler, described later on any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace actord::os {

class CallStack {
 public:
  static constexpr std::size_t frames_max = 32;

  /// Loads what capture() needs. Call it once before, outside of signal handlers.
  static void prepare();

  /// Takes the calls of the calling thread. Async-signal-safe after prepare(): the unwinder of
  /// GCC 12 finds the tables of a library without a lock if the C library is glibc 2.35 or later.
  /// `program_counter`: the calls from this instruction outwards, without those of the signal
  /// handler. Null, or not found: all calls.
  void capture(const void* program_counter) noexcept;

  /// The call of this instruction alone. Async-signal-safe.
  static CallStack at(const void* program_counter) noexcept;
  /// The calls with these return addresses, the innermost first; at most 32 of them.
  static CallStack of(std::span<void* const> return_addresses) noexcept;

  /// One text for each call, the innermost first: "function (library.so)", or if the name of the
  /// function is not known "library.so+0x12f0". Reads the symbol tables of the libraries' files.
  std::vector<std::string> described() const;
  /// A call, for a description in another process.
  struct Place {
    const char* file = "";                    // empty: the executable
    std::uintptr_t offset = 0;                // in the file's code, as addr2line expects it
    std::span<const unsigned char> build_id;  // of the file; empty: it has none
  };
  std::size_t size() const noexcept { return end_ - begin_; }
  /// The call with this number; 0 is the innermost. Nullopt: its code is in no file.
  /// Async-signal-safe.
  std::optional<Place> place(std::size_t number) const noexcept;
  /// As described(), for a place of another process. `build_id` is in hexadecimal. `copy` is the
  /// path of a copy of the file, which is read instead; empty: there is none.
  static std::string described(const std::string& file, std::uintptr_t offset,
                               std::string_view build_id, const std::string& copy = {});

  /// The file that has the code which exit() has called, if this is the stack of a thread in
  /// exit(): the library whose static objects are being destroyed. Empty: it is not known.
  std::string file_called_by_exit() const;

 private:
  static constexpr std::size_t handler_frames_max = 8;

  const void* code_of(std::size_t frame) const noexcept;

  std::array<void*, frames_max + handler_frames_max> frames_;  // the first `end_` are set
  std::size_t begin_ = 0, end_ = 0;
  bool is_first_interrupted_ = true;  // it is where the thread was, and no return address
};

}  // namespace actord::os
