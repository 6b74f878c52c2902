// SPDX-License-Identifier: Apache-2.0
#include "system/crash_site.hpp"

#include <algorithm>
#include <cstring>

#include "actor/environment.hpp"
#include "actor/path.hpp"
#include "actor/thread_state.hpp"

namespace actord::system {

namespace {

// A signal handler knows only its thread. This variable leads from the thread to the actor.
thread_local const actor::ThreadState* this_worker = nullptr;

}  // namespace

void CrashSite::register_worker(const actor::ThreadState* thread) noexcept { this_worker = thread; }

bool CrashSite::fill() noexcept {
  const actor::ThreadState* const thread = this_worker;
  const actord_context* const running = thread != nullptr ? thread->running.load() : nullptr;
  if (running == nullptr) return false;
  const auto& cell = *reinterpret_cast<const actor::Cell*>(running->cell);
  const actor::Environment& environment = thread->environment;
  // An actor's ancestors outlive it, so that none of these cells can be recycled meanwhile.
  for (const actor::Cell* at = &cell; at->parent != actor::Cell::none;
       at = &environment.cells.at(at->parent)) {
    put_name(*at);
    put("/");
  }
  if (begin_ == text_ + sizeof text_) put("/");
  path = {begin_, static_cast<std::size_t>(text_ + sizeof text_ - begin_)};
  incarnation = cell.life.incarnation();
  if (cell.props != nullptr) {
    const actor::Behaviour& of = cell.props->behaviour;
    behaviour = of.name;
    plugin = of.plugin;
    version = of.version;
  }
  if (running->message_type != 0) message = environment.types.name(running->message_type);
  return true;
}

void CrashSite::clear() noexcept {
  path = behaviour = plugin = version = message = {};
  incarnation = 0;
  begin_ = text_ + sizeof text_;
}

bool CrashSite::is_still_at(std::uint64_t worker, std::uint64_t progress) noexcept {
  const actor::ThreadState* const thread = this_worker;
  return thread != nullptr && thread->worker_number == worker && thread->is_busy() &&
         thread->progress() == progress;
}

std::string_view CrashSite::plugin_of_running_actor() noexcept {
  const actord_context* const running =
      this_worker != nullptr ? this_worker->running.load() : nullptr;
  if (running == nullptr) return {};
  const actor::Props* const props = reinterpret_cast<const actor::Cell*>(running->cell)->props;
  return props != nullptr ? std::string_view{props->behaviour.plugin} : std::string_view{};
}

void CrashSite::put(std::string_view text) noexcept {
  const std::size_t n = std::min(text.size(), static_cast<std::size_t>(begin_ - text_));
  begin_ -= n;
  std::memcpy(begin_, text.data() + text.size() - n, n);
}

void CrashSite::put_name(const actor::Cell& cell) noexcept {
  actor::CellName::Buffer buffer;
  put(cell.name.text(buffer));
}

}  // namespace actord::system
