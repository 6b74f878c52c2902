// SPDX-License-Identifier: Apache-2.0
//
// The schema: every key of the configuration, once, with the values it accepts, its default, when
// a change takes effect, and its purpose.
//
// The readers in settings take words and ranges from here. config/reference.conf, the manual
// page and the JSON Schema are generated from it.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace actord::schema {

/// When a change of a key takes effect.
enum class Reload : std::uint8_t {
  live,           ///< with the reload, also for running actors
  new_actors,     ///< for actors that are created after the reload
  restart_actor,  ///< the reload restarts or replaces the actor
  restart,        ///< when actord is restarted
};
/// "live", "new actors", "restart actor", "restart".
std::string_view name_of(Reload reload) noexcept;

enum class Type : std::uint8_t {
  section,  ///< an object; its members are keys of their own
  names,    ///< an object with a member for each name that the operator chooses: the key PATH.*
  object,   ///< an object whose members actord does not define
  boolean,
  integer,
  number,
  duration,
  size,  ///< in bytes
  text,
  path,  ///< of a file or directory
  list,
  word,  ///< only one of `words`
};

/// How reference.conf shows a key.
enum class Shown : std::uint8_t {
  in_section,      ///< in its section
  separately,      ///< in a sample of its own, because it excludes the keys beside it
  as_alternative,  ///< in its section, as an alternative to keys before it
  in_example,      ///< within the example of its section
};

/// A key or a section of keys. Constant for the life of the process. All texts are literals.
struct SettingKey {
  static constexpr std::int64_t no_min = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t no_max = std::numeric_limits<std::int64_t>::max();

  /// "actord.actor.deployment.*.dispatcher": `*` for a name that the operator chooses
  std::string_view path;
  Type type = Type::section;
  /// accepted in addition to values of the type
  std::span<const std::string_view> words = {};
  /// Inclusive bounds: of an integer, a number, a duration in ns, a size in bytes, or of the number
  /// of elements in a list.
  std::int64_t min = no_min, max = no_max;
  std::string_view form = {};   ///< of a text, as an ECMAScript pattern; empty: any text
  Type elements = Type::text;   ///< type of a list's elements
  bool is_needed = false;       ///< its section is invalid without it
  std::string_view range = {};  ///< accepted values as text, if the other members do not suffice
  /// the default, in HOCON; empty: none, or `doc` describes it
  std::string_view default_value = {};
  std::string_view example = {};     ///< in HOCON, if it shows more than the default
  std::string_view name = {};        ///< of Type::names: the sample name
  std::string_view members_of = {};  ///< the key whose members this section also has
  Shown shown = Shown::in_section;
  Reload reload = Reload::restart;
  bool is_secret = false;     ///< its value is never shown
  std::string_view doc = {};  ///< documentation: one paragraph without newlines

  /// of a section, in the order of the table
  std::span<const SettingKey* const> members = {};

  /// The last element of the path: "dispatcher", or "*".
  std::string_view own_name() const noexcept;
  /// The member key of that name, or the key for any name (`*`); null: there is none.
  const SettingKey* member(std::string_view name) const noexcept;
};

/// All keys in the order of reference.conf, each section before its members; "actord" is the first.
/// A section that has the members of another one (`like`, and the children of an actor) has no keys
/// of its own here. Threads: any.
std::span<const SettingKey> keys();

/// The key for a path, written as by an operator, such as
/// `actord.user.crawler.children.x.dispatcher` or `actord.actor.deployment."/user/x".mailbox`, or
/// as in the table; null: there is none. A path inside an object of Type::object has that object's
/// key. Also finds the guardian's strategy under akka and pekko.
const SettingKey* key_for(std::string_view concrete_path);

/// The path with sample names: "actord.user.NAME.dispatcher".
std::string sample_path(const SettingKey& key);

/// The accepted values as text: "auto | 1 to 64".
std::string range_text(const SettingKey& key);

}  // namespace actord::schema
