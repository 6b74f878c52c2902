// SPDX-License-Identifier: Apache-2.0
#include "app/reply_size.hpp"

#include "base/utf8.hpp"
#include "sinks/secret_mask.hpp"
#include "wire/frame.hpp"

namespace actord::app {

using wire::Json;

namespace {

constexpr std::size_t text_bytes_max = std::size_t{16} << 10;
// A reply has up to six lists.
constexpr std::size_t list_bytes_max = wire::text_size_max / 8;
constexpr std::size_t list_size_max = 500;

void cut(std::string& text) {
  if (text.size() <= text_bytes_max) return;
  const std::string note = "... (" + std::to_string(text.size()) + " bytes)";
  text.resize(base::utf8::clip(text, text_bytes_max).size());
  text += note;
}

}  // namespace

void cut_texts(Json& json) {
  if (json.is_string()) return cut(json.get_ref<std::string&>());
  if (!json.is_structured()) return;
  for (Json& each : json) cut_texts(each);
}

void mask_texts(Json& json, const sinks::SecretMask& mask) {
  if (json.is_string()) json = mask.masked(json.get_ref<const std::string&>());
  if (!json.is_structured()) return;
  for (Json& each : json) mask_texts(each, mask);
}

std::size_t size_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace).size();
}

void cut_list(Json& owner, const std::string& list) {
  const auto found = owner.find(list);
  if (found == owner.end() || !found->is_array()) return;
  std::size_t kept = 0, bytes = 0;
  for (Json& each : *found) {
    cut_texts(each);
    bytes += size_of(each) + 1;
    if (kept == list_size_max || bytes > list_bytes_max) break;
    ++kept;
  }
  const std::size_t beyond = found->size() - kept;
  if (beyond == 0) return;
  found->erase(found->begin() + static_cast<std::ptrdiff_t>(kept), found->end());
  owner[list + "_left_out"] = beyond;  // written last: adding a member invalidates `found`
}

}  // namespace actord::app
