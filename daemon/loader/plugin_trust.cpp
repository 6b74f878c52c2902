// SPDX-License-Identifier: Apache-2.0
#include "loader/plugin_trust.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "os/files.hpp"
#include "os/local_socket.hpp"
#include "os/process.hpp"

namespace actord::loader {

namespace {

using Component = os::PathComponent;
using Kind = Component::Kind;

constexpr mode_t others_may_write = S_IWGRP | S_IWOTH;

bool is_accepted(uid_t user, const Trust& trust) {
  return std::ranges::find(trust.owners, user) != trust.owners.end();
}

/// A symbolic link has no permissions of its own: its folder's decide who can replace it.
bool is_writable_for_others(const Component& component) {
  return component.kind != Kind::link && (component.mode & others_may_write) != 0;
}

bool is_sticky_folder(const Component& component) {
  return component.kind == Kind::folder && (component.mode & S_ISVTX) != 0;
}

/// Only the owner of a folder can rename it in a sticky folder. Another entry could be a hard link
/// that another user has made.
bool has_only_folders(const Component& sticky, const os::WalkedPath& walked) {
  return std::ranges::all_of(walked.components, [&](const Component& each) {
    const bool is_inside = each.path.substr(0, each.path.rfind('/')) == sticky.path;
    return !is_inside || each.kind == Kind::folder;
  });
}

/// The components of `walked` that do not pass.
std::vector<const Component*> failing(const os::WalkedPath& walked, const Trust& trust) {
  std::vector<const Component*> found;
  for (const Component& each : walked.components) {
    const bool may_be_written = trust.rule == Trust::Rule::developer && is_sticky_folder(each) &&
                                has_only_folders(each, walked);
    if (!is_accepted(each.owner, trust) || (is_writable_for_others(each) && !may_be_written))
      found.push_back(&each);
  }
  return found;
}

std::string owner_name(uid_t uid) {
  const std::string name = os::user_name(uid), number = std::to_string(uid);
  return name == number ? "uid " + number : name;
}

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::folder: return "folder";
    case Kind::link: return "symbolic link";
    case Kind::file: break;
  }
  return "file";
}

std::string octal(mode_t mode) {
  std::array<char, 8> text = {};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), mode, 8).ptr;
  return '0' + std::string(text.data(), end);
}

std::string described(const Component& component) {
  std::string text = "the ";
  text.append(kind_name(component.kind)).append(" ").append(component.path);
  text.append(" belongs to ").append(owner_name(component.owner));
  if (component.kind != Kind::link) text.append(" and has mode ").append(octal(component.mode));
  return text;
}

/// "root", "root or alice", "root, alice or bob"
std::string list_of_owners(const Trust& trust) {
  std::string text;
  for (std::size_t i = 0; i < trust.owners.size(); ++i) {
    if (i != 0) text += i + 1 == trust.owners.size() ? " or " : ", ";
    text += owner_name(trust.owners[i]);
  }
  return text;
}

/// A word of a shell.
std::string shell_word(const std::string& path) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,:@%";
  if (path.find_first_not_of(plain) == path.npos) return path;
  std::string word = "'";
  for (const char c : path) word += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return word + '\'';
}

std::string help_for(const std::vector<const Component*>& failed, const os::WalkedPath& walked,
                     const Trust& trust) {
  // Other programs need a sticky folder as it is.
  if (std::ranges::any_of(failed, [](const Component* each) { return is_sticky_folder(*each); })) {
    return "install -m 0644 " + shell_word(walked.file) +
           " /usr/lib/actord/plugins/, or into another folder that only root can change";
  }
  std::string option, owner_words, mode_words;
  for (const Component* each : failed) {
    const std::string word = ' ' + shell_word(each->path);
    if (!is_accepted(each->owner, trust)) owner_words += word;
    if (is_writable_for_others(*each)) mode_words += word;
    if (each->kind == Kind::link) option = "-h ";
  }
  std::string commands;
  if (!owner_words.empty()) commands = "chown " + option + "root:" + owner_words;
  if (!mode_words.empty())
    commands += (commands.empty() ? "" : " && ") + ("chmod go-w" + mode_words);
  return commands;
}

}  // namespace

std::string_view name_of(Trust::Rule rule) noexcept {
  return rule == Trust::Rule::strict ? "strict" : "developer";
}

Trust developer_trust() {
  Trust trust{Trust::Rule::developer, {0}};
  const auto accept = [&](uid_t user) {
    if (!is_accepted(user, trust)) trust.owners.push_back(user);
  };
  const uid_t own = os::own_user();
  accept(own);
  if (const auto executable = os::walk(os::real_path(os::own_executable)))
    accept(executable->components.back().owner);
  const auto caller = os::number_of_variable("SUDO_UID");
  if (own == 0 && caller && std::in_range<uid_t>(*caller)) accept(static_cast<uid_t>(*caller));
  return trust;
}

std::optional<Refusal> why_not_trusted(const os::WalkedPath& walked, const Trust& trust) {
  const auto failed = failing(walked, trust);
  if (failed.empty()) return std::nullopt;
  std::string what = "others than " + list_of_owners(trust) + " can change what is loaded: ";
  for (const Component* each : failed)
    what.append(each == failed.front() ? "" : "; ").append(described(*each));
  return Refusal{Refusal::Kind::refused, std::move(what), help_for(failed, walked, trust),
                 walked.file};
}

}  // namespace actord::loader
