// SPDX-License-Identifier: Apache-2.0
#include "app/background_reader.hpp"

#include <system_error>
#include <utility>

#include "config/configuration.hpp"
#include "config/plugin_secrets.hpp"
#include "config/runtime.hpp"
#include "sinks/secret_mask.hpp"

namespace actord::app {

namespace {

BackgroundReader::ReadResult failed(config::ExitCode code, const std::string& why) {
  BackgroundReader::ReadResult read;
  read.error = config::boot_error(code, why);
  return read;
}

}  // namespace

BackgroundReader::BackgroundReader(os::EventLoop& loop, config::Runtime& runtime,
                                   sinks::SecretMask& mask)
    : loop_(loop), runtime_(runtime), mask_(mask), deadline_(loop) {}

BackgroundReader::~BackgroundReader() {
  if (thread_.joinable()) thread_.join();
}

void BackgroundReader::read(options::Options options, ReadMode mode, Done done) {
  add({std::move(options), {}, mode, std::move(done)});
}

void BackgroundReader::read_again(std::shared_ptr<const config::Configuration> kept, ReadMode mode,
                                  Done done) {
  add({{}, std::move(kept), mode, std::move(done)});
}

void BackgroundReader::use_runtime(std::function<void()> work, Done done) {
  add({{}, {}, ReadMode::load_only, std::move(done), std::move(work)});
}

void BackgroundReader::add(Job job) {
  if (is_stopping_) return job.done(failed(config::ExitCode::boot_failed, "actord is stopping"));
  jobs_.push_back(std::move(job));
  if (jobs_.size() == 1) start_next();
}

void BackgroundReader::start_next() {
  while (!jobs_.empty()) {
    stage_ = Stage::reading_files;
    try {
      const Job& next = jobs_.front();
      thread_ = base::Thread(
          [this, job = Job{next.options, next.kept, next.mode, {}, next.work}] { run(job); });
      return;
    } catch (const std::system_error& error) {
      stage_ = Stage::idle;
      const Done done = std::move(jobs_.front().done);
      jobs_.pop_front();
      done(failed(config::ExitCode::operating_system,
                  std::string{"cannot start a thread to read the configuration: "} + error.what()));
    }
  }
}

void BackgroundReader::stop(std::function<void()> on_stopped) {
  is_stopping_ = true;
  Stage expected = Stage::reading_files;
  stage_.compare_exchange_strong(expected, Stage::cancelled);
  for (const Job& job : std::exchange(jobs_, {}))
    job.done(failed(config::ExitCode::boot_failed, "actord is stopping"));
  if (!on_stopped) return;
  if (!thread_.joinable()) return on_stopped();
  on_stopped_ = std::move(on_stopped);
  deadline_.start(stop_timeout, [this] {
    if (on_stopped_) std::exchange(on_stopped_, {})();
  });
}

// ---- the reading thread -------------------------------------------------------------------------

/// Catches exceptions: an error while reading must not end the running daemon.
void BackgroundReader::run(const Job& job) {
  auto read = std::make_shared<ReadResult>();
  try {
    *read = read_and_build(job);
  } catch (const std::exception& error) {
    *read = failed(config::ExitCode::operating_system, error.what());
  }
  stage_ = Stage::idle;
  os::post(loop_, [this, read] { on_read(std::move(*read)); });
}

BackgroundReader::ReadResult BackgroundReader::read_and_build(const Job& job) {
  ReadResult done;
  const ReadMode mode = job.mode;
  if (job.work) {
    Stage before = Stage::reading_files;
    if (stage_.compare_exchange_strong(before, Stage::using_runtime)) job.work();
    return done;
  }
  auto draft = job.kept ? config::ConfigDraft{*job.kept, {}} : config::read_draft(job.options);
  if (draft && mode == ReadMode::without_snapshot && !draft->errors.empty())
    draft = config::boot_error(config::ExitCode::config_wrong, std::move(draft->errors));
  if (!draft) {
    done.error = std::move(draft).error();
    return done;
  }
  Stage expected = Stage::reading_files;
  // stop() has already answered the request
  if (!stage_.compare_exchange_strong(expected, Stage::using_runtime)) return done;
  const config::Runtime::Use use =
      mode == ReadMode::attach ? config::Runtime::Use::attach : config::Runtime::Use::load;
  if (mode != ReadMode::without_snapshot) {
    mask_.add(config::secret_texts(draft->configuration));
    auto built = runtime_.build_snapshot(*draft, use);
    mask_.add(config::secret_texts(draft->configuration));  // those that plugins declare, too
    if (built) done.built = std::move(*built);
    else done.error = std::move(built).error();
  }
  done.configuration =
      std::make_shared<const config::Configuration>(std::move(draft->configuration));
  // A secret that cannot be fetched is no error here: the value is not shown anyway.
  if (mode == ReadMode::without_snapshot)
    static_cast<void>(
        config::fetch_plugin_secrets(*done.configuration, runtime_.actors().behaviours()));
  return done;
}

// ---- back on the event loop ---------------------------------------------------------------------

void BackgroundReader::on_read(ReadResult read) {
  thread_.join();
  if (is_stopping_) {
    deadline_.cancel();
    if (on_stopped_) std::exchange(on_stopped_, {})();
    return;
  }
  const Done done = std::move(jobs_.front().done);
  jobs_.pop_front();
  start_next();
  done(std::move(read));
}

}  // namespace actord::app
