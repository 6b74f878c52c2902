// SPDX-License-Identifier: Apache-2.0
//
// Turns an exception into data, inside the plugin, and reports the data while the exception is
// alive.
//
// The exception itself does not leave the plugin. A supervisor in another plugin, which may not
// know the exception's class, gets the same data.
#pragma once

#include <array>
#include <exception>
#include <system_error>

#include <actord/builtin_causes.hpp>
#include <actord/type_chain.hpp>

namespace actord::detail {

/// A failure with this type chain and a text, and nothing else.
inline actord_failure plain_failure(const TypeChain& chain, std::string_view what) {
  actord_failure failure{};
  failure.struct_size = sizeof failure;
  failure.flags = ACTORD_STATIC_TYPES;
  if (chain.is_foreign) failure.flags |= ACTORD_FOREIGN;
  failure.types = chain.views.data();
  failure.n_types = static_cast<std::uint32_t>(chain.views.size());
  failure.what = to_c(what);
  return failure;
}

/// The failure of one exception in a chain of nested exceptions. It lives on the stack until the
/// report; its texts belong to the exception.
struct ChainedFailure {
  actord_failure failure{};
  ChainedFailure* outer = nullptr;     // the failure that this one is the cause of
  int depth = 0;                       // 0: the outermost
  std::array<actord_field, 2> code{};  // the details of a std::system_error

  ChainedFailure* outermost() noexcept { return outer == nullptr ? this : outer->outermost(); }
};

inline void describe_error(ChainedFailure& chained, const Error& error) {
  chained.failure.details = error.details().data();
  chained.failure.n_details = error.details().size();
  if (const Payload* payload = error.payload(); payload != nullptr && *payload->type != 0) {
    chained.failure.payload_type = *payload->type;
    chained.failure.payload = payload->object.get();
  }
}

inline void describe_system_error(ChainedFailure& chained, const std::system_error& error) {
  const std::error_category& category = error.code().category();
  if (category != std::generic_category() && category != std::system_category()) return;
  chained.code = {Field{"errno", error.code().value()},
                  Field{"category", std::string_view{category.name()}}};
  chained.failure.details = chained.code.data();
  chained.failure.n_details = chained.code.size();
}

template <class Rethrow>
void flatten_caught(actord_errors* errors, ChainedFailure* outer, Rethrow rethrow);

/// Reports the current exception; called in its catch block. `e` is null if the exception is no
/// std::exception, or has that base more than once.
[[gnu::noinline]] inline void flatten(actord_errors* errors, const std::exception* e,
                                      std::string_view what, ChainedFailure* outer) {
  constexpr int causes_max = 8;
  const TypeChain& chain = chain_of(*abi::__cxa_current_exception_type());
  ChainedFailure chained;
  chained.outer = outer;
  chained.depth = outer == nullptr ? 0 : outer->depth + 1;
  chained.failure =
      plain_failure(chain, what.empty() && e == nullptr ? view(chain.views[0]) : what);
  if (outer != nullptr) outer->failure.cause = &chained.failure;

  if (e != nullptr && chain.is_error) {
    if (const auto* error = dynamic_cast<const Error*>(e)) describe_error(chained, *error);
  } else if (e != nullptr && chain.is_system_error) {
    if (const auto* error = dynamic_cast<const std::system_error*>(e))
      describe_system_error(chained, *error);
  }
  if (e != nullptr && chain.is_nested && chained.depth < causes_max) {
    const auto* nested = dynamic_cast<const std::nested_exception*>(e);
    if (nested != nullptr && nested->nested_ptr() != nullptr) {
      return flatten_caught(errors, &chained, [nested] { nested->rethrow_nested(); });
    }
  }
  errors->report(errors, &chained.outermost()->failure);
}

inline std::string_view text_of(const std::exception& e) {
  const char* const what = e.what();
  return what == nullptr ? std::string_view{} : what;
}

template <class Rethrow>
void flatten_caught(actord_errors* errors, ChainedFailure* outer, Rethrow rethrow) {
  try {
    rethrow();
  } catch (const std::exception& e) {
    flatten(errors, &e, text_of(e), outer);
  } catch (const char* text) {
    flatten(errors, nullptr, text == nullptr ? "" : text, outer);
  } catch (const std::string& text) {
    flatten(errors, nullptr, text, outer);
  } catch (...) {
    flatten(errors, nullptr, {}, outer);
  }
}

// Out of line: a trampoline only calls these functions.
[[gnu::noinline]] inline actord_status report_exception(actord_errors* errors,
                                                        const std::exception& e) {
  const TypeChain& chain = chain_of(*abi::__cxa_current_exception_type());
  if (chain.is_plain()) [[likely]] {
    const actord_failure failure = plain_failure(chain, text_of(e));
    errors->report(errors, &failure);
  } else {
    flatten(errors, &e, text_of(e), nullptr);
  }
  return ACTORD_FAILED;
}
/// Reports an exception that is no std::exception. Throws on what is no C++ exception: a forced
/// unwind (pthread_exit, cancellation) must go on, and the host catches exceptions of other
/// languages. For these current_exception() is safe and returns null, while
/// __cxa_current_exception_type() would read memory before the object and crash.
[[gnu::noinline, gnu::cold]] inline actord_status report_unknown(actord_errors* errors,
                                                                 bool is_reported) {
  if (std::current_exception() == nullptr) throw;
  if (!is_reported) flatten_caught(errors, nullptr, [] { throw; });
  return ACTORD_FAILED;
}

/// Calls the author's code and reports an exception that it throws. Every call from the host that
/// may throw goes through this function, or through run() of trampolines.hpp.
template <class Call>
actord_status guarded(actord_errors* errors, Call&& call) {
  try {
    call();
  } catch (const std::exception& e) {
    return report_exception(errors, e);
  } catch (...) {
    return report_unknown(errors, false);
  }
  return ACTORD_OK;
}

/// The other direction: a failure that the host reports during a call from the plugin is thrown as
/// an Error.
class HostErrors : public actord_errors {
 public:
  HostErrors() : actord_errors{&take} {}

  /// If the host gave no text, the text is "`action` failed".
  [[noreturn]] void raise(std::string_view action) const {
    const std::string text = what_.empty() ? std::string{action} + " failed" : what_;
    if (type_ == Type::stash_overflow) throw StashOverflow(text);
    if (type_ == Type::unlisted_message) throw UnlistedMessage(text);
    if (type_ == Type::limit_reached) throw LimitReached(text);
    throw Error(text);
  }
  /// What the host said; empty: nothing.
  const std::string& text() const noexcept { return what_; }

 private:
  static void take(actord_errors* self, const actord_failure* failure) {
    auto& errors = static_cast<HostErrors&>(*self);
    for (std::uint32_t i = 0; i < failure->n_types; ++i) {
      const std::string_view type = view(failure->types[i]);
      if (type == "actord::StashOverflow") errors.type_ = Type::stash_overflow;
      if (type == "actord::UnlistedMessage") errors.type_ = Type::unlisted_message;
      if (type == "actord::LimitReached") errors.type_ = Type::limit_reached;
    }
    try {
      errors.what_ = view(failure->what);
    } catch (...) {  // out of memory: nothing may be thrown into the host
      errors.what_.clear();
    }
  }

  enum class Type : std::uint8_t { other, stash_overflow, unlisted_message, limit_reached };

  std::string what_;
  Type type_ = Type::other;
};

}  // namespace actord::detail
