// SPDX-License-Identifier: Apache-2.0
#include "os/loaded_copies.hpp"

#include <cstring>

#include "base/sync.hpp"

namespace actord::os {

namespace {

struct Copy {
  std::string path, file;
  const Copy* next = nullptr;
};

// A list that only grows, so that a signal handler can read it without a lock. The exchange
// (seq_cst) that publishes an entry pairs with the load in original_of(): a thread that sees an
// entry sees its texts.
constinit base::Atomic<const Copy*> newest{nullptr};

}  // namespace

void name_loaded_copy(const std::string& copy, const std::string& file) {
  auto* const entry = new Copy{copy, file};  // never freed: a crash at the very end reads it, too
  const Copy* before = newest;
  do entry->next = before;
  while (!newest.compare_exchange_weak(before, entry));
}

const char* original_of(const char* path) noexcept {
  for (const Copy* each = newest; each != nullptr; each = each->next) {
    if (std::strcmp(each->path.c_str(), path) == 0) return each->file.c_str();
  }
  return nullptr;
}

}  // namespace actord::os
