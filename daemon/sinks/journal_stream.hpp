// SPDX-License-Identifier: Apache-2.0
//
// The stream by which the journal reads the output of a service, see JOURNAL_STREAM in
// systemd.exec(5). A line there may begin with its priority, "<3>"; in any other place such a
// prefix would be noise.
#pragma once

#include <string>
#include <string_view>

namespace actord::sinks {

/// Whether the descriptor is a socket, and the one that `journal_stream` names.
/// `journal_stream` is the value of JOURNAL_STREAM, device:inode in decimal; empty: not set.
bool is_journal_stream(int fd, std::string_view journal_stream);

/// What an error that is not logged looks like on this descriptor: `text`, and if the descriptor is
/// the journal's stream, each line has the priority of an error.
std::string error_text_for(int fd, std::string_view journal_stream, std::string_view text);

}  // namespace actord::sinks
