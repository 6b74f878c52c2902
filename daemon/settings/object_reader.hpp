// SPDX-License-Identifier: Apache-2.0
//
// Reads one object of the configuration member by member, with the words and ranges of the schema,
// and in the end tells which members are unknown and which are lacking.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>

#include "settings/findings.hpp"
#include "settings/schema.hpp"
#include "settings/word.hpp"

namespace actord::settings {

/// A key of another system and ours for the same thing.
struct ForeignKey {
  std::string_view theirs;
  std::string_view ours;
};

/// The members of an object. A member that is absent, null or wrong leaves its target as it is;
/// what is wrong goes to the findings. Only keys of the schema may be asked for.
class ObjectReader {
  using NoWords = std::array<Word<std::int64_t>, 0>;

 public:
  /// `section` says what the object may hold. An absent or null `object` has no members; anything
  /// else that is no object is an error.
  ObjectReader(Findings& findings, const hocon::Value& object, const SettingKey& section);

  /// The member of that name; absent when there is none or it is null.
  hocon::Value take(std::string_view key);
  ObjectReader section(std::string_view key);
  /// All members, whose names the operator chose: none of them is unknown.
  std::vector<hocon::Member> take_all();

  void read(std::string_view key, bool& out);
  void read(std::string_view key, std::string& out);
  void read(std::string_view key, double& out);
  /// A whole number, or one of `words`, which stand for numbers.
  template <class T, class Words = NoWords>
  void read(std::string_view key, T& out, const Words& words = {});
  void read_duration(std::string_view key, std::int64_t& out_ns);
  /// A size, or one of `words`, which stand for sizes.
  template <class Words = NoWords>
  void read_size(std::string_view key, std::int64_t& out_bytes, const Words& words = {});
  /// `words` translates the words that the schema has for this key (known_words.hpp).
  template <class E, class Words>
  void read_word(std::string_view key, E& out, const Words& words);

  /// Refuses what was not taken and tells of what is needed.
  void finish(std::initializer_list<ForeignKey> foreign = {});

  bool exists() const noexcept { return object_.exists(); }
  const hocon::Value& object() const noexcept { return object_; }
  Findings& findings() const noexcept { return findings_; }
  /// What the schema says of a member.
  const SettingKey& key(std::string_view name) const;

 private:
  std::string help_for(const hocon::Member& unknown,
                       std::initializer_list<ForeignKey> foreign) const;
  void tell_of_needed() const;

  Findings& findings_;
  hocon::Value object_;
  const SettingKey& section_;
  std::vector<std::string_view> taken_;
};

/// Whether `value` is that word; an absent one is none.
bool is_word(const hocon::Value& value, std::string_view word);

/// "expected one of a, b, got …", with what was probably meant.
hocon::Diagnostic no_such_word(const hocon::Value& value,
                               const std::vector<std::string_view>& words,
                               std::string_view wanted = {});

/// The whole number that `value` is or that its word stands for; nothing if it is neither, which
/// the findings tell.
template <class Words>
std::optional<std::int64_t> number_or_word(Findings& findings, const hocon::Value& value,
                                           const Words& words, std::int64_t least,
                                           std::int64_t most);
/// The finding about a text that is no number although it should be one, or one of `words`.
std::optional<hocon::Diagnostic> why_no_number(const hocon::Value& value,
                                               const std::vector<std::string_view>& words);

/// The size that `value` is, if it lies within the range of its key; the findings tell otherwise.
std::optional<std::int64_t> size_within(Findings& findings, const hocon::Value& value,
                                        const SettingKey& key);

/// What the word means that `value` is; nothing if it is none of them.
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
                                           const Words& words, std::int64_t least,
                                           std::int64_t most) {
  if (const auto meaning = meaning_of(value, words)) return *meaning;
  if (auto wrong = why_no_number(value, names_of(words))) {
    findings.add(std::move(*wrong));
    return std::nullopt;
  }
  return findings.take(value.as_int64(least, most));
}

template <class T, class Words>
void ObjectReader::read(std::string_view name, T& out, const Words& words) {
  const hocon::Value value = take(name);
  if (!value) return;
  if (const auto number = number_or_word(findings_, value, words, key(name).least, key(name).most))
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
  else findings_.add(no_such_word(value, key(name).words));
}

}  // namespace actord::settings
