// SPDX-License-Identifier: Apache-2.0
#include "os/signal_watch.hpp"

#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace actord::os {

namespace {

sigset_t set_of(std::initializer_list<int> signals) noexcept {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) sigaddset(&set, signal);
  return set;
}

Descriptor open_signals(std::initializer_list<int> signals) {
  const sigset_t set = set_of(signals);
  if (const int error = ::pthread_sigmask(SIG_BLOCK, &set, nullptr); error != 0) {
    throw std::system_error(error, std::system_category(), "cannot block signals");
  }
  Descriptor descriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (descriptor.get() < 0)
    throw std::system_error(errno, std::system_category(), "cannot watch signals");
  return descriptor;
}

Signal signal_of(const signalfd_siginfo& info) {
  Signal signal{static_cast<int>(info.ssi_signo), std::nullopt};
  const bool is_sent = info.ssi_code == SI_USER || info.ssi_code == SI_QUEUE ||
                       info.ssi_code == SI_TKILL;  // kill(2), sigqueue(3), tgkill(2)
  if (is_sent) signal.sender = Peer{info.ssi_uid, no_group, static_cast<pid_t>(info.ssi_pid)};
  return signal;
}

}  // namespace

std::string_view signal_name(int signal) noexcept {
  switch (signal) {
    case SIGTERM: return "SIGTERM";
    case SIGINT: return "SIGINT";
    case SIGHUP: return "SIGHUP";
    case SIGUSR1: return "SIGUSR1";
    case SIGUSR2: return "SIGUSR2";
    case SIGALRM: return "SIGALRM";
    case SIGPOLL: return "SIGPOLL";
    case SIGPWR: return "SIGPWR";
    default: return "a signal";
  }
}

int pending_signal(std::initializer_list<int> signals) noexcept {
  sigset_t pending;
  if (::sigpending(&pending) != 0) return 0;
  const auto is_pending = [&](int signal) { return ::sigismember(&pending, signal) == 1; };
  const auto* const found = std::find_if(signals.begin(), signals.end(), is_pending);
  return found == signals.end() ? 0 : *found;
}

int take_pending_signal(std::initializer_list<int> signals) noexcept {
  const sigset_t set = set_of(signals);
  const timespec at_once = {};
  return std::max(::sigtimedwait(&set, nullptr, &at_once), 0);
}

SignalWatch::SignalWatch(EventLoop& loop, std::initializer_list<int> signals)
    : signals_(loop, [this] { read(); }) {
  signals_.own(open_signals(signals));
}

void SignalWatch::listen(std::function<void(const Signal&)> on_signal) {
  on_signal_ = std::move(on_signal);
  signals_.listen();
}

void SignalWatch::cancel() { signals_.cancel(); }

void SignalWatch::read() {
  signalfd_siginfo info = {};
  while (::read(signals_.descriptor(), &info, sizeof info) == sizeof info) {
    on_signal_(signal_of(info));
  }
}

}  // namespace actord::os
