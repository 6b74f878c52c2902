// SPDX-License-Identifier: Apache-2.0
#include "ctl/key_input.hpp"

#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <utility>

namespace actord::ctl {

std::optional<KeyInput> KeyInput::open(int fd) {
  termios former{};
  if (::tcgetattr(fd, &former) != 0 || ::tcgetpgrp(fd) != ::getpgrp()) return std::nullopt;
  KeyInput input(fd, former);
  input.take_over();
  return input;
}

KeyInput::KeyInput(KeyInput&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), former_(other.former_) {}

KeyInput::~KeyInput() {
  if (fd_ >= 0) give_back();
}

void KeyInput::take_over() noexcept {
  termios taken = former_;
  taken.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
  taken.c_cc[VMIN] = 0;
  taken.c_cc[VTIME] = 0;
  ::tcsetattr(fd_, TCSANOW, &taken);
}

void KeyInput::give_back() noexcept { ::tcsetattr(fd_, TCSANOW, &former_); }

std::optional<char> KeyInput::next() noexcept {
  pollfd asked{fd_, POLLIN, 0};
  if (::poll(&asked, 1, 0) <= 0) return std::nullopt;
  char key = 0;
  return ::read(fd_, &key, 1) == 1 ? key : interrupt;
}

void KeyInput::suspend() noexcept {
  give_back();
  std::raise(SIGTSTP);
  ::tcgetattr(fd_, &former_);
  take_over();
}

void KeyInput::be_interrupted() noexcept {
  give_back();
  std::raise(SIGINT);
  take_over();
}

}  // namespace actord::ctl
