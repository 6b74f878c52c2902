// SPDX-License-Identifier: Apache-2.0
#include "os/shared_lanes.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/assert.hpp"
#include "base/clock.hpp"
#include "os/elf_symbols.hpp"

namespace actord::os {

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t header_size = 4 * page;
constexpr std::size_t lane_size = page + 2 * SharedLanes::area_size;
constexpr unsigned lanes_max = 1024;

static_assert(sizeof(EndNote) <= header_size && sizeof(LaneWords) <= page);

char* mapped(int memory, std::size_t size) noexcept {
  void* const begin = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  return begin == MAP_FAILED ? nullptr : static_cast<char*>(begin);
}

/// Text of another process: characters that are not printable ASCII become '?'.
std::string printable(std::string_view text) {
  std::string clean(text);
  for (char& c : clean) {
    if (c < ' ' || c > '~') c = '?';
  }
  return clean;
}

template <std::size_t size>
std::string text_in(const std::array<char, size>& characters) {
  return printable({characters.data(), ::strnlen(characters.data(), size)});
}

}  // namespace

base::Result<std::unique_ptr<SharedLanes>, SystemError> SharedLanes::make(unsigned lanes) {
  ACTORD_ASSERT(lanes > 0 && lanes <= lanes_max);
  const std::string doing = "cannot make memory that is shared with a host process";
  constexpr unsigned not_executable = 0x8;  // MFD_NOEXEC_SEAL, since Linux 6.3
  constexpr unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  Descriptor memory(::memfd_create("actord:lanes", flags | not_executable));
  if (memory.get() < 0 && errno == EINVAL)
    memory = Descriptor(::memfd_create("actord:lanes", flags));
  const std::size_t size = header_size + lanes * lane_size;
  // If the child could shorten the memory, an access would end the parent with SIGBUS.
  if (memory.get() < 0 || ::ftruncate(memory.get(), static_cast<off_t>(size)) != 0 ||
      ::fcntl(memory.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return system_error(doing, errno);
  char* const begin = mapped(memory.get(), size);
  if (begin == nullptr) return system_error(doing, errno);
  return std::unique_ptr<SharedLanes>(new SharedLanes(std::move(memory), begin, size, lanes));
}

base::Result<std::unique_ptr<SharedLanes>, SystemError> SharedLanes::of(Descriptor memory) {
  const std::string doing = "cannot map the memory that is shared with actord";
  struct stat status = {};
  if (::fstat(memory.get(), &status) != 0) return system_error(doing, errno);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size < header_size + lane_size || (size - header_size) % lane_size != 0)
    return system_error(doing, EINVAL);
  char* const begin = mapped(memory.get(), size);
  if (begin == nullptr) return system_error(doing, errno);
  ::madvise(begin, size, MADV_DONTFORK);
  const auto lanes = static_cast<unsigned>((size - header_size) / lane_size);
  return std::unique_ptr<SharedLanes>(new SharedLanes(std::move(memory), begin, size, lanes));
}

SharedLanes::~SharedLanes() { ::munmap(begin_, size_); }

LaneWords& SharedLanes::words(unsigned lane) const noexcept {
  return *reinterpret_cast<LaneWords*>(begin_ + header_size + lane * lane_size);
}

char* SharedLanes::frame_area(unsigned lane) const noexcept {
  return begin_ + header_size + lane * lane_size + page;
}

char* SharedLanes::request_area(unsigned lane) const noexcept {
  return frame_area(lane) + area_size;
}

EndNote& SharedLanes::note() const noexcept { return *reinterpret_cast<EndNote*>(begin_); }

void SharedLanes::close(unsigned lane) noexcept {
  LaneWords& lane_words = words(lane);
  lane_words.turn.fetch_or(LaneWords::closed, base::seq_cst);
  wake_word(lane_words.turn);
}

void SharedLanes::note_served(unsigned lane) noexcept {
  unsigned served = served_.load(base::relaxed);
  while (served <= lane && !served_.compare_exchange_weak(served, lane + 1, base::relaxed))
    continue;
}

// To look at a page that was never used would make it, and an actor waits.
void SharedLanes::close_served() noexcept {
  const unsigned served = served_.load(base::relaxed);
  for (unsigned lane = 0; lane < served; ++lane) close(lane);
}

EndFacts SharedLanes::end_facts() const {
  if (note().is_written.load(base::acquire) != 1) return {};
  const std::size_t frames =
      std::min<std::size_t>(note().frame_count.load(base::acquire), EndNote::frames_max);
  EndNote::Facts said;
  std::memcpy(&said, &note().facts, sizeof said);
  base::compiler_fence();  // from here on the copy is read, which does not change
  using Kind = EndNote::Kind;
  if (said.kind != Kind::signal && said.kind != Kind::exit && said.kind != Kind::lost) return {};
  EndFacts facts;
  facts.kind = said.kind;
  facts.number = said.number;
  facts.lane = said.lane >= 0 && said.lane < static_cast<std::int32_t>(count_) ? said.lane : -1;
  facts.thread_id = note().writer.load(base::relaxed);
  facts.has_address = said.has_address != 0;
  facts.is_own = said.is_own != 0;
  facts.address = said.address;
  facts.call = text_in(said.call);
  for (std::size_t i = 0; i < frames; ++i) {
    const EndNote::Frame& frame = said.frames[i];
    const std::size_t bytes = std::min<std::size_t>(frame.build_id_bytes, frame.build_id.size());
    facts.frames.push_back(
        {text_in(frame.file), frame.offset, hexadecimal(std::span(frame.build_id).first(bytes))});
  }
  return facts;
}

std::string SharedLanes::work_of(unsigned lane) const {
  const LaneWords& lane_words = words(lane);
  const std::size_t bytes =
      std::min<std::size_t>(lane_words.work_bytes.load(base::acquire), lane_words.work.size());
  const std::array<char, 256> work = lane_words.work;
  return printable({work.data(), bytes});
}

bool wait_on_word(base::Atomic<std::uint32_t>& word, std::uint32_t value,
                  std::int64_t limit_ns) noexcept {
  const timespec limit{limit_ns / base::ns_per_s, limit_ns % base::ns_per_s};
  const long result =
      ::syscall(SYS_futex, &word, FUTEX_WAIT, value, limit_ns == 0 ? nullptr : &limit, nullptr, 0);
  return result == 0 || errno != ETIMEDOUT;
}

void wake_word(base::Atomic<std::uint32_t>& word) noexcept {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace actord::os
