// SPDX-License-Identifier: Apache-2.0
//
// Records as JSON, one object per line, schema "actord.log/1".
//
//   {"ts":"…Z","level":"error","event":"actor.failed","msg":"…","seq":7,"pid":1,"tid":2,"boot":"…",
//    "system":"…","schema":"actord.log/1","actor":{"path":"/user/x"},"failure":{"id":"…"}}
//
// A line is always valid JSON in valid UTF-8 and never longer than 32 KiB: journald splits what is
// longer.
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

/// What all lines of a process have in common; an empty text is left out.
struct JsonEnvelope {
  std::string system;
  std::string boot;  // id of this run of the daemon
  std::int64_t pid = 0;
};

/// Dotted keys nest, whatever order they come in. A field whose first name is one of the
/// envelope's, or that stands where another already is, goes under "fields" with its whole key.
/// Numbers that JSON does not have (NaN, infinities) become texts. Texts are cut, fields dropped as
/// the last resort, to keep to line_max; then the line carries "truncated":true.
class JsonLines final : public LineFormat {
 public:
  static constexpr std::size_t line_max = 32 * 1024;  // with the line's end

  explicit JsonLines(const JsonEnvelope& envelope);

  void append(LineBuffer& out, const log::Record& record, std::int64_t wall_ns) override;

 private:
  /// Trivial, so that an array of them costs nothing until it is filled.
  struct Member {
    const log::Field* field;  // nullptr: written with an earlier one's object
    const char* text;         // the rest of the key, below the object being written
    std::uint32_t rest_size;
    std::uint32_t name_size;  // of the first segment of that

    std::string_view rest() const noexcept { return {text, rest_size}; }
    std::string_view name() const noexcept { return {text, name_size}; }
    bool is_object() const noexcept { return name_size != rest_size; }
  };

  static Member member_of(const log::Field& field, std::string_view rest,
                          std::size_t depth) noexcept;

  void append_head(LineBuffer& out, const log::Record& record, const JsonSkeleton* skeleton,
                   std::int64_t wall_ns);
  void append_end(LineBuffer& out);

  std::string_view origin_of(std::uint32_t thread_id);
  const JsonSkeleton& skeleton_of(const log::Record& record);
  std::unique_ptr<JsonSkeleton> make_skeleton(const log::Record& record);
  void append_values(LineBuffer& out, const log::Record& record, const JsonSkeleton& skeleton);

  void append_fields(LineBuffer& out, std::span<const log::Field> fields);
  void append_members(LineBuffer& out, std::span<Member> members, std::size_t depth);
  void append_object(LineBuffer& out, std::span<Member> members, std::size_t first,
                     std::size_t depth);
  void append_misfits(LineBuffer& out);
  void append_name(LineBuffer& out, std::string_view name);
  void append_member(LineBuffer& out, std::string_view name, const log::Field& field);

  std::size_t text_room(std::string_view text) const noexcept;
  std::size_t value_room(const log::Value& value) const noexcept;
  char* put_value(char* to, const log::Value& value, std::int64_t unit_ns) noexcept;
  char* put_text(char* to, std::string_view text) noexcept;

  std::array<Literal, 4> levels_;  // `","level":"info","event":`
  Literal pid_;                    // `,"pid":1`
  Literal common_;                 // `,"boot":"…","system":"…","schema":"…"`
  LineBuffer origin_;              // both, with the thread between them that came last
  std::uint32_t origin_thread_id_ = 0;
  UtcText utc_;
  JsonSkeletons skeletons_;

  // While a line or a skeleton is being written.
  std::size_t text_limit_ = 0;
  bool is_cut_ = false;
  std::array<const log::Field*, log::record_fields_max> misfits_;
  std::size_t n_misfits_ = 0;
  const log::Field* first_field_ = nullptr;
  std::vector<JsonSlot>* slots_ = nullptr;  // of the skeleton; values are left out
};

}  // namespace actord::sinks
