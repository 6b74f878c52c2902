// SPDX-License-Identifier: Apache-2.0
//
// Messages to whoever lives at a path, or at all that match a pattern (supervision.md 145).
#include "actor/activation.hpp"
#include "actor/path.hpp"

namespace actord::actor {

std::size_t Activation::tell_selection(std::string_view paths, message::TypeId type,
                                       void* message_) {
  const std::string pattern = absolute_path(path(), paths);
  const std::vector<Ref> selected = environment_.select(pattern);
  for (const Ref to : selected) {
    if (to == selected.back()) local_.tell(to, type, message_, self);  // the original
    else static_cast<void>(local_.tell_copy(to, type, message_, self));
  }
  const bool is_one_path = pattern.find('*') == pattern.npos;
  if (!selected.empty() || !is_one_path) return selected.size();
  Envelope* const envelope = local_.take_block();
  message::fill(*envelope, type, environment_.types.at(type), message_);
  envelope->sender = self;
  ++local_.fates.sent;
  if (type == environment_.builtin.identify) {
    ++local_.fates.void_;
    local_.identify(*envelope, nobody);
  } else {
    ++local_.fates.undelivered;
    environment_.undelivered(local_, {dead_letters, self, type, Undelivered::no_actor, pattern});
  }
  local_.discard(envelope);
  return 0;
}

}  // namespace actord::actor
