// SPDX-License-Identifier: Apache-2.0
#include "app/crash_store.hpp"

#include <algorithm>
#include <charconv>

#include "app/crash_form.hpp"
#include "config/json_forms.hpp"
#include "os/call_stack.hpp"
#include "os/files.hpp"

namespace actord::app {

using config::text_in;
using wire::Json;

namespace {

// Two lines of the log and some more. The space is reserved, because a crash often comes with a
// full disk. A usual record has some 8 KiB.
constexpr std::size_t pending_size = 128 * 1024, pending_least = 32 * 1024;
constexpr std::size_t file_size_max = std::size_t{1} << 20;

/// "/usr/lib/x.so+0x12f0" with the name of its function, if the file has that build id.
std::string named(const std::string& place, const std::string& build_id) {
  const std::size_t plus = place.rfind("+0x");
  std::uintptr_t offset = 0;
  if (plus == place.npos) return place;
  const char* const end = place.data() + place.size();
  if (std::from_chars(place.data() + plus + 3, end, offset, 16).ptr != end) return place;
  return os::CallStack::described(place.substr(0, plus), offset, build_id);
}

std::int64_t wall_ns_of(const Json& crash) {
  return config::integer_in(crash.at("crash"), "wall_ns");
}

}  // namespace

CrashStore::CrashStore(std::string folder, std::size_t keep)
    : folder_(std::move(folder)), keep_(keep) {}

base::Result<std::optional<Json>> CrashStore::take_pending() const {
  const std::string path = pending();
  if (!os::exists(path)) return std::optional<Json>{};
  auto text = os::read_file(path, file_size_max);
  if (!text) return base::Error{text.error().what + "; what it says of the last crash is lost"};
  text->resize(std::min(text->find('\0'), text->size()));
  if (text->empty()) return std::optional<Json>{};
  const std::size_t end = std::min(text->find('\n'), text->size());
  Json crash = read_json(std::string_view(*text).substr(0, end));
  if (!is_crash_event(crash))
    return base::Error{path + " is damaged; what it says of the last crash is lost"};
  const Json about = read_json(std::string_view(*text).substr(std::min(end + 1, text->size())));
  const std::vector<std::string> places = texts_in(crash, "stack");
  std::vector<std::string> ids = texts_in(about, "build_ids");
  ids.resize(places.size());
  std::vector<std::string> stack;
  for (std::size_t i = 0; i < places.size(); ++i) stack.push_back(named(places[i], ids[i]));
  const auto flag = [&](const char* name, bool otherwise) {
    const auto found = about.find(name);
    return found != about.end() && found->is_boolean() ? found->get<bool>() : otherwise;
  };
  const auto time = [&](const char* name) {
    return std::max<std::int64_t>(config::integer_in(about, name), 0);
  };
  crash["crash"] = {{"id", text_in(crash, "boot")},
                    {"wall_ns", time("wall_ns")},
                    {"uptime_ns", time("uptime_ns")},
                    {"is_own", flag("is_own", true)},
                    {"is_hang", flag("is_hang", false)},
                    {"is_ending", flag("is_ending", false)},
                    {"version", text_in(about, "version")},
                    {"places", places},
                    {"build_ids", ids}};
  if (!stack.empty()) crash["stack"] = std::move(stack);
  return std::optional(std::move(crash));
}

base::Result<os::Descriptor> CrashStore::open_pending() const {
  if (const auto made = os::make_private_directory(folder_.path()); !made)
    return base::Error{made.error().what};
  auto file = os::reserve_private_file(pending(), pending_size, pending_least);
  if (!file) return base::Error{file.error().what};
  return std::move(file).value();
}

base::Result<std::string> CrashStore::keep(const Json& crash) const {
  const std::string id = text_in(crash.at("crash"), "id");
  drop_oldest(keep_ - 1, id);
  return folder_.write(id, crash);
}

void CrashStore::make_room(std::string_view spared) const {
  drop_oldest(0, spared);
  const std::string path = pending();
  const auto text = os::read_file(path, file_size_max);
  if (text) static_cast<void>(os::shorten_file(path, std::min(text->find('\0'), text->size())));
}

std::vector<Json> CrashStore::list() const {
  std::vector<Json> crashes;
  for (const std::string& id : folder_.ids()) {
    if (auto crash = find(id)) crashes.push_back(*std::move(crash));
  }
  std::ranges::stable_sort(crashes, {}, wall_ns_of);
  return crashes;
}

std::optional<Json> CrashStore::find(std::string_view id) const {
  const auto text = folder_.read(id);
  Json crash = text ? read_json(*text) : Json{};
  if (!is_crash(crash) || text_in(crash, "boot") != id) return std::nullopt;
  return crash;
}

void CrashStore::drop_oldest(std::size_t left, std::string_view spared) const {
  std::vector<Json> all = list();
  std::erase_if(all, [&](const Json& each) { return text_in(each, "boot") == spared; });
  for (std::size_t i = 0; i + left < all.size(); ++i)
    static_cast<void>(folder_.remove(text_in(all[i], "boot")));
}

}  // namespace actord::app
