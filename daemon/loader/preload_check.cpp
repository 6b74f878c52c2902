// SPDX-License-Identifier: Apache-2.0
#include "loader/preload_check.hpp"

#include <algorithm>
#include <cstring>
#include <iostream>

#include "base/clock.hpp"
#include "os/child_process.hpp"
#include "os/dynamic_library.hpp"
#include "os/process.hpp"

namespace actord::loader {

namespace {

constexpr std::int64_t limit_ns = 5 * base::ns_per_s;

/// `actord --preload-check FILE`
constexpr std::string_view check_option = "--preload-check";

/// The last output of the child: `well`, or `ill` followed by the reason on one line. An
/// initialiser may write output before it, and may exit with any status.
constexpr std::string_view success_mark = "\nloaded\n", failure_mark = "\nnot loaded: ";

std::string signal_text(int number) {
  const char* const name = ::sigabbrev_np(number);
  return name != nullptr ? "SIG" + std::string{name} : "signal " + std::to_string(number);
}

std::optional<std::string> reason_in_output(std::string_view output) {
  const std::size_t at = output.rfind(failure_mark);
  if (at == output.npos || !output.ends_with('\n')) return std::nullopt;
  return std::string{
      output.substr(at + failure_mark.size(), output.size() - at - failure_mark.size() - 1)};
}

}  // namespace

std::optional<std::string> why_not_loadable(const std::string& file) {
  const auto end = os::run_child(os::own_executable, {std::string{check_option}, file}, limit_ns);
  if (!end) return "the process that checks it cannot be started: " + end.error().what;
  using Kind = os::ChildEnd::Kind;
  if (end->kind == Kind::by_signal)
    return "a static initialiser ends the process by " + signal_text(end->number);
  if (end->kind == Kind::timed_out) {
    return "its static initialisers have not ended after " +
           std::to_string(limit_ns / base::ns_per_s) + " s";
  }
  if (end->output.ends_with(success_mark)) return std::nullopt;
  if (auto reason = reason_in_output(end->output)) return reason;
  return "a static initialiser ends the process with exit status " + std::to_string(end->number);
}

void run_preload_check_if_asked(int argc, const char* const* argv) {
  if (argc != 3 || argv[1] != check_option) return;
  os::end_with_parent();
  const auto library = os::DynamicLibrary::open(argv[2]);
  if (library) {
    std::cout << success_mark;
  } else {
    std::string why = library.error().what;
    std::ranges::replace(why, '\n', ' ');
    std::cout << failure_mark << why << '\n';
  }
  std::cout << std::flush;
  os::exit_at_once(0);
}

}  // namespace actord::loader
