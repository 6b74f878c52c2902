// SPDX-License-Identifier: Apache-2.0
#include "hocon/literal_builder.hpp"

#include <algorithm>
#include <utility>

#include "base/assert.hpp"
#include "base/utf8.hpp"
#include "hocon/merge.hpp"

namespace actord::hocon {

LiteralBuilder::LiteralBuilder(const Setting& setting, std::uint32_t file)
    : setting_(setting), file_(file) {}

// ---- places -------------------------------------------------------------------------------------

SourceSpan LiteralBuilder::span(std::size_t begin, std::size_t bytes) {
  const std::string_view text = setting_.files[file_].text;
  begin = std::min(begin, text.size());
  if (begin < offset_) {
    const std::string_view passed = text.substr(begin, offset_ - begin);
    line_ -= static_cast<std::uint32_t>(std::count(passed.begin(), passed.end(), '\n'));
    offset_ = begin;
    const std::string_view before = text.substr(0, begin);
    column_ = 1;
    column_ +=
        static_cast<std::uint32_t>(base::utf8::length(before.substr(before.rfind('\n') + 1)));
  }
  for (; offset_ < begin; ++offset_) {
    if (text[offset_] == '\n') ++line_, column_ = 1;
    else if (!base::utf8::is_continuation(text[offset_])) ++column_;
  }
  std::string_view covered = text.substr(begin, bytes);
  covered = covered.substr(0, covered.find('\n'));
  const auto length =
      static_cast<std::uint32_t>(std::max<std::size_t>(base::utf8::length(covered), 1));
  return {{file_, line_, column_}, length};
}

// ---- nodes --------------------------------------------------------------------------------------

Node* LiteralBuilder::make(NodeKind kind, const SourceSpan& at) {
  Node* node = std::pmr::polymorphic_allocator<>(&setting_.arena).new_object<Node>();
  node->kind = kind;
  node->span = at;
  return node;
}

bool LiteralBuilder::keep(const SourceSpan& at, std::string_view& text) {
  text_bytes_ += text.size();
  if (text_bytes_ > setting_.limits.source_bytes) {
    return fail_beyond_limit(at, "the strings of one file take more than " +
                                     std::to_string(setting_.limits.source_bytes >> 20U) + " MiB");
  }
  std::pmr::polymorphic_allocator<> arena(&setting_.arena);
  auto* bytes = arena.allocate_object<char>(text.size());
  std::copy(text.begin(), text.end(), bytes);
  text = {bytes, text.size()};
  return true;
}

// A node is added when it is finished; an object or list is added before it is filled.
bool LiteralBuilder::add(Node* node) {
  if (++setting_.nodes > setting_.limits.nodes)
    return fail_beyond_limit(node->span, too_many_values(setting_.limits));
  if (levels_.empty()) {
    ACTORD_ASSERT(root_ == nullptr);
    root_ = node;
    return true;
  }
  Level& level = levels_.back();
  if (level.node->kind == NodeKind::array) {
    level.node->elements->push_back(node);
    return true;
  }
  ACTORD_ASSERT(level.has_key);
  level.has_key = false;
  level.node->object->note_form(level.key, false);
  level.node->object->at(level.key).top = node;
  return true;
}

bool LiteralBuilder::open(Node* node) {
  const std::size_t nesting = setting_.position.nesting + levels_.size();
  if (nesting > setting_.limits.nesting) {
    return fail_beyond_limit(
        node->span, "nested deeper than " + std::to_string(setting_.limits.nesting) + " levels");
  }
  if (!add(node)) return false;
  levels_.push_back({node, {}, false});
  return true;
}

bool LiteralBuilder::begin_object(const SourceSpan& at) {
  if (failed_) return false;
  Node* node = make(NodeKind::object, at);
  node->object =
      std::pmr::polymorphic_allocator<>(&setting_.arena).new_object<ObjectLiteral>(&setting_.arena);
  return open(node);
}

bool LiteralBuilder::begin_list(const SourceSpan& at) {
  if (failed_) return false;
  Node* node = make(NodeKind::array, at);
  node->elements = std::pmr::polymorphic_allocator<>(&setting_.arena).new_object<Elements>();
  return open(node);
}

bool LiteralBuilder::key(const SourceSpan& at, std::string_view key) {
  if (failed_) return false;
  Level& level = levels_.back();
  ACTORD_ASSERT(level.node->kind == NodeKind::object && !level.has_key);
  setting_.files.add_key(at);
  const ObjectLiteral& object = *level.node->object;
  const std::size_t known = object.find(key);
  if (known != object.fields.size()) {
    const Origin& first = object.fields[known].top->span.at;
    return fail(at, "the key " + quoted_for_message(key) + " stands twice in one object",
                "remove one of the two", "the first one is at " + setting_.files.text_of(first));
  }
  if (!keep(at, key)) return false;
  level.key = key;
  level.has_key = true;
  return true;
}

bool LiteralBuilder::scalar(const SourceSpan& at, std::string_view text, Style style) {
  if (failed_ || !keep(at, text)) return false;
  Node* node = make(style == Style::plain ? kind_of_word(text) : NodeKind::string, at);
  node->text = text;
  return add(node);
}

bool LiteralBuilder::end() {
  if (failed_) return false;
  ACTORD_ASSERT(!levels_.empty() && !levels_.back().has_key);
  levels_.pop_back();
  return true;
}

bool LiteralBuilder::fail(const SourceSpan& at, std::string message, std::string help,
                          std::string note) {
  if (std::exchange(failed_, true)) return false;
  setting_.errors.push_back(coded(
      codes::syntax,
      diagnostic_at(setting_.files, at, std::move(message), std::move(help), std::move(note))));
  return false;
}

bool LiteralBuilder::fail_beyond_limit(const SourceSpan& at, std::string message,
                                       std::string help) {
  if (failed_) return false;
  fail(at, std::move(message), std::move(help));
  setting_.errors.back().code = codes::limit;
  return false;
}

// An empty file, or one that is just null, defines nothing.
bool LiteralBuilder::finish(ObjectLiteral& target) {
  if (failed_) return false;
  if (root_ == nullptr || root_->kind == NodeKind::null) return true;
  if (root_->kind != NodeKind::object) {
    const char* what = root_->kind == NodeKind::array ? "a list" : "a single value";
    return fail(root_->span, std::string("a configuration is an object, not ") + what);
  }
  for (const Field& field : root_->object->fields)
    define(target, {&field.key, 1}, field.top, field.top->span, &setting_.arena);
  return true;
}

}  // namespace actord::hocon
