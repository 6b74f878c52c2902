// SPDX-License-Identifier: Apache-2.0
//
// The layers of a configuration: texts, files and overrides. They are merged as if they were one
// file, then resolved once.
//
// Not here: where the layers come from and in which order (daemon), and the meaning of the keys.
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

/// The reason for which a file could not be read.
struct FileError {
  enum class Reason : std::uint8_t { missing, not_permitted, unreadable };
  Reason reason = Reason::unreadable;
  Diagnostic diagnostic;
};

/// The reason for an errno.
FileError::Reason reason_of(int error) noexcept;

class Layers;

/// Collects layers, later ones over earlier ones, then resolves them. One thread; use it once.
class Source {
 public:
  /// Looks up an environment variable; nothing if it is not set.
  using Environment = std::function<std::optional<std::string>(std::string_view name)>;

  explicit Source(Limits limits = {});
  ~Source();
  Source(Source&&) noexcept;
  Source& operator=(Source&&) noexcept;

  /// From now on `reader` reads all files with this ending (".yaml"), layers and included files. An
  /// include without an ending does not try this one.
  void set_syntax(std::string extension, SyntaxReader reader);

  /// Adds HOCON text with a name of its own, such as "reference.conf". It cannot include relative
  /// files.
  void add_text(std::string name, std::string text);

  /// Adds a file; includes in it are relative to its folder. The result only says whether the file
  /// could be opened and read, and after an error the layer is left out. Errors in its content come
  /// out of resolve().
  base::Result<void, FileError> add_file(const std::string& path);

  /// Adds `key.path=VALUE` or `key.path+=VALUE` with the value in HOCON. `origin` names it in
  /// messages ("--set").
  void add_override(std::string_view assignment, std::string origin = "--set");

  /// Adds a string as it is, such as the value of an environment variable. `path` is a path
  /// expression.
  void add_string(std::string_view path, std::string_view value, std::string origin);

  /// Adds an error that the caller found; it comes out of resolve() with the others.
  void report(Diagnostic error);

  /// All files looked at so far, in order, and a place as "file:line".
  const std::vector<LoadedFile>& files() const;
  std::string place_of(const Origin& origin) const;

  /// Makes the values at those places secret, such as "vars.secret.*". `reader` fetches secrets
  /// that are kept elsewhere; without a reader none is fetched. Call it before the first layer is
  /// added.
  void set_secrets(const std::vector<std::string>& places, SecretReader reader);

  /// The variables for `${NAME}` when the configuration has no such key. Default: none.
  void set_environment(Environment environment);

  /// Merges and resolves. The error has all findings, sorted by place, at most Limits::errors of
  /// them.
  base::Result<Tree, Diagnostics> resolve();

 private:
  std::unique_ptr<Layers> layers_;
};

/// A copy of variables given as "NAME=value" and ended by a null pointer, as in `environ`.
Source::Environment environment_of(const char* const* variables);

/// A copy of this process's environment, taken now. For programs, not for the library.
Source::Environment process_environment();

}  // namespace actord::hocon
