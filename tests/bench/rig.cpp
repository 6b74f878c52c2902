// SPDX-License-Identifier: Apache-2.0
#include "rig.hpp"

#include <dlfcn.h>

#include "actor/spawn_request.hpp"
#include "actor/system_message.hpp"
#include "base/clock.hpp"
#include "sdk/host_table.hpp"

namespace actord::bench {

namespace {

system::SystemSettings settings_for(const Rig::Options& options) {
  system::SystemSettings settings;
  settings.name = "bench";
  settings.workers = options.workers;
  settings.live.dead_letters.logged = 0;
  if (options.store != nullptr)
    settings.journal.open_store =
        [store = options.store]() -> persist::StoreResult<std::shared_ptr<persist::Store>> {
      return store;
    };
  return settings;
}

}  // namespace

Rig::Rig(const Options& options)
    : hub_([] { return base::monotonic_ns(); },
           {.level = options.log_fd < 0 ? log::Level::error : log::Level::info}) {
  if (options.log_fd >= 0) {
    sinks::LogWriterOptions lines;
    lines.format = sinks::Format::json;
    lines.system_name = "bench";
    lines.boot_id = "0123456789abcdef";
    lines.fd = options.log_fd;
    writer_ = std::make_unique<sinks::LogWriter>(hub_, lines);
    writer_->start();
  }
  system_ = std::make_unique<system::ActorSystem>(settings_for(options), executor_, hub_,
                                                  sdk::host_table());
  const auto added = system_->add_plugin(*plugin_table<Behaviours<>, AllMessages>("bench", "1"));
  check(added.ok(), "the bench's own messages are refused");
  if (options.plugin != nullptr) load(options.plugin);
  system::SystemListener listener;
  listener.on_ready = [this] { ready_.set_value(); };
  listener.on_stopped = [this] { stopped_.set_value(); };
  system::SnapshotSpec spec;
  if (options.restarts_all) {
    static constexpr actord_rule all{ACTORD_STR("std::exception"), ACTORD_RESTART, -1};
    static constexpr actord_strategy restarting{
        sizeof restarting, ACTORD_ONE_FOR_ONE, -1, -1, &all, 1, ACTORD_ESCALATE, 0, nullptr};
    spec.user.options.strategy = actor::from_c(restarting, "bench");
  }
  system_->start(*system_->build_snapshot(std::move(spec)), std::move(listener));
  ready_.get_future().wait();
}

Rig::~Rig() { stop(); }

void Rig::stop() {
  if (std::exchange(is_stopped_, true)) return;
  system_->terminate();
  stopped_.get_future().wait();
  system_->join();
}

void Rig::load(const char* file) {
  void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  check(library != nullptr, file);
  using Entry = const actord_plugin*();
  auto* const entry = reinterpret_cast<Entry*>(dlsym(library, "actord_plugin_v1"));
  check(entry != nullptr, "actord_plugin_v1");
  check(system_->add_plugin(*entry()).ok(), "the plugin is refused");
}

Ref Rig::spawn(const actord_props& wanted) {
  auto props = system_->props_of(wanted);
  check(props.ok(), "no such behaviour");
  auto spawned = system_->spawn("actor-" + std::to_string(++last_name_), std::move(*props));
  check(spawned.ok(), "an actor cannot be spawned");
  return {*spawned};
}

Ref Rig::spawn(std::string_view behaviour) {
  actord_props props{};
  props.struct_size = sizeof props;
  props.behaviour_name = detail::to_c(behaviour);
  return spawn(props);
}

Ref Rig::spawn_on(std::string_view dispatcher, std::string name, actor::PropsPtr props) {
  base::IntrusivePtr<actor::SpawnRequest> request(new actor::SpawnRequest);
  request->name = std::move(name);
  request->props = std::move(props);
  request->dispatcher = system_->dispatcher_named(dispatcher).value();
  system_->send_system(system_->find("/user"), actor::SystemMessage::spawn(request));
  request->wait();
  check(request->ref != actor::nobody, "an actor cannot be spawned");
  return {request->ref};
}

void Rig::end_log() {
  writer_->stop();
  const log::Losses losses = hub_.losses();
  const sinks::WriteFailures failures = writer_->failures();
  check(losses.dropped_best_effort + losses.lost_lifecycle == 0,
        "events were lost before the sink");
  check(failures.failed_writes + failures.lost_lines == 0, "lines were lost at the file");
}

}  // namespace actord::bench
