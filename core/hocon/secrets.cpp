// SPDX-License-Identifier: Apache-2.0
#include "hocon/secrets.hpp"

#include <algorithm>

#include "hocon/finding_codes.hpp"
#include "hocon/kept_secrets.hpp"

namespace actord::hocon {

namespace {

bool matches(const std::vector<std::string>& pattern, SecretPlaces::Path path, std::size_t count) {
  return std::equal(pattern.begin(), pattern.begin() + static_cast<std::ptrdiff_t>(count),
                    path.begin(), [](const std::string& wanted, std::string_view name) {
                      return wanted == "*" || wanted == name;
                    });
}

/// Whether the object names a kept secret, such as { file = PATH }. The place of a secret is not
/// secret.
bool is_form(const ObjectLiteral& object) {
  std::vector<std::string_view> keys;
  for (const Field& field : object.fields) keys.push_back(field.key);
  return are_secret_forms(keys);
}

void hide_lines_of(const Node& node, SourceFiles& files) {
  const auto& [file, line, column] = node.span.at;
  files.hide_line(file, line);
  if (node.kind != NodeKind::string) return;
  const auto newlines = std::count(node.text.begin(), node.text.end(), '\n');
  for (std::uint32_t more = 1; more <= newlines; ++more) files.hide_line(file, line + more);
}

// Recursion is bounded by the nesting that the parsers allow.
void hide_secret(const Node& node, SourceFiles& files) {
  switch (node.kind) {
    case NodeKind::object:
      if (is_form(*node.object)) return;
      for (const Field& field : node.object->fields) {
        for (const Node* each = field.top; each != nullptr; each = each->below)
          hide_secret(*each, files);
      }
      return;
    case NodeKind::array:
    case NodeKind::concatenation:
      for (const Node* element : *node.elements) hide_secret(*element, files);
      return;
    case NodeKind::append: hide_secret(*node.appended, files); return;
    case NodeKind::reference: return;
    default: hide_lines_of(node, files); return;
  }
}

class LineHider {
 public:
  LineHider(const SecretPlaces& places, SecretPlaces::Path path, SourceFiles& files)
      : places_(places), files_(files), path_(path.begin(), path.end()) {}

  // Recursion is bounded by the length of the places.
  void hide_below(const ObjectLiteral& object) {
    for (const Field& field : object.fields) {
      path_.push_back(field.key);
      for (const Node* node = field.top; node != nullptr; node = node->below) {
        const bool is_object = node->kind == NodeKind::object;
        if (places_.is_secret(path_) || (!is_object && places_.are_members_secret(path_)))
          hide_secret(*node, files_);
        else if (is_object && places_.may_contain_secret(path_)) hide_below(*node->object);
      }
      path_.pop_back();
    }
  }

 private:
  const SecretPlaces& places_;
  SourceFiles& files_;
  std::vector<std::string_view> path_;
};

}  // namespace

void SecretPlaces::add(std::string_view pattern) {
  std::vector<std::string>& names = patterns_.emplace_back();
  while (true) {
    const std::size_t dot = std::min(pattern.find('.'), pattern.size());
    names.emplace_back(pattern.substr(0, dot));
    if (dot == pattern.size()) return;
    pattern.remove_prefix(dot + 1);
  }
}

bool SecretPlaces::is_secret(Path path) const {
  return std::any_of(patterns_.begin(), patterns_.end(), [&](const auto& pattern) {
    return pattern.size() <= path.size() && matches(pattern, path, pattern.size());
  });
}

bool SecretPlaces::are_members_secret(Path path) const {
  return std::any_of(patterns_.begin(), patterns_.end(), [&](const auto& pattern) {
    const bool all_members = pattern.size() == path.size() + 1 && pattern.back() == "*";
    return (all_members || pattern.size() <= path.size()) &&
           matches(pattern, path, std::min(pattern.size(), path.size()));
  });
}

bool SecretPlaces::may_contain_secret(Path path) const {
  return std::any_of(patterns_.begin(), patterns_.end(), [&](const auto& pattern) {
    return matches(pattern, path, std::min(pattern.size(), path.size()));
  });
}

void hide_secret_lines(const ObjectLiteral& object, SecretPlaces::Path path,
                       const SecretPlaces& places, SourceFiles& files) {
  if (places.empty() || !places.may_contain_secret(path)) return;
  LineHider(places, path, files).hide_below(object);
}

Diagnostic mistake_in_secret(const SourceFiles& files, const SourceSpan& span) {
  Diagnostic mistake;
  mistake.code = codes::syntax;
  mistake.message = "a syntax error in a secret; its text is not shown";
  mistake.help = "quote the text: \"...\"";
  if (!span.at.known()) return mistake;
  mistake.file = files[span.at.file].name;
  mistake.line = span.at.line;
  mistake.column = span.at.column;
  mistake.length = 1;
  return mistake;
}

void hide_in(Diagnostics& findings, const SourceFiles& files) {
  for (Diagnostic& finding : findings) {
    if (!finding.snippet_line.empty() && files.is_hidden(finding.file, finding.line))
      finding.snippet_line.clear();
  }
}

}  // namespace actord::hocon
