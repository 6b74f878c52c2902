// SPDX-License-Identifier: Apache-2.0
#include "isolate/host_steps.hpp"

#include <charconv>
#include <iterator>
#include <utility>

#include "os/elf_symbols.hpp"
#include "sched/cpu_count.hpp"

namespace actord::isolate {

namespace {

// A packet begins with the letter of its step, and with whether it is the last one.
constexpr std::size_t head_size = 2;
constexpr char more = '+', last = '.';
constexpr std::size_t text_max = std::size_t{64} << 20;

/// Takes a number and the space after it off the text.
bool take_number(std::string_view& text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto size = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || size == text.size() || *end != ' ') return false;
  text.remove_prefix(size + 1);
  return true;
}

}  // namespace

std::string HostLoad::text() const {
  return build + ' ' + std::to_string(memory_max) + ' ' + std::to_string(nofile) + ' ' +
         (may_dump_core ? "1 " : "0 ") + file;
}

std::optional<HostLoad> HostLoad::of(std::string_view text) {
  HostLoad load;
  std::uint64_t may_dump_core = 0;
  const std::size_t build_end = text.find(' ');
  if (build_end == text.npos) return std::nullopt;
  load.build = text.substr(0, build_end);
  text.remove_prefix(build_end + 1);
  if (!take_number(text, load.memory_max) || !take_number(text, load.nofile) ||
      !take_number(text, may_dump_core))
    return std::nullopt;
  load.may_dump_core = may_dump_core != 0;
  load.file = text;
  return load;
}

std::string library_build() {
  return os::hexadecimal(os::build_id_at(reinterpret_cast<const void*>(&sched::available_cpus)));
}

std::vector<std::string> packets_of(StepKind kind, std::string_view text) {
  std::vector<std::string> packets;
  do {
    const std::string_view piece = text.substr(0, os::packet_bytes_max - head_size);
    text.remove_prefix(piece.size());
    std::string& packet = packets.emplace_back();
    packet.reserve(head_size + piece.size());
    packet += static_cast<char>(kind);
    packet += text.empty() ? last : more;
    packet += piece;
  } while (!text.empty());
  return packets;
}

base::Result<std::optional<Step>> StepReader::take(os::Packet packet) {
  const std::string_view bytes = packet.bytes;
  if (bytes.size() < head_size || (bytes[1] != more && bytes[1] != last))
    return base::Error{"it has sent a packet that is none of its protocol"};
  const auto kind = static_cast<StepKind>(bytes[0]);
  if (is_in_step_ && kind != step_.kind)
    return base::Error{"it has begun a step before it has ended the one before"};
  if (step_.text.size() + bytes.size() > text_max)
    return base::Error{"it has sent a step of more than 64 MiB"};
  step_.kind = kind;
  step_.text += bytes.substr(head_size);
  std::move(packet.descriptors.begin(), packet.descriptors.end(),
            std::back_inserter(step_.descriptors));
  is_in_step_ = bytes[1] == more;
  if (is_in_step_) return std::optional<Step>{};
  return std::optional<Step>{std::exchange(step_, {})};
}

}  // namespace actord::isolate
