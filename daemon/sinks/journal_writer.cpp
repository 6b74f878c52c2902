// SPDX-License-Identifier: Apache-2.0
#include "sinks/journal_writer.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "os/descriptor.hpp"
#include "os/files.hpp"

namespace actord::sinks {
namespace {

/// A file in memory with the entry, sealed against changes: the journal takes no other file. No
/// descriptor: errno tells why.
os::Descriptor sealed_file(std::string_view entry) noexcept {
  os::Descriptor file(::memfd_create("actord-journal-entry", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  const bool is_sealed = file.get() >= 0 && os::write_all(file.get(), entry) &&
                         ::fcntl(file.get(), F_ADD_SEALS,
                                 F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) == 0;
  return is_sealed ? std::move(file) : os::Descriptor();
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
  return ::sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 ? errno : 0;
}

}  // namespace

int JournalWriter::write(std::string_view entry) noexcept {
  const int error = datagrams_.write(entry);
  if (!is_too_large(error)) return error;
  const os::Descriptor file = sealed_file(entry);
  if (file.get() < 0) return errno;
  return datagrams_.write_by([&](int socket) { return send_file(socket, file.get()); });
}

}  // namespace actord::sinks
