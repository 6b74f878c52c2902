// SPDX-License-Identifier: Apache-2.0
#include "settings/admin_roles.hpp"

#include <algorithm>
#include <string>

#include "hocon/diagnostic.hpp"
#include "schema/setting_codes.hpp"
#include "settings/findings.hpp"
#include "settings/object_reader.hpp"

namespace actord::settings {

using schema::Role;

Role AdminRoles::role_of(const os::Peer& peer) const noexcept {
  if (peer.uid == 0 || peer.uid == os::own_user()) return Role::admin;
  Role highest = Role::none;
  bool is_in_any = false;
  for (const auto& [group, role] : groups) {
    if (!peer.is_in_group(group)) continue;
    is_in_any = true;
    highest = std::max(highest, role);
  }
  return is_in_any ? highest : otherwise;
}

AdminRoles read_admin_roles(ObjectReader& admin) {
  AdminRoles roles;
  admin.read_word("default-role", roles.otherwise, schema::role_words);
  ObjectReader block = admin.section("roles");
  for (const hocon::Member& member : block.take_all()) {
    Role role = Role::none;
    block.read_word(member.key, role, schema::role_words);
    const std::string name{member.key};
    if (const auto group = os::group_named(name)) {
      roles.groups.emplace_back(*group, role);
    } else {
      hocon::Diagnostic unknown =
          member.value.warn("there is no group " + hocon::quoted_for_message(member.key) + " here",
                            "getent group lists the groups of this system");
      block.findings().add(at_key(coded(schema::codes::no_effect, std::move(unknown)), member.key));
    }
  }
  return roles;
}

}  // namespace actord::settings
