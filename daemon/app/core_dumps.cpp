// SPDX-License-Identifier: Apache-2.0
#include "app/core_dumps.hpp"

#include "config/configuration.hpp"
#include "config/plugin_secrets.hpp"
#include "os/process.hpp"

namespace actord::app {

void CoreDumps::apply(const config::Configuration& configuration) {
  using Word = schema::CoreDumps;
  has_read_secrets_ = has_read_secrets_ || !config::secret_texts(configuration).empty();
  const Word word = configuration.settings.core_dumps;
  os::permit_core_dumps(word == Word::full || (word == Word::automatic && !has_read_secrets_));
}

}  // namespace actord::app
