// SPDX-License-Identifier: Apache-2.0
//
// What a behaviour's validate() finds wrong with a config, each finding at the key at fault:
//
//   static void validate(const Config& config, actord::Findings& findings) {
//     if (config.first > config.last)
//       findings.reject(&Config::last, "must be at least first");
//   }
//
// The host calls validate() before it creates an actor: at a check, a start and a reload. It adds
// file, line and column.
#pragma once

#include <string>

#include <actord/about.hpp>
#include <actord/error.hpp>

namespace actord {
namespace detail {

inline actord_status reject(actord_value in, std::string_view reason, actord_errors* errors) {
  return in.reader->reject(in, to_c(reason), errors);
}

/// The member of that name, where _ and - are alike: max_attempts may be written max-attempts.
inline actord_value member_of(actord_value in, std::string_view name) {
  const actord_value found = in.reader->member(in, to_c(name));
  if (found.node != nullptr || name.find('_') == name.npos) return found;
  std::string hyphenated{name};
  for (char& c : hyphenated) c = c == '_' ? '-' : c;
  return in.reader->member(in, to_c(hyphenated));
}

template <std::size_t n>
std::string_view member_name(const MemberArray<n>& members, std::size_t offset) {
  for (std::size_t i = 0; i < n; ++i) {
    if (members.items[i].offset == offset) return detail::view(members.items[i].name);
  }
  return {};
}

}  // namespace detail

/// Collects the findings about one config, or about a struct within it. Lent for the call of
/// validate(); threads: that of the call.
class Findings {
 public:
  /// What all findings of one call have in common.
  struct Report {
    actord_errors* errors = nullptr;
    bool takes_all = true;  // false: only the first finding is reported
    std::size_t count = 0;
  };

  /// Only for the SDK. `config` may be absent.
  Findings(actord_value config, Report& report) : in_(config), report_(&report) {}

  /// Rejects the value of a member. `reason` follows the path of the key in the message, so that
  /// "must be at least first" reads well. A value of a secret key does not belong into it. If the
  /// key is absent, its default is meant, and the finding stands at what lacks it.
  template <class Class, class V>
  void reject(V Class::*member, std::string_view reason) {
    at(member).reject(reason);
  }
  /// Rejects the config, or the struct or element that at() has chosen.
  void reject(std::string_view reason) {
    if (report_->count++ != 0 && !report_->takes_all) return;
    std::string text = absent_;
    if (in_.reader == nullptr) throw Error(text.append(text.empty() ? "" : ": ").append(reason));
    text.append(text.empty() ? "" : " ").append(reason);
    detail::reject(in_, text, report_->errors);
  }

  /// The findings about the struct, list or map in that member.
  template <class Class, class V>
  Findings at(V Class::*member) const {
    const std::string_view name =
        detail::member_name(detail::members_of<Class>, detail::offset_of(member));
    std::string written{name};
    for (char& c : written) c = c == '_' ? '-' : c;
    if (!absent_.empty() || in_.node == nullptr) return within({}, written);
    return within(detail::member_of(in_, name), written);
  }
  /// The findings about one element of a list, counted from 0.
  Findings at(std::size_t index) const {
    const bool is_there = absent_.empty() && in_.node != nullptr && index < in_.reader->size(in_);
    return within(is_there ? in_.reader->at(in_, index, nullptr) : actord_value{},
                  std::to_string(index));
  }
  /// The findings about one element of a map.
  Findings at(std::string_view key) const {
    const bool is_there = absent_.empty() && in_.node != nullptr;
    return within(is_there ? in_.reader->member(in_, detail::to_c(key)) : actord_value{},
                  std::string{key});
  }

  /// Whether nothing was rejected so far.
  bool empty() const noexcept { return report_->count == 0; }

 private:
  // `found` is absent if there is no such value; then `name` says what is missing.
  Findings within(actord_value found, const std::string& name) const {
    Findings inner = *this;
    if (found.node != nullptr) inner.in_ = found;
    else inner.absent_ += (absent_.empty() ? "" : ".") + name;
    return inner;
  }

  actord_value in_;     // the innermost value that is present; absent if there is no config
  std::string absent_;  // the path from there to what is meant; empty: that value itself
  Report* report_;
};

namespace detail {

template <class A>
concept HasValidate = requires { &A::validate; };

/// Calls A::validate(), which may throw. With an A without it every config is valid.
template <class A, class Config>
bool is_valid(const Config& settings, actord_value config, Findings::Report report) {
  if constexpr (HasValidate<A>) {
    static_assert(
        requires(Findings& findings) { A::validate(settings, findings); },
        "validate is: static void validate(const Config&, actord::Findings&)");
    Findings findings{config, report};
    A::validate(settings, findings);
  }
  return report.count == 0;
}

}  // namespace detail
}  // namespace actord
