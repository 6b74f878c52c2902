// SPDX-License-Identifier: Apache-2.0
#include "layers/layers.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include "hocon/units.hpp"
#include "layers/yaml_syntax.hpp"
#include "os/files.hpp"

namespace actord::layers {

namespace fs = std::filesystem;

namespace {

using State = LayerFile::State;

/// Values that configurations keep for substitutions and that are never shown.
constexpr std::string_view secret_variables = "vars.secret.*";

/// The drop-in directories that belong to the files, the weakest first.
std::vector<DropInFolder> folders_of(const LayerOptions& options) {
  if (!options.drop_ins || options.files.empty()) return {};
  const fs::path main = options.files.front();
  std::error_code ignored;
  const bool is_system =
      fs::absolute(main, ignored).lexically_normal() == fs::path(options.system.file);
  std::vector<DropInFolder> folders;
  if (is_system) {
    for (const std::string& vendor : options.system.vendor)
      folders.push_back({vendor, Layer::vendor});
    folders.push_back({options.system.runtime, Layer::administrator});
  }
  folders.push_back({drop_in_folder_of(options.files.front()), Layer::administrator});
  return folders;
}

class Gatherer {
 public:
  explicit Gatherer(const LayerOptions& options) : options_(options) {}

  LayeredSource gather() {
    set_syntaxes(out_.source);
    const auto environment = hocon::environment_of(options_.environment);
    out_.source.set_environment(environment);
    set_secrets(out_.source, options_.secret_keys, environment, options_.secrets);
    out_.source.add_text(options_.built_in_name, options_.built_in_text);
    DropIns drop_ins = find_drop_ins(folders_of(options_));
    for (hocon::FileError& error : drop_ins.errors) fail(std::move(error));
    out_.warnings = std::move(drop_ins.warnings);
    add_drop_ins(drop_ins, Layer::vendor);
    for (const std::string& file : options_.files)
      add_file({file, Layer::main, State::loaded, {}, {}});
    add_drop_ins(drop_ins, Layer::administrator);
    add_variables();
    for (const Assignment& each : options_.assignments)
      out_.source.add_override(each.text, each.origin);
    warn_of_writable_files();
    return std::move(out_);
  }

 private:
  void fail(hocon::FileError error) {
    if (!out_.failure) out_.failure = error.reason;
    out_.source.report(std::move(error.diagnostic));
  }

  void add_drop_ins(const DropIns& drop_ins, Layer layer) {
    for (const LayerFile& file : drop_ins.files) {
      if (file.layer != layer) continue;
      if (file.state == State::loaded) add_file(file);
      else out_.files.push_back(file);
    }
  }

  /// Adds a file, followed by the files that it includes.
  void add_file(LayerFile file) {
    const std::size_t before = out_.source.files().size();
    if (auto added = out_.source.add_file(file.path); !added) {
      const bool missing = added.error().reason == hocon::FileError::Reason::missing;
      file.state = missing ? State::missing : State::failed;
      out_.files.push_back(std::move(file));
      fail(added.error());
      return;
    }
    const Layer layer = file.layer;
    out_.files.push_back(std::move(file));
    const std::vector<hocon::LoadedFile>& loaded = out_.source.files();
    for (std::size_t i = before + 1; i < loaded.size(); ++i) {
      const bool missing = loaded[i].state == hocon::LoadedFile::State::missing;
      out_.files.push_back({loaded[i].name,
                            layer,
                            missing ? State::missing : State::loaded,
                            {},
                            out_.source.place_of(loaded[i].included_from)});
    }
  }

  /// Adds the variables sorted by name, so that the result does not depend on their order in the
  /// environment.
  void add_variables() {
    std::map<std::string_view, std::string_view> variables;
    for (const char* const* each = options_.environment; each != nullptr && *each != nullptr;
         ++each) {
      const std::string_view variable = *each;
      const std::size_t equals = variable.find('=');
      if (equals != variable.npos && variable.starts_with(variable_prefix))
        variables.emplace(variable.substr(0, equals), variable.substr(equals + 1));
    }
    for (const auto& [name, value] : variables) {
      const auto key = hocon::key_of_environment_name(name.substr(variable_prefix.size()));
      if (key) {
        out_.source.add_string(*key, value, std::string{name});
        continue;
      }
      hocon::Diagnostic error;
      error.file = name;
      error.code = hocon::codes::syntax;
      error.message = "the name of this environment variable is not that of a key";
      error.help =
          "_ stands for a dot, __ for a hyphen, ___ for an underscore: "
          "ACTORD_SET_actord_log_level";
      out_.source.report(std::move(error));
    }
  }

  void warn_of_writable_files() {
    for (const LayerFile& file : out_.files) {
      if (file.state != State::loaded) continue;
      const auto facts = os::facts_of(file.path);
      const bool regular = facts && facts->kind == os::FileFacts::Kind::regular;
      if (!regular || !facts->others_may_write) continue;
      hocon::Diagnostic warning;
      warning.file = file.path;
      warning.code = hocon::codes::writable;
      warning.message = "any user may write to this file";
      warning.help = "chmod o-w " + file.path;
      warning.warning = true;
      out_.warnings.push_back(std::move(warning));
    }
  }

  const LayerOptions& options_;
  LayeredSource out_;
};

}  // namespace

std::string drop_in_folder_of(const std::string& main_file) {
  return (fs::path(main_file).parent_path() / "conf.d").string();
}

LayeredSource gather(const LayerOptions& options) { return Gatherer(options).gather(); }

void set_secrets(hocon::Source& source, std::vector<std::string> keys,
                 hocon::Source::Environment environment, SecretUse use) {
  keys.emplace_back(secret_variables);
  source.set_secrets(keys, secret_store(std::move(environment), use));
}

void set_syntaxes(hocon::Source& source) {
  source.set_syntax(".yaml", yaml_syntax());
  source.set_syntax(".yml", yaml_syntax());
}

}  // namespace actord::layers
