// SPDX-License-Identifier: Apache-2.0
//
// Lines from an actor through ring, hub and sink into a file in memory, which has its pages
// beforehand: to find some for 560 MB takes the kernel longer than everything else. Nothing may be
// lost, so the actor looks at the end of the file and never gets further ahead of it than a ring
// holds; until there is room it sleeps, as the sink may have no other core.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "rig.hpp"
#include "rows.hpp"

namespace actord::bench {

using namespace std::chrono_literals;

namespace {

constexpr std::int64_t burst = 200;    // lines in one handler
constexpr std::int64_t ahead = 4'000;  // lines under way; with a burst they fit a ring of 256 KiB
constexpr auto pause = 50us;           // before another look at a file that is behind
constexpr std::size_t shortest = 115;  // bytes of a line that counts
constexpr std::int64_t room = 320;     // bytes for a line, on average

std::int64_t size_of(int fd) {
  struct stat about {};
  check(fstat(fd, &about) == 0, "fstat");
  return about.st_size;
}

// How many lines of ours the file has: the last one tells its number.
std::int64_t written(int fd) {
  char tail[1024];
  const std::int64_t begin = std::max<std::int64_t>(size_of(fd) - std::int64_t{sizeof tail}, 0);
  const ssize_t size = pread(fd, tail, sizeof tail, begin);
  check(size >= 0, "pread");
  const std::string_view text(tail, static_cast<std::size_t>(size));
  constexpr std::string_view key = "\"number\":";
  const std::size_t at = text.rfind(key);
  if (at == text.npos) return 0;
  std::int64_t last = 0;
  const char* const digits = text.data() + at + key.size();
  std::from_chars(digits, text.data() + text.size(), last);
  return last + 1;
}

class Chatterbox : public Actor {
 public:
  Chatterbox(int fd, std::int64_t lines, Finish* finish)
      : fd_(fd), lines_(lines), finish_(finish) {}

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
    if (said_ - written_ > ahead) written_ = written(fd_);
    return said_ - written_ <= ahead;
  }

  const int fd_;
  const std::int64_t lines_;
  std::int64_t written_ = 0, said_ = 0;
  Finish* finish_;
};

// Counts the lines of ours in the file, none of which may be short.
std::int64_t count_lines(int fd) {
  const auto size = static_cast<std::size_t>(size_of(fd));
  void* const mapped = mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
  check(mapped != MAP_FAILED, "mmap");
  std::string_view text(static_cast<const char*>(mapped), size);
  std::int64_t found = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n') + 1);
    text.remove_prefix(line.size());
    if (line.find("\"event\":\"bench.line\"") == line.npos) continue;
    ++found;
    if (found % 1'000 != 1) continue;  // looking at every line closely takes longer than writing it
    for (const char* part : {"\"ts\":", "\"level\":\"info\"", "\"msg\":", "\"path\":\"/user/",
                             "\"number\":", "\"word\":"})
      check(line.find(part) != line.npos, part);
    check(line.size() >= shortest, "a line is short");
  }
  munmap(mapped, size);
  return found;
}

// Lines a second.
double log_lines(unsigned workers, std::int64_t lines) {
  const int fd = memfd_create("actord-bench", MFD_CLOEXEC);
  check(fd >= 0, "memfd_create");
  check(fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, lines * room) == 0, "fallocate");
  double seconds = 0;
  {
    Rig rig({.workers = workers, .log_fd = fd});
    Finish finish;
    const Ref actor = rig.spawn<Chatterbox>(fd, lines, &finish);
    const Stopwatch watch;
    rig.tell(actor, 0);
    finish.wait();
    rig.end_log();
    seconds = watch.seconds();
  }
  check(count_lines(fd) == lines, "log_lines: another number of lines");
  check(size_of(fd) <= lines * room, "log_lines: the lines are longer than the file was made for");
  close(fd);
  return static_cast<double>(lines) / seconds;
}

}  // namespace

Figures run_log_lines(const Plan& plan) {
  return warmed_up(plan, [&](bool is_warm_up) -> Figures {
    const double rate = log_lines(plan.workers, is_warm_up ? 20'000 : 2'000'000);
    return {{"log_lines", rate, "lines/s"}};
  });
}

}  // namespace actord::bench
