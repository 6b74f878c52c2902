// SPDX-License-Identifier: Apache-2.0
#include "ctl/json_members.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/duration_text.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

const Json* find_at(const Json& json, std::string_view path) {
  const Json* at = &json;
  while (!path.empty()) {
    if (!at->is_object()) return nullptr;
    const std::string_view name = path.substr(0, path.find('.'));
    const auto found = at->find(name);
    if (found == at->end()) return nullptr;
    at = &*found;
    path.remove_prefix(std::min(path.size(), name.size() + 1));
  }
  return at;
}

}  // namespace

std::string text_at(const Json& json, std::string_view path) {
  const Json* const found = find_at(json, path);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string{};
}

std::uint64_t number_at(const Json& json, std::string_view path) {
  const Json* const found = find_at(json, path);
  return found != nullptr && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

std::string duration_at(const Json& json, std::string_view path) {
  return base::duration_text(static_cast<std::int64_t>(number_at(json, path)) * base::ns_per_ms);
}

}  // namespace actord::ctl
