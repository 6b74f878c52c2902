// SPDX-License-Identifier: Apache-2.0
#include "ctl/kept_messages.hpp"

#include <algorithm>
#include <ostream>

#include "ctl/actor_order.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/log_query.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr std::size_t shown_default = 20;

}  // namespace

std::optional<std::vector<Json>> all_kept(const Call& call, const KeptList& list, Json arguments,
                                          Exit& exit) {
  std::vector<Json> messages;
  for (;;) {
    const auto part = ask_daemon(call, std::string{list.verb}, arguments, list.shape, exit);
    if (!part) return std::nullopt;
    const Json& found = part->at(list.member);
    messages.insert(messages.end(), found.begin(), found.end());
    const std::uint64_t next = number_at(*part, "next");
    if (next <= number_at(arguments, "after")) return messages;
    arguments["after"] = next;
  }
}

Exit print_kept(const Call& call, const KeptList& list, const Json& arguments) {
  Exit exit = Exit::ok;
  const auto most = lines_wanted(call, shown_default, exit);
  if (!most) return exit;
  const auto all = all_kept(call, list, arguments, exit);
  if (!all) return exit;
  const std::vector<Json> messages(
      all->end() - static_cast<std::ptrdiff_t>(std::min(*most, all->size())), all->end());
  if (call.is_json()) {
    for (const Json& each : messages) call.out << json_text(each) << '\n';
  } else if (call.is_names()) {
    for (const Json& each : messages) call.out << text_at(each, "id") << '\n';
  } else if (messages.empty()) {
    call.err << list.if_empty << '\n';
  } else {
    TextTable table(list.columns);
    for (const Json& each : messages) table.add(list.row(each));
    table.print(call.out);
  }
  return exit;
}

Exit replay_kept(const Call& call, const std::string& verb, const std::vector<std::string>& ids) {
  Exit exit = Exit::ok;
  for (const std::string& id : ids) {
    Json arguments = {{"id", id}};
    if (call.has("to")) arguments["path"] = call.value("to");
    const auto result = order_actor(call, verb, std::move(arguments), exit);
    if (!result) return exit;
    if (!call.is_json()) call.out << id << " was sent to " << result->value("path", "") << '\n';
  }
  return exit;
}

Exit drop_kept(const Call& call, const std::string& verb, const std::vector<std::string>& ids) {
  Exit exit = Exit::ok;
  for (const std::string& id : ids) {
    const auto result = order_actor(call, verb, {{"id", id}}, exit);
    if (!result) return exit;
    if (!call.is_json()) call.out << id << " is forgotten\n";
  }
  return exit;
}

}  // namespace actord::ctl
