// SPDX-License-Identifier: Apache-2.0
#include "schema/config_rules.hpp"

#include <fmt/format.h>

#include "base/duration_text.hpp"
#include "hocon/units.hpp"
#include "message/message_type.hpp"

namespace actord::schema {

namespace {

std::string bound_text(const actord_bound& bound, bool is_size) {
  switch (bound.kind) {
    case ACTORD_INT:
      return is_size ? hocon::bytes_text(bound.value.i) : std::to_string(bound.value.i);
    case ACTORD_UINT: return std::to_string(bound.value.u);
    case ACTORD_DURATION: return base::duration_text(bound.value.i);
    case ACTORD_DOUBLE: return fmt::format("{}", bound.value.d);
    default: return {};
  }
}

}  // namespace

ConfigRules::ConfigRules(const actord_behaviour& behaviour) {
  if (!ACTORD_HAS(actord_behaviour, &behaviour, n_config_keys)) return;
  keys_ = behaviour.config_keys;
  count_ = behaviour.n_config_keys;
}

const actord_config_key* ConfigRules::find(std::string_view path) const noexcept {
  for (std::size_t i = 0; i < count_; ++i) {
    if (message::view(keys_[i]->path) == path) return keys_[i];
  }
  return nullptr;
}

std::uint32_t resource_of(const actord_config_key& key) noexcept {
  return ACTORD_HAS(actord_config_key, &key, n_schemes) ? key.resource : 0;
}

std::string resource_text(const actord_config_key& key) {
  const std::uint32_t resource = resource_of(key);
  if (resource == ACTORD_PORT) return "a TCP port that the actor listens on";
  if (resource == ACTORD_URL) {
    std::string schemes;
    for (const actord_str& each : std::span{key.schemes, key.n_schemes})
      schemes.append(schemes.empty() ? "" : " or ").append(message::view(each));
    return (schemes.empty() ? "an absolute" : "an absolute " + schemes) + " URL";
  }
  if (resource != ACTORD_FOLDER && resource != ACTORD_FILE) return {};
  std::string text = resource == ACTORD_FOLDER ? "a folder" : "a file";
  if ((key.use & ACTORD_IN_STATE_DIRECTORY) != 0) {
    const std::string folder{message::view(key.folder)};
    text +=
        folder.empty() ? " in the state directory" : " in " + folder + "/ of the state directory";
  }
  const bool is_read = (key.use & ACTORD_READS) != 0, is_written = (key.use & ACTORD_WRITES) != 0;
  if (!is_read && !is_written) return text;
  return text + (!is_written ? " that is read"
                 : is_read   ? " that is read and written"
                             : " that is written");
}

std::string bounds_text(const actord_config_key& key) {
  const bool is_size = has_flag(&key, ACTORD_SIZE);
  const std::string least = bound_text(key.least, is_size), most = bound_text(key.most, is_size);
  if (least.empty() && most.empty()) return {};
  if (most.empty()) return "at least " + least;
  return least.empty() ? "at most " + most : least + " to " + most;
}

std::string default_text(const actord_config_key& key) {
  if (!ACTORD_HAS(actord_config_key, &key, default_value)) return {};
  std::string text{message::view(key.default_value)};
  if (!has_flag(&key, ACTORD_SIZE)) return text;
  const auto bytes = hocon::parse_bytes(text);
  return bytes ? hocon::bytes_text(*bytes) : text;
}

}  // namespace actord::schema
