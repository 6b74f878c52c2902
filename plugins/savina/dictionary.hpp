// SPDX-License-Identifier: Apache-2.0
//
// Concurrent dictionary: clients read and write one dictionary.
#pragma once

#include <map>
#include <random>

#include "program.hpp"

namespace savina {

struct DictionaryConfig {
  std::uint32_t clients = 20;
  std::uint32_t operations = 10'000;
  std::uint32_t keys = 1'000;
  double writes = 0.1;
  std::uint64_t seed = 1;
  std::chrono::nanoseconds deadline = usual_deadline;

  static std::vector<actord::About> about();
};
ACTORD_FIELDS(DictionaryConfig, clients, operations, keys, writes, seed, deadline)

/// A client to the dictionary. Answered with Stored.
struct Store {
  std::uint64_t key = 0;
  std::uint64_t version = 0;
};
ACTORD_MESSAGE(Store, "savina.Store/1", key, version)
struct Stored {};
ACTORD_MESSAGE(Stored, "savina.Stored/1")
/// A client to the dictionary. Answered with Looked.
struct Look {
  std::uint64_t key = 0;
};
ACTORD_MESSAGE(Look, "savina.Look/1", key)
/// The version of a key; 0 if it was never written.
struct Looked {
  std::uint64_t version = 0;
};
ACTORD_MESSAGE(Looked, "savina.Looked/1", version)
/// A client to the master: it has done all its operations.
struct ClientDone {};
ACTORD_MESSAGE(ClientDone, "savina.ClientDone/1")
/// The master to the dictionary. Answered with Contents.
struct GetContents {};
ACTORD_MESSAGE(GetContents, "savina.GetContents/1")
/// The sum of all versions, each times its key and one.
struct Contents {
  std::uint64_t sum = 0;
};
ACTORD_MESSAGE(Contents, "savina.Contents/1", sum)

/// The operations of a client, which follow from the seed and its index. A key has one client that
/// writes it, and all read it.
class Operations {
 public:
  struct Operation {
    bool is_write = false;
    std::uint64_t key = 0;
  };

  Operations(const DictionaryConfig& config, std::uint32_t client)
      : config_(config), client_(client), generator_(config.seed * 1'000'003 + client) {}

  Operation next();

 private:
  const DictionaryConfig config_;
  const std::uint64_t client_;
  std::mt19937_64 generator_;
};

class Dictionary : public actord::Actor {
 public:
  Stored store(const Store& m) { return versions_[m.key] = m.version, Stored{}; }
  Looked look(const Look& m) const;
  Contents contents(const GetContents&) const;
  using Receive = actord::Handlers<&Dictionary::store, &Dictionary::look, &Dictionary::contents>;

 private:
  std::map<std::uint64_t, std::uint64_t> versions_;
};

/// One operation after the other. It checks that it reads its own last write, and of the keys of
/// others never an older version than before.
class DictionaryClient : public actord::Actor {
 public:
  DictionaryClient(const DictionaryConfig& config, std::uint32_t index, actord::Ref dictionary)
      : index_(index),
        clients_(config.clients),
        left_(config.operations),
        operations_(config, index),
        dictionary_(dictionary) {}

  void stored(actord::Context& ctx, const Stored&);
  void looked(actord::Context& ctx, const Looked& m);
  using Receive = actord::Handlers<&DictionaryClient::stored, &DictionaryClient::looked>;

 private:
  void pre_start(actord::Context& ctx) override { begin_next(ctx); }
  void begin_next(actord::Context& ctx);

  const std::uint32_t index_, clients_;
  std::uint32_t left_;
  Operations operations_;
  const actord::Ref dictionary_;
  Operations::Operation current_;
  std::map<std::uint64_t, std::uint64_t> seen_;  // the newest versions
};

class DictionaryMaster : public Escalating {
 public:
  using Config = DictionaryConfig;
  static constexpr std::string_view program = "ConcurrentDictionary";
  static constexpr std::string_view doc =
      "Reads and writes one dictionary from many actors: requests and answers at one actor.";
  /// The sum of the contents when all clients have written what they have to.
  static std::int64_t expected(const Config& config);
  /// Each client has a key to write.
  static void validate(const Config& config, actord::Findings& findings);

  explicit DictionaryMaster(const Config& config) : config_(config) {}

  void done(actord::Context& ctx, const ClientDone&);
  void counted(actord::Context& ctx, const Contents& m);
  using Receive = actord::Handlers<&DictionaryMaster::done, &DictionaryMaster::counted>;

 private:
  void pre_start(actord::Context& ctx) override;

  const Config config_;
  actord::Ref dictionary_;
  std::uint32_t done_ = 0;
};

using ConcurrentDictionary = Program<DictionaryMaster>;

}  // namespace savina
