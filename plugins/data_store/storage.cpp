// SPDX-License-Identifier: Apache-2.0

#include "storage.hpp"

namespace data_store {

void Storage::pre_start(actord::Context&) { file_.emplace(settings_.file, settings_.faults); }

Entry Storage::get(const Get& m) { return {m.key, file_->load(m.key)}; }

Stored Storage::store(const Store& m) {
  file_->save(m.key, m.value);
  return {m.value};
}

// A Get on which the storage failed is sent to the next incarnation, because it is sent only once.
// A Store is not: a later value replaces it.
void Storage::pre_restart(actord::Context& ctx, const actord::Failure& reason) {
  if (const auto* failed = ctx.message_as<Get>()) ctx.tell(ctx.self(), Get{*failed}, ctx.sender());
  Actor::pre_restart(ctx, reason);
}

}  // namespace data_store
