// SPDX-License-Identifier: Apache-2.0
#include "system/ingress.hpp"

#include <utility>

namespace actord::system {

namespace {
constexpr std::int64_t between_busy_lines_ns = 10'000'000'000;
}  // namespace

bool Ingress::admits(std::size_t in_use) {
  const std::size_t limit = limit_.load(base::relaxed);
  if (in_use >= (is_shut_ ? limit - limit / 8 : limit)) [[unlikely]] {
    ++refused_;
    if (!is_busy_logged_) shut(in_use);
    return false;
  }
  if (is_shut_) [[unlikely]]
    open(in_use);
  return true;
}

void Ingress::shut(std::size_t in_use) {
  is_shut_ = true;
  const std::int64_t now = log_.now();
  if (now < next_busy_line_ns_) return;
  next_busy_line_ns_ = now + between_busy_lines_ns;
  is_busy_logged_ = true;
  write_line(
      log::Level::warning, "ingress.busy",
      "the memory of messages has reached actord.actor.message-memory-max: messages from outside "
      "are not accepted",
      in_use);
}

void Ingress::open(std::size_t in_use) {
  is_shut_ = false;
  if (std::exchange(is_busy_logged_, false))
    write_line(log::Level::info, "ingress.relieved", "messages from outside are accepted again",
               in_use);
}

void Ingress::write_line(log::Level level, std::string_view event, std::string_view msg,
                         std::size_t in_use) {
  log_.shared().emit(level, event, msg,
                     {{"in_use_bytes", std::uint64_t{in_use}},
                      {"limit_bytes", std::uint64_t{limit_.load(base::relaxed)}},
                      {"refused", std::exchange(refused_, 0)}});
}

}  // namespace actord::system
