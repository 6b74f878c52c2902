// SPDX-License-Identifier: Apache-2.0
//
// Determines the character encoding of an HTML page, in the order of the HTML standard ("encoding
// sniffing algorithm", https://html.spec.whatwg.org/#determining-the-character-encoding): byte
// order mark, Content-Type header, meta element, XML declaration, and then an assumption.
#pragma once

#include <string_view>

#include "encoding.hpp"

namespace crawler {

/// What told the encoding of a page.
enum class EncodingSource { bom, header, meta, xml, assumed };

/// "bom", "header", "meta", "xml" or "assumed".
[[nodiscard]] std::string_view name_of(EncodingSource source);

/// The encoding of a page, and what told it.
struct SniffedEncoding {
  const Encoding* encoding;  // never nullptr
  EncodingSource source;
};

/// Determines the encoding of a page. `header` is the charset of its Content-Type, or empty; one
/// that is no label of an encoding is ignored. A meta element counts if it is within the first 1024
/// bytes and not in a comment.
///
/// A page that declares no encoding is UTF-8 if its bytes are. Else it is windows-1252, the default
/// of the standard for most languages. Any thread.
[[nodiscard]] SniffedEncoding sniff_encoding(std::string_view page, std::string_view header);

}  // namespace crawler
