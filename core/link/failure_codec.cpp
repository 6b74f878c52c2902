// SPDX-License-Identifier: Apache-2.0
#include "link/failure_codec.hpp"

#include <algorithm>

#include "message/report.hpp"

namespace actord::link {

namespace {

constexpr int depth_max = 16;
constexpr std::uint32_t items_max = 4096;

// The payload, or none if it cannot be written.
void put_payload(FrameWriter& frame, const MessageCodec& codec, const actord_failure& failure) {
  FrameWriter payload;
  const bool is_written = codec.put(payload, failure.payload != nullptr ? failure.payload_type : 0,
                                    failure.payload, message::ignored_errors()) == ACTORD_OK;
  if (!is_written) {
    payload.clear();
    static_cast<void>(codec.put(payload, 0, nullptr, message::ignored_errors()));
  }
  frame.text(payload.bytes());
}

void put_inner(FrameWriter& frame, const MessageCodec& codec, const actord_failure* failure,
               int depth) {
  const bool is_put = failure != nullptr && depth < depth_max;
  frame.put(static_cast<std::uint8_t>(is_put ? 1 : 0));
  if (is_put) put_failure(frame, codec, *failure, depth);
}

}  // namespace

void put_fields(FrameWriter& frame, const actord_field* fields, std::size_t n) {
  n = std::min<std::size_t>(n, items_max);
  frame.put(static_cast<std::uint32_t>(n));
  for (std::size_t i = 0; i < n; ++i) {
    frame.text(fields[i].key);
    frame.put(fields[i].kind);
    if (fields[i].kind == ACTORD_TEXT) frame.text(fields[i].value.text);
    else frame.put(fields[i].value.u);
  }
}

bool take_fields(FrameReader& frame, std::vector<actord_field>& fields) {
  fields.clear();
  const auto n = frame.take<std::uint32_t>();
  if (n > items_max) frame.fail();
  for (std::uint32_t i = 0; i < n && !frame.has_failed(); ++i) {
    actord_field field{};
    field.key = frame.str();
    field.kind = frame.take<std::int64_t>();
    if (field.kind < ACTORD_BOOL || field.kind > ACTORD_DURATION) frame.fail();
    if (field.kind == ACTORD_TEXT) field.value.text = frame.str();
    else field.value.u = frame.take<std::uint64_t>();
    fields.push_back(field);
  }
  return !frame.has_failed();
}

void put_failure(FrameWriter& frame, const MessageCodec& codec, const actord_failure& failure,
                 int depth) {
  frame.put(failure.flags & ACTORD_FOREIGN);
  const std::uint32_t n = std::min(failure.n_types, items_max);
  frame.put(n);
  for (std::uint32_t i = 0; i < n; ++i) frame.text(failure.types[i]);
  frame.text(failure.what);
  put_fields(frame, failure.details, failure.n_details);
  put_payload(frame, codec, failure);
  put_inner(frame, codec, failure.cause, depth + 1);
  put_inner(frame, codec,
            ACTORD_HAS(actord_failure, &failure, original) ? failure.original : nullptr, depth + 1);
}

bool take_failure(FrameReader& frame, const MessageCodec& codec, TakenFailure& failure, int depth) {
  actord_failure& c = failure.c_;
  c = {};
  c.struct_size = sizeof c;
  c.flags = frame.take<std::uint32_t>() & ACTORD_FOREIGN;
  const auto n = frame.take<std::uint32_t>();
  if (n == 0 || n > items_max || depth > depth_max) frame.fail();
  for (std::uint32_t i = 0; i < n && !frame.has_failed(); ++i)
    failure.types_.push_back(frame.str());
  c.types = failure.types_.data();
  c.n_types = static_cast<std::uint32_t>(failure.types_.size());
  c.what = frame.str();
  if (!take_fields(frame, failure.details_)) return false;
  c.details = failure.details_.data();
  c.n_details = failure.details_.size();
  FrameReader payload(frame.text());
  if (codec.take(payload, failure.payload_, message::ignored_errors()) == ACTORD_OK &&
      failure.payload_.content() != nullptr) {
    c.payload_type = failure.payload_.id();
    c.payload = failure.payload_.content();
  }
  if (payload.has_failed()) frame.fail();
  const auto take_inner = [&](std::unique_ptr<TakenFailure>& inner) -> const actord_failure* {
    if (frame.take<std::uint8_t>() == 0 || frame.has_failed()) return nullptr;
    inner = std::make_unique<TakenFailure>();
    return take_failure(frame, codec, *inner, depth + 1) ? inner->c() : nullptr;
  };
  c.cause = take_inner(failure.cause_);
  c.original = take_inner(failure.original_);
  return !frame.has_failed();
}

ErrorFrame::ErrorFrame(const MessageCodec& codec) : actord_errors{}, codec_(codec) {
  report = [](actord_errors* self, const actord_failure* failure) {
    auto& errors = static_cast<ErrorFrame&>(*self);
    if (errors.frame_.size() == 0) put_failure(errors.frame_, errors.codec_, *failure);
  };
}

}  // namespace actord::link
