// SPDX-License-Identifier: Apache-2.0
//
// Merges sources into one unresolved tree: the layers in their order, and the files that they
// include.
//
// An included file is parsed straight into the object of its include statement. Names are relative
// to the folder of the including file. A name without .conf or .json stands for both files, .conf
// over .json. A missing file is only a warning unless it is required; any other trouble with it is
// an error. Not here: syntax, resolution.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hocon/diagnostic.hpp"
#include "hocon/file_text.hpp"
#include "hocon/limits.hpp"
#include "hocon/literal_builder.hpp"
#include "hocon/node.hpp"
#include "hocon/parser.hpp"
#include "hocon/secrets.hpp"
#include "hocon/tree.hpp"

namespace actord::hocon {

/// A syntax outside this room, chosen by the ending of the file name.
struct OtherSyntax {
  std::string extension;
  SyntaxReader reader;
};

/// The unresolved configuration while its layers are being read. One thread.
class UnresolvedConfig final : public IncludeHandler {
 public:
  explicit UnresolvedConfig(const Limits& limits);

  /// Adds a layer from a text.
  void add_text(std::string name, std::string text);
  /// Adds a layer from a file. Returns the failure if the file could not be read.
  std::optional<FileFailure> add_file(const std::string& path);

  bool include(const IncludeRequest& request, ObjectLiteral& target,
               const TreePosition& position) override;

  Limits limits;
  std::vector<OtherSyntax> syntaxes;
  SecretPlaces secrets;
  std::pmr::unsynchronized_pool_resource arena;
  SourceFiles files;
  ObjectLiteral root;
  SourceSpan root_span;
  Diagnostics errors;
  Diagnostics warnings;
  std::vector<LoadedFile> loaded;

 private:
  struct Opened {
    std::string name;
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
  };
  enum class IncludeResult : std::uint8_t { done, missing, failed };

  const OtherSyntax* other_syntax_of(std::string_view name) const;
  bool parse(const std::string& name, std::string text, const IncludeScope* scope,
             ObjectLiteral& target, const TreePosition& position);
  IncludeResult include_file(const std::string& path, const IncludeRequest& request,
                             const IncludeScope* scope, ObjectLiteral& target,
                             const TreePosition& position);
  bool include_named(const std::string& path, const IncludeRequest& request, ObjectLiteral& target,
                     const TreePosition& position);
  bool note_missing(const std::string& path, const IncludeRequest& request);
  std::optional<std::string> locate(const IncludeRequest& request);
  const IncludeScope* scope_at(const TreePosition& position);
  std::string chain_to(const Opened& again) const;
  bool fail(const IncludeRequest& request, std::string message, std::string help = {},
            std::string note = {});

  // The layer being read, and above it the includes that led to the current file.
  std::vector<Opened> open_;
  std::uint64_t bytes_ = 0, nodes_ = 0;  // of all files so far
  std::uint32_t files_read_ = 0;
};

}  // namespace actord::hocon
