// SPDX-License-Identifier: Apache-2.0
#include "message/type_registry.hpp"

#include <algorithm>

#include "message/envelope.hpp"
#include "message/masking_writer.hpp"

namespace actord::message {

namespace {

std::string members_of(const actord_message_type& table) {
  std::string text = "{";
  for (std::size_t i = 0; i < table.n_members; ++i) {
    if (i != 0) text += ' ';
    text +=
        std::string{view(table.members[i].name)} + ':' + std::string{view(table.members[i].type)};
  }
  return text + '}';
}

// A secret of `b` that is none of `a`; empty: all of them are.
std::string_view secret_missing(const actord_message_type& a, const actord_message_type& b) {
  for (const actord_str& each : secrets_of(b)) {
    const auto is_it = [&](const actord_str& other) { return view(other) == view(each); };
    if (std::ranges::none_of(secrets_of(a), is_it)) return view(each);
  }
  return {};
}

// Says how two tables of one name differ. Empty: both describe the same layout.
std::string difference(const actord_message_type& a, const actord_message_type& b) {
  if (members_of(a) != members_of(b))
    return "has the members " + members_of(b) + " in this plugin and " + members_of(a) +
           " in one that was loaded before";
  bool is_same = a.size == b.size && a.align == b.align && view(a.library) == view(b.library);
  for (std::size_t i = 0; is_same && i < a.n_members; ++i)
    is_same = a.members[i].offset == b.members[i].offset;
  if (const std::string_view secret = secret_missing(a, b); is_same && !secret.empty())
    return "calls the member " + std::string{secret} +
           " secret, which a plugin that was loaded before does not: build that one again";
  if (is_same) return {};
  return "has a different layout in a plugin that was loaded before (" + std::to_string(b.size) +
         " bytes with " + std::string{view(b.library)} + ", " + std::to_string(a.size) + " with " +
         std::string{view(a.library)} +
         "): build both plugins with the same compiler and standard library";
}

}  // namespace

TypeRegistry::TypeRegistry() : types_(std::make_unique<MessageType[]>(capacity)) {}

base::Result<TypeId> TypeRegistry::add(const actord_message_type& table) {
  std::lock_guard lock(mutex_);
  const std::string_view name = view(table.name);
  if (const auto known = ids_.find(name); known != ids_.end()) {
    if (const std::string text = difference(*types_[known->second].table, table); !text.empty()) {
      return base::Error{"message type " + std::string{name} + ' ' + text};
    }
    *table.id = known->second;
    return known->second;
  }
  const TypeId id = count_.load(base::relaxed) + 1;
  if (id >= capacity)
    return base::Error{"more than " + std::to_string(capacity - 1) + " message types"};
  MessageType& type = types_[id];
  type.table = &table;
  type.size = table.size;
  type.is_trivial = (table.flags & ACTORD_TRIVIAL) != 0;
  type.fits_inline = table.size <= Envelope::inline_size && table.align <= 8;
  type.fits_correlated =
      table.size <= Envelope::inline_size - sizeof(std::uint64_t) && table.align <= 8;
  type.fits_small = table.size <= Envelope::small_inline_size && table.align <= 8;
  type.is_word = type.fits_small && type.is_trivial && table.size == Envelope::small_inline_size;
  ids_.emplace(name, id);
  *table.id = id;
  count_.store(id, base::release);  // pairs with the acquire in last() and name()
  return id;
}

TypeId TypeRegistry::find(std::string_view name) const {
  std::shared_lock lock(mutex_);
  const auto known = ids_.find(name);
  return known == ids_.end() ? 0 : known->second;
}

}  // namespace actord::message
