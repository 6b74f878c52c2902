// SPDX-License-Identifier: Apache-2.0
//
// Uses the event interface of libxml2's HTML parser. No tree is built, so that depth costs nothing
// and memory depends on the size of the page only.

#include "links.hpp"

#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <unordered_set>

namespace crawler {
namespace {

constexpr std::size_t title_bytes_max = 1024;
constexpr std::size_t text_bytes_max = std::numeric_limits<int>::max();  // libxml2 counts in int

std::string_view view(const xmlChar* text) {
  return text == nullptr ? std::string_view{}
                         : std::string_view{reinterpret_cast<const char*>(text)};
}

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Elements that do not end a word: "foo<b>bar</b>" reads foobar, "<td>foo<td>bar" does not.
constexpr std::array<std::string_view, 21> inline_elements{
    "a",   "abbr", "acronym", "b", "bdo",  "big",   "cite", "code",   "em", "font", "i",
    "kbd", "mark", "q",       "s", "samp", "small", "span", "strong", "u",  "var"};
constexpr std::array<std::string_view, 3> silent_elements{"script", "style", "template"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

// Collects text. Runs of blanks become one space, and there are none at the ends.
class Words {
 public:
  void add(std::string_view text) {
    while (!text.empty()) {
      const auto* const end = std::ranges::find_if(text, is_blank);
      const auto size = static_cast<std::size_t>(end - text.begin());
      if (size == 0) {
        separate();
        text.remove_prefix(1);
        continue;
      }
      if (is_apart_ && !text_.empty()) text_ += ' ';
      is_apart_ = false;
      text_ += text.substr(0, size);
      text.remove_prefix(size);
    }
  }
  void separate() { is_apart_ = true; }
  void reserve(std::size_t size) { text_.reserve(size); }
  [[nodiscard]] std::size_t size() const { return text_.size(); }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
  bool is_apart_ = false;
};

// The URL in a refresh: "5; url='next.html'".
std::string_view refresh_target(std::string_view content) {
  std::size_t at = 0;
  for (; at + 4 <= content.size(); ++at) {
    if (strncasecmp(content.data() + at, "url=", 4) == 0) break;
  }
  if (at + 4 > content.size()) return {};
  std::string_view target = content.substr(at + 4);
  while (!target.empty() && (target.front() == '\'' || target.front() == '"'))
    target.remove_prefix(1);
  return target.substr(0, target.find_first_of("'\""));
}

class Reader {
 public:
  /// `page_bytes` is the size of the page, which is about twice that of its text.
  Reader(const Url& url, std::size_t page_bytes) : base_(url) { text_.reserve(page_bytes / 2); }

  void start(std::string_view name, const xmlChar** attributes) {
    attributes_ = attributes;
    if (is_one_of(name, silent_elements)) ++silence_;
    if (name == "title" && !has_title_) in_title_ = true;
    if (!is_one_of(name, inline_elements)) text_.separate();
    if (name == "a" || name == "area") link(attribute("href"));
    else if (name == "frame" || name == "iframe") link(attribute("src"));
    else if (name == "base") rebase(attribute("href"));
    else if (name == "meta" &&
             strcasecmp(std::string{attribute("http-equiv")}.c_str(), "refresh") == 0) {
      link(refresh_target(attribute("content")));
    }
  }
  void end(std::string_view name) {
    if (is_one_of(name, silent_elements) && silence_ > 0) --silence_;
    if (name == "title" && in_title_) in_title_ = false, has_title_ = true;
    if (!is_one_of(name, inline_elements)) text_.separate();
  }
  void characters(std::string_view text) {
    if (in_title_) {
      if (title_.size() < title_bytes_max) title_.add(text);
    } else if (silence_ == 0) {
      text_.add(text);
    }
  }
  Document take() { return {title_.take(), text_.take(), std::move(links_)}; }

 private:
  std::string_view attribute(std::string_view wanted) const {
    for (const xmlChar** a = attributes_; a != nullptr && a[0] != nullptr; a += 2) {
      if (view(a[0]) == wanted) return view(a[1]);
    }
    return {};
  }
  void link(std::string_view reference) {
    if (reference.empty()) return;
    auto target = resolve_url(base_, reference);
    if (target && seen_.insert(target->text()).second) links_.push_back(std::move(*target));
  }
  void rebase(std::string_view reference) {
    if (const auto target = resolve_url(base_, reference); target && !is_rebased_) base_ = *target;
    is_rebased_ = true;
  }

  Url base_;
  bool is_rebased_ = false, in_title_ = false, has_title_ = false;
  int silence_ = 0;
  const xmlChar** attributes_ = nullptr;
  Words title_, text_;
  std::vector<Url> links_;
  std::unordered_set<std::string> seen_;
};

// The parser passes its context to every handler; the context has a pointer to the reader.
Reader& reader_of(void* context) {
  return *static_cast<Reader*>(static_cast<xmlParserCtxtPtr>(context)->_private);
}

htmlSAXHandler events() {
  htmlSAXHandler sax{};
  sax.startElement = [](void* context, const xmlChar* name, const xmlChar** attributes) {
    reader_of(context).start(view(name), attributes);
  };
  sax.endElement = [](void* context, const xmlChar* name) { reader_of(context).end(view(name)); };
  sax.characters = [](void* context, const xmlChar* text, int size) {
    reader_of(context).characters(
        {reinterpret_cast<const char*>(text), static_cast<std::size_t>(size)});
  };
  sax.ignorableWhitespace = sax.characters;
  return sax;  // cdataBlock stays empty: it carries scripts and styles
}

using Parser = std::unique_ptr<htmlParserCtxt, decltype(&htmlFreeParserCtxt)>;

// The text is UTF-8. libxml2 is told so, and to ignore what the page says of its encoding.
void parse(std::string_view text, Reader& reader) {
  if (text.empty()) return;
  const Parser parser{htmlCreateMemoryParserCtxt(text.data(), static_cast<int>(text.size())),
                      &htmlFreeParserCtxt};
  if (parser == nullptr) throw std::bad_alloc{};
  htmlSAXHandler sax = events();
  std::memcpy(parser->sax, &sax, sizeof sax);
  parser->_private = &reader;
  htmlCtxtUseOptions(parser.get(), HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                                       HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC);
  xmlSwitchEncoding(parser.get(), XML_CHAR_ENCODING_UTF8);
  htmlParseDocument(parser.get());
}

}  // namespace

Document read_page(std::string_view html, const Url& url, const std::string& charset) {
  // Initialises libxml2 once per process. The function-local static makes that safe for threads.
  [[maybe_unused]] static const bool is_ready = (xmlInitParser(), true);
  Reader reader{url, html.size()};
  const SniffedEncoding encoding = sniff_encoding(html, charset);
  Decoded page = decode(html, *encoding.encoding);
  // The HTML standard drops a NUL; libxml2 would end the page there.
  std::erase(page.text, '\0');
  parse(std::string_view{page.text}.substr(0, text_bytes_max), reader);
  Document document = reader.take();
  document.encoding = encoding;
  document.replaced = page.replaced;
  return document;
}

}  // namespace crawler
