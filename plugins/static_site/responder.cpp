// SPDX-License-Identifier: Apache-2.0
//
// Checks the request step by step. Each check has an error page of its own; the file comes last.
#include "responder.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <string_view>
#include <utility>

#include "http_date.hpp"
#include "mime.hpp"
#include "target.hpp"

namespace static_site {
namespace {

std::string_view phrase(std::uint16_t status) {
  switch (status) {
    case 301: return "Moved Permanently";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Error";
  }
}

Reply redirect(const Target& target) {
  Reply reply = error_page(301);
  reply.location = folder_location(target);
  return reply;
}

// A byte order mark wins over the name, as it does for the client.
std::string_view charset_of(const FileType& type, const Document& document,
                            std::string_view otherwise) {
  if (!type.is_text) return {};
  std::array<char, 3> first{};
  const ssize_t size = ::pread(document.file.get(), first.data(), first.size(), 0);
  const auto marked = marked_charset({first.data(), size > 0 ? static_cast<std::size_t>(size) : 0});
  if (!marked.empty()) return marked;
  return type.charset.empty() ? otherwise : type.charset;
}

Reply serve(const Request& request, Document document, std::string_view default_charset) {
  Reply reply;
  reply.last_modified = document.modified;
  if (const auto known = parse_http_date(request.if_modified_since)) {
    if (document.modified <= *known) {
      reply.status = 304;
      return reply;
    }
  }
  const FileType type = file_type(document.name);
  reply.content_type = content_type(type.media_type, charset_of(type, document, default_charset));
  reply.content_language = type.language;
  reply.document = std::move(document);
  return reply;
}

}  // namespace

Reply error_page(std::uint16_t status) {
  Reply reply;
  reply.status = status;
  reply.content_type = content_type("text/html", "UTF-8");
  const std::string title = std::to_string(status) + " " + std::string{phrase(status)};
  reply.body = "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>" +
               title + "</title></head>\n<body><h1>" + title + "</h1></body>\n</html>\n";
  return reply;
}

Reply respond(const DocumentRoot& root, const Request& request, std::string_view default_charset) {
  if (request.problem != 0) return error_page(request.problem);
  if (request.method != "GET" && request.method != "HEAD") {
    Reply reply = error_page(405);
    reply.allow = "GET, HEAD";
    return reply;
  }
  const std::optional<Target> target = parse_target(request.target);
  if (!target) return error_page(400);

  Lookup found = root.find(*target);
  switch (found.state) {
    case Lookup::State::found: return serve(request, std::move(found.document), default_charset);
    case Lookup::State::folder_without_slash: return redirect(*target);
    case Lookup::State::absent: return error_page(404);
    case Lookup::State::forbidden: return error_page(403);
    case Lookup::State::failed: break;
  }
  return error_page(500);
}

}  // namespace static_site
