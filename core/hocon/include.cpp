// SPDX-License-Identifier: Apache-2.0
#include "hocon/include.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/utf8.hpp"

namespace actord::hocon {

namespace {

constexpr std::string_view file_scheme = "file:";

Lexer::Syntax syntax_of(std::string_view name) noexcept {
  return name.ends_with(".json") ? Lexer::Syntax::json : Lexer::Syntax::hocon;
}

/// The scheme, such as "http" of "http://x"; "" if the text does not begin like an address.
std::string_view scheme_of(std::string_view text) noexcept {
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos || colon == 0) return {};
  const std::string_view scheme = text.substr(0, colon);
  const bool letters =
      scheme.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+.-") ==
      std::string_view::npos;
  return letters ? scheme : std::string_view();
}

std::string folder_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? std::string() : file.substr(0, slash + 1);
}

}  // namespace

UnresolvedConfig::UnresolvedConfig(const Limits& given) : limits(given), root(&arena) {}

void UnresolvedConfig::add_text(std::string name, std::string text) {
  open_.push_back({});
  parse(name, std::move(text), nullptr, root, {});
  open_.pop_back();
}

std::optional<FileFailure> UnresolvedConfig::add_file(const std::string& path) {
  auto read = read_file(path, limits.source_bytes);
  if (!read) return std::move(read).error();
  loaded.push_back({path, LoadedFile::State::loaded, {}});
  open_.push_back({path, read->device, read->inode});
  parse(path, std::move(read->text), nullptr, root, {});
  open_.pop_back();
  return std::nullopt;
}

// If several syntaxes match the name, the one set last counts.
const OtherSyntax* UnresolvedConfig::other_syntax_of(std::string_view name) const {
  const auto found =
      std::find_if(syntaxes.rbegin(), syntaxes.rend(),
                   [&](const OtherSyntax& syntax) { return name.ends_with(syntax.extension); });
  return found == syntaxes.rend() ? nullptr : &*found;
}

bool UnresolvedConfig::parse(const std::string& name, std::string text, const IncludeScope* scope,
                             ObjectLiteral& target, const TreePosition& position) {
  bytes_ += text.size();
  const std::uint32_t file = files.add(name, std::move(text));
  if (bytes_ > limits.source_bytes) {
    errors.push_back(
        coded(codes::limit,
              diagnostic_at(files, {{file, 0, 0}, 0},
                            "the configuration is larger than " +
                                std::to_string(limits.source_bytes >> 20U) + " MiB altogether")));
    return false;
  }
  const std::string_view content = files[file].text;
  if (const std::size_t bad = base::utf8::find_invalid(content); bad != std::string_view::npos) {
    const std::string_view before = content.substr(0, bad);
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    const auto line =
        static_cast<std::uint32_t>(1 + std::count(before.begin(), before.end(), '\n'));
    const auto column =
        static_cast<std::uint32_t>(1 + base::utf8::length(before.substr(line_start)));
    errors.push_back(
        coded(codes::encoding, diagnostic_at(files, {{file, line, column}, 1}, "not valid UTF-8",
                                             "save the file as UTF-8")));
    return false;
  }
  if (const OtherSyntax* other = other_syntax_of(name)) {
    LiteralBuilder builder({arena, files, limits, nodes_, errors, position}, file);
    other->reader(content, builder);
    return builder.finish(target);
  }
  const ParserSetting setting{arena, files, limits, nodes_, *this, errors};
  Parser parser(setting, file, syntax_of(name), scope, position);
  return parser.parse(target);
}

bool UnresolvedConfig::fail(const IncludeRequest& request, std::string message, std::string help,
                            std::string note) {
  errors.push_back(coded(codes::include, diagnostic_at(files, request.span, std::move(message),
                                                       std::move(help), std::move(note))));
  return false;
}

// The path of the named file; nothing, after an error, if there cannot be one.
std::optional<std::string> UnresolvedConfig::locate(const IncludeRequest& request) {
  std::string_view name = request.name;
  if (request.form == IncludeRequest::Form::classpath) {
    fail(request, "there is no class path to include from", "include a file by its name");
    return std::nullopt;
  }
  const bool local = name.starts_with(file_scheme) && request.form != IncludeRequest::Form::file;
  if (local) {
    name.remove_prefix(file_scheme.size());
    if (name.starts_with("///")) name.remove_prefix(2);
  }
  const bool remote = request.form != IncludeRequest::Form::file && !scheme_of(name).empty();
  if (remote || (request.form == IncludeRequest::Form::url && !local)) {
    fail(request, "only files can be included",
         "fetch it beforehand: a configuration must be readable without a network");
    return std::nullopt;
  }
  if (name.ends_with(".properties")) {
    fail(request, "Java properties cannot be included",
         "write the file as HOCON; most properties files are nearly that");
    return std::nullopt;
  }
  if (name.empty()) {
    fail(request, "an include needs the name of a file");
    return std::nullopt;
  }
  if (name.front() == '/') return std::string(name);
  const Opened& including = open_.back();
  if (including.name.empty()) {
    fail(request, "a text that is not a file cannot include a relative path",
         "give the whole path, beginning with /");
    return std::nullopt;
  }
  return folder_of(including.name).append(name);
}

bool UnresolvedConfig::include(const IncludeRequest& request, ObjectLiteral& target,
                               const TreePosition& position) {
  const std::optional<std::string> path = locate(request);
  return path && include_named(*path, request, target, position);
}

bool UnresolvedConfig::include_named(const std::string& path, const IncludeRequest& request,
                                     ObjectLiteral& target, const TreePosition& position) {
  const IncludeScope* scope = scope_at(position);
  std::vector<std::string> candidates = {path};
  const bool is_whole_name =
      path.ends_with(".conf") || path.ends_with(".json") || other_syntax_of(path) != nullptr;
  if (!is_whole_name) {
    candidates = {path + ".json", path + ".conf"};
    const bool neither = !is_file(candidates[0]) && !is_file(candidates[1]);
    if (neither && is_file(path)) candidates = {path};
  }
  bool found = false;
  for (const std::string& candidate : candidates) {
    const IncludeResult outcome = include_file(candidate, request, scope, target, position);
    if (outcome == IncludeResult::failed) return false;
    found = found || outcome == IncludeResult::done;
  }
  return found || note_missing(path, request);
}

bool UnresolvedConfig::note_missing(const std::string& path, const IncludeRequest& request) {
  const bool is_a_folder = is_folder(path);
  const std::string why = is_a_folder ? " is a folder" : " does not exist";
  if (request.required) return fail(request, "the required file " + path + why);
  loaded.push_back({path, LoadedFile::State::missing, request.span.at});
  Diagnostic note =
      diagnostic_at(files, request.span, "the included file " + path + why,
                    is_a_folder ? "include its files, each by its name"
                                : "write include required(...) if the configuration needs it");
  note.code = codes::missing_include;
  note.warning = true;
  warnings.push_back(std::move(note));
  return true;
}

UnresolvedConfig::IncludeResult UnresolvedConfig::include_file(const std::string& path,
                                                               const IncludeRequest& request,
                                                               const IncludeScope* scope,
                                                               ObjectLiteral& target,
                                                               const TreePosition& position) {
  const auto failed = [&](std::string message, std::string note = {}) {
    fail(request, std::move(message), {}, std::move(note));
    return IncludeResult::failed;
  };
  const std::uint64_t room = limits.source_bytes - std::min(limits.source_bytes, bytes_);
  auto read = read_file(path, room);
  if (!read) {
    const FileFailure& failure = read.error();
    if (failure.error == ENOENT || failure.error == ENOTDIR) return IncludeResult::missing;
    if (failure.error == EFBIG) {
      return failed("with " + path + " the configuration is larger than " +
                    std::to_string(limits.source_bytes >> 20U) + " MiB altogether");
    }
    return failed("cannot read " + path + ": " + failure.what);
  }
  const Opened opened{path, read->device, read->inode};
  for (const Opened& above : open_) {
    if (above.inode == opened.inode && above.device == opened.device && !above.name.empty()) {
      return failed("an include cycle: " + path + " is already being read", chain_to(above));
    }
  }
  if (open_.size() > limits.include_depth) {
    return failed("includes nested deeper than " + std::to_string(limits.include_depth));
  }
  if (++files_read_ > limits.files)
    return failed("more than " + std::to_string(limits.files) + " included files");
  loaded.push_back({path, LoadedFile::State::loaded, request.span.at});
  open_.push_back(opened);
  // parse() has reported its syntax errors; the including file goes on, so that more errors are
  // found.
  parse(path, std::move(read->text), scope, target, position);
  open_.pop_back();
  const bool hopeless = bytes_ > limits.source_bytes || errors.size() >= limits.errors;
  return hopeless ? IncludeResult::failed : IncludeResult::done;
}

std::string UnresolvedConfig::chain_to(const Opened& again) const {
  std::string chain;
  bool inside = false;
  for (const Opened& opened : open_) {
    inside = inside || &opened == &again;
    if (inside) chain.append(opened.name).append(" includes ");
  }
  return chain.append(again.name);
}

const IncludeScope* UnresolvedConfig::scope_at(const TreePosition& position) {
  if (position.anchor == nullptr && position.path.empty()) return nullptr;
  std::pmr::polymorphic_allocator<> allocator(&arena);
  auto& prefix = *allocator.new_object<std::pmr::vector<std::string_view>>();
  prefix.assign(position.path.begin(), position.path.end());
  return allocator.new_object<IncludeScope>(IncludeScope{position.anchor, prefix});
}

}  // namespace actord::hocon
