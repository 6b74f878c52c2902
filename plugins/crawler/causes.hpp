// SPDX-License-Identifier: Apache-2.0
//
// The exceptions of the crawler, with the names that deciders use in a configuration.
#pragma once

#include <actord/actord.hpp>

namespace crawler {

/// An attempt to fetch a page failed. Details: url, attempt.
struct RetrievalException : actord::Error {
  using Error::Error;
};
/// The server did not answer in time.
struct Timeout : RetrievalException {
  using RetrievalException::RetrievalException;
};
/// The connection could not be made, or broke before the answer was complete.
struct ConnectionLost : RetrievalException {
  using RetrievalException::RetrievalException;
};

/// A failure of the master: a page failed max-attempts times, and on-exhausted = escalate. Details:
/// url, attempts.
struct Exhausted : actord::Error {
  using Error::Error;
};

/// A search without words, or with a limit that is none.
struct InvalidSearch : actord::Error {
  using Error::Error;
};

/// SQLite reported an error. Details: path, code (the extended result code of SQLite).
struct IndexError : actord::Error {
  using Error::Error;
};

}  // namespace crawler
