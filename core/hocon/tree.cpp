// SPDX-License-Identifier: Apache-2.0
#include "hocon/tree.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/assert.hpp"
#include "base/suggestion.hpp"
#include "hocon/kept_secrets.hpp"
#include "hocon/key_path.hpp"
#include "hocon/secrets.hpp"
#include "hocon/taint.hpp"
#include "hocon/tree_data.hpp"
#include "hocon/units.hpp"

namespace actord::hocon {

namespace {

constexpr std::string_view list_help = "write it in brackets: [a, b, c]";

/// The position that a key stands for, such as "0" or "17"; nothing for "-1" or "x".
std::optional<std::uint64_t> position_of(std::string_view key) noexcept {
  std::uint64_t position = 0;
  const auto [end, failed] = std::from_chars(key.data(), key.data() + key.size(), position);
  if (failed != std::errc() || end != key.data() + key.size() || key.empty()) return std::nullopt;
  return position;
}

/// Whether a message shows the text, as it is or quoted.
bool shows(std::string_view message, std::string_view text) {
  const std::string quoted = quoted_for_message(text);
  return !text.empty() && (message.find(text) != std::string_view::npos ||
                           message.find(quoted) != std::string_view::npos);
}

}  // namespace

std::string_view name_of(Kind kind) noexcept {
  constexpr std::array<std::string_view, 6> names = {"null",     "a boolean", "a number",
                                                     "a string", "an object", "a list"};
  return names[static_cast<std::size_t>(kind)];
}

// ---- where a value stands -----------------------------------------------------------------------

Kind Value::kind() const { return ACTORD_ASSERT(exists()), node_->kind; }
std::string_view Value::text() const { return ACTORD_ASSERT(exists()), node_->text(); }
Origin Value::origin() const { return ACTORD_ASSERT(exists()), node_->written.at; }
Origin Value::source_origin() const { return ACTORD_ASSERT(exists()), node_->source(); }
std::string Value::origin_text() const { return tree_->files.text_of(origin()); }
std::string_view Value::key() const { return ACTORD_ASSERT(exists()), node_->key(); }

std::string_view Value::written() const {
  ACTORD_ASSERT(exists());
  return tree_->files.text(node_->written);
}

std::string_view Value::file() const {
  const Origin at = origin();
  return at.known() ? std::string_view(tree_->files[at.file].name) : std::string_view();
}

bool Value::is_secret() const { return ACTORD_ASSERT(exists()), node_->is_secret; }

Value Value::parent() const {
  ACTORD_ASSERT(exists());
  return node_->parent == nullptr ? Value() : Value(tree_, node_->parent);
}

std::string Value::path() const {
  ACTORD_ASSERT(exists());
  std::vector<const TreeNode*> steps;
  for (const TreeNode* node = node_; node->parent != nullptr; node = node->parent)
    steps.push_back(node);
  std::string path;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if ((*step)->parent->kind == Kind::array) {
      path.append("[").append(std::to_string((*step)->position())).append("]");
      continue;
    }
    if (!path.empty()) path.push_back('.');
    path.append(quoted_key((*step)->key()));
  }
  return path;
}

std::vector<Overridden> Value::overridden() const {
  ACTORD_ASSERT(exists());
  std::vector<Overridden> all;
  if (node_->extra == nullptr) return all;
  for (const SourceSpan& span : node_->extra->overridden) {
    const bool hidden = is_secret() || node_->extra->overrides_secret;
    all.push_back({span.at, tree_->files.text_of(span.at),
                   std::string(hidden ? secret_word : tree_->files.text(span))});
  }
  return all;
}

// ---- what it holds ------------------------------------------------------------------------------

std::size_t Value::size() const { return ACTORD_ASSERT(exists()), node_->children().size(); }

Member Value::at(std::size_t i) const {
  ACTORD_ASSERT(i < size());
  const TreeNode& child = node_->children()[i];
  return {child.key(), Value(tree_, &child)};
}

Value Value::member(std::string_view key) const {
  if (!exists() || node_->kind != Kind::object) return {};
  const auto children = node_->children();
  if (node_->extra != nullptr && node_->extra->index != nullptr) {
    const std::uint32_t found = node_->extra->index->find(
        key, [&](std::uint32_t position) { return children[position].key(); });
    return found == KeyIndex::none ? Value() : Value(tree_, &children[found]);
  }
  for (const TreeNode& child : children) {
    if (child.key() == key) return {tree_, &child};
  }
  return {};
}

Value Value::find(std::string_view path) const {
  const auto elements = parse_path(path);
  if (!elements) return {};
  Value value = *this;
  for (const std::string& element : *elements) value = value.member(element);
  return value;
}

std::string_view Value::nearest(std::string_view key) const {
  std::vector<std::string_view> keys;
  for (const TreeNode& child : node_->children()) keys.push_back(child.key());
  return base::nearest_of(key, keys);
}

// ---- as a type ----------------------------------------------------------------------------------

Diagnostic Value::reject(std::string reason, std::string help) const {
  ACTORD_ASSERT(exists());
  std::string note;
  if (!(node_->source() == node_->written.at)) {
    note = "the value comes from " + tree_->files.text_of(node_->source());
  }
  if (is_secret()) {
    if (shows(reason, text())) reason = "this secret is not valid here";
    if (shows(help, text())) help.clear();
  }
  const bool is_quoted = node_->is_scalar() && !is_secret();
  const auto finding_at = is_quoted ? diagnostic_quoting : diagnostic_at;
  return coded(codes::value, finding_at(tree_->files, node_->written, std::move(reason),
                                        std::move(help), std::move(note)));
}

Diagnostic Value::warn(std::string reason, std::string help) const {
  Diagnostic diagnostic = coded(codes::meaning, reject(std::move(reason), std::move(help)));
  diagnostic.warning = true;
  return diagnostic;
}

Diagnostic Value::mismatch(std::string_view wanted, std::string help) const {
  std::string got(name_of(kind()));
  if (kind() == Kind::string && !is_secret()) got = "the string " + quoted_for_message(text());
  if (kind() == Kind::boolean || (kind() == Kind::number && !is_secret())) got = text();
  return coded(codes::mismatch,
               reject("expected " + std::string(wanted) + ", got " + got, std::move(help)));
}

base::Result<bool, Diagnostic> Value::as_bool() const {
  const std::optional<bool> value = is_boolean() || is_string() ? parse_bool(text()) : std::nullopt;
  if (value) return *value;
  return mismatch("a boolean", "write true or false (yes, no, on, off are understood too)");
}

base::Result<std::int64_t, Diagnostic> Value::as_int64(std::int64_t least,
                                                       std::int64_t most) const {
  const std::optional<std::int64_t> value =
      is_number() || is_string() ? parse_integer(text()) : std::nullopt;
  if (!value) return mismatch("a whole number");
  if (*value >= least && *value <= most) return *value;
  std::string range = "from " + std::to_string(least) + " to " + std::to_string(most);
  if (most == INT64_MAX) range = "of at least " + std::to_string(least);
  if (least == INT64_MIN) range = "of at most " + std::to_string(most);
  return mismatch("a whole number " + range);
}

base::Result<double, Diagnostic> Value::as_double() const {
  const std::optional<double> value =
      is_number() || is_string() ? parse_number(text()) : std::nullopt;
  if (value) return *value;
  return mismatch("a number");
}

base::Result<std::string, Diagnostic> Value::as_string() const {
  if (is_string() || is_number() || is_boolean()) return std::string(text());
  return mismatch("a string");
}

base::Result<std::int64_t, Diagnostic> Value::as_duration_ns() const {
  if (!is_number() && !is_string()) return mismatch("a duration", "for example 5 s or 100 ms");
  auto duration = parse_duration_ns(text());
  if (duration) return *duration;
  const std::string& what = duration.error().what;  // "finding; help"
  const std::size_t help = what.rfind("; ");
  return coded(codes::mismatch, reject(what.substr(0, help), what.substr(help + 2)));
}

base::Result<std::int64_t, Diagnostic> Value::as_bytes() const {
  if (!is_number() && !is_string()) return mismatch("a size in bytes", "for example 512 or 64 MiB");
  auto bytes = parse_bytes(text());
  if (bytes) return *bytes;
  const std::string& what = bytes.error().what;
  const std::size_t help = what.rfind("; ");
  return coded(codes::mismatch, reject(what.substr(0, help), what.substr(help + 2)));
}

base::Result<std::vector<Value>, Diagnostic> Value::as_list() const {
  std::vector<Value> elements;
  if (is_array()) {
    for (const TreeNode& child : node_->children()) elements.emplace_back(tree_, &child);
    return elements;
  }
  if (!is_object()) return mismatch("a list", std::string(list_help));
  std::vector<std::pair<std::uint64_t, const TreeNode*>> numbered;
  for (const TreeNode& child : node_->children()) {
    if (const auto position = position_of(child.key())) numbered.emplace_back(*position, &child);
  }
  if (numbered.empty()) return mismatch("a list", std::string(list_help));
  std::stable_sort(numbered.begin(), numbered.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [position, child] : numbered) elements.emplace_back(tree_, child);
  return elements;
}

// ---- the tree -----------------------------------------------------------------------------------

namespace {

std::vector<TreeNode*> nodes_of(const std::vector<Value>& values) {
  std::vector<TreeNode*> nodes;
  for (const Value& value : values) nodes.push_back(const_cast<TreeNode*>(value.node()));
  return nodes;
}

}  // namespace

Tree::Tree() {
  auto data = std::make_shared<TreeData>();
  data->root = std::pmr::polymorphic_allocator<>(&data->arena).new_object<TreeNode>();
  data->root->kind = Kind::object;
  data->root->set_children({});
  data_ = std::move(data);
}

Value Tree::root() const { return {data_.get(), data_->root}; }
const std::vector<LoadedFile>& Tree::files() const { return data_->loaded; }
const Diagnostics& Tree::warnings() const { return data_->warnings; }
const SourceFiles& Tree::sources() const { return data_->files; }
const std::set<Origin>& Tree::declared_secrets() const { return data_->declared_secrets; }

void Tree::make_secret(const std::vector<Value>& values) {
  taint(*data_, nodes_of(values), UnfetchedSecret::is_value, Secrecy::suspected);
}

SecretFindings Tree::fetch_secrets(const std::vector<Value>& values, const SecretReader& reader) {
  const std::vector<TreeNode*> nodes = nodes_of(values);
  SecretFindings found = fetch_kept_secrets(*data_, nodes, reader);
  taint(*data_, nodes, UnfetchedSecret::names_place);
  return found;
}

}  // namespace actord::hocon
