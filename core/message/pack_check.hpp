// SPDX-License-Identifier: Apache-2.0
//
// MessagePack that another process has written, which may be anything.
#pragma once

#include <string_view>

namespace actord::message {

/// Whether the bytes are one whole value as a PackWriter makes it, so that a PackReader may read
/// it.
bool is_whole_pack(std::string_view bytes) noexcept;

}  // namespace actord::message
