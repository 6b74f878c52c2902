// SPDX-License-Identifier: Apache-2.0
#include "os/service_manager.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/datagram_protocol.hpp>

namespace actord::os {

std::string ServiceManager::assignment(std::string_view status) {
  std::string line = "STATUS=";
  line += status.substr(0, status_size_max);
  if (status.size() > status_size_max) line += " ...";
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return line;
}

void ServiceManager::send(const std::string& message) const noexcept {
  using Protocol = boost::asio::local::datagram_protocol;
  if (!socket_ || socket_->empty()) return;
  try {
    std::string address = *socket_;
    if (address.front() == '@') address.front() = '\0';
    boost::asio::io_context context;
    Protocol::socket socket(context, Protocol());
    socket.send_to(boost::asio::buffer(message), Protocol::endpoint(address));
  } catch (const std::exception&) {  // no receiver, or the name is too long: the message is dropped
  }
}

}  // namespace actord::os
