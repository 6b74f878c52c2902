// SPDX-License-Identifier: Apache-2.0
#include "app/json_folder.hpp"

#include <filesystem>

#include "os/files.hpp"

namespace actord::app {

namespace {

constexpr std::string_view ending = ".json";
constexpr std::size_t json_size_max = std::size_t{1} << 20;

}  // namespace

std::string JsonFolder::path_of(std::string_view id) const {
  return path_ + '/' + std::string{id} + std::string{ending};
}

std::vector<std::string> JsonFolder::ids() const {
  std::vector<std::string> ids;
  auto names = os::names_in(path_);
  if (!names) return ids;
  for (std::string& name : *names) {
    if (!name.ends_with(ending)) continue;
    name.resize(name.size() - ending.size());
    ids.push_back(std::move(name));
  }
  return ids;
}

base::Result<std::string> JsonFolder::read(std::string_view id) const {
  if (id.find('/') != id.npos) return base::Error{std::string{id} + " is no name of a file"};
  auto text = os::read_file(path_of(id), json_size_max);
  if (!text) return base::Error{text.error().what};
  return std::move(text).value();
}

base::Result<std::string> JsonFolder::write(std::string_view id, const wire::Json& content) const {
  if (const auto made = os::make_private_directory(path_); !made)
    return base::Error{made.error().what};
  const std::string text = content.dump(2, ' ', false, wire::Json::error_handler_t::replace) + '\n';
  const auto written = os::replace_private_file(path_of(id), text);
  if (!written) return base::Error{written.error().what};
  return path_of(id);
}

base::Result<void> JsonFolder::remove(std::string_view id) const {
  std::error_code error;
  std::filesystem::remove(path_of(id), error);
  if (error) return base::Error{path_of(id) + " cannot be removed: " + error.message()};
  return {};
}

}  // namespace actord::app
