// SPDX-License-Identifier: Apache-2.0
#include "layers/drop_ins.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <string_view>
#include <utility>

#include "base/utf8.hpp"
#include "os/files.hpp"

namespace actord::layers {

namespace {

using State = LayerFile::State;

struct Candidate {
  std::string name;
  LayerFile file;
};

bool is_printable(std::string_view name) {
  const bool has_control = std::any_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  return !has_control && base::utf8::find_invalid(name) == std::string_view::npos;
}

/// Why a file of that name is skipped; empty if it is not skipped.
std::string reason_to_skip(std::string_view name) {
  constexpr std::array<std::string_view, 4> endings = {".conf", ".json", ".yaml", ".yml"};
  if (name.front() == '.') return "a hidden file";
  if (name.back() == '~') return "an editor's backup";
  if (name.find(".dpkg-") != name.npos || name.find(".rpm") != name.npos)
    return "left behind by the package manager";
  const bool is_known =
      std::any_of(endings.begin(), endings.end(),
                  [&](std::string_view extension) { return name.ends_with(extension); });
  return is_known ? "" : "its name does not end in .conf, .json, .yaml or .yml";
}

hocon::FileError file_error(const std::string& path, const os::SystemError& error) {
  hocon::FileError failed;
  failed.reason = error.number == ENOTDIR ? hocon::FileError::Reason::unreadable
                                          : hocon::reason_of(error.number);
  failed.diagnostic.file = path;
  failed.diagnostic.code = hocon::codes::unreadable;
  failed.diagnostic.message = error.what;
  if (error.number == ENOENT)
    failed.diagnostic.help = "it is a broken symbolic link; to mask a file, link it to /dev/null";
  return failed;
}

/// A directory instead of its entries.
Candidate whole(const DropInFolder& folder, State state, std::string why) {
  return {{}, {folder.path, folder.layer, state, std::move(why), {}}};
}

/// Adds the entries of one directory to `candidates`.
void add_entries(const DropInFolder& folder, std::vector<Candidate>& candidates, DropIns& found) {
  auto names = os::names_in(folder.path);
  if (!names) {
    const bool is_missing = names.error().number == ENOENT;
    candidates.push_back(is_missing ? whole(folder, State::missing, "there is no such folder")
                                    : whole(folder, State::failed, {}));
    if (!is_missing) found.errors.push_back(file_error(folder.path, names.error()));
    return;
  }
  if (const auto facts = os::facts_of(folder.path); facts && facts->others_may_write) {
    hocon::Diagnostic warning;
    warning.file = folder.path;
    warning.code = hocon::codes::writable;
    warning.message = "any user may put configuration into this folder";
    warning.help = "chmod o-w " + folder.path;
    warning.warning = true;
    found.warnings.push_back(std::move(warning));
  }
  if (names->empty()) candidates.push_back(whole(folder, State::empty, "a folder without files"));
  for (std::string& name : *names) {
    LayerFile file = {
        folder.path + '/' + name, folder.layer, State::loaded, reason_to_skip(name), {}};
    if (file.why.empty() && !is_printable(name)) file.why = "its name cannot be printed";
    if (file.why.empty() && os::is_directory(file.path)) file.why = "a folder";
    if (!file.why.empty()) file.state = State::skipped;
    candidates.push_back({std::move(name), std::move(file)});
  }
}

/// Sets the state of a file that no stronger file masks: loaded, masking or failed.
void set_state(LayerFile& file, DropIns& found) {
  const auto facts = os::facts_of(file.path);
  if (!facts) {
    file.state = State::failed;
    found.errors.push_back(file_error(file.path, facts.error()));
  } else if (facts->kind == os::FileFacts::Kind::null_device) {
    file.state = State::masking;
    file.why = "a link to /dev/null";
  } else if (facts->kind == os::FileFacts::Kind::regular && facts->size == 0) {
    file.state = State::masking;
    file.why = "an empty file";
  }
}

}  // namespace

DropIns find_drop_ins(const std::vector<DropInFolder>& folders) {
  DropIns found;
  std::vector<Candidate> candidates;  // sorted by name, then from the weakest to the strongest
  for (const DropInFolder& folder : folders) add_entries(folder, candidates, found);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.name < b.name; });
  std::map<std::string_view, const LayerFile*> strongest;
  for (const Candidate& candidate : candidates) {
    if (candidate.file.state == State::loaded) strongest[candidate.name] = &candidate.file;
  }
  for (auto& [name, file] : candidates) {
    if (file.state != State::loaded) continue;
    const LayerFile* winner = strongest[name];
    if (winner == &file) {
      set_state(file, found);
    } else {
      file.state = State::masked;
      file.why = winner->path;
    }
  }
  for (Candidate& candidate : candidates) found.files.push_back(std::move(candidate.file));
  return found;
}

}  // namespace actord::layers
