// SPDX-License-Identifier: Apache-2.0
//
// Reads an object of the configuration member by member, with the words and ranges of the schema.
// At the end it reports unknown and missing members.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "schema/schema.hpp"
#include "schema/word.hpp"
#include "settings/findings.hpp"

namespace actord::settings {

/// A key of another system, and our key with the same meaning.
struct EquivalentKey {
  std::string_view theirs;
  std::string_view ours;
};

/// Reads the members of an object. A member that is absent, null or invalid leaves its target
/// unchanged. Errors go to the findings. Only keys of the schema may be read.
class ObjectReader {
  using NoWords = std::array<schema::Word<std::int64_t>, 0>;

 public:
  /// `section` describes the object. An absent or null `object` has no members; any other value
  /// that is not an object is an error.
  ObjectReader(Findings& findings, const hocon::Value& object, const schema::SettingKey& section);

  /// The member of that name; absent if there is none or it is null. finish() then counts it as
  /// read.
  hocon::Value take(std::string_view key);
  ObjectReader section(std::string_view key);
  /// All members of an object whose member names the operator chooses; none of them is unknown.
  std::vector<hocon::Member> take_all();

  void read(std::string_view key, bool& out);
  void read(std::string_view key, std::optional<bool>& out);
  void read(std::string_view key, std::string& out);
  void read(std::string_view key, double& out);
  /// Reads an integer, or one of `words`, which stand for integers.
  template <class T, class Words = NoWords>
  void read(std::string_view key, T& out, const Words& words = {});
  void read_duration(std::string_view key, std::int64_t& out_ns);
  /// Reads a size in bytes, or one of `words`, which stand for sizes.
  template <class Words = NoWords>
  void read_size(std::string_view key, std::int64_t& out_bytes, const Words& words = {});
  /// `words` translates the words that the schema lists for this key (schema/known_words.hpp).
  template <class E, class Words>
  void read_word(std::string_view key, E& out, const Words& words);

  /// Reports members that were not read, and needed members that are missing.
  void finish(std::initializer_list<EquivalentKey> equivalents = {});

  bool exists() const noexcept { return object_.exists(); }
  const hocon::Value& object() const noexcept { return object_; }
  Findings& findings() const noexcept { return findings_; }
  /// The schema of a member.
  const schema::SettingKey& key(std::string_view name) const;

 private:
  std::string help_for(const hocon::Member& unknown,
                       std::initializer_list<EquivalentKey> equivalents) const;
  void report_missing() const;

  Findings& findings_;
  hocon::Value object_;
  const schema::SettingKey& section_;
  std::vector<std::string_view> taken_;
};

/// Whether `value` is that word; false if it is absent.
bool is_word(const hocon::Value& value, std::string_view word);
/// Whether `value` is `off`, which in HOCON is a truth value; false if it is absent.
bool is_off(const hocon::Value& value);

/// The finding "expected one of a, b, got …", with a suggestion.
hocon::Diagnostic unknown_word(const hocon::Value& value, std::span<const std::string_view> words,
                               std::string_view wanted = {});
inline hocon::Diagnostic unknown_word(const hocon::Value& value,
                                      std::initializer_list<std::string_view> words,
                                      std::string_view wanted) {
  return unknown_word(value, std::span(words.begin(), words.size()), wanted);
}

/// The integer that `value` is or that its word stands for. If it is neither, adds a finding and
/// returns nullopt.
template <class Words>
std::optional<std::int64_t> number_or_word(Findings& findings, const hocon::Value& value,
                                           const Words& words, std::int64_t min, std::int64_t max);
/// The finding for a text that is neither a number nor one of `words`; nullopt if `value` is not
/// such a text.
std::optional<hocon::Diagnostic> number_error(const hocon::Value& value,
                                              std::span<const std::string_view> words);

/// The size of `value` in bytes. If it is not within the range of its key, adds a finding and
/// returns nullopt.
std::optional<std::int64_t> size_within(Findings& findings, const hocon::Value& value,
                                        const schema::SettingKey& key);

/// The meaning of the word that `value` is; nullopt if it is none of `words`.
template <class Words>
auto meaning_of(const hocon::Value& value, const Words& words) {
  std::optional<std::remove_cvref_t<decltype(words.begin()->value)>> meaning;
  for (const auto& each : words) {
    if (!meaning && is_word(value, each.word)) meaning = each.value;
  }
  return meaning;
}

template <class Words>
std::optional<std::int64_t> number_or_word(Findings& findings, const hocon::Value& value,
                                           const Words& words, std::int64_t min, std::int64_t max) {
  if (const auto meaning = meaning_of(value, words)) return *meaning;
  if (auto wrong = number_error(value, schema::names_of(words))) {
    findings.add(std::move(*wrong));
    return std::nullopt;
  }
  return findings.take(value.as_int64(min, max));
}

template <class T, class Words>
void ObjectReader::read(std::string_view name, T& out, const Words& words) {
  const hocon::Value value = take(name);
  if (!value) return;
  if (const auto number = number_or_word(findings_, value, words, key(name).min, key(name).max))
    out = static_cast<T>(*number);
}

template <class Words>
void ObjectReader::read_size(std::string_view name, std::int64_t& out_bytes, const Words& words) {
  const hocon::Value value = take(name);
  if (!value) return;
  if (const auto meaning = meaning_of(value, words)) out_bytes = *meaning;
  else if (const auto bytes = size_within(findings_, value, key(name))) out_bytes = *bytes;
}

template <class E, class Words>
void ObjectReader::read_word(std::string_view name, E& out, const Words& words) {
  const hocon::Value value = take(name);
  if (!value) return;
  if (const auto meaning = meaning_of(value, words)) out = *meaning;
  else findings_.add(unknown_word(value, schema::names_of(words)));
}

}  // namespace actord::settings
