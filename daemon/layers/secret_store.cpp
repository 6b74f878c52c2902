// SPDX-License-Identifier: Apache-2.0
#include "layers/secret_store.hpp"

#include <cerrno>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "base/utf8.hpp"
#include "hocon/file_text.hpp"
#include "hocon/finding_codes.hpp"
#include "hocon/kept_secrets.hpp"
#include "os/files.hpp"

namespace actord::layers {

namespace fs = std::filesystem;

using hocon::Diagnostic;
using hocon::FetchedSecret;
using hocon::SecretRequest;
using Fetched = base::Result<FetchedSecret, Diagnostic>;

namespace {

constexpr std::uint64_t bytes_max = 64 * 1024;

Diagnostic secret_finding(const SecretRequest& request, std::string message,
                          std::string help = {}) {
  Diagnostic finding = request.at;
  finding.code = hocon::codes::secret;
  finding.message = std::move(message);
  finding.help = std::move(help);
  return finding;
}

class SecretStore {
 public:
  SecretStore(hocon::Source::Environment environment, SecretUse use)
      : environment_(std::move(environment)), use_(use) {}

  Fetched operator()(const SecretRequest& request) const {
    if (use_ == SecretUse::ignored) return placeholder(request);
    if (request.form == "credential") return credential(request);
    if (request.form == "env") return variable(request);
    const fs::path folder = fs::path(request.at.file).parent_path();
    return file(request, (folder / request.name).string());
  }

 private:
  /// A placeholder that differs for each form and name, so that a comparison finds differences.
  static FetchedSecret placeholder(const SecretRequest& request) {
    return {std::string(request.form) + ' ' + std::string(request.name), {}};
  }

  std::optional<std::string> value_of(std::string_view name) const {
    return environment_ ? environment_(name) : std::nullopt;
  }

  Fetched credential(const SecretRequest& request) const {
    const std::string name(request.name);
    const std::string place = hocon::external_place(request);
    if (name.empty() || name == "." || name == ".." || name.find('/') != name.npos)
      return secret_finding(request,
                            (request.is_name_shown ? hocon::quoted_for_message(name) : place) +
                                " is not a valid name of a credential");
    const std::optional<std::string> folder = value_of("CREDENTIALS_DIRECTORY");
    if (folder && !folder->empty()) return file(request, *folder + '/' + name);
    Diagnostic missing = secret_finding(
        request, place + " exists only when systemd starts actord",
        "the unit needs LoadCredential=" + (request.is_name_shown ? name : "NAME") + ":PATH");
    if (use_ == SecretUse::needed) {
      missing.message = place + " does not exist: $CREDENTIALS_DIRECTORY is not set";
      return missing;
    }
    missing.code = hocon::codes::no_credentials;
    missing.warning = missing.remark = true;
    FetchedSecret secret = placeholder(request);
    secret.remark = std::move(missing);
    return secret;
  }

  Fetched variable(const SecretRequest& request) const {
    const std::string place = hocon::external_place(request);
    std::optional<std::string> text = value_of(request.name);
    if (!text) return secret_finding(request, place + " is not set");
    return checked(request, *std::move(text), place);
  }

  Fetched file(const SecretRequest& request, const std::string& path) const {
    const std::string shown = request.is_name_shown ? path : hocon::external_place(request);
    auto read = hocon::read_file(path, bytes_max);
    if (!read && read.error().error == EFBIG) return too_large(request, shown);
    if (!read)
      return secret_finding(request, "cannot read the secret " + shown + ": " + read.error().what);
    // An empty file is just being written, or it is a pipe without a writer.
    if (read->text.empty())
      return secret_finding(request, "the secret " + shown + " is empty",
                            "write the secret into it; an empty secret is a file with a newline");
    Fetched secret = checked(request, std::move(read->text), shown);
    const auto facts = os::facts_of(path);
    if (secret && facts && facts->others_may_read) {
      secret->remark = secret_finding(request, "any user may read the secret " + shown,
                                      request.is_name_shown ? "chmod o-r " + path : std::string{});
      secret->remark->code = hocon::codes::world_readable_secret;
      secret->remark->warning = true;
    }
    return secret;
  }

  static Fetched checked(const SecretRequest& request, std::string text, const std::string& what) {
    if (!text.empty() && text.back() == '\n') text.pop_back();
    if (text.size() > bytes_max) return too_large(request, what);
    if (text.find('\0') != text.npos)
      return secret_finding(request, "there is a NUL in the secret " + what);
    if (base::utf8::find_invalid(text) != std::string_view::npos)
      return secret_finding(request, "the secret " + what + " is not valid UTF-8");
    return FetchedSecret{std::move(text), {}};
  }

  static Diagnostic too_large(const SecretRequest& request, const std::string& what) {
    return secret_finding(request, "the secret " + what + " has more than 64 KiB");
  }

  hocon::Source::Environment environment_;
  SecretUse use_;
};

}  // namespace

hocon::SecretReader secret_store(hocon::Source::Environment environment, SecretUse use) {
  return SecretStore(std::move(environment), use);
}

hocon::Diagnostics world_readable_secrets(const hocon::Tree& tree) {
  hocon::Diagnostics warnings;
  std::uint32_t last = 0;
  for (const hocon::Origin& origin : tree.declared_secrets()) {  // secrets of one file are adjacent
    if (origin.file == last || origin.line == 0) continue;
    last = origin.file;
    const std::string& name = tree.sources()[origin.file].name;
    const auto is_it = [&](const hocon::LoadedFile& file) {
      return file.state == hocon::LoadedFile::State::loaded && file.name == name;
    };
    if (std::none_of(tree.files().begin(), tree.files().end(), is_it)) continue;
    const auto facts = os::facts_of(name);
    if (!facts || !facts->others_may_read) continue;
    Diagnostic warning = hocon::diagnostic_at(
        tree.sources(), {origin, 1}, "a secret is written in a file that any user may read",
        "chmod o-r " + name + ", or keep it elsewhere: { credential = NAME } or { file = PATH }");
    warning.code = hocon::codes::world_readable_secret;
    warning.warning = true;
    warnings.push_back(std::move(warning));
  }
  return warnings;
}

}  // namespace actord::layers
