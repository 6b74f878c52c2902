// SPDX-License-Identifier: Apache-2.0
#include "ctl/text_template.hpp"

#include <stdexcept>

namespace actord::ctl {

namespace {

/// The scopes around a place, the innermost one last.
using Scopes = std::vector<const TemplateScope*>;

template <class Member>
const auto& found(const Scopes& scopes, Member member, std::string_view name) {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    const auto& all = (*scope)->*member;
    if (const auto at = all.find(name); at != all.end()) return at->second;
  }
  throw std::logic_error("a template names " + std::string{name} + ", which has no value");
}

/// Takes the first line, without its newline.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return line;
}

bool is_block(std::string_view line) {
  return line.starts_with("%for ") || line.starts_with("%if ");
}

/// Takes the lines of a block, whose first line has been taken, and its %end.
std::string_view take_block(std::string_view& text) {
  const std::string_view all = text;
  for (int depth = 1; !text.empty();) {
    const std::size_t size = all.size() - text.size();
    const std::string_view line = take_line(text);
    if (is_block(line)) ++depth;
    if (line == "%end" && --depth == 0) return all.substr(0, size);
  }
  throw std::logic_error("a block of a template has no %end");
}

void append_line(std::string& out, std::string_view line, const Scopes& scopes) {
  for (std::size_t at; (at = line.find("%{")) != line.npos;) {
    const std::size_t end = line.find('}', at);
    if (end == line.npos) break;
    out += line.substr(0, at);
    out += found(scopes, &TemplateScope::values, line.substr(at + 2, end - at - 2));
    line.remove_prefix(end + 1);
  }
  out.append(line) += '\n';
}

void append(std::string& out, std::string_view text, Scopes& scopes) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (!is_block(line)) {
      append_line(out, line, scopes);
      continue;
    }
    const std::string_view block = take_block(text);
    const auto& list = found(scopes, &TemplateScope::lists, line.substr(line.find(' ') + 1));
    if (line.starts_with("%if ")) {
      if (!list.empty()) append(out, block, scopes);
      continue;
    }
    for (const TemplateScope& each : list) {
      scopes.push_back(&each);
      append(out, block, scopes);
      scopes.pop_back();
    }
  }
}

}  // namespace

std::string filled(std::string_view text, const TemplateScope& scope) {
  std::string out;
  Scopes scopes{&scope};
  append(out, text, scopes);
  return out;
}

}  // namespace actord::ctl
