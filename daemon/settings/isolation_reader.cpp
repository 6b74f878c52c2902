// SPDX-License-Identifier: Apache-2.0
#include "settings/isolation_reader.hpp"

#include <algorithm>

#include "schema/known_words.hpp"
#include "schema/setting_codes.hpp"

namespace actord::settings {

using hocon::Value;

namespace {

constexpr std::string_view shared = "shared:";

bool is_group_name(std::string_view name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !name.empty() && is_plain(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_plain(c) || c == '-' || c == '_'; });
}

// Reads a word, or "shared:NAME".
void read_group(ObjectReader& worker, std::string& out) {
  const Value value = worker.take("group");
  if (!value) return;
  if (const auto word = meaning_of(value, schema::worker_group_words)) {
    out = *word;
    return;
  }
  if (!value.is_string() || !value.text().starts_with(shared)) {
    worker.findings().add(unknown_word(value, {"per-plugin", "per-actor", "shared:NAME"},
                                       "per-plugin, per-actor or \"shared:NAME\""));
    return;
  }
  const std::string_view name = value.text().substr(shared.size());
  if (is_group_name(name)) out = value.text();
  else
    worker.findings().add(
        value.mismatch("\"shared:\" and a name of letters, digits, - and _ that begins with a "
                       "letter or digit"));
}

}  // namespace

void read_isolation(ObjectReader& block, actor::ActorOptions& options) {
  block.read_word("isolation", options.isolation, schema::isolation_words);
  ObjectReader worker = block.section("worker");
  read_group(worker, options.worker_group);
  worker.finish({{"worker-group", "group"}});
}

actor::IsolationByPlugin read_plugin_isolation(ObjectReader block) {
  actor::IsolationByPlugin isolation;
  for (const hocon::Member& member : block.take_all()) {
    actor::Isolation of = actor::Isolation::unset;
    block.read_word(member.key, of, schema::isolation_words);
    if (of != actor::Isolation::unset) isolation.emplace(member.key, of);
  }
  return isolation;
}

WorkerSettings read_worker(ObjectReader block) {
  WorkerSettings worker;
  block.read_word("group", worker.group, schema::worker_group_words);
  block.read("spare", worker.spare);
  block.read_duration("start-timeout", worker.start_timeout_ns);
  if (is_off(block.take("stuck-timeout"))) worker.stuck_timeout_ns = 0;
  else block.read_duration("stuck-timeout", worker.stuck_timeout_ns);
  block.read_size("memory-max", worker.memory_max, schema::worker_memory_words);
  block.read("nofile", worker.nofile, schema::worker_nofile_words);
  block.read("core", worker.has_core);
  block.finish();
  return worker;
}

}  // namespace actord::settings
