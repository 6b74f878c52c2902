// SPDX-License-Identifier: Apache-2.0
//
// The members of a message type that are never shown, as its about() says (about.hpp).
#pragma once

#include <deque>
#include <string>
#include <vector>

#include <actord/about.hpp>
#include <actord/fields.hpp>

namespace actord::detail {

/// Whether about() of the struct calls the member secret.
template <class T, class M>
bool is_secret_member([[maybe_unused]] const M& member) {
  if constexpr (HasAbout<T>) {
    const About* const about = about_member<T>(member);
    return about != nullptr && about->is_secret();
  } else {
    return false;
  }
}

/// The paths of plugin.h, and their texts, to which they point.
class SecretMembers {
 public:
  SecretMembers() = default;
  SecretMembers(const SecretMembers&) = delete;
  SecretMembers& operator=(const SecretMembers&) = delete;

  template <Described T>
  void add_members(const std::string& prefix) {
    with_members<T>([&](auto... m) { (add_member<T>(prefix, m), ...); });
  }
  const std::vector<actord_str>& paths() const { return paths_; }

 private:
  template <class T, class M>
  void add_member(const std::string& prefix, const M& member) {
    const std::string path = prefix + std::string{member.name};
    if (is_secret_member<T>(member)) paths_.push_back(to_c(texts_.emplace_back(path)));
    else add_inside<Plain<typename M::value_type>>(path);
  }
  template <class V>
  void add_inside(const std::string& path) {
    if constexpr (Described<V>) add_members<V>(path + '.');
    else if constexpr (Map<V>) add_inside<Plain<typename V::mapped_type>>(path + ".*");
    else if constexpr (List<V>) add_inside<Plain<typename V::value_type>>(path + ".*");
  }

  std::deque<std::string> texts_;
  std::vector<actord_str> paths_;
};

/// Never destroyed, as the table of the message type.
template <Described T>
[[gnu::cold]] const std::vector<actord_str>& secret_members() {
  struct Found : SecretMembers {
    Found() { add_members<T>(""); }
  };
  static const auto& found = *new Found;
  return found.paths();
}

}  // namespace actord::detail
