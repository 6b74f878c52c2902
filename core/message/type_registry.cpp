// SPDX-License-Identifier: Apache-2.0
#include "message/type_registry.hpp"

#include <algorithm>
#include <span>

#include "message/envelope.hpp"
#include "message/masking_writer.hpp"

namespace actord::message {

namespace {

std::span<const actord_member> members_of(const actord_message_type& table) {
  return {table.members, table.n_members};
}

std::string text_of(const actord_message_type& table) {
  std::string text = "{";
  for (const actord_member& each : members_of(table)) {
    if (text.size() != 1) text += ' ';
    text.append(view(each.name)).append(":").append(view(each.type));
  }
  return text + '}';
}

const actord_member* find_member(const actord_message_type& table, std::string_view name) {
  for (const actord_member& each : members_of(table)) {
    if (view(each.name) == name) return &each;
  }
  return nullptr;
}

// What the members of `b` are where those of `a`, of another plugin, are not. Empty: they are the
// same, in the same order.
std::string difference(const actord_message_type& a, const actord_message_type& b) {
  std::string text;
  const auto add = [&text](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  for (const actord_member& member : members_of(b)) {
    const std::string name{view(member.name)}, type{view(member.type)};
    const actord_member* const there = find_member(a, name);
    if (there == nullptr) add(name + " is " + type + " here and missing there");
    else if (view(there->type) != type)
      add(name + " is " + type + " here and " + std::string{view(there->type)} + " there");
  }
  for (const actord_member& member : members_of(a)) {
    if (find_member(b, view(member.name)) == nullptr)
      add(std::string{view(member.name)} + " is missing here and " +
          std::string{view(member.type)} + " there");
  }
  if (text.empty() && text_of(a) != text_of(b))
    return "the order is " + text_of(b) + " here and " + text_of(a) + " there";
  return text;
}

// A secret of `b` that is none of `a`; empty: all of them are.
std::string_view secret_missing(const actord_message_type& a, const actord_message_type& b) {
  for (const actord_str& each : secrets_of(b)) {
    const auto is_it = [&](const actord_str& other) { return view(other) == view(each); };
    if (std::ranges::none_of(secrets_of(a), is_it)) return view(each);
  }
  return {};
}

// Whether a message of the one table is, byte for byte, one of the other.
bool is_same_layout(const actord_message_type& a, const actord_message_type& b) {
  const bool is_same = a.size == b.size && a.align == b.align &&
                       view(a.library) == view(b.library) &&
                       ((a.flags ^ b.flags) & ACTORD_TRIVIAL) == 0;
  return is_same && std::ranges::equal(members_of(a), members_of(b), {}, &actord_member::offset,
                                       &actord_member::offset);
}

}  // namespace

TypeRegistry::TypeRegistry()
    : types_(std::make_unique<MessageType[]>(capacity + further_capacity)),
      next_(std::make_unique<base::Atomic<TypeId>[]>(capacity + further_capacity)),
      first_(std::make_unique<TypeId[]>(further_capacity)) {}

base::Result<TypeId> TypeRegistry::add(const actord_message_type& table, std::string_view plugin) {
  std::lock_guard lock(mutex_);
  const auto known = ids_.find(view(table.name));
  const TypeId first = known == ids_.end() ? 0 : known->second;
  TypeId id = first == 0 ? 0 : equal_layout(table, first);
  const auto refused = [&](const std::string& why) {
    return base::Error{"message type " + std::string{view(table.name)} + ' ' + why};
  };
  if (first != 0) {
    if (const std::string why = why_refused(table, first, id); !why.empty()) return refused(why);
  }
  if (id == 0) {
    const TypeId n_names = count_.load(base::relaxed), n_further = n_further_.load(base::relaxed);
    if (first == 0 && n_names + 1 == capacity)
      return base::Error{"more than " + std::to_string(capacity - 1) + " message types"};
    if (first != 0 && n_further == further_capacity)
      return refused("has another layout than before, and there are " +
                     std::to_string(further_capacity) + " such layouts already");
    id = first == 0 ? n_names + 1 : further_layouts + n_further;
    fill(id, table, plugin);
    if (first == 0) add_name(id);
    else add_layout(id, first);
  }
  Declared& declared = of_plugins_.try_emplace(std::string{plugin}).first->second;
  declared.layouts.insert_or_assign(first_layout(id), id);
  if (id >= further_layouts) declared.has_further = true;
  // A table that several plugins share is read meanwhile.
  if (*table.id != id) *table.id = id;
  return id;
}

TypeId TypeRegistry::equal_layout(const actord_message_type& table, TypeId first) const {
  TypeId id = first;
  do {
    if (is_same_layout(*types_[id].table, table)) return id;
    id = next_layout(id);
  } while (id != first);
  return 0;
}

std::string TypeRegistry::why_refused(const actord_message_type& table, TypeId first,
                                      TypeId equal) const {
  const TypeId compared = equal != 0 ? equal : first;
  const actord_message_type& before = *types_[compared].table;
  const std::string& plugin = declared_by_.at(compared);
  const std::string whose = plugin.empty() ? "another plugin" : "the plugin " + plugin;
  if (const std::string text = difference(before, table); !text.empty())
    return "has other members than in " + whose + ", which was loaded before: " + text;
  // Messages of one layout are shown by the table that came first, so that a plugin that declares
  // fewer secrets does no harm. Those of another layout are shown by its own table.
  if (const std::string_view secret = secret_missing(before, table); !secret.empty())
    return "calls the member " + std::string{secret} + " secret, which " + whose +
           ", loaded before, does not: build that one again";
  const std::string_view secret = secret_missing(table, before);
  if (equal != 0 || secret.empty()) return {};
  return "does not call the member " + std::string{secret} + " secret, which " + whose +
         ", loaded before, does";
}

void TypeRegistry::fill(TypeId id, const actord_message_type& table, std::string_view plugin) {
  MessageType& type = types_[id];
  type.table = &table;
  type.size = table.size;
  type.is_trivial = (table.flags & ACTORD_TRIVIAL) != 0;
  type.fits_inline = table.size <= Envelope::inline_size && table.align <= 8;
  type.fits_correlated =
      table.size <= Envelope::inline_size - sizeof(std::uint64_t) && table.align <= 8;
  type.fits_small = table.size <= Envelope::small_inline_size && table.align <= 8;
  type.is_builtin = view(table.name).starts_with("actord.");
  type.is_word = type.fits_small && type.is_trivial && !type.is_builtin &&
                 table.size == Envelope::small_inline_size;
  next_[id].store(id, base::relaxed);
  declared_by_.emplace(id, plugin);
}

void TypeRegistry::add_name(TypeId id) {
  ids_.emplace(view(types_[id].table->name), id);
  count_.store(id, base::release);  // pairs with the acquire in last() and is_known()
}

void TypeRegistry::add_layout(TypeId id, TypeId first) {
  first_[id - further_layouts] = first;
  next_[id].store(next_layout(first), base::relaxed);
  n_further_.store(id - further_layouts + 1, base::release);  // pairs with is_known()
  next_[first].store(id, base::release);                      // pairs with next_layout()
}

TypeId TypeRegistry::find(std::string_view name) const {
  std::shared_lock lock(mutex_);
  const auto known = ids_.find(name);
  return known == ids_.end() ? 0 : known->second;
}

TypeId TypeRegistry::find(std::string_view name, std::string_view plugin) const {
  const TypeId first = find(name);
  const TypeId declared = first == 0 ? 0 : layout_in(plugin, first);
  return declared != 0 ? declared : first;
}

TypeId TypeRegistry::layout_in(std::string_view plugin, TypeId id) const {
  std::shared_lock lock(mutex_);
  const auto known = of_plugins_.find(plugin);
  if (known == of_plugins_.end()) return 0;
  const auto layout = known->second.layouts.find(first_layout(id));
  return layout == known->second.layouts.end() ? 0 : layout->second;
}

bool TypeRegistry::has_further_layouts(std::string_view plugin) const {
  std::shared_lock lock(mutex_);
  const auto known = of_plugins_.find(plugin);
  return known != of_plugins_.end() && known->second.has_further;
}

}  // namespace actord::message
