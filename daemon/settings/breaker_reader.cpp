// SPDX-License-Identifier: Apache-2.0
#include "settings/breaker_reader.hpp"

#include "base/duration_text.hpp"
#include "schema/setting_codes.hpp"

namespace actord::settings {

using hocon::Value;
using system::BreakerSettings;

namespace {

constexpr std::string_view standard_name = "default";

void read_time(ObjectReader& block, std::string_view key, std::chrono::nanoseconds& out) {
  std::int64_t ns = out.count();
  block.read_duration(key, ns);
  out = std::chrono::nanoseconds{ns};
}

// The error stands at the one of the two keys that is set here; at the limit, if both are.
void check_times(ObjectReader& block, const BreakerSettings& read) {
  if (read.max_reset_timeout >= read.reset_timeout) return;
  const Value limit = block.object().member("max-reset-timeout");
  const Value reset = block.object().member("reset-timeout");
  const bool is_limit = limit && !limit.is_null();
  if (!is_limit && (!reset || reset.is_null())) return;  // both are those of `default`
  const std::string shortest = base::duration_text(read.reset_timeout.count());
  const std::string longest = base::duration_text(read.max_reset_timeout.count());
  block.findings().add(coded(
      schema::codes::conflict,
      is_limit ? limit.reject("max-reset-timeout is shorter than reset-timeout",
                              "write at least " + shortest + ", or a shorter reset-timeout")
               : reset.reject("reset-timeout is longer than max-reset-timeout",
                              "write at most " + longest + ", or a longer max-reset-timeout")));
}

// What `read` has before are the values of keys that are not set.
void read_breaker(ObjectReader block, BreakerSettings& read) {
  block.read("max-failures", read.max_failures);
  read_time(block, "call-timeout", read.call_timeout);
  read_time(block, "reset-timeout", read.reset_timeout);
  read_time(block, "max-reset-timeout", read.max_reset_timeout);
  block.read("exponential-backoff", read.exponential_backoff);
  block.read("random-factor", read.random_factor);
  check_times(block, read);
  block.finish();
}

}  // namespace

system::BreakersByName read_circuit_breakers(ObjectReader block) {
  system::BreakersByName breakers;
  const std::vector<hocon::Member> members = block.take_all();
  const schema::SettingKey& key = block.key("*");
  for (const hocon::Member& each : members) {
    if (each.key == standard_name)
      read_breaker({block.findings(), each.value, key}, breakers.standard);
  }
  for (const hocon::Member& each : members) {
    if (block.findings().is_full()) break;
    if (each.key == standard_name || each.value.is_null()) continue;
    if (!system::Breakers::is_name(each.key))
      block.findings().add(
          at_key(each.value.reject(std::string{system::Breakers::name_rule}), each.key));
    BreakerSettings read = breakers.standard;
    read_breaker({block.findings(), each.value, key}, read);
    breakers.named.emplace(each.key, read);
  }
  if (breakers.named.size() > system::Breakers::breakers_max)
    block.findings().add(block.object().reject("there are more than " +
                                               std::to_string(system::Breakers::breakers_max) +
                                               " circuit breakers"));
  return breakers;
}

}  // namespace actord::settings
