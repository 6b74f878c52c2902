// SPDX-License-Identifier: Apache-2.0
//
// The layers of a configuration: texts, files and overrides, merged as if they were one file, then
// resolved once.
//
// Not here: where the layers are looked for and in which order (daemon), and what the keys mean.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "hocon/diagnostic.hpp"
#include "hocon/limits.hpp"
#include "hocon/literal_builder.hpp"
#include "hocon/secret_reader.hpp"
#include "hocon/tree.hpp"

namespace actord::hocon {

/// Why a file could not be read.
struct FileError {
  enum class Reason : std::uint8_t { missing, not_permitted, unreadable };
  Reason reason = Reason::unreadable;
  Diagnostic diagnostic;
};

/// The reason that an errno gives.
FileError::Reason reason_of(int error) noexcept;

class Layers;

/// Collects layers, later ones over earlier ones, then resolves. One thread; use it once.
class Source {
 public:
  /// Looks up one environment variable; nothing when it is not set.
  using Environment = std::function<std::optional<std::string>(std::string_view name)>;

  explicit Source(Limits limits = {});
  ~Source();
  Source(Source&&) noexcept;
  Source& operator=(Source&&) noexcept;

  /// Files whose names end so (".yaml") are read by `reader` from now on, wherever they come from.
  /// An include without such an ending does not look for them.
  void set_syntax(std::string extension, SyntaxReader reader);

  /// HOCON under a name of its own, such as "reference.conf". It cannot include relative files.
  void add_text(std::string name, std::string text);

  /// A file; includes in it are relative to its folder. The answer only says whether the file
  /// itself could be opened and read: what is wrong inside comes out of resolve(). After an error
  /// the layer is left out.
  base::Result<void, FileError> add_file(const std::string& path);

  /// `key.path=VALUE` or `key.path+=VALUE`, the value in HOCON; `origin` names it in messages
  /// ("--set").
  void add_override(std::string_view assignment, std::string origin = "--set");

  /// A string that is taken as it is, such as an environment variable's value. `path` is a path
  /// expression.
  void add_string(std::string_view path, std::string_view value, std::string origin);

  /// What the caller found wrong itself comes out of resolve() with the rest.
  void report(Diagnostic error);

  /// Every file looked at so far, in order, and a place as "file:line".
  const std::vector<LoadedFile>& files() const;
  std::string place_of(const Origin& origin) const;

  /// Makes the values at those places secret, "vars.secret.*", and lets `reader` fetch those that
  /// are kept elsewhere; without one nothing is fetched. Before the first layer.
  void set_secrets(const std::vector<std::string>& places, SecretReader reader);

  /// Where `${NAME}` looks when the configuration has no such key. Default: nowhere.
  void set_environment(Environment environment);

  /// Merges and resolves. On failure every finding, sorted by place, at most Limits::errors of
  /// them.
  base::Result<Tree, Diagnostics> resolve();

 private:
  std::unique_ptr<Layers> layers_;
};

/// A copy of variables given as "NAME=value", the last one followed by a null pointer, as in
/// `environ`.
Source::Environment environment_of(const char* const* variables);

/// A copy of this process's environment, taken now: for programs, not for the library.
Source::Environment process_environment();

}  // namespace actord::hocon
