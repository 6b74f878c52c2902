// SPDX-License-Identifier: Apache-2.0
#include "system/extensions.hpp"

#include <algorithm>

namespace actord::system {

namespace {

// What is wrong with the id for an extension of that plugin; empty: nothing.
std::string why_invalid(std::string_view id, std::string_view plugin) {
  const std::string begin = std::string{plugin} + '.';
  const std::size_t slash = id.rfind('/');
  const std::string_view version = slash == id.npos ? std::string_view{} : id.substr(slash + 1);
  const bool is_number =
      !version.empty() && std::ranges::all_of(version, [](char c) { return c >= '0' && c <= '9'; });
  if (id.starts_with(begin) && is_number && slash > begin.size()) return {};
  return "the id \"" + std::string{id} + "\" is no extension of " + std::string{plugin} +
         ": it has to be like \"" + begin + "prices/1\", the plugin, a name and a version";
}

}  // namespace

void Extensions::begin_attach(std::string_view plugin) {
  std::lock_guard lock(mutex_);
  attaching_ = plugin;
  attaching_thread_ = base::this_thread();
}

void Extensions::end_attach(bool is_attached) {
  std::lock_guard lock(mutex_);
  attaching_thread_ = {};
  if (!is_attached) std::erase_if(offers_, [](const auto& each) { return each.second.is_pending; });
  for (auto& [id, offer] : offers_) offer.is_pending = false;
}

base::Result<void> Extensions::publish(std::string_view id, const void* table) {
  std::lock_guard lock(mutex_);
  if (!is_attaching())
    return base::Error{"extension " + std::string{id} +
                       ": a plugin can publish one only in its attach()"};
  if (std::string fault = why_invalid(id, attaching_); !fault.empty())
    return base::Error{std::move(fault)};
  if (table == nullptr) return base::Error{"extension " + std::string{id} + " has no table"};
  const auto [offer, is_new] = offers_.try_emplace(std::string{id});
  if (!is_new)
    return base::Error{"extension " + std::string{id} + " is published by the plugin " +
                       offer->second.publisher + " already"};
  offer->second.table = table;
  offer->second.publisher = attaching_;
  return {};
}

const void* Extensions::find(std::string_view id, std::string_view plugin) {
  {
    std::shared_lock lock(mutex_);
    const auto offer = offers_.find(id);
    if (offer == offers_.end() || offer->second.is_pending) return nullptr;
    const std::string_view user = is_attaching() ? std::string_view{attaching_} : plugin;
    if (std::ranges::find(offer->second.users, user) != offer->second.users.end())
      return offer->second.table;
  }
  std::lock_guard lock(mutex_);
  const auto offer = offers_.find(id);
  if (offer == offers_.end()) return nullptr;  // forgotten between the two locks
  const std::string user{is_attaching() ? std::string_view{attaching_} : plugin};
  auto& users = offer->second.users;
  if (std::ranges::find(users, user) == users.end()) users.push_back(user);
  return offer->second.table;
}

std::vector<Extension> Extensions::all() const {
  std::shared_lock lock(mutex_);
  std::vector<Extension> found;
  for (const auto& [id, offer] : offers_) {
    if (!offer.is_pending) found.push_back({id, offer.publisher, offer.users});
  }
  return found;
}

void Extensions::forget(std::string_view plugin) {
  std::lock_guard lock(mutex_);
  std::erase_if(offers_, [&](const auto& each) { return each.second.publisher == plugin; });
  for (auto& [id, offer] : offers_) std::erase(offer.users, plugin);
}

}  // namespace actord::system
