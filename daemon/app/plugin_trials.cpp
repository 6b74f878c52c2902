// SPDX-License-Identifier: Apache-2.0
#include "app/plugin_trials.hpp"

#include <sys/eventfd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string_view>
#include <system_error>
#include <utility>

#include "config/runtime.hpp"
#include "os/files.hpp"

namespace actord::app {

namespace {

/// Tells the contents of files apart that come after each other under one name; no protection
/// against a person who looks for two that are alike. Never 0.
std::uint64_t content_of(const loader::PluginImage& image) {
  const auto map = image.copy().map();
  if (!map) return 1;
  const auto bytes = map->bytes();
  const std::size_t hash =
      std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return std::max<std::uint64_t>(hash, 1);
}

}  // namespace

PluginTrials::PluginTrials(os::EventLoop& loop, const config::Runtime& runtime)
    : loop_(loop), runtime_(runtime), cancelled_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

PluginTrials::~PluginTrials() {
  if (thread_.joinable()) thread_.join();
}

void PluginTrials::judge(std::string name, std::uint64_t known, OnVerdict done) {
  add([this, name = std::move(name), known, done = std::move(done)]() -> Report {
    const auto verdict = std::make_shared<Verdict>(verdict_on(name, known));
    return [done, verdict] { done(std::move(*verdict)); };
  });
}

void PluginTrials::list_names(OnNames done) {
  add([this, done = std::move(done)]() -> Report {
    std::vector<std::string> names;
    for (const std::string& folder : runtime_.loader().folders()) {
      const auto files = os::names_in(folder);
      for (const std::string& file : files ? *files : std::vector<std::string>{}) {
        std::string name = loader::plugin_name_of(file);
        if (!name.empty()) names.push_back(std::move(name));
      }
    }
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return [done, names] { done(names); };
  });
}

void PluginTrials::add(Job job) {
  if (is_stopping_) return;
  jobs_.push_back(std::move(job));
  if (jobs_.size() == 1) start_next();
}

/// Without a thread the first job runs here: it blocks the event loop, but nothing is forgotten.
void PluginTrials::start_next() {
  if (jobs_.empty() || is_stopping_) return;
  const auto run = [this, job = jobs_.front()] {
    Report report;
    try {
      report = job();
    } catch (const std::exception&) {  // for want of memory; the next change asks again
    }
    {
      const std::lock_guard locked(mutex_);
      is_running_ = false;
    }
    has_ended_.notify_one();
    os::post(loop_, [this, report] {
      if (is_stopping_) return;
      if (thread_.joinable()) thread_.join();
      jobs_.pop_front();
      start_next();
      if (report) report();
    });
  };
  is_running_ = true;
  try {
    thread_ = base::Thread(run);
  } catch (const std::system_error&) {
    run();
  }
}

void PluginTrials::stop() {
  is_stopping_ = true;
  ::eventfd_write(cancelled_.get(), 1);
  if (!thread_.joinable()) return;
  std::unique_lock locked(mutex_);
  const bool has_ended =
      has_ended_.wait_for(locked, std::chrono::seconds{1}, [this] { return !is_running_; });
  locked.unlock();
  if (has_ended) thread_.join();
}

PluginTrials::Verdict PluginTrials::verdict_on(const std::string& name, std::uint64_t known) const {
  using Kind = Verdict::Kind;
  Verdict verdict;
  verdict.name = name;
  const loader::PluginLoader& loader = runtime_.loader();
  const auto file = loader.find(name);
  if (!file) return verdict;
  verdict.file = os::real_path(*file);
  for (const config::Runtime::LoadedPlugin& each : runtime_.loaded_plugins()) {
    if (each.name != name || each.is_retired) continue;
    const auto is_like = each.image->copy().is_like(verdict.file);
    if (!is_like || !*is_like) continue;
    verdict.kind = Kind::as_loaded;
    return verdict;
  }
  const auto refuse = [&](const loader::Refusal& refusal) {
    verdict.kind = Kind::refused;
    verdict.refusal = refusal;
  };
  auto plugin = loader.examine(name);
  if (!plugin) return refuse(plugin.error()), verdict;
  verdict.content = content_of(*plugin->image);
  verdict.version = plugin->note.version;
  verdict.kind = Kind::unchanged;
  if (verdict.content == known) return verdict;
  if (const auto tried = loader::PluginLoader::try_out(*plugin, cancelled_.get()); !tried)
    return refuse(tried.error()), verdict;
  verdict.kind = Kind::sound;
  verdict.plugin = std::move(plugin).value();
  return verdict;
}

}  // namespace actord::app
