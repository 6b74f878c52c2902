// SPDX-License-Identifier: Apache-2.0
//
// What a crawler wants of an HTML page: where it points, what it is called, what it says.
//
// Not here: which of the links are followed (Scope in url.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "url.hpp"

namespace crawler {

struct Document {
  std::string title;
  std::string text;        // visible text, UTF-8, runs of blanks as one space
  std::vector<Url> links;  // absolute, each once, in order of appearance
};

/// Reads any bytes as HTML, as forgiving as a browser: never fails, and a page nested a million
/// deep costs no stack. Links are those of a, area, frame, iframe and a refresh; <base> is
/// honoured.
///
/// `charset` as the server named it, or empty: then what the page says of itself, else UTF-8 or
/// Latin-1. Any thread.
[[nodiscard]] Document read_page(std::string_view html, const Url& url,
                                 const std::string& charset = {});

}  // namespace crawler
