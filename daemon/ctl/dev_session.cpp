// SPDX-License-Identifier: Apache-2.0
#include "ctl/dev_session.hpp"

#include <poll.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ostream>
#include <thread>

#include "base/clock.hpp"
#include "ctl/plugin_project.hpp"
#include "os/files.hpp"
#include "os/process.hpp"

namespace actord::ctl {

namespace fs = std::filesystem;

namespace {

constexpr int quiet_ms = 100;          // an editor writes several files, or one in several steps
constexpr int stop_limit_ms = 15'000;  // longer than actord.stop-timeout

/// The actord that belongs to this actorctl: of the same build tree or installation; else that of
/// $PATH.
std::string actord_program() {
  const std::string folder = os::executable_folder();
  for (const char* const beside : {"/actord", "/../sbin/actord"}) {
    std::string path = os::real_path(folder + beside);
    if (os::exists(path)) return path;
  }
  return "actord";
}

/// Waits until one of the descriptors can be read. The first that can; -1 when the time is over.
template <std::size_t n>
int first_ready(const std::array<int, n>& fds, int limit_ms) {
  std::array<pollfd, n> watched{};
  for (std::size_t i = 0; i < n; ++i) watched[i] = {fds[i], POLLIN, 0};
  while (::poll(watched.data(), watched.size(), limit_ms) < 0 && errno == EINTR) continue;
  for (const pollfd& each : watched) {
    if (each.revents != 0) return each.fd;
  }
  return -1;
}

}  // namespace

base::Result<DevSession, os::SystemError> DevSession::open(DevOptions options, std::ostream& out) {
  auto watch = os::SourceWatch::open(options.folder.string(), options.build.string());
  if (!watch) return watch.error();
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals, each);
  if (::pthread_sigmask(SIG_BLOCK, &signals, nullptr) != 0)
    return os::system_error("cannot block signals", errno);
  os::Descriptor ended(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  if (ended.get() < 0) return os::system_error("cannot read signals", errno);
  std::string place = (fs::temp_directory_path() / "actord-dev-XXXXXX").string();
  if (::mkdtemp(place.data()) == nullptr) return os::system_error("cannot create " + place, errno);
  return DevSession(std::move(options), out, std::move(ended), std::move(watch).value(),
                    std::move(place));
}

DevSession::DevSession(DevOptions options, std::ostream& out, os::Descriptor signals,
                       os::SourceWatch watch, fs::path place)
    : options_(std::move(options)),
      out_(&out),
      signals_(std::move(signals)),
      watch_(std::move(watch)),
      place_(std::move(place)) {}

DevSession::~DevSession() {
  if (place_.empty()) return;
  stop_daemon();
  std::error_code ignored;
  fs::remove_all(place_, ignored);
}

void DevSession::say(const std::string& line) const { *out_ << "dev: " << line << std::endl; }

void DevSession::run() {
  do {
    if (follow() == Step::interrupted) break;
  } while (wait_for_change());
  say("ending");
}

/// One round, after a change: build, test, check, run.
DevSession::Step DevSession::follow() {
  const std::int64_t begin_ns = base::monotonic_ns();
  Step step = build();
  if (step == Step::done && options_.runs_tests) {
    step = run_step("the tests fail",
                    {"ctest",
                     {"--test-dir", options_.build.string(), "--output-on-failure"},
                     options_.folder.string()},
                    Shown::if_it_fails);
  }
  if (step == Step::done) step = collect_plugins();
  if (step == Step::done) {
    std::vector<std::string> arguments = daemon_arguments();
    arguments.emplace_back("--check");
    step = run_step("actord does not take it",
                    {actord_program(), std::move(arguments), options_.folder.string()},
                    Shown::if_it_fails);
  }
  if (step == Step::done) {
    const std::int64_t ms = (base::monotonic_ns() - begin_ns) / base::ns_per_ms;
    say("built, " + std::string{options_.runs_tests ? "tested and checked" : "checked"} + " in " +
        std::to_string(ms) + " ms: starting actord");
    return start_daemon();
  }
  if (step == Step::failed && daemon_) say("the actord of the last good build runs on");
  return step;
}

DevSession::Step DevSession::build() {
  const std::string folder = options_.folder.string(), build = options_.build.string();
  // A configuration that has failed leaves a cache and nothing to build with.
  const bool has_cache = os::exists(build + "/CMakeCache.txt");
  if (!is_configured_ || !has_cache) {
    std::vector<std::string> words = {"-S", folder, "-B", build};
    if (!has_cache) {
      for (std::string& each : new_build_options()) words.push_back(std::move(each));
    }
    const Step step =
        run_step("cmake cannot configure it", {"cmake", std::move(words), folder}, Shown::always);
    if (step != Step::done) return step;
    is_configured_ = true;
  }
  // Without a number, make would start all compilers at once.
  const std::string jobs = std::to_string(std::max(1U, std::thread::hardware_concurrency()));
  return run_step("it cannot be built", {"cmake", {"--build", build, "--parallel", jobs}, folder},
                  Shown::always);
}

/// Runs a program to its end, unless a signal ends the session.
DevSession::Step DevSession::run_step(std::string_view what, const os::ProgramCall& call,
                                      Shown shown) {
  const auto kept = os::file_in_memory({});
  os::ProgramCall called = call;
  if (shown == Shown::if_it_fails && kept) called.output = kept->get();
  auto program = os::ChildProgram::start(called);
  if (!program) return say(program.error().what), Step::failed;
  while (!program->end()) {
    if (first_ready(std::array{signals_.get(), program->fd()}, -1) != signals_.get()) continue;
    program->send(SIGTERM);
    first_ready(std::array{program->fd()}, stop_limit_ms);
    return Step::interrupted;
  }
  if (*program->end() == 0) return Step::done;
  if (called.output != call.output) {
    const auto text = os::read_file("/proc/self/fd/" + std::to_string(kept->get()), 1 << 20);
    if (text) *out_ << *text;
  }
  say(std::string{what} + " (exit status " + std::to_string(*program->end()) + ')');
  return Step::failed;
}

/// Copies the plugins of the build into a folder of their own, where actord sees no build that is
/// under way.
DevSession::Step DevSession::collect_plugins() {
  plugins_ = place_ / ("plugins-" + std::to_string(++round_));
  std::error_code error;
  fs::create_directory(plugins_, error);
  std::size_t count = 0;
  for (fs::recursive_directory_iterator at(options_.build, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().filename() == "CMakeFiles") at.disable_recursion_pending();
    if (at->path().extension() != ".so" || !at->is_regular_file(error)) continue;
    const fs::path copy = plugins_ / at->path().filename();
    fs::copy_file(at->path(), copy, fs::copy_options::overwrite_existing, error);
    // A umask of 002 makes files that actord does not load.
    if (!error) fs::permissions(copy, fs::perms{0755}, error);
    ++count;
  }
  if (error) return say("cannot copy the plugins: " + error.message()), Step::failed;
  if (count == 0) return say("no plugin in " + options_.build.string()), Step::failed;
  return Step::done;
}

std::vector<std::string> DevSession::daemon_arguments() const {
  return {"--config",      options_.config.string(),
          "--plugin-path", plugins_.string(),
          "--set",         "actord.state-dir=\"" + (place_ / "state").string() + '"'};
}

DevSession::Step DevSession::start_daemon() {
  stop_daemon();
  std::error_code ignored;
  for (int i = 1; i < round_; ++i)
    fs::remove_all(place_ / ("plugins-" + std::to_string(i)), ignored);
  auto program =
      os::ChildProgram::start({actord_program(), daemon_arguments(), options_.folder.string()});
  if (!program) return say(program.error().what), Step::failed;
  daemon_ = std::move(program).value();
  say("ask its actors with --socket " + (place_ / "state" / "actord.sock").string());
  return Step::done;
}

void DevSession::stop_daemon() {
  if (!daemon_) return;
  daemon_->send(SIGTERM);
  if (!daemon_->end() && first_ready(std::array{daemon_->fd()}, stop_limit_ms) < 0)
    say("actord does not stop, and is killed");
  daemon_.reset();
}

/// The daemon has ended by itself.
void DevSession::note_end() {
  const int status = daemon_->end().value_or(0);
  daemon_.reset();
  say("actord has ended with status " + std::to_string(status) +
      "; the next change starts it again");
  if (status <= 128) return;
  // What has crashed it is about to be corrected: it shall not be held to account for that.
  std::error_code ignored;
  fs::remove_all(place_ / "state", ignored);
}

/// False: a signal ends the session.
bool DevSession::wait_for_change() {
  std::string changed;
  for (;;) {
    const int daemon = daemon_ ? daemon_->fd() : -1;
    const int ready = first_ready(std::array{signals_.get(), watch_.fd(), daemon},
                                  changed.empty() ? -1 : quiet_ms);
    if (ready == signals_.get()) return false;
    if (ready == -1) break;
    if (ready == daemon) note_end();
    if (ready != watch_.fd()) continue;
    if (std::string path = watch_.take_change(); !path.empty()) changed = std::move(path);
  }
  say(fs::path(changed).lexically_relative(options_.folder).string() + " has changed");
  return true;
}

}  // namespace actord::ctl
