// SPDX-License-Identifier: Apache-2.0
//
// The parser of include statements: include "x", include required(file("x")) and the like.
#include <string>

#include "hocon/parser.hpp"

namespace actord::hocon {

namespace {

constexpr std::string_view include_help =
    "write include \"x.conf\", include file(\"x.conf\") or include required(\"x.conf\"); "
    "a key named include must be quoted";

/// Takes words such as "required(" off the front of `word` into the request; `open` counts the
/// parentheses.
bool take_forms(std::string_view word, IncludeRequest& request, unsigned& open) {
  using Form = IncludeRequest::Form;
  while (!word.empty()) {
    const std::size_t parenthesis = word.find('(');
    if (parenthesis == std::string_view::npos) return false;
    const std::string_view name = word.substr(0, parenthesis);
    if (request.form != Form::heuristic) return false;  // file(…) contains no other form
    if (name == "required" && open == 0) request.required = true;
    else if (name == "file") request.form = Form::file;
    else if (name == "url") request.form = Form::url;
    else if (name == "classpath") request.form = Form::classpath;
    else return false;
    ++open;
    word.remove_prefix(parenthesis + 1);
  }
  return true;
}

}  // namespace

bool Parser::parse_include_forms(IncludeRequest& request, unsigned& open) {
  for (; token_.kind == TokenKind::word; skip_blanks_and_newlines()) {
    if (!take_forms(token_.text, request, open)) return false;
    advance();
  }
  return true;
}

bool Parser::parse_include(ObjectLiteral& target) {
  const SourceSpan keyword = token_.span;
  advance();
  skip_blanks_and_newlines();
  IncludeRequest request;
  unsigned open = 0;
  const bool good_forms = parse_include_forms(request, open);
  if (token_.kind == TokenKind::broken) return fail_at_token("a file name");
  if (!good_forms || token_.kind != TokenKind::quoted) {
    const bool ended = token_.kind == TokenKind::end || token_.kind == TokenKind::newline;
    return fail(ended ? keyword : token_.span,
                "an include needs the name of a file in double quotes", std::string(include_help));
  }
  request.name = token_.text;
  request.span = token_.span;
  advance();
  for (unsigned closed = 0; closed < open;) {
    skip_blanks_and_newlines();
    const bool parentheses = token_.kind == TokenKind::word &&
                             token_.text.find_first_not_of(')') == std::string_view::npos;
    if (!parentheses || closed + token_.text.size() > open) {
      return fail(token_.span, "a parenthesis of the include is not closed",
                  std::string(include_help));
    }
    closed += static_cast<unsigned>(token_.text.size());
    advance();
  }
  setting_.files.add_key(keyword);
  setting_.files.add_key(request.span);
  return setting_.includes.include(request, target, position_);
}

}  // namespace actord::hocon
