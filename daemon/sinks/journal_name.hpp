// SPDX-License-Identifier: Apache-2.0
//
// The name that a field of a record has in the journal.
//
// The journal takes names of at most 64 letters A to Z, digits and underscores, and drops a field
// with any other name without a word.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace actord::sinks {

/// The name, without an allocation.
class JournalName {
 public:
  static constexpr std::size_t size_max = 64;

  constexpr std::string_view view() const noexcept { return {text_.data(), size_}; }
  friend constexpr bool operator==(const JournalName& a, const JournalName& b) noexcept {
    return a.view() == b.view();
  }

  /// Appends the key as the rule below says; what exceeds size_max is left out.
  constexpr void append(std::string_view key) noexcept {
    for (const char c : key.substr(0, size_max - size_)) {
      const bool is_lower = c >= 'a' && c <= 'z';
      const bool is_allowed = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      text_[size_++] = is_lower ? static_cast<char>(c - 'a' + 'A') : is_allowed ? c : '_';
    }
  }

 private:
  std::array<char, size_max> text_{};
  std::size_t size_ = 0;
};

/// The fields that operators search for most have names shorter than the rule gives.
struct ShortJournalName {
  std::string_view key, name;
};
inline constexpr std::array<ShortJournalName, 3> short_journal_names = {
    {{"actor.path", "ACTORD_ACTOR"},
     {"actor.behaviour", "ACTORD_BEHAVIOUR"},
     {"plugin.name", "ACTORD_PLUGIN"}}};

/// ACTORD_ and the key in upper case, where each character that is neither a letter nor a digit
/// becomes an underscore: `failure.id` is ACTORD_FAILURE_ID. The suffix is one of a unit, such as
/// "_ms".
constexpr JournalName journal_name(std::string_view key, std::string_view suffix = {}) noexcept {
  JournalName name;
  const auto* const found = std::ranges::find(short_journal_names, key, &ShortJournalName::key);
  if (found != short_journal_names.end()) {
    name.append(found->name);
    return name;
  }
  name.append("ACTORD_");
  name.append(key);
  name.append(suffix);
  return name;
}

/// The name of a field whose name by journal_name() belongs to another field: ACTORD_FIELDS_ and
/// the key, by the same rule. In JSON such a field is a member of "fields".
constexpr JournalName journal_misfit_name(std::string_view key,
                                          std::string_view suffix = {}) noexcept {
  JournalName name;
  name.append("ACTORD_FIELDS_");
  name.append(key);
  name.append(suffix);
  return name;
}

static_assert(journal_name("failure.id").view() == "ACTORD_FAILURE_ID");
static_assert(journal_name("restart.delay", "_ms").view() == "ACTORD_RESTART_DELAY_MS");
static_assert(journal_name("actor.path").view() == "ACTORD_ACTOR");

}  // namespace actord::sinks
