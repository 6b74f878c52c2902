// SPDX-License-Identifier: Apache-2.0
//
// The table of endings. It is sorted, for a binary search.
#include "mime.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

namespace static_site {
namespace {

struct Row {
  std::string_view extension;
  std::string_view type;
};

// clang-format off
constexpr std::array rows{
  Row{"avif",  "image/avif"},
  Row{"bmp",   "image/bmp"},
  Row{"css",   "text/css; charset=utf-8"},
  Row{"csv",   "text/csv; charset=utf-8"},
  Row{"gif",   "image/gif"},
  Row{"gz",    "application/gzip"},
  Row{"htm",   "text/html; charset=utf-8"},
  Row{"html",  "text/html; charset=utf-8"},
  Row{"ico",   "image/vnd.microsoft.icon"},
  Row{"jpeg",  "image/jpeg"},
  Row{"jpg",   "image/jpeg"},
  Row{"js",    "text/javascript; charset=utf-8"},
  Row{"json",  "application/json"},
  Row{"map",   "application/json"},
  Row{"md",    "text/markdown; charset=utf-8"},
  Row{"mjs",   "text/javascript; charset=utf-8"},
  Row{"mp3",   "audio/mpeg"},
  Row{"mp4",   "video/mp4"},
  Row{"ogg",   "audio/ogg"},
  Row{"otf",   "font/otf"},
  Row{"pdf",   "application/pdf"},
  Row{"png",   "image/png"},
  Row{"svg",   "image/svg+xml; charset=utf-8"},
  Row{"tar",   "application/x-tar"},
  Row{"ttf",   "font/ttf"},
  Row{"txt",   "text/plain; charset=utf-8"},
  Row{"wasm",  "application/wasm"},
  Row{"webm",  "video/webm"},
  Row{"webp",  "image/webp"},
  Row{"woff",  "font/woff"},
  Row{"woff2", "font/woff2"},
  Row{"xhtml", "application/xhtml+xml; charset=utf-8"},
  Row{"xml",   "application/xml; charset=utf-8"},
  Row{"zip",   "application/zip"},
};
// clang-format on
static_assert(std::ranges::is_sorted(rows, {}, &Row::extension));

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string_view mime_type(std::string_view file_name) {
  constexpr std::string_view unknown = "application/octet-stream";
  const std::size_t dot = file_name.rfind('.');
  if (dot == std::string_view::npos) return unknown;
  std::string extension;
  std::ranges::transform(file_name.substr(dot + 1), std::back_inserter(extension), lower);
  const auto row = std::ranges::lower_bound(rows, std::string_view{extension}, {}, &Row::extension);
  return row != rows.end() && row->extension == extension ? row->type : unknown;
}

}  // namespace static_site
