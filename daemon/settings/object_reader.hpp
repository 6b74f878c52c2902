// SPDX-License-Identifier: Apache-2.0
//
// Reads one object of the configuration member by member and, in the end, refuses the members that
// nobody has asked for.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>

#include "settings/findings.hpp"

namespace actord::settings {

template <class E>
struct Word {
  std::string_view word;
  E value;
};

/// A key of another system and ours for the same thing.
struct ForeignKey {
  std::string_view theirs;
  std::string_view ours;
};

/// The members of an object. A member that is absent, null or wrong leaves its target as it is;
/// what is wrong goes to the findings.
class ObjectReader {
 public:
  /// `pattern` is the path with a `*` for each name that the operator chose. An absent or null
  /// `object` has no members; anything else that is no object is an error.
  ObjectReader(Findings& findings, const hocon::Value& object, std::string pattern);

  /// The member of that name; absent when there is none or it is null.
  hocon::Value take(std::string_view key);
  ObjectReader section(std::string_view key);
  /// All members, whose names the operator chose: none of them is unknown.
  std::vector<hocon::Member> take_all();

  void read(std::string_view key, bool& out);
  void read(std::string_view key, std::string& out);
  void read(std::string_view key, double& out, double least, double most);
  template <class T>
  void read(std::string_view key, T& out, std::int64_t least, std::int64_t most);
  void read_duration(std::string_view key, std::int64_t& out_ns, std::int64_t least_ns,
                     std::int64_t most_ns = std::numeric_limits<std::int64_t>::max());
  template <class E>
  void read_word(std::string_view key, E& out, std::initializer_list<Word<E>> words);

  /// Refuses what was not taken.
  void finish(std::initializer_list<ForeignKey> foreign = {});

  bool exists() const noexcept { return object_.exists(); }
  const hocon::Value& object() const noexcept { return object_; }
  Findings& findings() const noexcept { return findings_; }
  std::string pattern_of(std::string_view key) const { return pattern_ + '.' + std::string{key}; }

 private:
  std::string help_for(const hocon::Member& unknown,
                       std::initializer_list<ForeignKey> foreign) const;

  Findings& findings_;
  hocon::Value object_;
  std::string pattern_;
  std::vector<std::string_view> taken_;
};

/// Whether `value` is that word; an absent one is none.
bool is_word(const hocon::Value& value, std::string_view word);

/// "expected one of a, b, got …", with what was probably meant.
hocon::Diagnostic no_such_word(const hocon::Value& value,
                               const std::vector<std::string_view>& words,
                               std::string_view wanted = {});

template <class T>
void ObjectReader::read(std::string_view key, T& out, std::int64_t least, std::int64_t most) {
  const hocon::Value value = take(key);
  if (!value) return;
  if (const auto number = findings_.take(value.as_int64(least, most)))
    out = static_cast<T>(*number);
}

template <class E>
void ObjectReader::read_word(std::string_view key, E& out, std::initializer_list<Word<E>> words) {
  const hocon::Value value = take(key);
  if (!value) return;
  std::vector<std::string_view> names;
  for (const Word<E>& each : words) {
    if (is_word(value, each.word)) {
      out = each.value;
      return;
    }
    names.push_back(each.word);
  }
  findings_.add(no_such_word(value, names));
}

}  // namespace actord::settings
