// SPDX-License-Identifier: Apache-2.0
#include "settings/reference.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "settings/schema.hpp"

namespace actord::settings {

namespace {

constexpr std::size_t columns = 100;

constexpr std::string_view introduction =
    R"(# SPDX-License-Identifier: Apache-2.0
#
# Every key of actord, with its default, its range and when a change holds.
#
# This file is compiled into actord as the lowest layer; editing a copy of it changes nothing. Write
# what you want different into /etc/actord/actord.conf, or try it with --set KEY=VALUE.
#
# A line that begins with # and no blank after it is a key that has no default of its own; without
# the # it would be valid. One that begins with ## excludes the key before it. NAME, NAME2, PATTERN
# and TYPE stand for names of yours.
#
#   Live            a change holds from a reload on, also for actors that run
#   New actors      it holds for actors that are created after the reload
#   Restart actor   the reload restarts the actor, or puts another in its place
#   Restart         it holds when actord is started again
#
# Durations have a unit: 500 ms, 3 s, 1 minute; a number alone means milliseconds. Beside actord { }
# a configuration may hold vars { } and app { } for values to be used by ${...}, keys that begin
# with x-, and akka { } or pekko { }, of which one key is read (see
# actor.guardian-supervisor-strategy). Any other key is an error.
#
# What lies in vars.secret is never shown, nor is a value that it goes into: such values are for the
# configs of behaviours, and an error at any other key below. A secret may be kept elsewhere:
# { credential = NAME } (of systemd), { file = PATH } or { env = NAME } stands for it.
#
# Over this file lie, the later the stronger: drop-ins of packages in /usr/lib/actord/conf.d and
# /usr/local/lib/actord/conf.d; the main file; drop-ins in conf.d beside the main file and in
# /run/actord/conf.d; variables ACTORD_SET_a_b of the environment; --set. Only the main file
# /etc/actord/actord.conf has drop-ins in /usr and /run. actorctl config files lists what was read.

)";

// The comment line with a key's range, its default, and when a change takes effect.
std::string facts(const SettingKey& key) {
  std::string text = "Range: " + range_text(key) + ". ";
  if (key.is_needed) text += "Needed. ";
  if (!key.standard.empty() && !key.example.empty())
    text.append("Default: ").append(key.standard).append(". ");
  std::string when{name_of(key.reload)};
  when[0] = static_cast<char>(when[0] - 'a' + 'A');
  return text + when + '.';
}

class Page {
 public:
  std::string take() && { return std::move(text_); }

  void key(const SettingKey& key) {
    const std::string_view value = key.example.empty() ? key.standard : key.example;
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
      if (each->shown == Shown::within || each->shown == Shown::apart) continue;
      if (key.type == Type::names && each->own_name() == "*") name_ = key.name;
      this->key(*each);
      if (key.type != Type::names) continue;
      for (const SettingKey* const other : each->members) {
        if (other->shown == Shown::apart) apart(*other, std::string{key.name} + '2');
      }
    }
    if (key.type == Type::names) --sample_;
  }

  // A sample of its own for one key.
  void apart(const SettingKey& key, const std::string& name) {
    comment(key.doc);
    block(name, [&] { block(name_of(key), [&] { members(key); }); });
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
    if (key.shown == Shown::instead) return "##";
    return sample_ > 0 || key.standard.empty() ? "#" : "";
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
  page.key(schema().front());
  return std::move(page).take();
}

}  // namespace

std::string_view reference_text() {
  static const std::string& text = *new std::string{write()};
  return text;
}

}  // namespace actord::settings
