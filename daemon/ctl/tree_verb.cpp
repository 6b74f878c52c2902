// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "base/counted.hpp"
#include "ctl/daemon_client.hpp"
#include "ctl/json_members.hpp"
#include "ctl/json_output.hpp"
#include "ctl/output_terminal.hpp"
#include "ctl/quantity_option.hpp"
#include "ctl/text_table.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

using wire::Json;

namespace {

constexpr unsigned levels_max = 20;

/// A node, and `levels` of nodes below it.
AnswerShape tree_shape(unsigned levels) {
  using Form = MemberShape::Form;
  AnswerShape shape = {{"name", Form::text, {}, true},
                       {"state", Form::text, {}, true},
                       {"behaviour"},
                       {"restarts", Form::number},
                       {"messages", Form::number},
                       {"children_count", Form::number}};
  if (levels != 0) shape.push_back({"children", Form::objects, tree_shape(levels - 1)});
  return shape;
}

std::size_t width_of(const Json& node, std::size_t indent) {
  std::size_t width = indent + node.value("name", "").size();
  for (const Json& child : node.value("children", Json::array()))
    width = std::max(width, width_of(child, indent + 3));
  return width;
}

/// What is worth saying of an actor besides its behaviour: "suspended, 3 restarts, 7 messages".
std::string remarks_on(const Json& node) {
  std::string remarks;
  const auto add = [&](const std::string& remark) {
    remarks += (remarks.empty() ? "" : ", ") + remark;
  };
  if (const std::string state = node.value("state", ""); state != "running") add(state);
  if (const auto restarts = number_at(node, "restarts")) add(base::counted(restarts, "restart"));
  if (const auto messages = number_at(node, "messages")) add(base::counted(messages, "message"));
  return remarks;
}

/// Prints a node, whose line begins with `before`, and those below it, whose lines begin with
/// `below`.
void print_node(const Call& call, const Json& node, const std::string& before,
                const std::string& below, std::size_t width, std::size_t indent) {
  std::ostream& out = call.out;
  const std::string name = node.value("name", "");
  const std::string behaviour = node.value("behaviour", ""), remarks = remarks_on(node);
  out << before << name;
  if (!behaviour.empty() || !remarks.empty()) {
    out << std::string(width - indent - name.size() + 2, ' ') << behaviour
        << (behaviour.empty() || remarks.empty() ? "" : "  ");
    const bool is_up = node.value("state", "") == "running";
    print_in(is_up ? Colour::dim : Colour::yellow, remarks, out, call.terminal);
  }
  out << '\n';
  const Json children = node.value("children", Json::array());
  const std::uint64_t count = number_at(node, "children_count");
  const std::uint64_t hidden = count - std::min<std::uint64_t>(count, children.size());
  for (const Json& child : children) {
    const bool is_last = &child == &children.back() && hidden == 0;
    print_node(call, child, below + (is_last ? "└─ " : "├─ "), below + (is_last ? "   " : "│  "),
               width, indent + 3);
  }
  if (hidden == 0) return;
  out << below << "└─ ";
  if (children.empty()) out << hidden << base::by_number(hidden, " child", " children") << '\n';
  else out << "and " << hidden << " more\n";
}

/// The paths of the node and of those below it. An actor without a name of its own has no path that
/// a verb takes.
void print_paths(std::ostream& out, const Json& node, const std::string& path) {
  out << path << '\n';
  for (const Json& child : node.value("children", Json::array())) {
    const std::string name = child.value("name", "");
    if (!name.starts_with('$')) print_paths(out, child, (path == "/" ? "" : path) + '/' + name);
  }
}

void add_rows(TextTable& table, const Json& node, const std::string& path, bool is_wide) {
  const bool has_answered = node.contains("behaviour");
  const auto number = [&](const char* name) {
    return has_answered ? std::to_string(number_at(node, name)) : "?";
  };
  std::vector<std::string> row = {path, text_at(node, "state"), number("restarts"),
                                  number("messages")};
  if (is_wide) row.insert(row.end(), {number("children_count"), text_at(node, "behaviour")});
  table.add(std::move(row));
  for (const Json& child : node.value("children", Json::array()))
    add_rows(table, child, (path == "/" ? "" : path) + '/' + child.value("name", ""), is_wide);
}

void print_table(const Call& call, const Json& root, const std::string& path) {
  using Align = TextTable::Column::Align;
  std::vector<TextTable::Column> columns = {
      {"PATH"}, {"STATE"}, {"RESTARTS", Align::right}, {"WAITING", Align::right}};
  if (call.is_wide()) columns.insert(columns.end(), {{"CHILDREN", Align::right}, {"BEHAVIOUR"}});
  TextTable table(std::move(columns));
  add_rows(table, root, path, call.is_wide());
  table.print(call.out);
}

Exit tree(const Call& call) {
  Exit exit = Exit::ok;
  const auto wanted = number_option(call, "level", 5, {1, levels_max}, exit);
  if (!wanted) return exit;
  const auto levels = static_cast<unsigned>(*wanted);
  const std::string path = call.operands.empty() ? "/user" : call.operands.front();
  const auto root = ask_daemon(call, "actor.tree", {{"path", path}, {"levels", levels}},
                               tree_shape(levels), exit);
  if (!root) return exit;
  if (call.is_json()) print_json(call.out, *root);
  else if (call.is_names()) print_paths(call.out, *root, path);
  else if (call.is_table()) print_table(call, *root, path);
  else print_node(call, *root, "", "", width_of(*root, 0), 0);
  return exit;
}

}  // namespace

Verb tree_verb() {
  Verb verb{.group = {},
            .name = "tree",
            .summary = "show the actors below a path",
            .description =
                "Prints the actors of the running daemon as a tree: their behaviours, and, where\n"
                "there is something to say, state, restarts and waiting messages. Each actor\n"
                "answers itself; one whose handler does not return has \"no answer\". At most 100\n"
                "children of an actor are shown, and 1000 actors in all; the others are counted.\n"
                "\n"
                "  actorctl tree\n"
                "  actorctl tree /user/crawler -L 1\n"
                "  actorctl tree / -o wide",
            .operands = {{.name = "PATH", .takes = Takes::running, .is_needed = false}},
            .options = {{.name = "level",
                         .letter = 'L',
                         .takes = Takes::text,
                         .argument = "N",
                         .help = "show N levels below PATH, 1 to 20; default: 5"}},
            .run = &tree};
  return with_tables(with_names(with_daemon_options(std::move(verb))));
}

}  // namespace actord::ctl
