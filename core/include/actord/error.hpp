// SPDX-License-Identifier: Apache-2.0
//
// The exceptions that carry details or a message to the supervisor besides their text.
//
// A handler may throw any exception; these are for failures that need more than a text.
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include <actord/field.hpp>
#include <actord/fields.hpp>
#include <actord/shared_object.hpp>

namespace actord {
namespace detail {

/// A message that a failure carries; the host moves it out.
struct Payload {
  const actord_type_id* type = nullptr;
  SharedObject object;
};

}  // namespace detail

/// Throw this, or a class derived from it (`using Error::Error;`), to give a failure details:
///   throw actord::Error("no answer", {{"url", url}, {"attempt", 3}});
/// An Error owns copies of all texts. Copying it neither allocates nor throws.
class Error : public std::runtime_error {
 public:
  /// `what` is the text; the details become fields of the log line.
  explicit Error(const std::string& what, std::initializer_list<Field> details = {})
      : Error(what, FieldSpan{details.begin(), details.size()}, {}) {}

  /// The details; valid as long as the Error or a copy of it.
  FieldSpan details() const noexcept {
    const Owned* const it = owned();
    return it != nullptr ? FieldSpan{it->fields.data(), it->fields.size()} : FieldSpan{};
  }
  /// The message that the Error carries; null if there is none.
  const detail::Payload* payload() const noexcept {
    const Owned* const it = owned();
    return it != nullptr && it->payload.type != nullptr ? &it->payload : nullptr;
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

  [[gnu::cold]] static detail::SharedObject own(FieldSpan details, detail::Payload payload) {
    if (details.empty() && payload.type == nullptr) return {};
    Owned owned;
    owned.payload = std::move(payload);
    owned.fields.assign(details.begin(), details.end());
    owned.text.resize(text_size(details));
    detail::SharedObject shared{std::move(owned)};
    auto& kept = *static_cast<Owned*>(shared.get());
    char* to = kept.text.data();
    const auto keep = [&to](actord_str& view) {
      detail::view(view).copy(to, view.size);
      view.data = to;
      to += view.size;
    };
    for (actord_field& field : kept.fields) {
      keep(field.key);
      if (field.kind == ACTORD_TEXT) keep(field.value.text);
    }
    return shared;
  }
  const Owned* owned() const noexcept { return static_cast<const Owned*>(owned_.get()); }

  detail::SharedObject owned_;
};

/// An Error that carries a message, such as the packet that was lost. Supervisors and restart hooks
/// read it with failure.payload_as<M>(). If M is not listed in ACTORD_PLUGIN, the failure is
/// reported without the message.
template <Message M>
class ErrorWith : public Error {
 public:
  /// As Error, with the message.
  ErrorWith(const std::string& what, M payload, std::initializer_list<Field> details = {})
      : Error(what, FieldSpan{details.begin(), details.size()},
              {&detail::type_id<M>, detail::SharedObject{std::move(payload)}}) {}

  /// The message. Its contents have been moved away once the failure is reported.
  const M& message() const noexcept { return *static_cast<const M*>(payload()->object.get()); }
};

}  // namespace actord
