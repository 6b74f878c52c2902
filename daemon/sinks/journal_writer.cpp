// SPDX-License-Identifier: Apache-2.0
//
// The socket is connected, because poll(2) tells for a connected socket only whether the queue of
// its peer has room.
#include "sinks/journal_writer.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "os/descriptor.hpp"
#include "os/files.hpp"

namespace actord::sinks {
namespace {

/// What the socket may hold, in bytes; the kernel lowers it to its own limit. systemd's library
/// asks for the same.
constexpr int send_buffer_bytes = 8 << 20;

/// A file in memory with the entry, sealed against changes: the journal takes no other file. No
/// descriptor: errno tells why.
os::Descriptor sealed_file(std::string_view entry) noexcept {
  os::Descriptor file(::memfd_create("actord-journal-entry", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  const bool is_sealed = file.get() >= 0 && os::write_all(file.get(), entry) &&
                         ::fcntl(file.get(), F_ADD_SEALS,
                                 F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) == 0;
  return is_sealed ? std::move(file) : os::Descriptor();
}

int result(ssize_t sent) noexcept { return sent < 0 ? errno : 0; }

int send_entry(int socket, std::string_view entry) noexcept {
  return result(::send(socket, entry.data(), entry.size(), MSG_DONTWAIT | MSG_NOSIGNAL));
}

/// Sends the descriptor of a file in a datagram without bytes.
int send_file(int socket, int file) noexcept {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof file)] = {};
  msghdr message = {};
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof file);
  std::memcpy(CMSG_DATA(header), &file, sizeof file);
  return result(::sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL));
}

/// Async-signal-safe. Returns errno; 0: `to` is connected.
int connect_to(std::string_view path, os::Descriptor& to) noexcept {
  sockaddr_un address = {};
  if (path.size() >= sizeof address.sun_path) return ENAMETOOLONG;
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, path.size());
  to = os::Descriptor(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (to.get() < 0) return errno;
  const auto* const place = reinterpret_cast<const sockaddr*>(&address);
  return ::connect(to.get(), place, sizeof address) == 0 ? 0 : errno;
}

bool is_full(int error) noexcept { return error == EAGAIN || error == EWOULDBLOCK; }
bool is_too_large(int error) noexcept { return error == EMSGSIZE || error == ENOBUFS; }

}  // namespace

JournalWriter::JournalWriter(std::string path) : path_(std::move(path)), error_(connect()) {}

JournalWriter::~JournalWriter() {
  if (socket_ >= 0) ::close(socket_);
}

int JournalWriter::connect() noexcept {
  os::Descriptor made;
  if (const int error = connect_to(path_, made); error != 0) return error;
  ::setsockopt(made.get(), SOL_SOCKET, SO_SNDBUF, &send_buffer_bytes, sizeof send_buffer_bytes);
  if (socket_ >= 0) ::close(socket_);
  socket_ = made.release();
  return 0;
}

int JournalWriter::write(std::string_view entry) noexcept {
  os::Descriptor file;
  bool is_reconnected = false;
  // After a time-out the wait comes first: until the queue has room the next entries do not wait.
  while (!wait_.has_timed_out() || wait_.wait(socket_)) {
    const int error = socket_ < 0       ? ENOTCONN
                      : file.get() >= 0 ? send_file(socket_, file.get())
                                        : send_entry(socket_, entry);
    if (error == 0) {
      wait_.note_progress();
      return 0;
    }
    if (error == EINTR) continue;
    if (is_full(error)) {
      if (!wait_.wait(socket_)) break;
    } else if (is_too_large(error) && file.get() < 0) {
      file = sealed_file(entry);
      if (file.get() < 0) return errno;
    } else if (!std::exchange(is_reconnected, true)) {
      error_ = connect();
      if (error_ != 0) return error_;
    } else {
      return error;
    }
  }
  return ETIMEDOUT;
}

bool JournalWriter::write_at_once(std::string_view entry) const noexcept {
  const int error = socket_ < 0 ? ENOTCONN : send_entry(socket_, entry);
  if (error == 0 || is_full(error)) return error == 0;
  os::Descriptor another;  // the socket may have been replaced
  return connect_to(path_, another) == 0 && send_entry(another.get(), entry) == 0;
}

}  // namespace actord::sinks
