// SPDX-License-Identifier: Apache-2.0
//
// The exceptions that carry more than a text over the boundary: details, and a message.
//
// Any exception may be thrown in a handler; these are for those who have something to tell.
#pragma once

#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <actord/field.hpp>
#include <actord/fields.hpp>

namespace actord {
namespace detail {

/// A message that travels with a failure; the host moves it out.
struct Payload {
  const actord_type_id* type = nullptr;
  std::shared_ptr<void> object;
};

}  // namespace detail

/// Throw this, or something derived from it (`using Error::Error;`), to give a failure details:
///   throw actord::Error("no answer", {{"url", url}, {"attempt", 3}});
/// Owns copies of all texts. Copying it neither allocates nor throws.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what, std::initializer_list<Field> details = {})
      : Error(what, FieldSpan{details.begin(), details.size()}, {}) {}

  FieldSpan details() const noexcept {
    return owned_ ? FieldSpan{owned_->fields.data(), owned_->fields.size()} : FieldSpan{};
  }
  /// Null if no message travels with it.
  const detail::Payload* payload() const noexcept {
    return owned_ && owned_->payload.type != nullptr ? &owned_->payload : nullptr;
  }

 protected:
  Error(const std::string& what, FieldSpan details, detail::Payload payload)
      : std::runtime_error(what), owned_(own(details, std::move(payload))) {}

 private:
  struct Owned {
    std::vector<actord_field> fields;
    std::string text;  // of all keys and values, which point into it
    detail::Payload payload;
  };

  static std::size_t text_size(FieldSpan details) {
    std::size_t size = 0;
    for (const actord_field& field : details) {
      size += field.key.size + (field.kind == ACTORD_TEXT ? field.value.text.size : 0);
    }
    return size;
  }

  [[gnu::cold]] static std::shared_ptr<const Owned> own(FieldSpan details,
                                                        detail::Payload payload) {
    if (details.empty() && payload.type == nullptr) return nullptr;
    auto owned = std::make_shared<Owned>();
    owned->payload = std::move(payload);
    owned->fields.assign(details.begin(), details.end());
    owned->text.reserve(text_size(details));  // the views below must not move
    const auto keep = [&](actord_str& view) {
      const std::size_t at = owned->text.size();
      owned->text.append(detail::view(view));
      view.data = owned->text.data() + at;
    };
    for (actord_field& field : owned->fields) {
      keep(field.key);
      if (field.kind == ACTORD_TEXT) keep(field.value.text);
    }
    return owned;
  }

  std::shared_ptr<const Owned> owned_;
};

/// An error with a message of its own, which whoever handles the failure reads with
/// failure.payload_as<M>(): the packet that was lost, the request that was refused. M must be
/// listed in ACTORD_PLUGIN, or it is left behind.
template <Message M>
class ErrorWith : public Error {
 public:
  ErrorWith(const std::string& what, M payload, std::initializer_list<Field> details = {})
      : Error(what, FieldSpan{details.begin(), details.size()},
              {&detail::type_id<M>, std::make_shared<M>(std::move(payload))}) {}

  /// Moved from once the failure has been reported.
  const M& message() const noexcept { return *static_cast<const M*>(payload()->object.get()); }
};

}  // namespace actord
