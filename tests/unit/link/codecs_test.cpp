// SPDX-License-Identifier: Apache-2.0
//
// Messages and failures in frames: what one end puts the other takes, and nothing else is taken.
#include <doctest/doctest.h>

#include "link/failure_codec.hpp"
#include "message/packed_message.hpp"
#include "support/puppet_host.hpp"

namespace actord::link {

TEST_SUITE_BEGIN("link/message_codec");

namespace {

using support::Letter;
using support::Poke;

struct Reported : actord_errors {
  Reported()
      : actord_errors{[](actord_errors* self, const actord_failure* failure) {
          static_cast<Reported*>(self)->what = message::view(failure->what);
        }} {}
  std::string what;
};

/// The two ends of a link, with other ids for the same types.
struct Ends {
  Ends() {
    letter = message::packed_table(*actord::detail::message_table<Letter>(), &id);
    runtime.add({5, 5, actord::detail::message_table<Poke>(), Form::bytes});
    runtime.add({6, 6, &letter, Form::packed});
    host.add({1, 5, actord::detail::message_table<Poke>(), Form::bytes});
    host.add({2, 6, actord::detail::message_table<Letter>(), Form::packed});
  }
  std::string put_letter(const Letter& content) const {
    FrameWriter frame;
    Reported errors;
    REQUIRE(host.put(frame, 2, &content, errors) == ACTORD_OK);
    return std::string{frame.bytes()};
  }
  // Whether the runtime takes the bytes.
  bool takes(std::string_view bytes) const {
    FrameReader frame(bytes);
    TakenMessage message;
    Reported errors;
    return runtime.take(frame, message, errors) == ACTORD_OK && !frame.has_failed() &&
           frame.is_at_end();
  }

  actord_type_id id = 0;
  actord_message_type letter;
  MessageCodec runtime, host;
};

}  // namespace

TEST_CASE("a message goes from the host to the runtime and back, by the ids of each") {
  const Ends ends;
  const Letter sent{std::string("a\0b", 3) + std::string(500, 'x'), {{7}, {UINT64_MAX}}};
  const std::string bytes = ends.put_letter(sent);
  FrameReader there(bytes);
  TakenMessage kept;
  Reported errors;
  REQUIRE(ends.runtime.take(there, kept, errors) == ACTORD_OK);
  CHECK(there.is_at_end());
  CHECK(kept.id() == 6);
  FrameWriter back;
  REQUIRE(ends.runtime.put(back, 6, kept.content(), errors) == ACTORD_OK);
  CHECK(back.bytes() == bytes);
  FrameReader here(back.bytes());
  TakenMessage read;
  REQUIRE(ends.host.take(here, read, errors) == ACTORD_OK);
  CHECK(read.id() == 2);
  CHECK(static_cast<const Letter*>(read.content())->text == sent.text);
  CHECK(static_cast<const Letter*>(read.content())->readers == sent.readers);
}

TEST_CASE("a message of a type that an end does not know comes without its content") {
  const Ends ends;
  FrameWriter frame;
  Reported errors;
  const Poke poke;
  REQUIRE(ends.runtime.put(frame, 99, &poke, errors) == ACTORD_OK);
  FrameReader reader(frame.bytes());
  TakenMessage message;
  REQUIRE(ends.host.take(reader, message, errors) == ACTORD_OK);
  CHECK(message.id() == (99 | MessageCodec::foreign));
  CHECK(message.content() == nullptr);
  FrameWriter back;
  REQUIRE(ends.host.put(back, message.id(), &poke, errors) == ACTORD_OK);
  CHECK(back.bytes() == frame.bytes());
}

TEST_CASE(
    "a frame that is cut off, of another size or form, or with a bad truth value is refused") {
  const Ends ends;
  const std::string letter = ends.put_letter({"text", {}});
  CHECK(ends.takes(letter));
  for (std::size_t size = 0; size < letter.size(); ++size)
    CHECK_FALSE(ends.takes(letter.substr(0, size)));
  FrameWriter frame;
  Reported errors;
  Poke poke{.n = 1, .is_hard = true};
  REQUIRE(ends.runtime.put(frame, 5, &poke, errors) == ACTORD_OK);
  const std::string plain{frame.bytes()};
  CHECK(ends.takes(plain));
  for (std::size_t size = 0; size < plain.size(); ++size)
    CHECK_FALSE(ends.takes(plain.substr(0, size)));
  std::string changed = plain;
  changed[changed.size() - sizeof poke + offsetof(Poke, is_hard)] = 2;
  CHECK_FALSE(ends.takes(changed));
  changed = plain;
  changed[sizeof(actord_type_id)] = static_cast<char>(Form::packed);
  CHECK_FALSE(ends.takes(changed));
  changed = letter;
  changed[0] = 5;  // a letter's content for the plain type
  CHECK_FALSE(ends.takes(changed));
}

TEST_CASE("memory of a taken message is used again, and given back") {
  const Ends ends;
  TakenMessage message;
  Reported errors;
  for (int i = 0; i < 3; ++i) {
    const std::string bytes = ends.put_letter({std::string(1'000, 'x'), {}});
    FrameReader frame(bytes);
    REQUIRE(ends.host.take(frame, message, errors) == ACTORD_OK);
    CHECK(static_cast<const Letter*>(message.content())->text.size() == 1'000);
  }
  message.clear();
  CHECK(message.content() == nullptr);
  CHECK(message.id() == 0);
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("link/failure_codec");

namespace {

/// A failure with everything that one can have.
struct Full {
  Full() {
    root.struct_size = failure.struct_size = sizeof failure;
    root.types = types;
    root.n_types = 1;
    root.what = {"root", 4};
    failure.flags = ACTORD_FOREIGN;
    failure.types = types;
    failure.n_types = 2;
    failure.what = {"what", 4};
    fields[0] = {{"n", 1}, ACTORD_INT, {.i = -5}};
    fields[1].key = {"text", 4};
    fields[1].kind = ACTORD_TEXT;
    fields[1].value.text = {"content", 7};
    failure.details = fields;
    failure.n_details = 2;
    failure.payload_type = 2;
    failure.payload = &letter;
    failure.cause = failure.original = &root;
  }
  std::string bytes(const MessageCodec& codec) const {
    FrameWriter frame;
    put_failure(frame, codec, failure);
    return std::string{frame.bytes()};
  }
  const actord_str types[2] = {{"bank::Overdrawn", 15}, {"actord::Error", 13}};
  actord_field fields[2] = {};
  Letter letter{"payload", {}};
  actord_failure root{}, failure{};
};

}  // namespace

TEST_CASE("a failure comes with its causes, details, payload and original") {
  const Ends ends;
  const std::string bytes = Full{}.bytes(ends.host);
  FrameReader frame(bytes);
  TakenFailure taken;
  REQUIRE(take_failure(frame, ends.runtime, taken));
  CHECK(frame.is_at_end());
  const actord_failure& c = *taken.c();
  CHECK((c.flags & ACTORD_FOREIGN) != 0);
  REQUIRE(c.n_types == 2);
  CHECK(message::view(c.types[1]) == "actord::Error");
  CHECK(message::view(c.what) == "what");
  REQUIRE(c.n_details == 2);
  CHECK(c.details[0].value.i == -5);
  CHECK(message::view(c.details[1].value.text) == "content");
  CHECK(c.payload_type == 6);
  REQUIRE(c.cause != nullptr);
  REQUIRE(c.original != nullptr);
  CHECK(message::view(c.cause->what) == "root");
  CHECK(message::view(c.original->what) == "root");
  CHECK(c.cause->cause == nullptr);
  FrameWriter again;
  put_failure(again, ends.runtime, c);
  CHECK(again.bytes() == bytes);
}

TEST_CASE("a failure that is cut off is refused, and none that is changed does harm") {
  const Ends ends;
  const std::string bytes = Full{}.bytes(ends.host);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    FrameReader frame(std::string_view{bytes}.substr(0, size));
    TakenFailure taken;
    CHECK_FALSE(take_failure(frame, ends.runtime, taken));
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(~changed[at]);
    FrameReader frame(changed);
    TakenFailure taken;
    static_cast<void>(take_failure(frame, ends.runtime, taken));
  }
}

TEST_CASE("a chain of causes without end is cut") {
  Full full;
  full.root.cause = &full.failure;  // each is the cause of the other
  full.failure.original = nullptr;
  const Ends ends;
  const std::string bytes = full.bytes(ends.host);
  FrameReader frame(bytes);
  TakenFailure taken;
  CHECK(take_failure(frame, ends.runtime, taken));
  int depth = 0;
  for (const actord_failure* each = taken.c(); each != nullptr; each = each->cause) ++depth;
  CHECK(depth == 16);
}

TEST_CASE("of two failures that are reported the first is kept") {
  const Ends ends;
  ErrorFrame errors(ends.host);
  CHECK(errors.bytes().empty());
  const Full full;
  errors.report(&errors, &full.root);
  errors.report(&errors, &full.failure);
  FrameReader frame(errors.bytes());
  TakenFailure taken;
  REQUIRE(take_failure(frame, ends.runtime, taken));
  CHECK(message::view(taken.c()->what) == "root");
  errors.clear();
  CHECK(errors.bytes().empty());
}

TEST_SUITE_END();

}  // namespace actord::link
