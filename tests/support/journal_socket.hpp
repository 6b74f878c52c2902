// SPDX-License-Identifier: Apache-2.0
//
// A journal for tests: a real datagram socket in a folder of the test, and the reading of entries
// as systemd-journald reads them.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/scratch_folder.hpp"

namespace actord::support {

/// An entry: its fields in their order.
class JournalEntry {
 public:
  /// Throws std::runtime_error if the entry is not one of the native protocol, or if the journal
  /// would drop a field for its name.
  explicit JournalEntry(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find_first_of("=\n");
      if (end == text.npos) throw std::runtime_error("a field without a value");
      const std::string name(text.substr(0, end));
      check_name(name);
      const bool is_sized = text[end] == '\n';
      text.remove_prefix(end + 1);
      fields.emplace_back(name, is_sized ? take_sized(text) : take_line(text));
    }
  }

  /// The values of a field, in their order.
  std::vector<std::string> all(std::string_view name) const {
    std::vector<std::string> values;
    for (const auto& field : fields)
      if (field.first == name) values.push_back(field.second);
    return values;
  }
  /// The only value of a field; "(none)" or "(several)" if there is no such value.
  std::string operator[](std::string_view name) const {
    const auto values = all(name);
    return values.empty() ? "(none)" : values.size() > 1 ? "(several)" : values.front();
  }

  std::vector<std::pair<std::string, std::string>> fields;
  bool is_file = false;  // it came as a file in memory

 private:
  static void check_name(const std::string& name) {
    const bool is_valid =
        !name.empty() && name.size() <= 64 && name.front() != '_' &&
        (name.front() < '0' || name.front() > '9') &&
        name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == name.npos;
    if (!is_valid) throw std::runtime_error("the journal drops a field named " + name);
  }
  static std::string take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    if (end == text.npos) throw std::runtime_error("a value without an end");
    std::string value(text.substr(0, end));
    text.remove_prefix(end + 1);
    return value;
  }
  static std::string take_sized(std::string_view& text) {
    std::uint64_t size = 0;
    if (text.size() < sizeof size) throw std::runtime_error("a size that is cut off");
    std::memcpy(&size, text.data(), sizeof size);
    text.remove_prefix(sizeof size);
    if (text.size() <= size || text[size] != '\n')
      throw std::runtime_error("a size that is not that of the value");
    std::string value(text.substr(0, size));
    text.remove_prefix(size + 1);
    return value;
  }
};

class JournalSocket {
 public:
  JournalSocket() { open(); }
  ~JournalSocket() { close(); }
  JournalSocket(const JournalSocket&) = delete;
  JournalSocket& operator=(const JournalSocket&) = delete;

  std::string path() const { return folder_.at("socket"); }

  void open() {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    path().copy(address.sun_path, sizeof address.sun_path - 1);
    fd_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("cannot bind " + path());
  }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
    ::unlink(path().c_str());
  }

  /// Waits until an entry has arrived, or for 100 ms.
  void wait() const {
    pollfd waiting{fd_, POLLIN, 0};
    ::poll(&waiting, 1, 100);
  }
  /// The next entry, if one has arrived.
  std::optional<JournalEntry> receive() {
    std::string text(1 << 20, '\0');
    iovec part = {text.data(), text.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const ssize_t n = ::recvmsg(fd_, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (n < 0) return std::nullopt;
    text.resize(static_cast<std::size_t>(n));
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    if (header == nullptr) return JournalEntry(text);
    if (n != 0) throw std::runtime_error("the journal ignores a file beside an entry");
    int file = -1;
    std::memcpy(&file, CMSG_DATA(header), sizeof file);
    JournalEntry entry(read_sealed(file));
    entry.is_file = true;
    return entry;
  }
  /// The next datagram as it is, if one has arrived: for a socket that stands for syslog's.
  std::optional<std::string> receive_text() {
    std::string text(16 << 20, '\0');
    const ssize_t n = ::recv(fd_, text.data(), text.size(), MSG_DONTWAIT);
    if (n < 0) return std::nullopt;
    text.resize(static_cast<std::size_t>(n));
    return text;
  }
  std::vector<JournalEntry> receive_all() {
    std::vector<JournalEntry> entries;
    while (auto entry = receive()) entries.push_back(*std::move(entry));
    return entries;
  }

 private:
  static std::string read_sealed(int file) {
    constexpr int sealed = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
    const bool is_sealed = ::fcntl(file, F_GET_SEALS) == sealed;
    std::string text(static_cast<std::size_t>(std::max<off_t>(::lseek(file, 0, SEEK_END), 0)), 0);
    const ssize_t n = ::pread(file, text.data(), text.size(), 0);
    ::close(file);
    if (!is_sealed || n != static_cast<ssize_t>(text.size()))
      throw std::runtime_error("the journal does not take a file that is not sealed");
    return text;
  }

  ScratchFolder folder_;
  int fd_ = -1;
};

}  // namespace actord::support
