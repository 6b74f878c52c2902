// SPDX-License-Identifier: Apache-2.0
#include "message/translation.hpp"

#include <string>

#include "message/message_pack.hpp"
#include "message/report.hpp"

namespace actord::message {

namespace {

std::string named(const MessageType& type) {
  const std::string_view library = view(type.table->library);
  return std::string{view(type.table->name)} + " (" +
         (library.empty() ? "a plain struct" : std::string{library}) + ')';
}

}  // namespace

actord_status translate(const MessageType& type, const void* from, const MessageType& to, void* at,
                        actord_errors& errors) {
  if (type.table->write == nullptr)
    return report(errors, named(type) + " has no function `write`, so that it cannot cross");
  if (to.table->read == nullptr)
    return report(errors, named(to) + " has no function `read`, so that none can come");
  PackWriter writer;
  if (type.table->write(from, &writer, &errors) != ACTORD_OK) return ACTORD_FAILED;
  if (const std::string_view fault = writer.fault(); !fault.empty())
    return report(errors, "the function `write` of " + named(type) + ": " + std::string{fault});
  const PackReader reader(writer.bytes());
  return to.table->read(at, reader.root(), &errors);
}

}  // namespace actord::message
