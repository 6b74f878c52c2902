// SPDX-License-Identifier: Apache-2.0
//
// Texts in memory that the HOCON reader finds as files while it is fuzzed. A fuzz target links this
// in place of hocon/file_text.cpp, so that an include costs no system call and no input can read a
// real file.
#pragma once

#include <map>
#include <string>

namespace actord::fuzz {

/// All files, by path. A file whose name ends in ".locked" cannot be read; a name that ends in '/'
/// is a folder.
std::map<std::string, std::string, std::less<>>& memory_files();

}  // namespace actord::fuzz
