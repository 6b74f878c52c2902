// SPDX-License-Identifier: Apache-2.0
//
// Shortens replies so that they fit into one frame, however large the configuration is.
//
// Not here: frames (wire/frame.hpp).
#pragma once

#include <string>

#include "wire/control_message.hpp"

namespace actord::sinks {
class SecretMask;
}  // namespace actord::sinks

namespace actord::app {

/// Cuts every text in `json` that is longer than 16 KiB and appends its full length.
void cut_texts(wire::Json& json);
/// Replaces the secrets in all texts. The recursion is bounded: results are a few levels deep.
void mask_texts(wire::Json& json, const sinks::SecretMask& mask);

/// The size of `json` as text, in bytes.
std::size_t size_of(const wire::Json& json);

/// Drops elements from the end of the array `owner[list]`, if it exists, until it fits into its
/// share of a frame. Their number becomes `owner[list + "_left_out"]`. Long texts in the rest are
/// cut.
void cut_list(wire::Json& owner, const std::string& list);

}  // namespace actord::app
