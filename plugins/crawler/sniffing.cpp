// SPDX-License-Identifier: Apache-2.0
//
// The functions have the names and the steps of the algorithms in the standard.

#include "sniffing.hpp"

#include <strings.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "valid_utf8.hpp"

namespace crawler {
namespace {

constexpr std::size_t prescan_bytes = 1024;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool begins_with(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && strncasecmp(text.data(), word.data(), word.size()) == 0;
}

void skip_spaces(std::string_view& text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
}

// A page that has a meta in ASCII is not in UTF-16, whatever the meta says.
const Encoding* readable_as_ascii(const Encoding* encoding) {
  return encoding != nullptr && encoding->form == Encoding::Form::utf16 ? &utf8() : encoding;
}

// "Extracting a character encoding from a meta element": from "text/html; charset=euc-kr".
const Encoding* encoding_in_content(std::string_view content) {
  constexpr std::string_view word = "charset";
  for (; !content.empty(); content.remove_prefix(1)) {
    if (!begins_with(content, word)) continue;
    std::string_view rest = content.substr(word.size());
    skip_spaces(rest);
    if (!rest.starts_with('=')) continue;
    rest.remove_prefix(1);
    skip_spaces(rest);
    if (rest.empty()) return nullptr;
    if (const char quote = rest.front(); quote == '"' || quote == '\'') {
      rest.remove_prefix(1);
      const std::size_t end = rest.find(quote);
      return end == std::string_view::npos ? nullptr : encoding_of(rest.substr(0, end));
    }
    return encoding_of(rest.substr(0, rest.find_first_of(" \t\n\f\r;")));
  }
  return nullptr;
}

struct Attribute {
  std::string name, value;  // in lower case
};

// "Prescan a byte stream to determine its encoding." The bytes may end anywhere: every function
// stops there, and an element that is cut off does not count.
class Prescan {
 public:
  explicit Prescan(std::string_view bytes) : rest_(bytes) {}

  const Encoding* run() {
    while (!rest_.empty()) {
      if (rest_.starts_with("<!--")) {
        rest_.remove_prefix(2);  // its two hyphens may be those of the end: "<!-->"
        skip_behind("-->");
      } else if (begins_with(rest_, "<meta") && rest_.size() > 5 &&
                 (is_space(rest_[5]) || rest_[5] == '/')) {
        rest_.remove_prefix(5);
        if (const Encoding* const found = meta()) return found;
      } else if (is_tag()) {
        while (!rest_.empty() && !is_space(rest_.front()) && rest_.front() != '>')
          rest_.remove_prefix(1);
        while (attribute()) {}
      } else if (rest_.starts_with("<!") || rest_.starts_with("</") || rest_.starts_with("<?")) {
        skip_behind(">");
      } else {
        rest_.remove_prefix(1);
      }
    }
    return nullptr;
  }

 private:
  bool is_tag() const {
    const std::size_t letter = rest_.starts_with("</") ? 2 : 1;
    return rest_.starts_with('<') && rest_.size() > letter && is_letter(rest_[letter]);
  }

  void skip_behind(std::string_view end) {
    const std::size_t at = rest_.find(end);
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at + end.size());
  }

  // The attributes of a meta; nullptr if it declares no encoding.
  const Encoding* meta() {
    std::vector<std::string> names;
    bool got_pragma = false;
    std::optional<bool> need_pragma;
    const Encoding* encoding = nullptr;
    while (const std::optional<Attribute> found = attribute()) {
      if (std::find(names.begin(), names.end(), found->name) != names.end()) continue;
      names.push_back(found->name);
      if (found->name == "http-equiv") {
        got_pragma = found->value == "content-type";
      } else if (found->name == "content" && encoding == nullptr) {
        encoding = encoding_in_content(found->value);
        if (encoding != nullptr) need_pragma = true;
      } else if (found->name == "charset") {
        encoding = encoding_of(found->value);
        need_pragma = false;
      }
    }
    if (rest_.empty() || !need_pragma || (*need_pragma && !got_pragma)) return nullptr;
    return readable_as_ascii(encoding);
  }

  // "Get an attribute." None at the end of the tag, whose '>' is left, or of the bytes.
  std::optional<Attribute> attribute() {
    while (!rest_.empty() && (is_space(rest_.front()) || rest_.front() == '/'))
      rest_.remove_prefix(1);
    Attribute found;
    for (;; found.name += lower(take())) {
      if (rest_.empty()) return std::nullopt;
      const char c = rest_.front();
      if (c == '>' || c == '/') return if_named(std::move(found));
      if (is_space(c) || (c == '=' && !found.name.empty())) break;
    }
    skip_spaces(rest_);
    if (!rest_.starts_with('=')) return found;
    rest_.remove_prefix(1);
    skip_spaces(rest_);
    if (rest_.empty()) return std::nullopt;
    const char quote = rest_.front() == '"' || rest_.front() == '\'' ? take() : '\0';
    for (; !rest_.empty(); found.value += lower(take())) {
      const char c = rest_.front();
      if (quote == '\0' ? is_space(c) || c == '>' : c == quote) {
        if (quote != '\0') rest_.remove_prefix(1);
        return found;
      }
    }
    return std::nullopt;
  }

  static std::optional<Attribute> if_named(Attribute found) {
    return found.name.empty() ? std::nullopt : std::optional{std::move(found)};
  }

  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  std::string_view rest_;
};

// "Get an XML encoding": from <?xml version="1.0" encoding="euc-kr"?>.
const Encoding* encoding_in_xml(std::string_view bytes) {
  const auto skip_controls = [&bytes] {
    while (!bytes.empty() && static_cast<unsigned char>(bytes.front()) <= ' ')
      bytes.remove_prefix(1);
  };
  constexpr std::string_view word = "encoding";
  const std::size_t end = bytes.find('>');
  if (!bytes.starts_with("<?xml") || end == std::string_view::npos) return nullptr;
  bytes = bytes.substr(0, end);
  const std::size_t at = bytes.find(word);
  if (at == std::string_view::npos) return nullptr;
  bytes.remove_prefix(at + word.size());
  skip_controls();
  if (!bytes.starts_with('=')) return nullptr;
  bytes.remove_prefix(1);
  skip_controls();
  if (!bytes.starts_with('"') && !bytes.starts_with('\'')) return nullptr;
  const std::size_t close = bytes.find(bytes.front(), 1);
  if (close == std::string_view::npos) return nullptr;
  return readable_as_ascii(encoding_of(bytes.substr(1, close - 1)));
}

const Encoding* encoding_of_mark(std::string_view page) {
  if (page.starts_with("\xEF\xBB\xBF")) return &utf8();
  if (page.starts_with("\xFE\xFF")) return encoding_of("utf-16be");
  if (page.starts_with("\xFF\xFE")) return encoding_of("utf-16le");
  return nullptr;
}

// An XML declaration in UTF-16 without a byte order mark shows in its zeros.
const Encoding* encoding_of_wide_xml(std::string_view page) {
  using namespace std::string_view_literals;
  if (page.starts_with("<\0?\0x\0"sv)) return encoding_of("utf-16le");
  if (page.starts_with("\0<\0?\0x"sv)) return encoding_of("utf-16be");
  return nullptr;
}

}  // namespace

std::string_view name_of(EncodingSource source) {
  switch (source) {
    case EncodingSource::bom: return "bom";
    case EncodingSource::header: return "header";
    case EncodingSource::meta: return "meta";
    case EncodingSource::xml: return "xml";
    case EncodingSource::assumed: break;
  }
  return "assumed";
}

SniffedEncoding sniff_encoding(std::string_view page, std::string_view header) {
  const std::string_view head = page.substr(0, prescan_bytes);
  if (const Encoding* const found = encoding_of_mark(head)) return {found, EncodingSource::bom};
  if (const Encoding* const found = encoding_of(header)) return {found, EncodingSource::header};
  if (const Encoding* const found = encoding_of_wide_xml(head)) return {found, EncodingSource::xml};
  if (const Encoding* const found = Prescan{head}.run()) return {found, EncodingSource::meta};
  if (const Encoding* const found = encoding_in_xml(head)) return {found, EncodingSource::xml};
  return {looks_like_utf8(page) ? &utf8() : &windows_1252(), EncodingSource::assumed};
}

}  // namespace crawler
