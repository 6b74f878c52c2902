// SPDX-License-Identifier: Apache-2.0
#include "ctl/plugin_draft.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/suggestion.hpp"
#include "os/dynamic_library.hpp"

namespace actord::ctl {

namespace {

constexpr std::size_t name_size_max = 40;

constexpr std::string_view keywords[] = {
    "alignas",     "alignof",      "and",       "and_eq",
    "asm",         "auto",         "bitand",    "bitor",
    "bool",        "break",        "case",      "catch",
    "char",        "char16_t",     "char32_t",  "char8_t",
    "class",       "co_await",     "co_return", "co_yield",
    "compl",       "concept",      "const",     "const_cast",
    "consteval",   "constexpr",    "constinit", "continue",
    "decltype",    "default",      "delete",    "do",
    "double",      "dynamic_cast", "else",      "enum",
    "explicit",    "export",       "extern",    "false",
    "float",       "for",          "friend",    "goto",
    "if",          "inline",       "int",       "linux",
    "long",        "mutable",      "namespace", "new",
    "noexcept",    "not",          "not_eq",    "nullptr",
    "operator",    "or",           "or_eq",     "private",
    "protected",   "public",       "register",  "reinterpret_cast",
    "requires",    "restrict",     "return",    "short",
    "signed",      "sizeof",       "static",    "static_assert",
    "static_cast", "struct",       "switch",    "template",
    "this",        "thread_local", "throw",     "true",
    "try",         "typedef",      "typeid",    "typename",
    "typeof",      "union",        "unix",      "unsigned",
    "using",       "virtual",      "void",      "volatile",
    "wchar_t",     "while",        "xor",       "xor_eq"};

// Names that other namespaces and targets have.
constexpr std::string_view taken_plugin_names[] = {
    "actord",     "all",           "assert", "clean",   "depend",  "doctest",
    "edit_cache", "errno",         "help",   "install", "package", "package_source",
    "preinstall", "rebuild_cache", "std",    "test"};
// Names that the files of every plugin have.
constexpr std::string_view taken_class_names[] = {"Actor", "Answer", "Config", "LENGTH",
                                                  "NULL",  "TEXT",   "TooMany"};

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

template <class Words>
bool is_among(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != std::end(words);
}

/// Lower-case letters, digits and single underscores, beginning with a letter.
bool is_snake_case(std::string_view name) {
  if (name.empty() || !is_lower(name.front()) || name.back() == '_') return false;
  if (name.find("__") != name.npos) return false;
  return std::ranges::all_of(name, [](char c) { return is_lower(c) || is_digit(c) || c == '_'; });
}

bool is_class_name(std::string_view name) {
  return !name.empty() && is_upper(name.front()) && std::ranges::all_of(name, [](char c) {
    return is_lower(c) || is_upper(c) || is_digit(c);
  });
}

std::string in_quotes(std::string_view name) { return '"' + std::string{name} + '"'; }

/// The name in the form that is asked for, as a suggestion; empty if that is impossible.
std::string suggested(std::string_view name, bool (*is_right)(std::string_view)) {
  std::string right;
  if (is_right == &is_class_name) {
    for (std::size_t i = 0; i < name.size(); ++i) {
      if (name[i] == '_' || name[i] == '-') continue;
      const bool begins = i == 0 || name[i - 1] == '_' || name[i - 1] == '-';
      right += begins && is_lower(name[i]) ? static_cast<char>(name[i] - 'a' + 'A') : name[i];
    }
  } else {
    right = snake_case(name);
    std::ranges::replace_if(
        right, [](char c) { return c == '-' || c == '.' || c == ' '; }, '_');
  }
  return is_right(right) ? ": " + right : std::string{};
}

base::Result<void, DraftError> check_field_name(std::string_view name, std::string_view message) {
  if (!is_snake_case(name))
    return DraftError{in_quotes(name) + " cannot be the name of a field of " + std::string{message},
                      "use small letters, digits and _" + suggested(name, &is_snake_case)};
  if (is_among(keywords, name))
    return DraftError{"a field of " + std::string{message} + " cannot be called " +
                          in_quotes(name) + ", which is a keyword of C or C++",
                      "choose another name"};
  return {};
}

base::Result<FieldDraft, DraftError> read_field(std::string_view written, std::string_view message,
                                                bool in_c) {
  const std::size_t colon = written.find(':');
  const std::string_view name = colon == written.npos ? "value" : written.substr(0, colon);
  const std::string_view type = colon == written.npos ? written : written.substr(colon + 1);
  if (auto checked = check_field_name(name, message); !checked) return checked.error();
  auto known = field_type(type);
  if (!known)
    return DraftError{
        "no field has the type " + in_quotes(type) + ", as in " + std::string{message},
        "the types are " + field_type_names(in_c)};
  if (in_c && known->in_c == nullptr)
    return DraftError{
        "a message of a plugin in C cannot have " + in_quotes(written) + ", as in " +
            std::string{message},
        "its fields have a fixed size: " + field_type_names(in_c) +
            "; for others write move, copy and destroy of actord_message_type (plugin.h)"};
  return FieldDraft{std::string{name}, *std::move(known)};
}

}  // namespace

std::string snake_case(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool begins = i != 0 && is_upper(c) && name[i - 1] != '_' && name[i - 1] != '-' &&
                        (!is_upper(name[i - 1]) || (i + 1 < name.size() && is_lower(name[i + 1])));
    if (begins) out += '_';
    out += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

std::string actor_name(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '_') continue;
    const bool begins = i == 0 || name[i - 1] == '_';
    out += begins && is_lower(name[i]) ? static_cast<char>(name[i] - 'a' + 'A') : name[i];
  }
  return out;
}

base::Result<void, DraftError> check_plugin_name(std::string_view name) {
  if (!is_snake_case(name))
    return DraftError{
        in_quotes(name) +
            " cannot be the name of a plugin: it becomes a file, a namespace and a target",
        "use small letters, digits and _" + suggested(name, &is_snake_case)};
  if (name.size() > name_size_max)
    return DraftError{in_quotes(name) + " is too long for the name of a plugin",
                      "at most " + std::to_string(name_size_max) + " letters"};
  if (is_among(keywords, name) || is_among(taken_plugin_names, name) ||
      os::is_symbol_of_process(std::string{name}) ||  // the C library declares it at global scope
      is_among(taken_class_names, actor_name(name)))
    return DraftError{
        "a plugin cannot be called " + in_quotes(name) + ", which means something else",
        "choose another name, such as my_" + std::string{name}};
  return {};
}

base::Result<MessageDraft, DraftError> read_message_draft(std::string_view written, bool in_c) {
  const std::size_t colon = written.find(':');
  const std::string_view name = written.substr(0, colon);
  if (!is_class_name(name) || name.size() > name_size_max)
    return DraftError{in_quotes(name) + " cannot be the name of a message",
                      "begin with a capital letter, and use letters and digits" +
                          suggested(name, &is_class_name)};
  const bool is_macro = name.size() > 1 && std::ranges::none_of(name, is_lower);
  if (is_macro || is_among(taken_class_names, name))
    return DraftError{
        "a message cannot be called " + in_quotes(name) + ": the plugin has that already",
        "choose another name"};
  MessageDraft message{std::string{name}, {}};
  std::string_view rest = colon == written.npos ? std::string_view{} : written.substr(colon + 1);
  for (bool is_more = colon != written.npos; is_more;) {
    const std::size_t comma = rest.find(',');
    auto field = read_field(rest.substr(0, comma), name, in_c);
    if (!field) return field.error();
    if (std::ranges::find(message.fields, field->name, &FieldDraft::name) != message.fields.end())
      return DraftError{"two fields of " + message.name + " are called " + in_quotes(field->name),
                        "write NAME:TYPE for each: " + message.name + ":width:int,height:int"};
    message.fields.push_back(*std::move(field));
    is_more = comma != rest.npos;
    if (is_more) rest.remove_prefix(comma + 1);
  }
  return message;
}

base::Result<PluginDraft, DraftError> read_plugin_draft(std::string_view name,
                                                        const std::vector<std::string>& messages,
                                                        bool in_c) {
  if (auto checked = check_plugin_name(name); !checked) return checked.error();
  PluginDraft draft{std::string{name}, in_c, {}};
  std::set<std::string> names;
  const std::vector<std::string> standard = {"Ping:int"};
  for (const std::string& written : messages.empty() ? standard : messages) {
    auto message = read_message_draft(written, in_c);
    if (!message) return message.error();
    if (message->name == actor_name(draft.name))
      return DraftError{"a message cannot be called " + in_quotes(message->name) +
                            ", which is the name of the actor",
                        "choose another name for it or for the plugin"};
    if (!names.insert(snake_case(message->name)).second)
      return DraftError{"two messages are called " + message->name, "choose another name"};
    draft.messages.push_back(*std::move(message));
  }
  return draft;
}

}  // namespace actord::ctl
