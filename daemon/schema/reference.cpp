// SPDX-License-Identifier: Apache-2.0
#include "schema/reference.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "schema/schema.hpp"

namespace actord::schema {

namespace {

constexpr std::size_t columns = 100;

constexpr std::string_view introduction =
    R"(# SPDX-License-Identifier: Apache-2.0
#
# Every key of actord, with its range, its default and the effect of a reload on it.
#
# This file is compiled into actord as the lowest layer; an edited copy of it changes nothing. Write
# other values into /etc/actord/actord.conf, or try them with --set KEY=VALUE.
#
# A line that begins with # and has no blank after it is a key without a default; it is valid when
# the # is removed. A line that begins with ## is an alternative to keys before it: it is wrong
# beside them. NAME, NAME2, PATTERN and TYPE stand for names that you choose.
#
#   Live            a reload applies the new value, also to actors that run
#   New actors      a reload applies the new value to actors that are created after it
#   Restart actor   a reload restarts the actor, or replaces it
#   Restart         the new value applies when actord is started again
#
# Durations have a unit: 500 ms, 3 s, 1 minute; a number alone means milliseconds. Beside actord { }
# a configuration may hold vars { } and app { } for values to be used by ${...}, keys that begin
# with x-, and akka { } or pekko { }, of which one key is read (see
# actor.guardian-supervisor-strategy). Any other key is an error.
#
# Values in vars.secret are never shown, nor are values that contain one of them. The config of a
# behaviour may use them; at any other key below they are an error. A secret may be kept elsewhere:
# write { credential = NAME } (of systemd), { file = PATH } or { env = NAME }.
#
# These layers override this file, each later one the earlier ones: drop-ins of packages in
# /usr/lib/actord/conf.d and /usr/local/lib/actord/conf.d; the main file; drop-ins in conf.d beside
# the main file and in /run/actord/conf.d; environment variables ACTORD_SET_a_b; --set. Drop-ins in
# /usr and /run apply only to the main file /etc/actord/actord.conf. actorctl config files lists all
# files.

)";

// The comment line with a key's range, its default, and when a change takes effect.
std::string facts(const SettingKey& key) {
  std::string text = "Range: " + range_text(key) + ". ";
  if (key.is_needed) text += "Needed. ";
  if (!key.default_value.empty() && !key.example.empty())
    text.append("Default: ").append(key.default_value).append(". ");
  std::string when{name_of(key.reload)};
  when[0] = static_cast<char>(when[0] - 'a' + 'A');
  return text + when + '.';
}

class Page {
 public:
  std::string take() && { return std::move(text_); }

  void key(const SettingKey& key) {
    const std::string_view value = key.example.empty() ? key.default_value : key.example;
    if (!value.empty()) {
      comment(key.doc);
      comment(facts(key));
      const std::string is = value.starts_with('{') ? " " : " = ";
      return line(name_of(key) + is + std::string{value}, mark_of(key));
    }
    if (is_joined(key)) return joined(key);
    comment(key.doc);
    if (!key.words.empty()) comment(facts(key));
    block(name_of(key), [&] { members(key); });
  }

 private:
  template <class Body>
  void block(const std::string& name, Body body) {
    separate();
    line(name + " {", sample_ > 0 ? "#" : "");
    indent_ += 2;
    is_first_ = true;
    body();
    indent_ -= 2;
    line("}", sample_ > 0 ? "#" : "");
    is_first_ = false;
  }

  void members(const SettingKey& key) {
    if (key.type == Type::names) ++sample_;
    for (const SettingKey* const each : key.members) {
      if (each->shown == Shown::in_example || each->shown == Shown::separately) continue;
      if (key.type == Type::names && each->own_name() == "*") name_ = key.name;
      this->key(*each);
      if (key.type != Type::names) continue;
      int samples = 1;
      for (const SettingKey* const other : each->members) {
        if (other->shown == Shown::separately)
          apart(*each, *other, std::string{key.name} + std::to_string(++samples));
      }
    }
    if (key.type == Type::names) --sample_;
  }

  // A sample of its own for one key of the section, beside the first one, to which it belongs.
  void apart(const SettingKey& section, const SettingKey& key, const std::string& name) {
    comment(key.doc);
    block(name, [&] {
      const SettingKey& first = *section.members.front();
      line(std::string{first.own_name()} + " = " + std::string{first.example}, "#");
      block(name_of(key), [&] { members(key); });
    });
  }

  // Whether a { b = 1 } is written as a.b = 1: the section has one member and no documentation.
  static bool is_joined(const SettingKey& key) {
    return key.doc.empty() && key.members.size() == 1 && key.type == Type::section;
  }
  void joined(const SettingKey& section) {
    prefix_ = name_of(section) + '.';
    key(*section.members.front());
  }

  std::string name_of(const SettingKey& key) {
    const std::string_view name = key.own_name() == "*" ? name_ : key.own_name();
    return std::exchange(prefix_, {}) + std::string{name};
  }

  std::string_view mark_of(const SettingKey& key) const {
    if (key.shown == Shown::as_alternative) return "##";
    return sample_ > 0 || key.default_value.empty() ? "#" : "";
  }

  void line(const std::string& text, std::string_view mark) {
    text_.append(indent_, ' ').append(mark).append(text).append("\n");
    is_commented_ = false;
    is_first_ = false;
  }

  // Adds a blank line before a key, unless the key is the first of its block.
  void separate() {
    if (!is_commented_ && !is_first_) text_ += '\n';
  }

  // Adds a comment, with line breaks at blanks.
  void comment(std::string_view text) {
    if (text.empty()) return;
    separate();
    is_commented_ = true;
    const std::size_t room = columns - indent_ - 2;
    while (!text.empty()) {
      std::size_t end = text.size() <= room ? text.size() : text.rfind(' ', room);
      if (end == text.npos) end = std::min(text.find(' '), text.size());  // one long word
      text_.append(indent_, ' ').append("# ").append(text.substr(0, end)).append("\n");
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  std::string text_{introduction};
  std::string prefix_;     // of the next name
  std::string_view name_;  // the sample name for names that the operator chooses
  std::size_t indent_ = 0;
  int sample_ = 0;  // nesting depth of samples
  bool is_first_ = true, is_commented_ = false;
};

std::string write() {
  Page page;
  page.key(keys().front());
  return std::move(page).take();
}

}  // namespace

std::string_view reference_text() {
  static const std::string& text = *new std::string{write()};
  return text;
}

}  // namespace actord::schema
