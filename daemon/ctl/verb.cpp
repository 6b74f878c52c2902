// SPDX-License-Identifier: Apache-2.0
#include "ctl/verb.hpp"

namespace actord::ctl {

std::string Call::value(std::string_view option, std::string_view otherwise) const {
  const auto found = options.find(option);
  return found == options.end() || found->second.empty() ? std::string{otherwise}
                                                         : found->second.back();
}

std::vector<std::string> Call::values(std::string_view option) const {
  const auto found = options.find(option);
  return found == options.end() ? std::vector<std::string>{} : found->second;
}

std::string Verb::full_name() const {
  return group.empty() ? std::string{name} : std::string{group} + ' ' + std::string{name};
}

}  // namespace actord::ctl
