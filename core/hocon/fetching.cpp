// SPDX-License-Identifier: Apache-2.0
//
// The resolver's secrets: an object that names a kept secret becomes the secret's text.
#include <algorithm>
#include <utility>

#include "hocon/kept_secrets.hpp"
#include "hocon/resolver.hpp"

namespace actord::hocon {

std::vector<std::string_view> Resolver::keys_of(const Slot& slot) {
  std::vector<std::string_view> keys;
  for (const Slot* step = &slot; step->containing_view != nullptr; step = step->parent)
    keys.push_back(step->key);
  std::reverse(keys.begin(), keys.end());
  return keys;
}

bool Resolver::may_contain_secrets(const Slot& slot) const {
  return !external_.secret_places.empty() &&
         external_.secret_places.may_contain_secret(keys_of(slot));
}

bool Resolver::may_contain_secrets(const Slot& owner, std::string_view key) const {
  std::vector<std::string_view> keys = keys_of(owner);
  keys.push_back(key);
  return external_.secret_places.may_contain_secret(keys);
}

// Whether the value of the slot is an object that may name a secret that the reader should fetch.
bool Resolver::is_fetchable(const Slot& slot, const Outcome& value) const {
  if (!value.is_object() || !external_.secret_reader || external_.secret_places.empty())
    return false;
  const ObjectLiteral* literal = value.value->view()->only_literal();
  const bool is_group =
      literal != nullptr && literal->secret_form == SecretForm::none && literal->fields.size() != 1;
  return !is_group && external_.secret_places.is_secret(keys_of(slot));
}

// The members of an object that names a kept secret: the form that was defined last comes first.
std::vector<Slot*> Resolver::ordered_by_form(View& view) {
  const std::span<Slot* const> members = space_.children(view);
  std::vector<Slot*> ordered(members.rbegin(), members.rend());
  std::stable_partition(ordered.begin(), ordered.end(), [&](const Slot* member) {
    return secret_form_of(member->key) == view.secret_form();
  });
  return ordered;
}

// Undefined if all keys of the object say where a secret is kept; the object if none does; else the
// mistake, which is reported.
Outcome Resolver::check_form(const Evaluated& object, bool is_fetching) {
  std::vector<std::string_view> keys;
  for (const Slot* member : space_.children(*object.view())) keys.push_back(member->key);
  if (auto mistake = mistake_in_form(object.view()->secret_form(), keys)) {
    return fail(object.written, std::move(mistake->message), std::move(mistake->help), {},
                codes::secret);
  }
  if (!are_secret_forms(keys)) return value_outcome(&object);
  if (!is_fetching) return {};
  return fail(object.written, "the place of this secret refers to the secret itself",
              "write the name of the place without a substitution", {}, codes::secret);
}

// The text of the secret that the object names; the object itself if it names none.
Outcome Resolver::secret_of(Slot& slot, const Outcome& object) {
  const Outcome checked = check_form(*object.value, slot.is_fetching);
  if (!checked.is_undefined()) return checked;
  for (Slot* member : ordered_by_form(*object.value->view())) {
    slot.is_fetching = true;
    const Outcome name = look_up(*member, Demand::whole);
    slot.is_fetching = false;
    if (name.is_broken()) return name;
    if (name.is_value()) return read_secret(*object.value, member->key, name);
  }
  return object;
}

void Resolver::fetch(Gathering& gathering, Slot& slot) {
  gathering.found = secret_of(slot, gathering.found);
  gathering.dependencies.add(gathering.found.dependencies);
}

// Reads the secret that `form` keeps under `name`.
Outcome Resolver::read_secret(const Evaluated& object, std::string_view form, const Outcome& name) {
  const SourceSpan& place = name.value->written;
  if (auto mistake = mistake_in_name(form, name.value->kind))
    return fail(place, *std::move(mistake), {}, {}, codes::secret);
  const std::string wanted(name.value->text());
  const bool is_written = name.value->source == place.at && name.value->joined_origins == nullptr;
  const SecretRequest request = request_for(tree_.files, form, wanted, place, is_written);
  auto secret = external_.secret_reader(request);
  if (!secret) {
    if (is_first_report(place.at, secret.error().message))
      errors_.push_back(std::move(secret).error());
    return poisoned_outcome();
  }
  if (secret->remark) tree_.warnings.push_back(*std::move(secret->remark));
  Evaluated* value = make_value(Kind::string, object.written);
  value->set_text(*arena_.new_object<std::pmr::string>(secret->text));
  value->source = external_origin(request);
  Outcome fetched = value_outcome(value);
  fetched.dependencies = name.dependencies;
  return fetched;
}

// The origin of a text that no file contains. Each source outside has one, so that taint knows it
// everywhere.
Origin Resolver::external_origin(const SecretRequest& request) {
  const std::string key = std::string(request.form) + ' ' + std::string(request.name);
  const auto [known, is_new] = external_sources_.try_emplace(key, 0);
  if (is_new) known->second = tree_.files.add(external_place(request), {});
  return {known->second, 0, 0};
}

}  // namespace actord::hocon
