// SPDX-License-Identifier: Apache-2.0
#include "dictionary.hpp"

namespace savina {

std::vector<actord::About> DictionaryConfig::about() {
  using C = DictionaryConfig;
  return {actord::about(&C::clients).between(1, 1'000).doc("Actors that read and write."),
          actord::about(&C::operations).at_most(20'000).doc("Reads and writes of each client."),
          actord::about(&C::keys).between(1, 1'000'000).doc("Keys; at least one for each client."),
          actord::about(&C::writes).between(0, 1).doc("Share of operations that write."),
          actord::about(&C::seed).doc("Seed of the operations."),
          about_deadline(&C::deadline)};
}

Operations::Operation Operations::next() {
  Operation operation;
  operation.is_write = static_cast<double>(generator_() >> 11) * 0x1p-53 < config_.writes;
  operation.key = generator_() % config_.keys;
  if (!operation.is_write) return operation;
  // The keys of this client: those that leave its index when they are divided by the clients.
  const std::uint64_t own = (config_.keys - client_ - 1) / config_.clients + 1;
  operation.key = client_ + (operation.key % own) * config_.clients;
  return operation;
}

Looked Dictionary::look(const Look& m) const {
  const auto found = versions_.find(m.key);
  return {found == versions_.end() ? 0 : found->second};
}

Contents Dictionary::contents(const GetContents&) const {
  Contents contents;
  for (const auto& [key, version] : versions_) contents.sum += (key + 1) * version;
  return contents;
}

void DictionaryClient::begin_next(actord::Context& ctx) {
  if (left_ == 0) return ctx.tell(ctx.parent(), ClientDone{});
  --left_;
  current_ = operations_.next();
  if (current_.is_write) ctx.tell(dictionary_, Store{current_.key, seen_[current_.key] + 1});
  else ctx.tell(dictionary_, Look{current_.key});
}

void DictionaryClient::stored(actord::Context& ctx, const Stored&) {
  ++seen_[current_.key];
  begin_next(ctx);
}

void DictionaryClient::looked(actord::Context& ctx, const Looked& m) {
  std::uint64_t& seen = seen_[current_.key];
  const bool is_own = current_.key % clients_ == index_;
  if (is_own ? m.version != seen : m.version < seen)
    throw WrongResult(
        "a client has read an older value than it knows",
        {{"client", index_}, {"key", current_.key}, {"read", m.version}, {"known", seen}});
  seen = m.version;
  begin_next(ctx);
}

std::int64_t DictionaryMaster::expected(const Config& config) {
  std::uint64_t sum = 0;
  for (std::uint32_t client = 0; client < config.clients; ++client) {
    Operations operations(config, client);
    for (std::uint32_t n = 0; n < config.operations; ++n) {
      const auto [is_write, key] = operations.next();
      if (is_write) sum += key + 1;  // each write makes the version of its key one more
    }
  }
  return static_cast<std::int64_t>(sum);
}

void DictionaryMaster::validate(const Config& config, actord::Findings& findings) {
  if (config.keys < config.clients)
    findings.reject(&Config::keys, "must be at least as many as there are clients");
}

void DictionaryMaster::pre_start(actord::Context& ctx) {
  dictionary_ = ctx.spawn<Dictionary>("dictionary");
  for (std::uint32_t index = 0; index < config_.clients; ++index)
    ctx.spawn<DictionaryClient>("client-" + std::to_string(index), config_, index, dictionary_);
}

void DictionaryMaster::done(actord::Context& ctx, const ClientDone&) {
  if (++done_ == config_.clients) ctx.tell(dictionary_, GetContents{});
}

void DictionaryMaster::counted(actord::Context& ctx, const Contents& m) {
  const std::uint64_t operations = std::uint64_t{config_.clients} * config_.operations;
  ctx.tell(ctx.parent(),
           Finished{static_cast<std::int64_t>(m.sum), 2 * operations + config_.clients + 3});
}

}  // namespace savina
