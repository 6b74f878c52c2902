// SPDX-License-Identifier: Apache-2.0
#include "hocon/node.hpp"

#include "hocon/units.hpp"

namespace actord::hocon {

NodeKind kind_of_word(std::string_view word) noexcept {
  if (word == "true" || word == "false") return NodeKind::boolean;
  if (word == "null") return NodeKind::null;
  if (!is_json_number(word)) return NodeKind::string;
  // An integer beyond 64 bits stays text, because as a number it would lose digits.
  const bool integer = word.find_first_of(".eE") == std::string_view::npos;
  return integer && !parse_integer(word) ? NodeKind::string : NodeKind::number;
}

std::size_t ObjectLiteral::find(std::string_view key) const {
  if (fields.size() < indexed_from) {
    std::size_t i = 0;
    while (i < fields.size() && fields[i].key != key) ++i;
    return i;
  }
  const std::uint32_t found =
      index_->find(key, [this](std::uint32_t position) { return fields[position].key; });
  return found == KeyIndex::none ? fields.size() : found;
}

Field& ObjectLiteral::at(std::string_view key) {
  const std::size_t position = find(key);
  if (position < fields.size()) return fields[position];
  fields.push_back({key, nullptr});
  if (fields.size() == indexed_from) {
    std::pmr::polymorphic_allocator<> arena = fields.get_allocator();
    index_ = arena.new_object<KeyIndex>(arena.resource());
    for (std::size_t i = 0; i < fields.size(); ++i)
      index_->insert(fields[i].key, static_cast<std::uint32_t>(i));
  } else if (fields.size() > indexed_from) {
    index_->insert(key, static_cast<std::uint32_t>(position));
  }
  return fields.back();
}

// A path that ends here replaces the earlier form. Two forms between the same braces conflict.
void ObjectLiteral::note_form(std::string_view key, bool in_passing) noexcept {
  const SecretForm form = secret_form_of(key);
  if (form == SecretForm::none) return;
  const bool is_first = secret_form == SecretForm::none || secret_form == form;
  secret_form = in_passing || is_first ? form : SecretForm::several;
}

}  // namespace actord::hocon
