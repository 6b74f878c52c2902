// SPDX-License-Identifier: Apache-2.0
#include "hocon/kept_secrets.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/suggestion.hpp"
#include "hocon/tree_data.hpp"

namespace actord::hocon {

namespace {

/// The member that was defined last, unless it has no value; then the last one.
const TreeNode& newest_of(const TreeNode& form) {
  const auto members = form.children();
  const auto newest = std::ranges::find_if(members, [&](const TreeNode& each) {
    return secret_form_of(each.key()) == form.secret_form;
  });
  return newest != members.end() ? *newest : members.back();
}

class Fetcher {
 public:
  Fetcher(TreeData& tree, const SecretReader& reader) : tree_(tree), reader_(reader) {}

  /// Notes the places of objects that name a secret or are meant to. Recursion is bounded by the
  /// nesting of the tree.
  void collect_places(const TreeNode& node) {
    if (node.kind == Kind::object) {
      const auto keys = keys_of(node);
      if (are_secret_forms(keys) || mistake_in_form(node.secret_form, keys))
        return static_cast<void>(places_.insert(place_of(node)));
    }
    for (const TreeNode& child : node.children()) collect_places(child);
  }

  /// Fetches the secrets at the noted places, in every copy of these objects.
  void fetch_below(TreeNode& node) {
    if (places_.empty()) return;
    if (node.kind == Kind::object && places_.contains(place_of(node)) && fetch(node)) return;
    for (TreeNode& child : node.children()) fetch_below(child);
  }

  SecretFindings take_findings() { return std::move(findings_); }

 private:
  /// The identity of an object, also of its copies. All objects of one path a.b.c are written at
  /// the same place.
  using Place = std::pair<Origin, std::string_view>;  // the key is "" in a list
  static Place place_of(const TreeNode& object) { return {object.written.at, object.key()}; }

  /// The file is part of the key, because a relative path starts at that file.
  using Key = std::tuple<std::uint32_t, std::string_view, std::string_view>;  // file, form, name
  struct Text {
    std::string_view text;
    Origin source;
  };

  /// Replaces the object by its secret. False if the copy has been merged into another object.
  bool fetch(TreeNode& node) {
    const auto keys = keys_of(node);
    if (auto mistake = mistake_in_form(node.secret_form, keys)) {
      fail(node, node.written, std::move(mistake->message), std::move(mistake->help));
      return true;
    }
    if (!are_secret_forms(keys)) return false;
    const TreeNode& name = newest_of(node);
    if (auto mistake = mistake_in_name(name.key(), name.kind)) {
      fail(node, name.written, *std::move(mistake));
      return true;
    }
    if (const Text* text = fetch_text(name)) set_secret(node, *text);
    else findings_.unfetched.emplace_back(&tree_, &node);
    return true;
  }

  void fail(const TreeNode& node, const SourceSpan& place, std::string message,
            std::string help = {}) {
    findings_.unfetched.emplace_back(&tree_, &node);
    if (!failed_.insert(place.at).second) return;
    findings_.errors.push_back(coded(
        codes::secret, diagnostic_at(tree_.files, place, std::move(message), std::move(help))));
  }

  /// The text of a secret, or null if it cannot be read. The error is reported once for each place.
  const Text* fetch_text(const TreeNode& name) {
    const Key key{name.written.at.file, name.key(), name.text()};
    if (const auto known = fetched_.find(key); known != fetched_.end()) return &known->second;
    if (failed_.contains(name.written.at)) return nullptr;
    const SecretRequest request =
        request_for(tree_.files, name.key(), name.text(), name.written, is_written(name));
    auto secret = reader_(request);
    if (!secret) {
      failed_.insert(name.written.at);
      findings_.errors.push_back(std::move(secret).error());
      return nullptr;
    }
    if (secret->remark) tree_.warnings.push_back(*std::move(secret->remark));
    std::pmr::polymorphic_allocator<> arena(&tree_.arena);
    auto* bytes = arena.allocate_object<char>(secret->text.size());
    std::ranges::copy(secret->text, bytes);
    const Origin source = {tree_.files.add(external_place(request), {}), 0, 0};
    return &fetched_.try_emplace(key, Text{{bytes, secret->text.size()}, source}).first->second;
  }

  /// Whether no substitution brought the text or a part of it.
  static bool is_written(const TreeNode& name) {
    return name.source() == name.written.at &&
           (name.extra == nullptr || name.extra->joined_origins == nullptr);
  }

  void set_secret(TreeNode& node, const Text& text) {
    node.kind = Kind::string;
    node.set_text(text.text);
    if (node.extra == nullptr)
      node.extra = std::pmr::polymorphic_allocator<>(&tree_.arena).new_object<TreeExtra>();
    node.extra->source = text.source;
  }

  TreeData& tree_;
  const SecretReader& reader_;
  std::map<Key, Text> fetched_;  // the texts of the keys are in the tree
  std::set<Place> places_;
  std::set<Origin> failed_;
  SecretFindings findings_;
};

}  // namespace

bool are_secret_forms(std::span<const std::string_view> keys) noexcept {
  return !keys.empty() && std::ranges::all_of(keys, [](std::string_view key) {
    return secret_form_of(key) != SecretForm::none;
  });
}

std::optional<FormMistake> mistake_in_form(SecretForm form,
                                           std::span<const std::string_view> keys) {
  if (are_secret_forms(keys)) {
    if (form != SecretForm::several) return std::nullopt;
    return FormMistake{"this secret is kept in two places: one object names them both",
                       "keep one of credential, file and env"};
  }
  const bool names_place = form != SecretForm::none;
  if (keys.size() != 1 && !names_place) return std::nullopt;
  for (const std::string_view key : keys) {
    const bool is_form = secret_form_of(key) != SecretForm::none;
    const std::string_view meant = base::nearest_of(key, {"credential", "file", "env"});
    if (is_form || meant.empty()) continue;
    return FormMistake{quoted_for_message(key) + " does not say where this secret is kept",
                       "did you mean \"" + std::string(meant) +
                           "\"? It is { credential = NAME }, { file = PATH } or { env = NAME }"};
  }
  return std::nullopt;
}

std::optional<std::string> mistake_in_name(std::string_view form, Kind name) {
  if (name == Kind::string || name == Kind::number) return std::nullopt;
  return "a secret's `" + std::string(form) + "` is a name, not " + std::string(name_of(name));
}

SecretRequest request_for(const SourceFiles& files, std::string_view form, std::string_view name,
                          const SourceSpan& place, bool is_written) {
  const auto finding_at = is_written ? diagnostic_quoting : diagnostic_at;
  return {form, name, is_written, finding_at(files, place, {}, {}, {})};
}

std::string external_place(const SecretRequest& request) {
  const std::string_view what = request.form == "credential" ? "the credential "
                                : request.form == "env"      ? "the environment variable "
                                                             : "";
  if (request.is_name_shown) return std::string(what).append(request.name);
  return std::string(what.empty() ? "the file " : what) + "that a substitution names";
}

SecretFindings fetch_kept_secrets(TreeData& tree, std::span<TreeNode* const> nodes,
                                  const SecretReader& reader) {
  if (!reader) return {};
  Fetcher fetcher(tree, reader);
  for (const TreeNode* node : nodes) fetcher.collect_places(*node);
  fetcher.fetch_below(*tree.root);
  return fetcher.take_findings();
}

}  // namespace actord::hocon
