// SPDX-License-Identifier: Apache-2.0
//
// The crawler's ways to fail, under the names that deciders use in config files.
#pragma once

#include <actord/actord.hpp>

namespace crawler {

/// A page could not be had this time. Details: url, attempt.
struct RetrievalException : actord::Error {
  using Error::Error;
};
/// The server did not answer in time.
struct Timeout : RetrievalException {
  using RetrievalException::RetrievalException;
};
/// The connection could not be made, or broke before the answer was whole.
struct ConnectionLost : RetrievalException {
  using RetrievalException::RetrievalException;
};

/// The master's own: a page failed max-attempts times, and on-exhausted = escalate. Details: url,
/// attempts.
struct Exhausted : actord::Error {
  using Error::Error;
};

/// SQLite refused. Details: path, code (SQLite's extended result code).
struct IndexError : actord::Error {
  using Error::Error;
};

}  // namespace crawler
