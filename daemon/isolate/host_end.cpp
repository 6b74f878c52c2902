// SPDX-License-Identifier: Apache-2.0
#include "isolate/host_end.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string_view>
#include <tuple>

#include "base/sync.hpp"
#include "os/call_stack.hpp"

namespace actord::isolate {

namespace {

using Kind = link::HostEnd::Kind;
constexpr int signal_max = 64;

std::string hexadecimal(std::uint64_t number) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return "0x" + std::string(digits.data(), end);
}

/// What was read from tables of symbols lately: a host that crashes does so again and again, and an
/// actor waits for the name.
class NameCache {
 public:
  template <class Read>
  std::string name(const std::string& file, const os::EndFacts::Frame& frame, Read&& read) {
    const Key key{file, frame.build_id, frame.offset};
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = names_.find(key); found != names_.end()) return found->second;
    }
    std::string name = read();
    const std::lock_guard lock(mutex_);
    if (names_.size() >= names_max) names_.clear();
    names_.emplace(key, name);
    return name;
  }

 private:
  static constexpr std::size_t names_max = 1024;
  using Key = std::tuple<std::string, std::string, std::uint64_t>;

  base::Mutex mutex_;
  std::map<Key, std::string> names_;
};

std::string described(const os::EndFacts::Frame& frame, const HostFiles& files) {
  static NameCache cache;
  const std::string& file = frame.file.empty() ? files.executable : frame.file;
  return cache.name(file, frame, [&] {
    const bool is_plugin = frame.file == files.plugin.file;
    return os::CallStack::described(file, frame.offset, frame.build_id,
                                    is_plugin ? files.plugin.copy->path() : std::string{});
  });
}

/// " in null_call() (crash_lab.so)": the innermost call of the plugin, or else of all.
std::string place_of(const os::EndFacts& said, const HostFiles& files) {
  if (said.frames.empty()) return {};
  auto found = std::ranges::find(said.frames, files.plugin.file, &os::EndFacts::Frame::file);
  if (found == said.frames.end()) found = said.frames.begin();
  return " in " + described(*found, files);
}

std::string without_leading_space(std::string text) {
  if (text.starts_with(' ')) text.erase(0, 1);
  return text;
}

bool is_own_signal(const EndEvidence& evidence) noexcept {
  const os::EndFacts& said = evidence.said;
  if (said.kind != os::EndNote::Kind::signal || said.number < 1 || said.number > signal_max)
    return false;
  const auto& status = evidence.status;
  return !status || (status->is_by_signal && status->number == said.number);
}

bool is_own_exit(const EndEvidence& evidence) noexcept {
  const auto& status = evidence.status;
  return evidence.said.kind == os::EndNote::Kind::exit && (!status || !status->is_by_signal);
}

void add_signal(link::HostEnd& end, int number, std::string detail) {
  end.kind = Kind::signal;
  end.number = number;
  end.signal = os::name_of_signal(number);
  end.detail = std::move(detail);
}

void add_status(link::HostEnd& end, const os::WatchedProcess::End& status, std::string detail) {
  if (status.is_by_signal) return add_signal(end, status.number, std::move(detail));
  end.kind = Kind::exited;
  end.number = status.number;
  end.detail = std::move(detail);
}

}  // namespace

bool is_sufficient(const EndEvidence& evidence) noexcept {
  return evidence.status || evidence.said.kind != os::EndNote::Kind::none ||
         (evidence.killed && !evidence.killed->waits_for_note);
}

link::HostEnd end_of(const EndEvidence& evidence, const HostFiles& files, int process_id) {
  link::HostEnd end;
  end.process_id = process_id;
  const os::EndFacts& said = evidence.said;
  if (evidence.killed) {
    end.kind = evidence.killed->kind;
    end.detail = evidence.killed->detail;
    if (end.kind == Kind::hang) end.detail += place_of(said, files);
    const auto& status = evidence.status;
    if (end.kind != Kind::closed || !status || evidence.killed->was_late ||
        (!status->is_by_signal && status->number == 0))
      return end;
    add_status(end, *status, without_leading_space(place_of(said, files) + " while it ended"));
    return end;
  }
  if (is_own_signal(evidence)) {
    std::string detail = said.is_own ? "" : "sent by another process";
    if (said.has_address) detail = "at address " + hexadecimal(said.address);
    add_signal(end, said.number, without_leading_space(detail + place_of(said, files)));
  } else if (is_own_exit(evidence)) {
    end.kind = Kind::exited;
    end.number = evidence.status ? evidence.status->number : said.number;
    end.detail = said.call + " was called" + place_of(said, files);
  } else if (said.kind == os::EndNote::Kind::lost) {
    end.kind = Kind::protocol;
    end.detail = "it has closed its connection to actord";
  } else if (evidence.status) {
    add_status(end, *evidence.status, {});
  }
  return end;
}

std::string text_of(const link::HostEnd& end) {
  const auto with_detail = [&](std::string text) {
    return end.detail.empty() ? text : text + ": " + end.detail;
  };
  switch (end.kind) {
    case Kind::signal:
      return "it was ended by " + end.signal + (end.detail.empty() ? "" : " " + end.detail);
    case Kind::exited:
      return with_detail("it has exited with status " + std::to_string(end.number));
    case Kind::hang: return with_detail("it was killed because it did not go on");
    case Kind::protocol: return with_detail("it was killed for a breach of protocol");
    case Kind::closed: break;
  }
  return with_detail("it was ended");
}

std::vector<std::string> stack_of(const os::EndFacts& said, const HostFiles& files) {
  std::vector<std::string> stack;
  for (const os::EndFacts::Frame& frame : said.frames) stack.push_back(described(frame, files));
  return stack;
}

}  // namespace actord::isolate
