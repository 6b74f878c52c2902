// SPDX-License-Identifier: Apache-2.0
//
// The exceptions of the data store, with the names that deciders use in a configuration.
#pragma once

#include <actord/actord.hpp>

namespace data_store {

/// Reading or saving failed, on purpose or because of an error of SQLite. Details: path, and either
/// code (SQLite's extended result code) or value.
struct StorageException : actord::Error {
  using Error::Error;
};

/// The service cannot take the command or answer the question now. Details: backlog.
struct ServiceUnavailable : actord::Error {
  using Error::Error;
};

}  // namespace data_store
