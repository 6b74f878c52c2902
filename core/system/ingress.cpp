// SPDX-License-Identifier: Apache-2.0
#include "system/ingress.hpp"

#include <utility>

namespace actord::system {

namespace {
constexpr std::int64_t between_reports_ns = 10'000'000'000;
}  // namespace

bool Ingress::admits(std::size_t in_use) {
  const std::size_t limit = limit_.load(base::relaxed);
  if (in_use >= (is_shut_ ? limit - limit / 8 : limit)) [[unlikely]] {
    ++refused_;
    if (!is_told_) shut(in_use);
    return false;
  }
  if (is_shut_) [[unlikely]]
    open(in_use);
  return true;
}

void Ingress::shut(std::size_t in_use) {
  is_shut_ = true;
  const std::int64_t now = log_.now();
  if (now < next_told_ns_) return;
  next_told_ns_ = now + between_reports_ns;
  is_told_ = true;
  tell(log::Level::warning, "ingress.busy",
       "messages take up actord.actor.message-memory-max: no more are taken from outside", in_use);
}

void Ingress::open(std::size_t in_use) {
  is_shut_ = false;
  if (std::exchange(is_told_, false))
    tell(log::Level::info, "ingress.relieved", "messages are taken from outside again", in_use);
}

void Ingress::tell(log::Level level, std::string_view event, std::string_view msg,
                   std::size_t in_use) {
  log_.shared().emit(level, event, msg,
                     {{"in_use_bytes", std::uint64_t{in_use}},
                      {"limit_bytes", std::uint64_t{limit_.load(base::relaxed)}},
                      {"refused", std::exchange(refused_, 0)}});
}

}  // namespace actord::system
