// SPDX-License-Identifier: Apache-2.0
//
// Records as JSON, one object per line, schema "actord.log/2".
//
//   {"ts":"…Z","level":"error","event":"actor.failed","msg":"…","seq":7,"pid":1,"tid":2,"boot":"…",
//    "system":"…","schema":"actord.log/2","actor":{"path":"/user/x"},"failure":{"id":"…"}}
//
// A line is always valid JSON in valid UTF-8 and never longer than 32 KiB, because journald splits
// longer lines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinks/json_skeleton.hpp"
#include "sinks/line_format.hpp"
#include "sinks/wall_time.hpp"

namespace actord::sinks {

/// Members that are the same in all lines of a process; empty texts are left out.
struct JsonEnvelope {
  std::string system;
  std::string boot;  // id of this run of the daemon
  std::int64_t pid = 0;
};

/// Dotted keys become nested objects, in any order. A level whose names are 0, 1, 2, … becomes an
/// array: `path.0.rule` and `path.1.rule` are "path":[{"rule":…},{"rule":…}]. A field goes under
/// "fields" with its complete key if its first segment is a name of the envelope, or if an earlier
/// field has its name. NaN and infinities become texts. To keep to line_max, texts are cut and as a
/// last resort all fields are dropped; the line then has "truncated":true.
class JsonLines final : public LineFormat {
 public:
  static constexpr std::size_t line_max = 32 * 1024;  // in bytes, with the newline

  explicit JsonLines(const JsonEnvelope& envelope);

  void append(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) override;

 private:
  /// Trivial, so that an array of members needs no initialisation.
  struct Member {
    const log::Field* field;  // nullptr: already written within an earlier object
    const char* text;         // the rest of the key, relative to the object being written
    std::uint32_t rest_size;
    std::uint32_t name_size;  // size of the first segment of `text`

    std::string_view rest() const noexcept { return {text, rest_size}; }
    std::string_view name() const noexcept { return {text, name_size}; }
    bool is_object() const noexcept { return name_size != rest_size; }
  };

  static Member member_of(const log::Field& field, std::string_view rest,
                          std::size_t depth) noexcept;

  void append_head(LineBuffer& out, const log::Record& record, const JsonSkeleton* skeleton,
                   std::int64_t wall_ns);
  void append_end(LineBuffer& out);

  std::string_view identity_of(std::uint32_t thread_id);
  const JsonSkeleton& skeleton_of(const log::Record& record);
  std::unique_ptr<JsonSkeleton> make_skeleton(const log::Record& record);
  void append_values(LineBuffer& out, const log::Record& record, const JsonSkeleton& skeleton);

  void append_fields(LineBuffer& out, std::span<const log::Field> fields);
  static bool are_items(std::span<const Member> members) noexcept;
  void append_members(LineBuffer& out, std::span<Member> members, std::size_t depth, bool is_array);
  void append_object(LineBuffer& out, std::span<Member> members, std::size_t first,
                     std::size_t depth);
  void append_misfits(LineBuffer& out);
  void append_name(LineBuffer& out, std::string_view name, std::string_view suffix = {});
  void append_member(LineBuffer& out, std::string_view name, const log::Field& field);
  void append_value(LineBuffer& out, const log::Field& field, std::int64_t unit_ns);

  std::size_t text_bytes_max(std::string_view text) const noexcept;
  std::size_t value_bytes_max(const log::Value& value) const noexcept;
  char* put_value(char* to, const log::Value& value, std::int64_t unit_ns) noexcept;
  char* put_text(char* to, std::string_view text) noexcept;

  std::array<Literal, 4> levels_;  // `","level":"info","event":`
  Literal pid_;                    // `,"pid":1`
  Literal common_;                 // `,"boot":"…","system":"…","schema":"…"`
  LineBuffer identity_;            // pid, the last thread's id, and the common members
  std::uint32_t identity_thread_id_ = 0;
  UtcText utc_;
  JsonSkeletons skeletons_;

  // State while a line or a skeleton is being written.
  std::size_t text_limit_ = 0;
  bool is_cut_ = false;
  // fields that go under "fields", see the class
  std::array<const log::Field*, log::record_fields_max> misfits_;
  std::size_t n_misfits_ = 0;
  const log::Field* first_field_ = nullptr;
  // slots of the skeleton being made; its values are left out
  std::vector<JsonSlot>* slots_ = nullptr;
};

}  // namespace actord::sinks
