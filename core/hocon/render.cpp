// SPDX-License-Identifier: Apache-2.0
#include "hocon/render.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "hocon/secrets.hpp"

namespace actord::hocon {

namespace {

void start_line(std::string& out, bool pretty, unsigned depth) {
  if (!pretty) return;
  out.push_back('\n');
  out.append(std::size_t{depth} * 2, ' ');
}

// Recursion is as deep as the tree; the parser and the resolver limit its nesting.
void append(std::string& out, const Value& value, bool pretty, unsigned depth) {
  if (value.is_secret()) return append_json_string(out, secret_word);
  switch (value.kind()) {
    case Kind::null:
    case Kind::boolean:
    case Kind::number: out.append(value.text()); return;
    case Kind::string: append_json_string(out, value.text()); return;
    case Kind::object:
    case Kind::array: break;
  }
  const bool object = value.is_object();
  out.push_back(object ? '{' : '[');
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (i > 0) out.push_back(',');
    start_line(out, pretty, depth + 1);
    const Member member = value.at(i);
    if (object) {
      append_json_string(out, member.key);
      out.append(pretty ? ": " : ":");
    }
    append(out, member.value, pretty, depth + 1);
  }
  if (value.size() > 0) start_line(out, pretty, depth);
  out.push_back(object ? '}' : ']');
}

void append_escape(std::string& out, unsigned code) {
  constexpr std::string_view digits = "0123456789abcdef";
  out.append("\\u00").push_back(digits[code >> 4U]);
  out.push_back(digits[code & 15U]);
}

}  // namespace

std::string render_json(const Value& value, bool pretty) {
  std::string out;
  append(out, value, pretty, 0);
  if (pretty) out.push_back('\n');
  return out;
}

void append_json_string(std::string& out, std::string_view text) {
  out.push_back('"');
  std::size_t plain = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    out.append(text.substr(plain, i - plain));
    plain = i + 1;
    switch (byte) {
      case '"': out.append("\\\""); break;
      case '\\': out.append("\\\\"); break;
      case '\n': out.append("\\n"); break;
      case '\r': out.append("\\r"); break;
      case '\t': out.append("\\t"); break;
      default: append_escape(out, byte);
    }
  }
  out.append(text.substr(plain)).push_back('"');
}

std::string with_controls_escaped(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const base::utf8::Decoded decoded = base::utf8::decode(json);
    const std::size_t bytes = std::max(decoded.bytes, 1U);
    if (decoded.code >= 0x7F && decoded.code < 0xA0) append_escape(out, decoded.code);
    else out.append(json.substr(0, bytes));
    json.remove_prefix(bytes);
  }
  return out;
}

}  // namespace actord::hocon
