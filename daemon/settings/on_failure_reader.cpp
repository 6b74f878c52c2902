// SPDX-License-Identifier: Apache-2.0
#include "settings/on_failure_reader.hpp"

#include "schema/known_words.hpp"
#include "schema/setting_codes.hpp"

namespace actord::settings {

using schema::FailedMessage;

// A node that says nothing of it leaves it to the pattern; one that says `drop` does not.
void read_on_failure(ObjectReader& block, actor::ActorOptions& options) {
  ObjectReader on_failure = block.section("on-failure");
  FailedMessage message = FailedMessage::unset;
  std::int64_t attempts = schema::attempts_default;
  on_failure.read_word("message", message, schema::failed_message_words);
  on_failure.read("max-attempts", attempts);
  if (message == FailedMessage::redeliver)
    options.attempts_max = static_cast<std::uint32_t>(attempts);
  else if (message == FailedMessage::drop) options.attempts_max = 0;
  if (on_failure.exists() && on_failure.object().is_object() &&
      message != FailedMessage::redeliver) {
    const hocon::Value idle = on_failure.object().member("max-attempts");
    if (idle && !idle.is_null())
      on_failure.findings().add(
          at_key(coded(schema::codes::no_effect,
                       idle.warn("the message is not given again, so there are no attempts",
                                 "set message = redeliver beside it, or remove this")),
                 idle.key()));
  }
  on_failure.finish({{"attempts", "max-attempts"},
                     {"max-redeliveries", "max-attempts"},
                     {"redeliver", "message"},
                     {"messages", "message"}});
}

}  // namespace actord::settings
