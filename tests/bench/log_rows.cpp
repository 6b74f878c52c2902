// SPDX-License-Identifier: Apache-2.0
//
// The cost of log lines.
//
// log_lines: lines from an actor through ring, hub and sink into a file in memory. All pages of the
// file are written once before, because the first touch of 560 MB, in a virtual machine above all,
// takes longer than the rest of the row. No line may be lost. So the actor reads how far the file
// is written and is never further ahead than a ring holds. It sleeps until there is room, since the
// sink may have no other core.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "rig.hpp"
#include "rows.hpp"

namespace actord::bench {

using namespace std::chrono_literals;

namespace {

constexpr std::int64_t burst = 200;    // lines in one handler
constexpr std::int64_t ahead = 4'000;  // lines under way; with a burst they fit a ring of 256 KiB
constexpr auto pause = 50us;           // between two looks at the file while there is no room
constexpr std::size_t shortest = 115;  // least bytes of a line
constexpr std::int64_t room = 320;     // bytes reserved for a line, on average

// The file in memory that the sink writes to, mapped for reading.
class File {
 public:
  explicit File(std::int64_t size) : size_(static_cast<std::size_t>(size)) {
    check(fd_ >= 0, "memfd_create");
    check(fallocate(fd_, 0, 0, size) == 0, "fallocate");
    void* const mapped = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    check(mapped != MAP_FAILED, "mmap");
    std::memset(mapped, 0, size_);
    bytes_ = static_cast<const char*>(mapped);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    munmap(const_cast<char*>(bytes_), size_);
    close(fd_);
  }

  int fd() const { return fd_; }
  /// The text that has been written so far.
  std::string_view text() const {
    const off_t end = lseek(fd_, 0, SEEK_CUR);
    check(end >= 0 && static_cast<std::size_t>(end) <= size_, "the lines are longer than thought");
    return {bytes_, static_cast<std::size_t>(end)};
  }

 private:
  const int fd_ = memfd_create("actord-bench", MFD_CLOEXEC);
  const std::size_t size_;
  const char* bytes_ = nullptr;
};

// How many lines of the row the text has. Each line has its number, and the last number counts.
std::int64_t written(std::string_view text) {
  constexpr std::string_view key = "\"number\":";
  const std::size_t at = text.rfind(key);
  if (at == text.npos) return 0;
  std::int64_t last = 0;
  std::from_chars(text.data() + at + key.size(), text.data() + text.size(), last);
  return last + 1;
}

class Chatterbox : public Actor {
 public:
  Chatterbox(const File* file, std::int64_t lines, Finish* finish)
      : file_(*file), lines_(lines), finish_(finish) {}

  void talk(Context& ctx, const Number&) {
    if (!has_room()) {
      ctx.schedule_once(pause, ctx.self(), Number{});
      return;
    }
    const std::int64_t until = std::min(said_ + burst, lines_);
    for (; said_ < until; ++said_) {
      ctx.event(Level::info, "bench.line", "a line of the bench",
                {{"bench.number", said_}, {"bench.word", "elephant"}});
    }
    if (said_ == lines_) return finish_->signal();
    ctx.tell(ctx.self(), Number{});
  }
  using Receive = Handlers<&Chatterbox::talk>;

 private:
  bool has_room() {
    if (said_ - written_ > ahead) written_ = written(file_.text());
    return said_ - written_ <= ahead;
  }

  const File& file_;
  const std::int64_t lines_;
  std::int64_t written_ = 0, said_ = 0;
  Finish* finish_;
};

// Counts the lines of the row, and checks one of a thousand in detail.
std::int64_t count_lines(std::string_view text) {
  check(text.ends_with('\n'), "the last line has no end");
  std::int64_t found = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n') + 1);
    text.remove_prefix(line.size());
    if (line.find("\"event\":\"bench.line\"") == line.npos) continue;
    ++found;
    if (found % 1'000 != 1) continue;  // to check every line would take longer than to write it
    for (const char* part : {"\"ts\":", "\"level\":\"info\"", "\"msg\":", "\"path\":\"/user/",
                             "\"number\":", "\"word\":"})
      check(line.find(part) != line.npos, part);
    check(line.size() >= shortest, "a line is short");
  }
  return found;
}

// Returns lines per second.
double log_lines(unsigned workers, std::int64_t lines) {
  const File file(lines * room);
  double seconds = 0;
  {
    Rig rig({.workers = workers, .log_fd = file.fd()});
    Finish finish;
    const Ref actor = rig.spawn<Chatterbox>(&file, lines, &finish);
    const Stopwatch watch;
    rig.tell(actor, 0);
    finish.wait();
    rig.end_log();
    seconds = watch.seconds();
  }
  check(count_lines(file.text()) == lines, "log_lines: another number of lines");
  return static_cast<double>(lines) / seconds;
}

// ---- starts and stops ---------------------------------------------------------------------------

// Stops at once. The last one of a burst signals its end.
class Mayfly : public Actor {
 public:
  Mayfly(std::int64_t* left, Finish* finish) : left_(*left), finish_(*finish) {}

  void pre_start(Context& ctx) override { ctx.stop(ctx.self()); }
  void post_stop(Context& /*ctx*/) override {
    if (--left_ == 0) finish_.signal();
  }
  using Receive = Handlers<>;

 private:
  std::int64_t& left_;
  Finish& finish_;
};

class Hatchery : public Actor {
 public:
  explicit Hatchery(Finish* finish) : finish_(finish) {}

  void hatch(Context& ctx, const Number& number) {
    left_ = number.value;
    for (std::int64_t i = 0; i < number.value; ++i) ctx.spawn<Mayfly>("", &left_, finish_);
  }
  using Receive = Handlers<&Hatchery::hatch>;

 private:
  std::int64_t left_ = 0;
  Finish* finish_;
};

// Returns nanoseconds of a burst.
double hatch(Rig& rig, Ref hatchery, std::int64_t children, Finish& finish) {
  finish = Finish();
  const Stopwatch watch;
  rig.tell(hatchery, children);
  finish.wait();
  return watch.seconds() * 1e9;
}

}  // namespace

// The lives of the same actors with and without log lines, in turn. The lines fit the ring, and the
// row takes them out between the bursts, so that only the worker's part is measured.
Figures run_log_lifecycle(const Plan& plan) {
  constexpr std::int64_t children = 1'000;
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    Rig rig(1);
    Finish finish;
    const Ref hatchery = rig.spawn<Hatchery>(&finish);
    std::vector<double> differences, ratios;
    for (int pair = 0; pair < (is_warm_up ? 20 : 1'000); ++pair) {
      rig.log().set_level(log::Level::error);
      const double silent = hatch(rig, hatchery, children, finish);
      rig.log().set_level(log::Level::debug);
      const double logged = hatch(rig, hatchery, children, finish);
      rig.log().drain([](const log::Record&) {});
      differences.push_back((logged - silent) / (2 * children));
      ratios.push_back(logged / silent);
    }
    check(rig.log().losses().spilled == 0, "log_lifecycle: the ring was full");
    return {{"log_lifecycle_ns", median(std::move(differences)), "ns"},
            {"log_lifecycle_ratio", median(std::move(ratios)), "x"}};
  });
}

Figures run_log_lines(const Plan& plan) {
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const double rate = log_lines(plan.workers, is_warm_up ? 20'000 : 2'000'000);
    return {{"log_lines", rate, "lines/s"}};
  });
}

}  // namespace actord::bench
