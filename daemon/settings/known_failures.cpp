// SPDX-License-Identifier: Apache-2.0
#include "settings/known_failures.hpp"

#include <algorithm>

#include "actor/failure.hpp"

namespace actord::settings {

namespace {

// As printed_name() of the SDK prints them, for every standard that plugins may be written in.
constexpr std::string_view standard_exceptions[] = {"std::exception",
                                                    "std::bad_alloc",
                                                    "std::bad_array_new_length",
                                                    "std::bad_any_cast",
                                                    "std::bad_cast",
                                                    "std::bad_exception",
                                                    "std::bad_function_call",
                                                    "std::bad_optional_access",
                                                    "std::bad_typeid",
                                                    "std::bad_variant_access",
                                                    "std::bad_weak_ptr",
                                                    "std::logic_error",
                                                    "std::domain_error",
                                                    "std::future_error",
                                                    "std::invalid_argument",
                                                    "std::length_error",
                                                    "std::out_of_range",
                                                    "std::runtime_error",
                                                    "std::chrono::ambiguous_local_time",
                                                    "std::chrono::nonexistent_local_time",
                                                    "std::filesystem::filesystem_error",
                                                    "std::format_error",
                                                    "std::ios_base::failure",
                                                    "std::overflow_error",
                                                    "std::range_error",
                                                    "std::regex_error",
                                                    "std::system_error",
                                                    "std::underflow_error"};

// Causes that are in no chain of actor::causes. A signal that ends a process is one of them.
constexpr std::string_view other_causes[] = {
    "actord::UnexpectedReply", "actord::CircuitBreakerOpen", "actord::TooManyUnconfirmed",
    "actord::crash::SIGSEGV",  "actord::crash::SIGBUS",      "actord::crash::SIGFPE",
    "actord::crash::SIGILL",   "actord::crash::SIGABRT",     "actord::crash::SIGKILL",
    "actord::crash::SIGSYS",   "actord::crash::SIGTRAP",     "actord::crash::SIGTERM",
    "actord::crash::SIGXCPU",  "actord::crash::SIGXFSZ",     "actord::crash::SIGPIPE",
    "actord::crash::SIGINT",   "actord::crash::SIGQUIT",     "actord::crash::SIGALRM",
    "actord::crash::SIGHUP",   "actord::crash::SIGUSR1",     "actord::crash::SIGUSR2"};

constexpr std::string_view scope = "::";

// "crawler" of crawler::http::Timeout; empty for a name without a namespace.
std::string_view outer_namespace(std::string_view name) {
  const std::size_t end = name.substr(0, name.find('<')).find(scope);
  return end == name.npos ? std::string_view{} : name.substr(0, end);
}

// Libraries that are no part of a plugin, so that one plugin cannot know all their exceptions.
bool is_shared(std::string_view outer) {
  return outer.empty() || outer == "std" || outer == "actord" || outer == "boost";
}

}  // namespace

KnownFailures::KnownFailures(const std::vector<system::DeclaredFailures>& declared)
    : names_(std::begin(standard_exceptions), std::end(standard_exceptions)) {
  names_.insert(std::begin(other_causes), std::end(other_causes));
  const auto add = [&](const auto& chain) {
    for (const actord_str& type : chain) names_.emplace(message::view(type));
  };
  namespace causes = actor::causes;
  add(causes::failure), add(causes::killed), add(causes::death_pact), add(causes::config_changed);
  add(causes::restart_ordered);
  add(causes::config_error), add(causes::ask_timeout), add(causes::no_recipient);
  add(causes::mailbox_full), add(causes::stash_overflow), add(causes::unlisted_message),
      add(causes::post_restart);
  add(causes::limit_reached), add(causes::crash_signal), add(causes::crash_exit);
  add(causes::crash_hang), add(causes::crash_protocol), add(causes::peer_crash);
  add(causes::start_timeout), add(causes::shutdown_task_refused);
  add(causes::foreign);
  for (const system::DeclaredFailures& each : declared) {
    Plugin& plugin = plugins_.emplace_back(Plugin{each.plugin, {}});
    for (const auto& types : each.types) {
      plugin.failures.push_back(types.front());
      names_.insert(types.begin(), types.end());
    }
  }
}

const KnownFailures::Plugin* KnownFailures::owner_of(std::string_view name) const {
  const std::string_view outer = outer_namespace(name);
  if (is_shared(outer)) return nullptr;
  const auto owns = [&](const Plugin& plugin) {
    return std::ranges::any_of(plugin.failures, [&](const std::string& failure) {
      return outer_namespace(failure) == outer;
    });
  };
  const auto found = std::ranges::find_if(plugins_, owns);
  return found == plugins_.end() ? nullptr : &*found;
}

}  // namespace actord::settings
