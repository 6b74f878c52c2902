// SPDX-License-Identifier: Apache-2.0
//
// The files that the HOCON reader finds while it is fuzzed: texts in memory. A fuzz target links
// this in place of hocon/file_text.cpp, so that an include costs no system call and no input can
// read a real file.
#pragma once

#include <map>
#include <string>

namespace actord::fuzz {

/// Every file there is, by its path. A name that ends in ".locked" may not be read; one that ends
/// in '/' is a folder.
std::map<std::string, std::string, std::less<>>& memory_files();

}  // namespace actord::fuzz
