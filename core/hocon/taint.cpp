// SPDX-License-Identifier: Apache-2.0
#include "hocon/taint.hpp"

#include <algorithm>

#include "hocon/kept_secrets.hpp"

namespace actord::hocon {

namespace {

/// Whether the object names a kept secret by a plain text, such as { file = PATH }.
bool names_place(const TreeNode& node) {
  return node.kind == Kind::object && are_secret_forms(keys_of(node)) &&
         std::ranges::all_of(node.children(), &TreeNode::is_scalar);
}

class Tainter {
 public:
  Tainter(TreeData& tree, UnfetchedSecret unfetched, Secrecy secrecy)
      : tree_(tree), unfetched_(unfetched), is_declared_(secrecy == Secrecy::declared) {}

  // Recursion is bounded by the nesting of the tree.
  void add(TreeNode& node) {
    if (node.extra != nullptr) node.extra->overrides_secret = true;
    if (unfetched_ == UnfetchedSecret::names_place && names_place(node)) return;
    if (!node.is_scalar()) {
      for (TreeNode& child : node.children()) add(child);
      return;
    }
    if (node.kind == Kind::null || node.text().empty()) return;
    tree_.secrets.insert(node.source());
    if (is_declared_) tree_.declared_secrets.insert(node.source());
    const bool is_joined = node.extra != nullptr && node.extra->joined_origins != nullptr;
    if (!is_joined) return;
    node.extra->joined_origins->is_in_secret = true;
    if (is_declared_) node.extra->joined_origins->is_in_declared = true;
  }

  // Carries the secrecy of origins to all texts made of them.
  void spread() {
    // An element comes after those that it contains, so that this loop sees it first.
    for (auto joined = tree_.joined_origins.rbegin(); joined != tree_.joined_origins.rend();
         ++joined) {
      if (!(*joined)->is_in_secret) continue;
      for (const OriginPart& each : (*joined)->parts) {
        tree_.secrets.insert(each.source);
        if ((*joined)->is_in_declared) tree_.declared_secrets.insert(each.source);
        if (each.joined_origins == nullptr) continue;
        each.joined_origins->is_in_secret = true;
        if ((*joined)->is_in_declared) each.joined_origins->is_in_declared = true;
      }
    }
    for (JoinedOrigins* joined : tree_.joined_origins) {
      joined->is_secret =
          std::any_of(joined->parts.begin(), joined->parts.end(), [&](const OriginPart& each) {
            return tree_.secrets.contains(each.source) ||
                   (each.joined_origins != nullptr && each.joined_origins->is_secret);
          });
    }
    mark(*tree_.root);
  }

 private:
  // Marks the secret values below the node.
  void mark(TreeNode& node) {
    for (TreeNode& child : node.children()) mark(child);
    if (!node.is_scalar()) return;
    const bool is_joined = node.extra != nullptr && node.extra->joined_origins != nullptr;
    const bool itself = tree_.secrets.contains(node.source());
    if (itself || (is_joined && node.extra->joined_origins->is_secret)) node.is_secret = true;
  }

  TreeData& tree_;
  UnfetchedSecret unfetched_;
  bool is_declared_;
};

void collect(TreeNode& node, std::vector<std::string_view>& path, const SecretPlaces& places,
             std::vector<TreeNode*>& found) {
  if (node.kind != Kind::object) return;
  for (TreeNode& child : node.children()) {
    path.push_back(child.key());
    const bool is_secret =
        places.is_secret(path) || (child.kind != Kind::object && places.are_members_secret(path));
    if (is_secret) found.push_back(&child);
    else if (places.may_contain_secret(path)) collect(child, path, places, found);
    path.pop_back();
  }
}

}  // namespace

void taint(TreeData& tree, std::span<TreeNode* const> secrets, UnfetchedSecret unfetched,
           Secrecy secrecy) {
  if (secrets.empty()) return;
  Tainter tainter(tree, unfetched, secrecy);
  for (TreeNode* secret : secrets) tainter.add(*secret);
  tainter.spread();
}

std::vector<TreeNode*> nodes_at(const TreeData& tree, const SecretPlaces& places) {
  std::vector<TreeNode*> found;
  std::vector<std::string_view> path;
  collect(*tree.root, path, places, found);
  return found;
}

}  // namespace actord::hocon
