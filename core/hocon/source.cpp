// SPDX-License-Identifier: Apache-2.0
#include "hocon/source.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/utf8.hpp"
#include "hocon/include.hpp"
#include "hocon/kept_secrets.hpp"
#include "hocon/key_path.hpp"
#include "hocon/merge.hpp"
#include "hocon/resolver.hpp"
#include "hocon/secrets.hpp"
#include "hocon/taint.hpp"
#include "hocon/tree_data.hpp"

namespace actord::hocon {

/// The state of a Source.
class Layers {
 public:
  explicit Layers(const Limits& limits) : draft(limits) {}

  UnresolvedConfig draft;
  Source::Environment environment;
  SecretReader secret_reader;
};

namespace {

// Sorts by place, removes duplicates, and cuts the list at `most`.
void sort_and_limit(Diagnostics& errors, std::size_t most) {
  const auto place = [](const Diagnostic& finding) {
    return std::tie(finding.file, finding.line, finding.column);
  };
  std::stable_sort(errors.begin(), errors.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
  const auto is_same = [&](const Diagnostic& a, const Diagnostic& b) {
    return place(a) == place(b) && a.message == b.message;
  };
  errors.erase(std::unique(errors.begin(), errors.end(), is_same), errors.end());
  if (errors.size() > most) errors.resize(most);
}

}  // namespace

FileError::Reason reason_of(int error) noexcept {
  if (error == ENOENT || error == ENOTDIR) return FileError::Reason::missing;
  if (error == EACCES || error == EPERM) return FileError::Reason::not_permitted;
  return FileError::Reason::unreadable;
}

Source::Source(Limits limits) : layers_(std::make_unique<Layers>(limits)) {}
Source::~Source() = default;
Source::Source(Source&&) noexcept = default;
Source& Source::operator=(Source&&) noexcept = default;

void Source::set_syntax(std::string extension, SyntaxReader reader) {
  layers_->draft.syntaxes.push_back({std::move(extension), std::move(reader)});
}

void Source::add_text(std::string name, std::string text) {
  layers_->draft.add_text(std::move(name), std::move(text));
}

base::Result<void, FileError> Source::add_file(const std::string& path) {
  const std::optional<FileFailure> failure = layers_->draft.add_file(path);
  if (!failure) return {};
  FileError error;
  error.reason = reason_of(failure->error);
  error.diagnostic.file = path;
  error.diagnostic.code = codes::unreadable;
  error.diagnostic.message = "cannot read the configuration file: " + failure->what;
  if (failure->error == EISDIR) error.diagnostic.help = "name a file in that folder";
  return error;
}

void Source::add_override(std::string_view assignment, std::string origin) {
  layers_->draft.add_text(std::move(origin), std::string(assignment));
}

void Source::add_string(std::string_view path, std::string_view value, std::string origin) {
  UnresolvedConfig& draft = layers_->draft;
  const std::uint32_t file = draft.files.add(std::move(origin), std::string(value));
  const SourceSpan span = {{file, 1, 1}, UINT32_MAX};
  const auto elements = parse_path(path);
  if (!elements || elements->size() > draft.limits.nesting) {
    draft.errors.push_back(coded(
        codes::syntax, diagnostic_at(draft.files, span, quoted_for_message(path) + " is not a key",
                                     "a key is made of names with dots between them: a.b.c")));
    return;
  }
  if (base::utf8::find_invalid(value) != std::string_view::npos) {
    draft.errors.push_back(
        coded(codes::encoding, diagnostic_at(draft.files, span, "not valid UTF-8")));
    return;
  }
  std::pmr::polymorphic_allocator<> arena(&draft.arena);
  auto& kept =
      *arena.new_object<std::pmr::vector<std::pmr::string>>(elements->begin(), elements->end());
  auto& names = *arena.new_object<std::pmr::vector<std::string_view>>(kept.begin(), kept.end());
  Node* node = arena.new_object<Node>();
  node->kind = NodeKind::string;
  node->span = span;
  node->text = draft.files[file].text;
  define(draft.root, names, node, span, &draft.arena);
}

void Source::report(Diagnostic error) { layers_->draft.errors.push_back(std::move(error)); }

const std::vector<LoadedFile>& Source::files() const { return layers_->draft.loaded; }

std::string Source::place_of(const Origin& origin) const {
  return layers_->draft.files.text_of(origin);
}

void Source::set_environment(Environment environment) {
  layers_->environment = std::move(environment);
}

void Source::set_secrets(const std::vector<std::string>& places, SecretReader reader) {
  for (const std::string& place : places) layers_->draft.secrets.add(place);
  layers_->secret_reader = std::move(reader);
}

base::Result<Tree, Diagnostics> Source::resolve() {
  UnresolvedConfig& draft = layers_->draft;
  Diagnostics errors = std::move(draft.errors);
  if (errors.empty()) {
    auto data = std::make_shared<TreeData>();
    data->files = std::move(draft.files);
    data->loaded = std::move(draft.loaded);
    data->warnings = std::move(draft.warnings);
    Node root;
    root.kind = NodeKind::object;
    root.object = &draft.root;
    root.span = {{data->files.size() == 0 ? 0U : 1U, 0, 0}, 0};
    const ExternalInput external{layers_->environment, draft.secrets, layers_->secret_reader};
    Resolver resolver(root, *data, draft.limits, external, errors);
    // The next steps run after errors, too: they report further errors.
    const bool is_whole = resolver.resolve();
    const std::vector<TreeNode*> secrets = nodes_at(*data, draft.secrets);
    SecretFindings found = fetch_kept_secrets(*data, secrets, layers_->secret_reader);
    std::ranges::move(found.errors, std::back_inserter(errors));
    taint(*data, secrets,
          layers_->secret_reader ? UnfetchedSecret::names_place : UnfetchedSecret::is_value);
    if (is_whole && errors.empty()) return Tree(std::move(data));
  }
  sort_and_limit(errors, draft.limits.errors);
  return errors;
}

Source::Environment environment_of(const char* const* variables) {
  auto values = std::make_shared<std::unordered_map<std::string, std::string>>();
  for (; variables != nullptr && *variables != nullptr; ++variables) {
    const std::string_view variable = *variables;
    const std::size_t equals = variable.find('=');
    if (equals == std::string_view::npos) continue;
    values->emplace(variable.substr(0, equals), variable.substr(equals + 1));
  }
  return [values](std::string_view name) -> std::optional<std::string> {
    const auto found = values->find(std::string(name));
    return found == values->end() ? std::nullopt : std::optional(found->second);
  };
}

Source::Environment process_environment() { return environment_of(environ); }

}  // namespace actord::hocon
