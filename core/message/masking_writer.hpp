// SPDX-License-Identifier: Apache-2.0
//
// Writes a message without its secrets: it passes everything on to another writer, and "…" in place
// of each member that the type calls secret, whatever is in it.
#pragma once

#include <actord/plugin.h>

#include <span>
#include <string>
#include <vector>

namespace actord::message {

/// The members that are never shown; empty for a plugin that is older than 1.6.
std::span<const actord_str> secrets_of(const actord_message_type& type) noexcept;
/// Whether `path`, such as {"cards", "2", "pin"}, is the member `secret` ("cards.*.pin").
bool is_secret_path(std::string_view secret, std::span<const std::string> path) noexcept;

/// Throws std::bad_alloc out of its functions only if `to` does, or for want of memory.
class MaskingWriter : public actord_writer {
 public:
  /// All of them outlive the object.
  MaskingWriter(actord_writer& to, std::span<const actord_str> secrets);

 private:
  static MaskingWriter& of(actord_writer* writer) { return static_cast<MaskingWriter&>(*writer); }
  // Whether the value that comes next is passed on. If not, writes "…" for it.
  bool passes();
  void begin(void (*begin_it)(actord_writer*, std::size_t), std::size_t n);

  actord_writer& to_;
  const std::span<const actord_str> secrets_;
  std::vector<std::string> path_;  // the key in each open map, and "*" in each list
  std::size_t hidden_ = 0;         // open lists and maps that are not passed on
};

/// Writes the message with all but its secrets. The status is that of the type's write().
actord_status write_masked(const actord_message_type& type, const void* message, actord_writer& to,
                           actord_errors& errors);

}  // namespace actord::message
