// SPDX-License-Identifier: Apache-2.0
//
// The socket is connected, because poll(2) tells for a connected socket only whether the queue of
// its peer has room.
#include "sinks/datagram_writer.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/clock.hpp"
#include "os/descriptor.hpp"

namespace actord::sinks {
namespace {

/// What the socket may hold, in bytes; the kernel lowers it to its own limit. systemd's library
/// asks for the same.
constexpr int send_buffer_bytes = 8 << 20;

int send_bytes(int socket, std::string_view bytes) noexcept {
  const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  return sent < 0 ? errno : 0;
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

}  // namespace

bool is_too_large(int error) noexcept { return error == EMSGSIZE || error == ENOBUFS; }

DatagramWriter::DatagramWriter(std::string path) : path_(std::move(path)), error_(connect()) {}

DatagramWriter::~DatagramWriter() {
  if (socket_ >= 0) ::close(socket_);
}

int DatagramWriter::connect() noexcept {
  os::Descriptor made;
  if (const int error = connect_to(path_, made); error != 0) return error;
  ::setsockopt(made.get(), SOL_SOCKET, SO_SNDBUF, &send_buffer_bytes, sizeof send_buffer_bytes);
  if (socket_ >= 0) ::close(socket_);
  socket_ = made.release();
  return 0;
}

int DatagramWriter::write(std::string_view datagram) noexcept {
  return write_by([datagram](int socket) { return send_bytes(socket, datagram); });
}

int DatagramWriter::write_by(const std::function<int(int socket)>& send) noexcept {
  bool is_reconnected = false;
  // After a time-out the wait comes first: until the queue has room the next datagrams do not wait.
  while (!wait_.has_timed_out() || wait_.wait(socket_)) {
    const int error = socket_ < 0 ? ENOTCONN : send(socket_);
    if (error == 0) {
      wait_.note_progress();
      return 0;
    }
    if (error == EINTR) continue;
    if (is_too_large(error)) return error;
    if (is_full(error)) {
      if (!wait_.wait(socket_)) break;
    } else if (!std::exchange(is_reconnected, true)) {
      error_ = connect();
      if (error_ != 0) return error_;
    } else {
      return error;
    }
  }
  return ETIMEDOUT;
}

bool DatagramWriter::write_at_once(std::string_view datagram) const noexcept {
  const int error = socket_ < 0 ? ENOTCONN : send_bytes(socket_, datagram);
  if (error == 0 || is_full(error)) return error == 0;
  os::Descriptor another;  // the socket may have been replaced
  return connect_to(path_, another) == 0 && send_bytes(another.get(), datagram) == 0;
}

void DatagramWriter::begin_batch(std::int64_t ns) noexcept {
  // The end of the former batch's time has passed, so that this does not wait.
  if (wait_.has_timed_out() && !wait_.wait(socket_)) return;
  wait_.set_end(base::monotonic_ns() + ns);
}

}  // namespace actord::sinks
