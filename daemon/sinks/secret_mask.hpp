// SPDX-License-Identifier: Apache-2.0
//
// Replaces the texts of known secrets wherever a plugin or a library may have put them: in log
// records, and in what an exception says.
//
// A text is scanned once, whatever the number of secrets: the first eight bytes at each position
// are looked up in a small set of bits. It takes some 2 ns a byte, 0.3 us for a usual record, on
// the thread that writes the log; without secrets it takes nothing.
#pragma once

#include <atomic>
#include <bitset>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/sync.hpp"
#include "log/log_record.hpp"

namespace actord::sinks {

/// Threads: all calls by any thread.
class SecretMask {
 public:
  /// Shorter secrets are not masked: they would turn up in ordinary words.
  static constexpr std::size_t size_min = 8;
  static constexpr std::string_view mask = "(secret)";

  /// Masks these from now on, beside those of earlier calls, which actors may still have.
  void add(const std::vector<std::string>& secrets);

  /// The text with a mask in place of each secret.
  std::string masked(std::string_view text) const;

 private:
  friend class RecordMask;

  struct Secrets {
    std::bitset<1 << 12> beginnings;        // hashes of the first eight bytes
    std::vector<std::string> by_beginning;  // sorted; of equal beginnings the longest first

    /// The size of the secret at the start of `text`, which has eight bytes or more; 0: none.
    std::size_t size_at(std::string_view text) const noexcept;
    /// Appends the text without secrets to `out`; false if it has none, and `out` is unchanged.
    bool append_masked(std::string_view text, std::string& out) const;
  };

  std::shared_ptr<const Secrets> secrets() const;

  mutable base::Mutex lock_;
  std::shared_ptr<const Secrets> secrets_;  // null: there are none
  std::atomic<std::uint64_t> version_{0};   // changes after `secrets_`
};

/// Masks records. Used by one thread.
class RecordMask {
 public:
  explicit RecordMask(const SecretMask& mask) : mask_(mask) {}

  /// The record without secrets. Valid until the next call.
  const log::Record& masked(const log::Record& record);

 private:
  std::string_view masked_text(std::string_view text);

  const SecretMask& mask_;
  std::uint64_t version_ = 0;
  std::shared_ptr<const SecretMask::Secrets> secrets_;
  log::Record record_;
  std::vector<log::Field> fields_;
  std::deque<std::string> texts_;
  std::deque<std::vector<std::string_view>> lists_;
};

}  // namespace actord::sinks
