// SPDX-License-Identifier: Apache-2.0
#include "app/crash_store.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "config/json_forms.hpp"
#include "os/call_stack.hpp"
#include "os/files.hpp"

namespace actord::app {

namespace fs = std::filesystem;
using config::text_in;
using wire::Json;

namespace {

// Two lines of the log and some more. The space is reserved, because a crash often comes with a
// full disk.
constexpr std::size_t pending_size = 128 * 1024;
constexpr std::size_t file_size_max = std::size_t{1} << 20;

bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= 32 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
}

/// The beginning of a file; nullopt: it cannot be read.
std::optional<std::string> text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text(file_size_max, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

/// The object in one line; null: there is none.
Json object_in(std::string_view line) {
  Json json = Json::parse(line, nullptr, false);
  return json.is_object() ? json : Json{};
}

bool is_record(const Json& crash) {
  const bool has_end = !text_in(crash, "signal").empty() || !text_in(crash, "call").empty();
  return crash.is_object() && has_end && is_id(text_in(crash, "boot")) &&
         !text_in(crash, "ts").empty() && crash.contains("pid") &&
         crash["pid"].is_number_unsigned();
}

/// "/usr/lib/x.so+0x12f0" with the name of its function, if the file has that build id.
std::string named(const std::string& place, const std::string& build_id) {
  const std::size_t plus = place.rfind("+0x");
  std::uintptr_t offset = 0;
  if (plus == place.npos) return place;
  const char* const end = place.data() + place.size();
  if (std::from_chars(place.data() + plus + 3, end, offset, 16).ptr != end) return place;
  return os::CallStack::described(place.substr(0, plus), offset, build_id);
}

std::vector<std::string> texts_in(const Json& json, const char* name) {
  std::vector<std::string> texts;
  const auto found = json.find(name);
  if (found == json.end() || !found->is_array()) return texts;
  for (const Json& each : *found) texts.push_back(each.is_string() ? each.get<std::string>() : "");
  return texts;
}

std::int64_t wall_ns_of(const Json& crash) {
  const auto about = crash.find("crash");
  return about != crash.end() && about->is_object() ? config::integer_in(*about, "wall_ns") : 0;
}

}  // namespace

CrashStore::CrashStore(std::string folder, std::size_t keep)
    : folder_(std::move(folder)), keep_(keep) {}

std::string CrashStore::path_of(std::string_view id) const {
  return folder_ + '/' + std::string{id} + ".json";
}

base::Result<std::optional<Json>> CrashStore::take_pending() const {
  const std::string path = folder_ + "/pending";
  if (!os::exists(path)) return std::optional<Json>{};
  auto text = text_of(path);
  if (!text) return base::Error{path + " cannot be read; what it says of the last crash is lost"};
  text->resize(std::min(text->find('\0'), text->size()));
  if (text->empty()) return std::optional<Json>{};
  const std::size_t end = std::min(text->find('\n'), text->size());
  Json crash = object_in(std::string_view(*text).substr(0, end));
  if (!is_record(crash))
    return base::Error{path + " is damaged; what it says of the last crash is lost"};
  Json about = object_in(std::string_view(*text).substr(std::min(end + 1, text->size())));
  const std::vector<std::string> places = texts_in(crash, "stack");
  std::vector<std::string> ids = texts_in(about, "build_ids");
  ids.resize(places.size());
  std::vector<std::string> stack;
  for (std::size_t i = 0; i < places.size(); ++i) stack.push_back(named(places[i], ids[i]));
  const auto flag = [&](const char* name, bool otherwise) {
    const auto found = about.find(name);
    return found != about.end() && found->is_boolean() ? found->get<bool>() : otherwise;
  };
  crash["crash"] = {{"id", text_in(crash, "boot")},
                    {"wall_ns", config::integer_in(about, "wall_ns")},
                    {"uptime_ns", config::integer_in(about, "uptime_ns")},
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
  if (const auto made = os::make_private_directory(folder_); !made)
    return base::Error{made.error().what};
  auto file = os::reserve_private_file(folder_ + "/pending", pending_size);
  if (!file) return base::Error{file.error().what};
  return std::move(file).value();
}

base::Result<std::string> CrashStore::keep(const Json& crash) const {
  if (const auto made = os::make_private_directory(folder_); !made)
    return base::Error{made.error().what};
  const std::string path = path_of(text_in(crash.at("crash"), "id"));
  const std::string text = crash.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
  if (const auto written = os::replace_private_file(path, text); !written)
    return base::Error{written.error().what};
  drop_oldest();
  return path;
}

std::vector<Json> CrashStore::list() const {
  std::vector<Json> crashes;
  const auto names = os::names_in(folder_);
  for (const std::string& name : names ? *names : std::vector<std::string>{}) {
    if (!name.ends_with(".json") || !is_id(name.substr(0, name.size() - 5))) continue;
    if (auto crash = find(name.substr(0, name.size() - 5))) crashes.push_back(*std::move(crash));
  }
  std::ranges::stable_sort(crashes, {}, wall_ns_of);
  return crashes;
}

std::optional<Json> CrashStore::find(std::string_view id) const {
  if (!is_id(id)) return std::nullopt;
  const auto text = text_of(path_of(id));
  Json crash = text ? object_in(*text) : Json{};
  const auto about = crash.find("crash");
  if (about == crash.end() || !about->is_object() || text_in(*about, "id") != id)
    return std::nullopt;
  return crash;
}

void CrashStore::drop_oldest() const {
  const std::vector<Json> all = list();
  std::error_code ignored;
  for (std::size_t i = 0; i + keep_ < all.size(); ++i)
    fs::remove(path_of(text_in(all[i].at("crash"), "id")), ignored);
}

}  // namespace actord::app
