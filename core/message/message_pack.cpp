// SPDX-License-Identifier: Apache-2.0
#include "message/message_pack.hpp"

#include <endian.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>

#include "base/assert.hpp"
#include "message/data_values.hpp"
#include "message/report.hpp"

namespace actord::message {

namespace {

// The first byte of a value, as the specification of MessagePack has it.
enum Kind : unsigned {
  fix_map = 0x80,   // with the number of members in the low 4 bits
  fix_list = 0x90,  // with the number of elements in the low 4 bits
  fix_text = 0xa0,  // with the number of bytes in the low 5 bits
  null = 0xc0,
  no = 0xc2,
  yes = 0xc3,
  float64 = 0xcb,
  uint64 = 0xcf,
  int64 = 0xd3,
  extension8 = 0xd7,  // its type and eight bytes
  text32 = 0xdb,
  list32 = 0xdd,
  map32 = 0xdf
};
constexpr unsigned fix_items_max = 15, fix_text_max = 31;
enum Extension : unsigned { ref = 1, duration = 2 };

// `size` is 4 or 8.
std::uint64_t big_endian(const char* at, std::size_t size) noexcept {
  std::uint64_t number = 0;
  std::memcpy(&number, at, size);
  return be64toh(number) >> (64 - 8 * size);
}

}  // namespace

// ---- writing ------------------------------------------------------------------------------------

PackWriter::PackWriter()
    : actord_writer{
          sizeof(actord_writer),
          [](actord_writer* w) { of(w).value([&] { of(w).put(Kind::null, 0, 0); }); },
          [](actord_writer* w, std::int32_t v) {
            of(w).value([&] { of(w).put(v != 0 ? Kind::yes : Kind::no, 0, 0); });
          },
          [](actord_writer* w, std::int64_t v) {
            of(w).value([&] { of(w).put(Kind::int64, static_cast<std::uint64_t>(v), 8); });
          },
          [](actord_writer* w, std::uint64_t v) {
            of(w).value([&] { of(w).put(Kind::uint64, v, 8); });
          },
          [](actord_writer* w, double v) {
            of(w).value([&] { of(w).put(Kind::float64, std::bit_cast<std::uint64_t>(v), 8); });
          },
          [](actord_writer* w, actord_str v) { of(w).value([&] { of(w).put_text(view(v)); }); },
          [](actord_writer* w, actord_ref v) {
            of(w).value([&] {
              of(w).put(Kind::extension8, 0, 0);
              of(w).put(Extension::ref, v, 8);
            });
          },
          [](actord_writer* w, std::int64_t v) {
            of(w).value([&] {
              of(w).put(Kind::extension8, 0, 0);
              of(w).put(Extension::duration, static_cast<std::uint64_t>(v), 8);
            });
          },
          [](actord_writer* w, std::size_t n) { of(w).begin(n, false); },
          [](actord_writer* w, std::size_t n) { of(w).begin(n, true); },
          [](actord_writer* w, actord_str k) { of(w).put_key(view(k)); },
          [](actord_writer* w) { of(w).end(); },
          &write_data} {}

std::string_view PackWriter::fault() const noexcept {
  if (fault_ != nullptr) return fault_;
  return is_whole_ ? std::string_view{} : "it has written no whole value";
}

void PackWriter::fail(const char* why) noexcept {
  if (fault_ == nullptr) fault_ = why;
}

template <class Write>
void PackWriter::value(Write&& write) noexcept {
  if (fault_ != nullptr) return;
  if (is_whole_) return fail("it has written more than one value");
  if (!open_.empty()) {
    Open& in = open_.back();
    if (in.is_map && !in.has_key) return fail("a member has no key");
    if (!in.is_map && in.left == 0) return fail("a list has more elements than it began with");
    if (!in.is_map) --in.left;
    in.has_key = false;
  }
  try {
    write();
  } catch (const std::bad_alloc&) {
    return fail("there is no memory for the message");
  }
  is_whole_ = open_.empty();
}

void PackWriter::begin(std::size_t n, bool is_map) noexcept {
  value([&] {
    if (n > std::numeric_limits<std::uint32_t>::max()) return fail("a list or map is too long");
    if (open_.size() == depth_max) return fail("lists and maps lie too deep in each other");
    if (n <= fix_items_max)
      put((is_map ? Kind::fix_map : Kind::fix_list) | static_cast<unsigned>(n), 0, 0);
    else put(is_map ? Kind::map32 : Kind::list32, n, 4);
    open_.push_back({n, is_map, false});
  });
}

void PackWriter::put_key(std::string_view name) noexcept {
  if (fault_ != nullptr) return;
  if (open_.empty() || !open_.back().is_map || open_.back().has_key)
    return fail("a key stands where none can be");
  if (open_.back().left == 0) return fail("a map has more members than it began with");
  --open_.back().left;
  open_.back().has_key = true;
  try {
    put_text(name);
  } catch (const std::bad_alloc&) {
    fail("there is no memory for the message");
  }
}

void PackWriter::end() noexcept {
  if (fault_ != nullptr) return;
  if (open_.empty()) return fail("it has ended a list or map that it has not begun");
  if (open_.back().left != 0 || open_.back().has_key)
    return fail("a list or map has fewer elements than it began with");
  open_.pop_back();
  is_whole_ = open_.empty();
}

void PackWriter::put_text(std::string_view content) {
  if (content.size() > std::numeric_limits<std::uint32_t>::max()) return fail("a text is too long");
  if (content.size() <= fix_text_max)
    put(Kind::fix_text | static_cast<unsigned>(content.size()), 0, 0);
  else put(Kind::text32, content.size(), 4);
  bytes_.append(content);
}

void PackWriter::put(unsigned kind, std::uint64_t number, std::size_t size) {
  char head[1 + sizeof number];
  head[0] = static_cast<char>(kind);
  if (size != 0) {
    number = htobe64(number << (64 - 8 * size));
    std::memcpy(head + 1, &number, sizeof number);
  }
  bytes_.append(head, 1 + size);
}

// ---- reading ------------------------------------------------------------------------------------

namespace {

/// The head of a value.
struct Head {
  std::int32_t kind = ACTORD_NULL;
  std::uint64_t number = 0;    // its bits, or how many elements or bytes it has
  const char* rest = nullptr;  // what follows the head: the elements, or the bytes of the text
};

Head long_head_of(const char* at) noexcept {
  const auto first = static_cast<unsigned char>(*at);
  ++at;
  switch (first) {
    case Kind::null: return {ACTORD_NULL, 0, at};
    case Kind::no: return {ACTORD_BOOL, 0, at};
    case Kind::yes: return {ACTORD_BOOL, 1, at};
    case Kind::int64: return {ACTORD_INT, big_endian(at, 8), at + 8};
    case Kind::uint64: return {ACTORD_UINT, big_endian(at, 8), at + 8};
    case Kind::float64: return {ACTORD_DOUBLE, big_endian(at, 8), at + 8};
    case Kind::extension8:
      return {*at == Extension::ref ? ACTORD_REF : ACTORD_DURATION, big_endian(at + 1, 8), at + 9};
    case Kind::text32: return {ACTORD_TEXT, big_endian(at, 4), at + 4};
    case Kind::list32: return {ACTORD_LIST, big_endian(at, 4), at + 4};
    case Kind::map32: return {ACTORD_MAP, big_endian(at, 4), at + 4};
    default: return {ACTORD_NULL, 0, at};  // no other is written, and what comes is checked before
  }
}

// Short texts, which most keys are, and short containers are taken apart where they are read.
[[gnu::always_inline]] inline Head head_of(const char* at) noexcept {
  const auto first = static_cast<unsigned char>(*at);
  if (first >= Kind::null) return long_head_of(at);
  ++at;
  if (first >= Kind::fix_text) return {ACTORD_TEXT, first & fix_text_max, at};
  return {first >= Kind::fix_list ? ACTORD_LIST : ACTORD_MAP, first & fix_items_max, at};
}

std::string_view text_of(const Head& head) noexcept { return {head.rest, head.number}; }

// The position behind a value. No deeper than PackWriter::depth_max.
const char* behind(const char* at) noexcept {
  const Head head = head_of(at);
  switch (head.kind) {
    case ACTORD_TEXT: return head.rest + head.number;
    case ACTORD_LIST:
    case ACTORD_MAP: {
      at = head.rest;
      const std::uint64_t n = head.kind == ACTORD_MAP ? 2 * head.number : head.number;
      for (std::uint64_t i = 0; i < n; ++i) at = behind(at);
      return at;
    }
    default: return head.rest;
  }
}

}  // namespace

/// The functions of a PackReader's table.
struct PackCalls {
  static const PackReader& of(actord_value value) {
    return static_cast<const PackReader&>(*value.reader);
  }
  static Head head(actord_value value) noexcept {
    return value.node == nullptr ? Head{} : head_of(static_cast<const char*>(value.node));
  }
  static bool is_container(const Head& head) noexcept {
    return head.kind == ACTORD_LIST || head.kind == ACTORD_MAP;
  }

  static std::int32_t kind(actord_value value) { return head(value).kind; }
  static std::size_t size(actord_value value) {
    const Head it = head(value);
    return is_container(it) ? it.number : 0;
  }
  static actord_value at(actord_value value, std::size_t index, actord_str* key) {
    const Head it = head(value);
    if (!is_container(it) || index >= it.number) return {value.reader, nullptr};
    const char* position = of(value).position(static_cast<const char*>(value.node), index);
    if (it.kind == ACTORD_MAP) {
      if (key != nullptr) *key = to_c(text_of(head_of(position)));
      position = behind(position);
    }
    return {value.reader, position};
  }
  static actord_value member(actord_value value, actord_str name) {
    const Head it = head(value);
    if (it.kind != ACTORD_MAP) return {value.reader, nullptr};
    const auto* const map = static_cast<const char*>(value.node);
    // Most plugins ask in the order in which the other one has written.
    const std::size_t first = of(value).last_index_in(map);
    for (std::size_t i = 0; i < it.number; ++i) {
      const char* const key = of(value).position(map, (first + i) % it.number);
      if (text_of(head_of(key)) == view(name)) return {value.reader, behind(key)};
    }
    return {value.reader, nullptr};
  }

  static std::int32_t boolean(actord_value value, std::int32_t* out) {
    const Head it = head(value);
    if (it.kind != ACTORD_BOOL) return 0;
    *out = static_cast<std::int32_t>(it.number);
    return 1;
  }
  static std::int32_t integer(actord_value value, std::int64_t* out) {
    const Head it = head(value);
    const auto number = static_cast<std::int64_t>(it.number);
    if (it.kind != ACTORD_INT && (it.kind != ACTORD_UINT || number < 0)) return 0;
    *out = number;
    return 1;
  }
  static std::int32_t natural(actord_value value, std::uint64_t* out) {
    const Head it = head(value);
    if (it.kind != ACTORD_UINT &&
        (it.kind != ACTORD_INT || static_cast<std::int64_t>(it.number) < 0))
      return 0;
    *out = it.number;
    return 1;
  }
  static std::int32_t real(actord_value value, double* out) {
    const Head it = head(value);
    if (it.kind == ACTORD_DOUBLE) *out = std::bit_cast<double>(it.number);
    else if (it.kind == ACTORD_INT)
      *out = static_cast<double>(static_cast<std::int64_t>(it.number));
    else if (it.kind == ACTORD_UINT) *out = static_cast<double>(it.number);
    else return 0;
    return 1;
  }
  static std::int32_t text(actord_value value, actord_str* out) {
    const Head it = head(value);
    if (it.kind != ACTORD_TEXT) return 0;
    *out = to_c(text_of(it));
    return 1;
  }
  static std::int32_t ref(actord_value value, actord_ref* out) {
    const Head it = head(value);
    if (it.kind != ACTORD_REF) return 0;
    *out = it.number;
    return 1;
  }
  static std::int32_t duration(actord_value value, std::int64_t* out) {
    const Head it = head(value);
    if (it.kind != ACTORD_DURATION) return 0;
    *out = static_cast<std::int64_t>(it.number);
    return 1;
  }

  static actord_status reject(actord_value value, actord_str reason, actord_errors* errors) {
    std::string what;
    try {
      if (value.node != nullptr) what = of(value).path_of(value.node);
      what.append(what.empty() ? "" : ": ").append(view(reason));
    } catch (const std::bad_alloc&) {
      return report(*errors, view(reason));
    }
    return report(*errors, what);
  }
};

PackReader::PackReader(std::string_view packed)
    : actord_reader{sizeof(actord_reader), &PackCalls::kind,    &PackCalls::size,
                    &PackCalls::at,        &PackCalls::member,  &PackCalls::boolean,
                    &PackCalls::integer,   &PackCalls::natural, &PackCalls::real,
                    &PackCalls::text,      &PackCalls::ref,     &PackCalls::duration,
                    &PackCalls::integer,   &PackCalls::reject,  &read_data},
      bytes_(packed) {
  ACTORD_ASSERT(behind(packed.data()) == packed.data() + packed.size());
}

PackReader::Cursor& PackReader::cursor_of(const char* container) const noexcept {
  return cursors_[static_cast<std::size_t>(container - bytes_.data()) % cursors_.size()];
}

std::size_t PackReader::last_index_in(const char* container) const noexcept {
  const Cursor& cursor = cursor_of(container);
  return cursor.container == container ? cursor.index : 0;
}

const char* PackReader::position(const char* container, std::size_t index) const noexcept {
  Cursor& cursor = cursor_of(container);
  const Head head = head_of(container);
  if (cursor.container != container || index < cursor.index) cursor = {container, 0, head.rest};
  for (; cursor.index < index; ++cursor.index) {
    if (head.kind == ACTORD_MAP) cursor.at = behind(cursor.at);
    cursor.at = behind(cursor.at);
  }
  return cursor.at;
}

// The bytes of a list or map enclose those of its elements, so that the way down is by position.
std::string PackReader::path_of(const void* node) const {
  const auto* const wanted = static_cast<const char*>(node);
  std::string path;
  const char* outer = bytes_.data();
  while (outer != wanted) {
    const Head head = head_of(outer);
    const char* element = head.rest;
    for (std::uint64_t i = 0;; ++i) {
      ACTORD_ASSERT(i < head.number);  // the node is one of this value
      std::string name = std::to_string(i);
      if (head.kind == ACTORD_MAP) {
        name = text_of(head_of(element));
        element = behind(element);
      }
      if (wanted < behind(element)) {
        path += (path.empty() ? "" : ".") + name;
        outer = element;
        break;
      }
      element = behind(element);
    }
  }
  return path;
}

}  // namespace actord::message
