// SPDX-License-Identifier: Apache-2.0
//
// Computes the final value of every key: evaluates the stacks of definitions, follows
// substitutions, and builds the tree.
//
// The rules, from HOCON.md:
//
// - A stack is evaluated from its top. A value that is no object hides the definitions below it;
//   objects are merged with the objects below.
// - A substitution sees the final value of its path. Only the path is evaluated, never the whole of
//   an object on the way, so that objects may refer into themselves.
// - While a definition of a key with a substitution or concatenation is being evaluated, a look-up
//   of that key sees only the definitions below it. This also holds for a key defined as ${other},
//   if the look-up comes from inside `other`: the definition then refers to itself through `other`.
//   If no definition below has the path, the final value is tried.
// - Inside a list literal, no definition of its own key is visible: a look-up of that key is a
//   cycle.
// - A cycle without a definition below is undefined for ${?path} and an error for ${path}, unless
//   some key on the way has an older definition to fall back to.
// - If a ${?path} is undefined because of a cycle, and the key that it defines therefore has no
//   value, it is looked up again once the cycle is over. `a = ${?b}foo, b = ${?a}` makes both
//   "foo".
//
// Otherwise each ${…} has one value, no matter which look-up found it first. A slot's value that
// depends on an evaluation in progress (Dependencies) is kept only as long as that evaluation
// lasts.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <memory_resource>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hocon/diagnostic.hpp"
#include "hocon/limits.hpp"
#include "hocon/node.hpp"
#include "hocon/secret_reader.hpp"
#include "hocon/secrets.hpp"
#include "hocon/slot.hpp"
#include "hocon/tree_data.hpp"

namespace actord::hocon {

/// The input of a configuration from outside its files.
struct ExternalInput {
  const std::function<std::optional<std::string>(std::string_view)>& environment;
  const SecretPlaces& secret_places;
  const SecretReader& secret_reader;
};

/// Resolves one configuration. One thread; use it once.
class Resolver {
 public:
  /// `tree` takes the result; its files must be the ones that the nodes refer to.
  Resolver(const Node& root, TreeData& tree, const Limits& limits, const ExternalInput& external,
           Diagnostics& errors);

  /// Builds the tree. False if there were errors, which are reported.
  bool resolve();

 private:
  using State = Outcome::State;

  /// The purpose of a look-up: to follow a path through the value, or to use the whole value. A
  /// path may lead through a value that is being evaluated. A whole value must not contain the
  /// evaluation that asks for it.
  enum class Demand : std::uint8_t { path, whole };

  /// A slot that is being evaluated, or copied into the tree (`is_building`).
  struct InProgress {
    Slot* slot;
    bool is_building;
    std::uint64_t serial;  // unlike the position in `in_progress_`, never reused
  };

  // ---- stacks (resolver.cpp)
  Outcome literal_value(const Node& node, Slot& slot);
  Outcome look_up(Slot& slot, Demand demand);
  const Outcome* value_if_ready(Slot& slot, std::size_t below, Demand demand);
  Outcome evaluate(Slot& slot, std::size_t below, Demand demand);
  Outcome evaluate_definition(Slot& slot, std::size_t definition, Demand demand);
  Outcome evaluate_appends(Slot& slot, std::size_t last, Demand demand);
  void append(Outcome& list, const Outcome& appended, Slot& slot, std::size_t definition);
  Outcome evaluate_node(const Node& node, Slot& slot, Demand demand);
  Outcome evaluate_array(const Node& node, Slot& slot, Demand demand);
  // Notes that the slot is in progress. False beyond the limits.
  bool begin(Slot& slot, bool is_building);
  void end();
  std::uint32_t position() const noexcept {
    return static_cast<std::uint32_t>(in_progress_.size() - 1);
  }
  const Outcome& memoize(Slot& slot, std::size_t below, const Outcome& outcome);
  // The stored value, or null if there is none or it is no longer valid.
  const Outcome* memoized(const Slot& slot, std::size_t below) const noexcept;

  /// The value of a stack, collected from its top.
  struct Gathering {
    std::uint32_t position;  // of the evaluation in progress
    Dependencies dependencies = {};
    Outcome found = {};  // the value, if it is no object; else make_object() sets it
    std::vector<ViewPart> parts = {};
    const ViewPart* base = nullptr;  // the slot's own older value, below all parts
    bool complete = false;           // no further definition counts
  };
  bool gather_literal(Gathering& gathering, Slot& slot, std::size_t definition);
  void gather(Gathering& gathering, Slot& slot, Outcome outcome, std::size_t definition);
  static void gather_object(Gathering& gathering, Slot& slot, const Outcome& object,
                            std::size_t definition);
  // Makes one object of the parts.
  void make_object(Gathering& gathering, Slot& slot);

  // ---- substitutions (reference.cpp)
  Outcome evaluate_reference(const Node& node, Slot& slot, Demand demand);
  Outcome find(const Node& node, Slot& slot, Demand demand);
  Outcome walk(View& start, std::span<const std::string_view> path, Demand demand);
  Outcome look_up_older(Slot& slot, const Outcome& object, std::span<const std::string_view> path,
                        Demand demand);
  Outcome older_or_cycle(Slot& slot, std::size_t definition, const Dependencies& dependencies,
                         Demand demand);
  std::size_t concatenation_around(const Slot& slot, const Outcome& object,
                                   std::uint32_t evaluation) const noexcept;
  std::uint32_t latest_in_slot(const Slot& slot, std::uint32_t after) const noexcept;
  std::uint32_t latest_in_view(const View& view, const Slot* except) const;
  // Whether an evaluation in progress lies inside the object.
  bool has_evaluation_inside(const Outcome& outcome) const;
  const Outcome* known_value(const Node& reference, Demand demand) const;
  Outcome keep_value(const Node& reference, Outcome outcome);
  bool is_circle_of_values(const Dependencies& circle) const noexcept;
  void note_second_look_ups(std::size_t first, std::uint32_t position,
                            Dependencies& dependencies) const noexcept;
  void end_notes(std::size_t first, std::uint32_t position, bool is_undefined);
  View& anchor_of(const IncludeScope& scope, Slot& slot);
  Outcome from_environment(const Node& node);
  // Reports that the path has no value.
  Outcome fail_unresolved(const Node& node);
  std::uint32_t record_cycle(const Node& node, std::uint32_t since);

  // ---- concatenations (concatenation.cpp)
  Outcome evaluate_concatenation(const Node& node, Slot& slot, Demand demand);
  Outcome join(const Node& node, Slot& slot, std::span<const Evaluated* const> values);
  Outcome join_collections(const Node& node, Slot& slot, std::span<const Evaluated* const> pieces);
  std::vector<Slot*> numbered_members(const Evaluated& object);
  Outcome numbered_items(const Evaluated& object);
  TextBuffer* make_text(std::size_t bytes);
  Outcome join_texts(const Node& node, std::span<const Evaluated* const> pieces);
  Outcome join_objects(const Node& node, Slot& slot, std::span<const Evaluated* const> pieces);
  Outcome append_items(const Evaluated& list, std::span<const Evaluated* const> items,
                       const SourceSpan& written);
  std::vector<const Evaluated*> items_of(const Evaluated& list, Slot& slot);
  Outcome mismatch(const Evaluated& piece, const Evaluated& other);

  JoinedOrigins* joined_origins_of(std::span<const Evaluated* const> pieces);

  // ---- secrets (fetching.cpp)
  static std::vector<std::string_view> keys_of(const Slot& slot);
  // Whether the slot, or a value in it, may be a secret.
  bool may_contain_secrets(const Slot& slot) const;
  bool may_contain_secrets(const Slot& owner, std::string_view key) const;
  bool is_fetchable(const Slot& slot, const Outcome& value) const;
  std::vector<Slot*> ordered_by_form(View& view);
  // Puts the secret in the place of the object that names it.
  void fetch(Gathering& gathering, Slot& slot);
  Outcome secret_of(Slot& slot, const Outcome& object);
  Outcome check_form(const Evaluated& object, bool is_fetching);
  Outcome read_secret(const Evaluated& object, std::string_view form, const Outcome& name);
  Origin external_origin(const SecretRequest& request);

  // ---- the tree (tree_building.cpp)

  /// The children of a node under construction, in one block.
  struct Children {
    TreeNode* first = nullptr;
    std::size_t count = 0;
  };
  // Copies an evaluated value into a node.
  void build_value(const Evaluated& value, TreeNode& into, std::uint32_t depth);
  void build_object(View& view, TreeNode& into, std::uint32_t depth);
  bool build_slot(Slot& slot, TreeNode& into, std::uint32_t depth);
  void copy(const Node& node, TreeNode& into, std::uint32_t depth);
  void copy_fields(const ObjectLiteral& literal, TreeNode& into, std::uint32_t depth);
  void copy_field(const Field& field, TreeNode& into, std::uint32_t depth);
  void fill_scalar(TreeNode& into, Kind kind, std::string_view text, const Origin& source);
  bool allocate_children(TreeNode& parent, std::size_t count, Children& children);
  static TreeNode& next_child(TreeNode& parent, const Children& children);
  // Gives the finished children to the parent.
  void adopt(TreeNode& parent, const Children& children);
  TreeExtra& extra_of(TreeNode& node);
  // Stores the places of the definitions that the value replaced.
  void note_overridden(const Slot& slot, TreeNode& into);
  void note_overridden(const Node* hidden, TreeNode& into);
  std::string_view text_for_tree(std::string_view text, const Origin& source);
  // Whether the depth exceeds the limit, which is then reported.
  bool is_too_deep(const SourceSpan& at, std::uint32_t depth);

  // ---- values and messages (resolver.cpp)
  Evaluated* make_value(Kind kind, const SourceSpan& written);
  static Outcome value_outcome(const Evaluated* value) noexcept {
    return {State::value, 0, {}, value};
  }
  static Outcome no_value(State state, const Dependencies& dependencies) noexcept {
    return {state, 0, dependencies, nullptr};
  }
  static Outcome poisoned_outcome() noexcept { return no_value(State::poisoned, {}); }
  Outcome fail(const SourceSpan& at, std::string message, std::string help = {},
               std::string note = {}, std::string_view code = codes::substitution);
  bool is_first_report(const Origin& at, const std::string& message);
  Outcome fail_append(const Evaluated& before, const Slot& slot, const SourceSpan& at);
  Outcome fail_cycle(const Outcome& cyclic, const Slot& slot);
  // Reports that a limit is exceeded and ends the resolution.
  Outcome give_up(const SourceSpan& at, std::string message, std::string help = {});
  static SourceSpan place_of(const Slot& slot) noexcept;

  const Node& root_node_;
  TreeData& tree_;
  const Limits& limits_;
  const ExternalInput& external_;
  Diagnostics& errors_;

  std::pmr::unsynchronized_pool_resource memory_;
  std::pmr::polymorphic_allocator<> arena_{&memory_};
  ViewSpace space_{&memory_};
  Slot* root_ = nullptr;
  View* root_view_ = nullptr;
  std::vector<InProgress> in_progress_;
  std::uintptr_t lowest_position_ = 0;  // where on the stack an evaluation may still begin
  // The values of the ${…} found so far.
  std::pmr::unordered_map<const Node*, Outcome> references_{&memory_};
  std::vector<Cycle> cycles_;
  // The optional substitutions that have no value because of a circle that is still open, and the
  // evaluation that closes it.
  struct Vanished {
    const Node* reference;
    std::uint32_t position;
  };
  std::vector<Vanished> vanished_;
  static constexpr std::uint32_t second_look_ups_max = 10'000;
  std::uint32_t second_look_ups_ = 0;
  std::unordered_map<std::string, std::uint32_t>
      external_sources_;  // the file number by form and name
  // Place and message, so that a finding is reported once.
  std::set<std::pair<std::uint64_t, std::string>> reported_;
  std::uint64_t evaluations_ = 0;
  mutable std::uint64_t work_ = 0;
  std::uint64_t work_at_error_ = 0;
  std::uint64_t nodes_ = 0;
  std::uint64_t items_ = 0;
  std::uint64_t text_bytes_ = 0;
  bool given_up_ = false;
};

}  // namespace actord::hocon
