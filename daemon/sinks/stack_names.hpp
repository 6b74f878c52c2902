// SPDX-License-Identifier: Apache-2.0
//
// Gives the calls in a record names: the addresses in failure.stack become functions and files. The
// thread that has failed does not wait for that.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "log/log_record.hpp"

namespace actord::sinks {

/// The function and the file at an address, "0x7f12"; the text itself if it is no address.
std::string name_of_call(std::string_view address);

/// Threads: one.
class StackNames {
 public:
  /// The record itself if it has no such field; else a copy, valid until the next call.
  const log::Record& named(const log::Record& record);

 private:
  /// The text for an address. It is remembered: most failures come from few places.
  const std::string& name_of(std::string_view address);

  std::unordered_map<std::string, std::string> names_;
  log::Record record_;
  std::vector<log::Field> fields_;
  std::vector<std::string_view> calls_;
};

}  // namespace actord::sinks
