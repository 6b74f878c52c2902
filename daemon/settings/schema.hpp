// SPDX-License-Identifier: Apache-2.0
//
// The schema: every key of the configuration, once. What it takes, what holds without it, when a
// change of it holds, and what it is for.
//
// The readers of this room take words and ranges from here; config/reference.conf, the manual page
// and the JSON Schema are written from it.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace actord::settings {

/// When a change of a key holds, which a reload makes true.
enum class Reload : std::uint8_t {
  live,           ///< from the reload on, also for actors that run
  new_actors,     ///< for actors that are created after the reload
  restart_actor,  ///< the reload restarts the actor, or puts another in its place
  restart,        ///< not before actord is started again
};
/// "live", "new actors", "restart actor", "restart".
std::string_view name_of(Reload reload) noexcept;

enum class Type : std::uint8_t {
  section,  ///< an object; its members are keys of their own
  names,    ///< an object with a member for each name that the operator chooses: the key PATH.*
  object,   ///< an object whose members are not actord's to know
  boolean,
  integer,
  number,
  duration,
  size,  ///< in bytes
  text,
  path,  ///< of a file or folder
  list,
  word,  ///< one of `words`, nothing else
};

/// How reference.conf shows a key.
enum class Shown : std::uint8_t {
  itself,   ///< where it belongs
  apart,    ///< in a sample of its own, for it excludes what stands beside it
  instead,  ///< where it belongs, and excluding the key before it
  within,   ///< in the example of its section
};

/// A key, or a section of keys. Constant, for the life of the process; the table owns no texts but
/// the paths.
struct SettingKey {
  static constexpr std::int64_t no_least = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t no_most = std::numeric_limits<std::int64_t>::max();

  std::string path;  ///< "actord.actor.deployment.*.dispatcher": `*` for a name of the operator's
  Type type = Type::section;
  std::vector<std::string_view> words = {};  ///< taken beside what the type takes
  /// Of an integer, a number, a duration in ns, a size in bytes, or of the elements of a list by
  /// number; inclusive.
  std::int64_t least = no_least, most = no_most;
  std::string_view form = {};      ///< of a text, as an ECMAScript pattern; empty: any
  Type elements = Type::text;      ///< of a list
  bool is_needed = false;          ///< its section does not do without it
  std::string_view range = {};     ///< in words, where the above does not say enough
  std::string_view standard = {};  ///< the default, in HOCON; empty: none, or `doc` tells which
  std::string_view example = {};   ///< in HOCON, where it teaches more than the default
  std::string_view name = {};      ///< of Type::names: what stands for a name in a sample
  std::string_view like = {};      ///< the key whose members this section has as well
  Shown shown = Shown::itself;
  Reload reload = Reload::restart;
  bool is_secret = false;     ///< its value is never told
  std::string_view doc = {};  ///< what it is for, a paragraph without newlines

  std::vector<const SettingKey*> members = {};  ///< of a section, in the order of the table

  /// The last element of the path: "dispatcher", or "*".
  std::string_view own_name() const noexcept;
  /// The key of that name below this one, which may be one of the operator's; null: there is none.
  const SettingKey* member(std::string_view name) const noexcept;
};

/// All keys, each section before its members, in the order of reference.conf; "actord" is the
/// first. A section that has its members from another one (`like`, and the children of an actor)
/// has none of its own here. Threads: any.
std::span<const SettingKey> schema();

/// The key of a path as an operator writes it, such as `actord.user.crawler.children.x.dispatcher`
/// or `actord.actor.deployment."/user/x".mailbox`, or as the table does; null: there is none.
/// What lies inside an object of Type::object belongs to that. Also knows the guardian's strategy
/// under akka and pekko.
const SettingKey* key_for(std::string_view concrete_path);

/// The path with the names that samples use: "actord.user.NAME.dispatcher".
std::string sample_path(const SettingKey& key);

/// What the key takes, in words: "auto | 1 to 64".
std::string range_text(const SettingKey& key);

}  // namespace actord::settings
