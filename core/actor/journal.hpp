// SPDX-License-Identifier: Apache-2.0
//
// The interface from persistent actors to the journal of their system, and what they ask of it. A
// system without a journal has no persistent actors.
//
// A request belongs to the actor until submit(), then to the journal, which answers with
// SystemMessage::journal. Requests are carried out in the order of submit().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actor/envelope_list.hpp"
#include "actor/failure.hpp"
#include "actor/ref.hpp"
#include "actor/request.hpp"
#include "base/sync.hpp"
#include "persist/store.hpp"

namespace actord::actor {

class ThreadState;

/// The name under which the events of an actor are stored.
using PersistenceId = std::shared_ptr<const std::string>;

struct JournalRequest final : Request {
  enum class Kind : std::uint8_t {
    // where the recovery begins, and the first events; from now on `from` alone writes for the id
    recover,
    read,  // the next events
    write,
    release  // `from` writes no more; is not answered
  };
  /// An event or a snapshot; its content is a part of `bytes`.
  struct Piece {
    std::uint64_t sequence;
    std::string_view type;
    std::size_t begin, size;
  };

  JournalRequest(Kind kind_, Ref from_, std::uint64_t number_, PersistenceId id_)
      : kind(kind_), from(from_), number(number_), id(std::move(id_)) {}

  persist::Entry entry(const Piece& piece) const noexcept {
    return {piece.sequence, piece.type, std::string_view{bytes}.substr(piece.begin, piece.size)};
  }

  const Kind kind;
  const Ref from;
  const std::uint64_t number;  // which recovery of the actor the answer is for
  const PersistenceId id;

  // ---- write, for the journal ----
  std::string bytes;
  std::vector<Piece> events;
  std::optional<Piece> snapshot;
  std::uint64_t delete_to = 0;
  bool is_newest_only = false;
  bool is_awaited = false;  // the actor handles no messages before the answer
  Ref sender = nobody;      // of the message in whose handler it was made

  // ---- write, of the actor alone ----
  base::IntrusivePtr<JournalRequest> next_write;  // of the actor
  std::size_t told = 0;    // events for which the actor's persisted() has succeeded
  bool is_repeat = false;  // persisted() has failed for the next one, and is called again
  bool is_answered = false;
  // The message in whose handler it was made. If that handler was itself what follows an event, the
  // message belongs to the request with that event, `origin`.
  Envelope* message = nullptr;
  std::uint32_t message_uses = 0;  // requests that need the message of this one
  FailurePtr failure;              // of what follows events, in a request with a message
  base::IntrusivePtr<JournalRequest> origin;

  /// The request that has the message for this one: `origin`, or itself.
  JournalRequest& holder_of_message() noexcept { return origin ? *origin : *this; }

  // ---- read ----
  std::uint64_t next = 0;  // the first event wanted

  // ---- the answer ----
  std::optional<persist::StoreError> error;
  persist::Beginning beginning;               // to recover
  std::vector<persist::StoredEntry> entries;  // to recover and to read
};
using JournalRequestPtr = base::IntrusivePtr<JournalRequest>;

/// What the operator sets for all persistent actors. Any thread may set it; each is read by a
/// relaxed load.
struct PersistenceSettings {
  base::Atomic<std::int64_t> recovery_timeout_ns{30'000'000'000};  // between two answers; 0: none
  base::Atomic<std::uint64_t> snapshot_every{0};                   // events; 0: never
  base::Atomic<bool> deletes_events{false};  // those that an older snapshot has
};

/// Any thread.
class Journal {
 public:
  /// An event or a snapshot of more bytes is rejected.
  static constexpr std::size_t entry_bytes_max = std::size_t{16} << 20;

  virtual ~Journal() = default;
  virtual void submit(ThreadState& thread, JournalRequestPtr request) = 0;

  PersistenceSettings settings;
};

}  // namespace actord::actor
