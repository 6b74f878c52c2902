// SPDX-License-Identifier: Apache-2.0
//
// The data store's ways to fail, under the names that deciders use in config files.
#pragma once

#include <actord/actord.hpp>

namespace data_store {

/// The storage refused, on purpose or SQLite itself. Details: path, and code (SQLite's extended
/// result code) or value.
struct StorageException : actord::Error {
  using Error::Error;
};

/// What is wanted cannot be had at the moment. Details: backlog.
struct ServiceUnavailable : actord::Error {
  using Error::Error;
};

}  // namespace data_store
