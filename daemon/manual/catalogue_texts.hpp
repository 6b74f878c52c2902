// SPDX-License-Identifier: Apache-2.0
//
// What the message catalogue of the journal says about each event that an operator meets.
#pragma once

#include <span>
#include <string_view>

namespace actord::manual {

/// A field of the entry between two @, such as @ACTORD_ACTOR@, stands for its value. Only fields
/// that every record of the event has may be named: journalctl shows the name of a missing one.
struct CatalogueText {
  std::string_view event;
  std::string_view subject;
  /// Paragraphs, each on a line of its own. A line that begins with four spaces is a command.
  std::string_view text;
};

/// A text for each event that has another level than debug.
std::span<const CatalogueText> catalogue_texts() noexcept;

}  // namespace actord::manual
