// SPDX-License-Identifier: Apache-2.0
#include "layers/yaml_syntax.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <optional>
#include <streambuf>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/utf8.hpp"
#include "hocon/node.hpp"

namespace actord::layers {

namespace {

using hocon::LiteralBuilder;
using hocon::SourceSpan;
using Style = LiteralBuilder::Style;

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// The parser looks ahead to the end of what may be a key, and takes 230 bytes for each bracket on
// its way.
constexpr std::size_t yaml_bytes_max = 4 << 20;

/// Ends the parser after an error was reported. An exception is the only way to stop it.
struct Stopped {};

/// An event of the parser, with what this reader has added.
struct Event {
  enum class Kind : std::uint8_t { scalar, list, object, end, alias };

  Kind kind = Kind::end;
  Style style = Style::plain;
  SourceSpan at;
  std::string text;           // only of a scalar
  YAML::anchor_t anchor = 0;  // only of an alias: the anchor it refers to
};

// A stream over a text without copying it.
class TextStream final : std::streambuf, public std::istream {
 public:
  explicit TextStream(std::string_view text) : std::istream(this) {
    auto* begin = const_cast<char*>(text.data());  // only read from
    setg(begin, begin, begin + text.size());
  }
};

// ---- texts and tags -----------------------------------------------------------------------------

std::size_t offset_of(const YAML::Mark& mark) {
  return static_cast<std::size_t>(std::max(mark.pos, 0));
}

/// The first control character that YAML does not allow unescaped, or npos. The parser would take
/// some of them for the end of the file.
std::size_t find_control(std::string_view text) {
  const auto found = std::find_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') ||
           c == 0x7F;
  });
  return found == text.end() ? std::string_view::npos
                             : static_cast<std::size_t>(found - text.begin());
}

constexpr std::string_view yaml_tag = "tag:yaml.org,2002:";

/// How a scalar with that tag is read; nullopt: the tag is unknown or does not fit. For scalars
/// without a tag the parser passes "?" if plain and "!" if quoted.
std::optional<Style> style_of(std::string_view tag, std::string_view text) {
  using hocon::NodeKind;
  if (tag == "?") return Style::plain;
  if (tag == "!") return Style::quoted;
  if (!tag.starts_with(yaml_tag)) return std::nullopt;
  tag.remove_prefix(yaml_tag.size());
  if (tag == "str") return Style::quoted;
  const NodeKind kind = hocon::kind_of_word(text);
  const bool whole = text.find_first_of(".eE") == std::string_view::npos;
  const bool fits = (tag == "int" && kind == NodeKind::number && whole) ||
                    (tag == "float" && kind == NodeKind::number) ||
                    (tag == "bool" && kind == NodeKind::boolean) ||
                    (tag == "null" && kind == NodeKind::null);
  return fits ? std::optional(Style::plain) : std::nullopt;
}

// ---- the reader ---------------------------------------------------------------------------------

/// Passes the parser's events to the builder. Events inside an anchor are also kept for its
/// aliases.
class YamlReader final : public YAML::EventHandler {
 public:
  /// `before`: bytes of the file before `text`.
  YamlReader(std::string_view text, std::size_t before, LiteralBuilder& builder)
      : text_(text), before_(before), builder_(builder) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0)
      stop(at(mark), "a second document in one file", "give it a file of its own");
  }
  void OnDocumentEnd() override {}

  // Called for `null`, ~ and an absent value; the parser does not say which, nor how it is
  // spelled.
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const std::size_t begin = content_at(mark);
    Event event;
    event.kind = Event::Kind::scalar;
    event.text = "null";
    event.at = span_at(begin);
    if (is_key_next()) {
      event.text = text_.substr(begin, text_.find_first_of(": ,\t\r\n", begin) - begin);
      if (event.text.empty())
        stop(event.at, "a key is missing here", "an empty key must be quoted: \"\"");
    }
    handle(std::move(event), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto open = [&](const OpenAnchor& each) { return each.anchor == anchor; };
    if (std::any_of(open_anchors_.begin(), open_anchors_.end(), open))
      stop(at(mark), "an alias inside its own anchor");
    Event event;
    event.kind = Event::Kind::alias;
    event.at = at(mark);
    event.anchor = anchor;
    handle(std::move(event), 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const std::size_t begin = content_at(mark);
    Event event;
    event.kind = Event::Kind::scalar;
    event.at = span_at(begin, length_of(begin, value));
    event.text = value;
    if (base::utf8::find_invalid(value) != std::string_view::npos)
      stop(event.at, "an escape that is not a valid character",
           "write \\u00A0 for \\_ and \\u0085 for \\N");
    const std::optional<Style> style = style_of(tag, value);
    if (!style) reject_tag(event.at);
    event.style = *style;
    handle(std::move(event), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    begin_collection(Event::Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { handle({}, 0); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    begin_collection(Event::Kind::object, mark, tag, anchor);
  }
  void OnMapEnd() override { handle({}, 0); }

 private:
  /// An anchor whose content is being read. It ends with the level in which it began.
  struct OpenAnchor {
    YAML::anchor_t anchor;
    std::size_t first;  // index of its first kept event
    std::size_t depth;
  };
  struct Range {
    std::size_t first = 0;
    std::size_t end = 0;
  };

  // ---- spans of the source

  SourceSpan span_at(std::size_t begin, std::size_t bytes = 1) {
    return builder_.span(before_ + begin, bytes);
  }
  SourceSpan at(const YAML::Mark& mark) { return span_at(content_at(mark)); }

  /// The offset after an anchor and a tag, if the value begins on their line.
  std::size_t content_at(const YAML::Mark& mark) const {
    std::size_t at = offset_of(mark);
    while (at < text_.size() && (text_[at] == '&' || text_[at] == '!')) {
      const std::size_t next = text_.find_first_not_of(" \t", text_.find_first_of(" \t\r\n", at));
      if (next == std::string_view::npos || text_[next] == '\r' || text_[next] == '\n') break;
      at = next;
    }
    return at;
  }

  /// How many bytes the scalar takes on its line, if that is easy to determine; otherwise 1.
  std::size_t length_of(std::size_t begin, std::string_view value) const {
    const std::string_view rest = text_.substr(std::min(begin, text_.size()));
    if (rest.starts_with(value)) return value.size();
    const bool quoted = rest.starts_with('"') || rest.starts_with('\'');
    return quoted && rest.substr(1).starts_with(value) ? value.size() + 2 : 1;
  }

  // ---- messages

  [[noreturn]] void stop(const SourceSpan& span, std::string message, std::string help = {}) {
    builder_.fail(span, std::move(message), std::move(help));
    throw Stopped();
  }

  [[noreturn]] void reject_tag(const SourceSpan& span) {
    stop(span, "a tag that does not fit or is not known",
         "leave the tag out: the key decides the type of its value; put a text that begins with ! "
         "in quotes");
  }

  // ---- events

  bool is_key_next() const noexcept { return !levels_.empty() && levels_.back() == Level::key; }

  void begin_collection(Event::Kind kind, const YAML::Mark& mark, const std::string& tag,
                        YAML::anchor_t anchor) {
    const std::string_view own = kind == Event::Kind::list ? "seq" : "map";
    const bool known = tag == "?" || tag == "!" || tag == std::string(yaml_tag).append(own);
    if (!known) reject_tag(at(mark));
    Event event;
    event.kind = kind;
    event.at = at(mark);
    handle(std::move(event), anchor);
  }

  void handle(Event event, YAML::anchor_t anchor) {
    if (anchor != 0) open_anchors_.push_back({anchor, kept_.size(), levels_.size()});
    const bool keeps = !open_anchors_.empty();
    if (keeps) kept_.push_back(event);
    pass_on(event);
    while (!open_anchors_.empty() && open_anchors_.back().depth == levels_.size()) {
      anchors_[open_anchors_.back().anchor] = {open_anchors_.back().first, kept_.size()};
      open_anchors_.pop_back();
    }
  }

  /// Passes an event to the builder. The recursion is bounded: an alias lies in a collection, and
  /// the builder limits their depth.
  void pass_on(const Event& event) {
    bool good = true;
    const bool key = is_key_next() && event.kind == Event::Kind::scalar;
    if (is_key_next() && (event.kind == Event::Kind::list || event.kind == Event::Kind::object))
      stop(event.at, "a key must be a single word or text");
    if (key && event.text == "<<" && event.style == Style::plain) {
      stop(event.at, "the merge key << is not understood",
           "repeat the keys, or put the shared part into a HOCON file");
    }
    if (!levels_.empty() && levels_.back() != Level::element && event.kind != Event::Kind::end &&
        event.kind != Event::Kind::alias)
      levels_.back() = key ? Level::value : Level::key;
    switch (event.kind) {
      case Event::Kind::scalar:
        good = key ? builder_.key(event.at, event.text)
                   : builder_.scalar(event.at, event.text, event.style);
        break;
      case Event::Kind::list:
        good = builder_.begin_list(event.at);
        levels_.push_back(Level::element);
        break;
      case Event::Kind::object:
        good = builder_.begin_object(event.at);
        levels_.push_back(Level::key);
        break;
      case Event::Kind::end:
        good = builder_.end();
        levels_.pop_back();
        break;
      case Event::Kind::alias: {
        const Range range = anchors_[event.anchor];
        for (std::size_t i = range.first; i < range.end; ++i) pass_on(kept_[i]);
        break;
      }
    }
    if (!good) throw Stopped();
  }

  enum class Level : std::uint8_t { element, key, value };  // what comes next in a collection

  const std::string_view text_;
  const std::size_t before_;
  LiteralBuilder& builder_;
  unsigned documents_ = 0;
  std::vector<Level> levels_;
  std::vector<OpenAnchor> open_anchors_;
  std::vector<Event> kept_;
  std::unordered_map<YAML::anchor_t, Range> anchors_;
};

/// The parser's message without text of the file, which may be a secret: it has the name of an
/// unknown anchor, and behind a colon an escape or a version.
std::string message_of(const YAML::Exception& error) {
  if (error.msg.starts_with(YAML::ErrorMsg::UNKNOWN_ANCHOR)) return YAML::ErrorMsg::UNKNOWN_ANCHOR;
  const std::size_t colon = error.msg.find(": ");
  const bool is_escape = error.msg.starts_with(YAML::ErrorMsg::INVALID_ESCAPE);
  return is_escape ? error.msg : error.msg.substr(0, colon);
}

void read_yaml(std::string_view text, LiteralBuilder& builder) {
  if (text.size() > yaml_bytes_max) {
    builder.fail_beyond_limit(
        builder.span(0),
        "a YAML file may have at most " + std::to_string(yaml_bytes_max >> 20U) + " MiB",
        "divide it, or write it as HOCON");
    return;
  }
  if (const std::size_t control = find_control(text); control != std::string_view::npos) {
    builder.fail(builder.span(control), "a control character",
                 "in double quotes it can be written as \\x and two digits");
    return;
  }
  // The parser skips one byte order mark and counts offsets from behind it.
  const std::size_t before = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  YamlReader reader(text.substr(before), before, builder);
  try {
    TextStream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(reader)) {}
  } catch (const Stopped&) {  // already reported
  } catch (const YAML::Exception& error) {
    builder.fail(builder.span(before + offset_of(error.mark)), "YAML: " + message_of(error));
  }
}

}  // namespace

hocon::SyntaxReader yaml_syntax() { return &read_yaml; }

}  // namespace actord::layers
