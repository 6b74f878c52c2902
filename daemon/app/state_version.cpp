// SPDX-License-Identifier: Apache-2.0
#include "app/state_version.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>

#include "os/files.hpp"
#include "os/local_socket.hpp"

namespace actord::app {

namespace {

using config::BootError;
using config::ExitCode;

constexpr std::size_t size_max = 4096, version_length_max = 64;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<std::uint32_t> format_in(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number == 0) return {};
  return number;
}

/// A version of actord becomes part of a command that an operator copies, so it has no other
/// characters than that of a Debian package.
bool is_version(std::string_view text) {
  return !text.empty() && text.size() <= version_length_max &&
         std::ranges::all_of(text, [](char each) {
           return (each >= '0' && each <= '9') || (each >= 'a' && each <= 'z') ||
                  (each >= 'A' && each <= 'Z') ||
                  std::string_view{".+~-"}.find(each) != std::string_view::npos;
         });
}

/// The file is written at once, so a damaged one is not the trace of a crash of actord. It is not
/// replaced, because the directory may be that of a later version.
BootError damaged(const std::string& path, const std::string& what, ExitCode code) {
  return config::boot_error(code, "the state directory: " + what,
                            "if no later version of actord has used the directory, remove this "
                            "entry, and the start writes it again: rm -r " +
                                path);
}

BootError unreadable(const std::string& path, const os::SystemError& why) {
  if (why.is_not_permitted()) {
    const std::string user = os::user_name(os::own_user());
    return config::boot_error(ExitCode::not_permitted, "the state directory: " + why.what,
                              "give the file to the user of actord: chown " + user + ": " + path);
  }
  const bool is_file_wrong =
      why.number == EISDIR || why.number == EINVAL || why.number == EFBIG || why.number == ELOOP;
  if (is_file_wrong) return damaged(path, why.what, ExitCode::config_wrong);
  return config::boot_error(config::exit_code_of(why), "the state directory: " + why.what);
}

BootError unwritable(const os::SystemError& why) {
  const bool is_full = why.number == ENOSPC || why.number == EDQUOT;
  return config::boot_error(
      config::exit_code_of(why), "the state directory: " + why.what,
      is_full ? "make room there: actord has to note the format of the directory, once" : "");
}

BootError later(const std::string& directory, const StateVersion& found, const StateVersion& own) {
  return config::boot_error(
      ExitCode::config_wrong,
      "actord " + found.actord + " has brought the state directory " + directory + " to format " +
          std::to_string(found.format) + ", and this actord, " + own.actord + ", can read format " +
          std::to_string(own.format) + " only",
      "install actord " + found.actord +
          " or a later version again, or move the directory away to begin with an empty one: mv " +
          directory + ' ' + directory + '.' + found.actord);
}

/// What the directory says about itself; nothing if it has no such file.
base::Result<std::optional<StateVersion>, BootError> found_in(const std::string& path) {
  const auto file = os::read_file(path, size_max);
  if (!file && file.error().number == ENOENT) return std::optional<StateVersion>{};
  if (!file) return unreadable(path, file.error());
  auto read = read_state_version(*file);
  if (!read) return damaged(path, path + " is damaged: " + read.error(), ExitCode::config_wrong);
  return std::optional{std::move(read).value()};
}

}  // namespace

StateVersion own_state_version() { return {1, 1, ACTORD_VERSION}; }

std::string text_of(const StateVersion& version) {
  return "# The format of this state directory; actord writes and reads it.\nformat = " +
         std::to_string(version.format) +
         "\nreadable-from = " + std::to_string(version.readable_from) +
         "\nactord = " + version.actord + '\n';
}

base::Result<StateVersion, std::string> read_state_version(std::string_view text) {
  std::optional<std::uint32_t> format, readable_from;
  std::string actord;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    const auto equals = std::min(line.find('='), line.size());
    const std::string_view key = trimmed(line.substr(0, equals));
    const std::string_view value = trimmed(line.substr(std::min(equals + 1, line.size())));
    if (key == "format") format = format_in(value);
    if (key == "readable-from") readable_from = format_in(value);
    if (key == "actord" && is_version(value)) actord = value;
  }
  if (!format) return std::string{"it has no line \"format = NUMBER\""};
  if (!readable_from) return std::string{"it has no line \"readable-from = NUMBER\""};
  if (*readable_from > *format) return std::string{"readable-from is greater than format"};
  if (actord.empty()) return std::string{"it has no line \"actord = VERSION\""};
  return StateVersion{*format, *readable_from, std::move(actord)};
}

base::Result<void, BootError> claim_state_directory(const std::string& directory,
                                                    const StateVersion& own) {
  const std::string path = directory + '/' + std::string{state_version_file};
  const auto found = found_in(path);
  if (!found) return found.error();
  if (found->has_value()) {
    const StateVersion& version = found->value();
    if (own.format < version.readable_from) return later(directory, version, own);
    if (own.format <= version.format) return {};
  }
  const auto written = os::replace_private_file(path, text_of(own));
  if (!written) return unwritable(written.error());
  return {};
}

}  // namespace actord::app
