// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ctl/plugin_page.hpp"
#include "ctl/wrapped_text.hpp"

namespace actord::ctl {

namespace {

std::string joined_texts(const std::vector<std::string>& texts, std::string_view separator) {
  std::string out;
  for (const std::string& each : texts) out.append(out.empty() ? "" : separator).append(each);
  return out;
}

std::size_t widest_name(const PluginPage::Pairs& pairs) {
  std::size_t width = 0;
  for (const auto& each : pairs) width = std::max(width, each.first.size());
  return width;
}

/// "uint32, 1 to 64, default 8"
std::string facts_of(const PluginPage::Key& key) {
  std::string facts = key.type;
  if (!key.range.empty()) facts += ", " + key.range;
  if (key.is_needed) facts += ", needed";
  if (!key.default_value.empty()) facts += ", default " + key.default_value;
  if (key.is_secret) facts += ", secret";
  return facts;
}

/// "takes", or "takes as Busy": what stands before the messages of a state.
std::string title_of(const PluginPage::State& state) {
  return state.name.empty() ? "takes" : "takes as " + state.name;
}

std::string messages_of(const PluginPage::State& state) {
  std::vector<std::string> all = state.messages;
  if (state.takes_others) all.emplace_back(all.empty() ? "all messages" : "all others");
  return all.empty() ? "no messages" : joined_texts(all, ", ");
}

// ---- for a terminal -----------------------------------------------------------------------------

void append_pairs(std::string& out, const PluginPage::Pairs& pairs, std::size_t indent) {
  const std::size_t width = widest_name(pairs);
  for (const auto& [name, value] : pairs)
    out +=
        std::string(indent, ' ') + name + std::string(width + 2 - name.size(), ' ') + value + '\n';
}

void append_text(std::string& out, const PluginPage::Behaviour& behaviour) {
  out += "\nbehaviour " + behaviour.name + '\n' + wrapped(behaviour.doc);
  for (const PluginPage::State& state : behaviour.states)
    out += "  " + title_of(state) + '\n' + wrapped(messages_of(state), 4);
  if (!behaviour.config.empty()) out += "  config\n";
  for (const PluginPage::Key& key : behaviour.config)
    out += "    " + key.name + "  " + facts_of(key) + '\n' + wrapped(key.doc, 6);
  if (behaviour.strategy.empty()) return;
  out += "  supervisor-strategy of its children\n";
  append_pairs(out, behaviour.strategy, 4);
}

// ---- Markdown -----------------------------------------------------------------------------------

/// A text of the plugin in Markdown, where it shall mean nothing.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view{"\\`*_{}[]<>|#"}.find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

/// In a table, | would end the cell even here.
std::string code(std::string_view text) {
  if (text.empty()) return {};
  std::string out = "`";
  for (const char c : text) {
    if (c == '|') out += '\\';
    if (c != '`') out += c == '\n' ? ' ' : c;
  }
  return out + '`';
}

std::string paragraph(std::string_view text) {
  return text.empty() ? std::string{} : '\n' + escaped(text) + '\n';
}

void append_table(std::string& out, std::string_view first, std::string_view second,
                  const PluginPage::Pairs& pairs) {
  out.append("\n| ").append(first).append(" | ").append(second).append(" |\n|---|---|\n");
  for (const auto& [name, value] : pairs) out += "| " + code(name) + " | " + code(value) + " |\n";
}

void append_markdown(std::string& out, const PluginPage::Behaviour& behaviour) {
  out += "\n### " + code(behaviour.name) + '\n' + paragraph(behaviour.doc);
  for (const PluginPage::State& state : behaviour.states) {
    std::vector<std::string> names;
    for (const std::string& each : state.messages) names.push_back(code(each));
    if (state.takes_others) names.emplace_back(names.empty() ? "all messages" : "all others");
    out += "\nIt " + (state.name.empty() ? "takes" : "takes as " + code(state.name)) + ' ' +
           (names.empty() ? "no messages" : joined_texts(names, ", ")) + ".\n";
  }
  if (!behaviour.config.empty())
    out += "\n| key | type | range | default | |\n|---|---|---|---|---|\n";
  for (const PluginPage::Key& key : behaviour.config) {
    std::string doc = escaped(key.doc);
    if (key.is_secret) doc += doc.empty() ? "Secret." : " Secret.";
    out += "| " + code(key.name) + " | " + code(key.type) + " | " + escaped(key.range) + " | " +
           (key.is_needed ? "*needed*" : code(key.default_value)) + " | " + doc + " |\n";
  }
  if (!behaviour.strategy.empty())
    append_table(out, "`supervisor-strategy` of its children", "", behaviour.strategy);
}

}  // namespace

std::string text_of(const PluginPage& page) {
  std::string out = "plugin " + page.name + ' ' + page.version + '\n' + wrapped(page.doc) + "  " +
                    page.file + '\n';
  for (const PluginPage::Behaviour& each : page.behaviours) append_text(out, each);
  for (const PluginPage::Message& each : page.messages) {
    out += "\nmessage " + each.name;
    if (!each.family.empty()) out += ", of the family " + each.family;
    out += '\n';
    append_pairs(out, each.members, 2);
    if (!each.secrets.empty()) out += wrapped("never shown: " + joined_texts(each.secrets, ", "));
  }
  if (!page.failures.empty()) out += "\nfailures\n";
  for (const std::vector<std::string>& types : page.failures)
    out += wrapped(joined_texts(types, " < "));
  for (const PluginPage::Configurator& each : page.configurators) {
    out += "\nconfigurator " + each.name + '\n' + wrapped(each.doc);
    append_pairs(out, each.strategy, 2);
  }
  return out;
}

std::string markdown_of(const PluginPage& page) {
  std::string out =
      "# Plugin " + code(page.name) + ' ' + escaped(page.version) + '\n' + paragraph(page.doc);
  if (!page.behaviours.empty()) out += "\n## Behaviours\n";
  for (const PluginPage::Behaviour& each : page.behaviours) append_markdown(out, each);
  if (!page.messages.empty()) out += "\n## Messages\n";
  for (const PluginPage::Message& each : page.messages) {
    out += "\n### " + code(each.name) + '\n';
    if (!each.family.empty()) out += "\nOf the family " + code(each.family) + ".\n";
    if (each.members.empty()) out += "\nIt has no fields.\n";
    else append_table(out, "field", "type", each.members);
    std::vector<std::string> names;
    for (const std::string& secret : each.secrets) names.push_back(code(secret));
    if (!names.empty()) out += "\nNever shown: " + joined_texts(names, ", ") + ".\n";
  }
  if (!page.failures.empty()) out += "\n## Failures\n\n| failure | bases |\n|---|---|\n";
  for (const std::vector<std::string>& types : page.failures) {
    std::vector<std::string> bases;
    for (std::size_t i = 1; i < types.size(); ++i) bases.push_back(code(types[i]));
    out += "| " + code(types.front()) + " | " + joined_texts(bases, ", ") + " |\n";
  }
  if (!page.configurators.empty()) out += "\n## Configurators\n";
  for (const PluginPage::Configurator& each : page.configurators) {
    out += "\n### " + code(each.name) + '\n' + paragraph(each.doc);
    append_table(out, "key", "value", each.strategy);
  }
  return out;
}

}  // namespace actord::ctl
