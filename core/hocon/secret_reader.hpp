// SPDX-License-Identifier: Apache-2.0
//
// The interface through which secrets from outside the configuration are read. The caller that sets
// the reader knows where they are; this room knows which ones it needs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "hocon/diagnostic.hpp"

namespace actord::hocon {

/// A secret to be read. The reader completes `at`, which has the place but no message, into a
/// finding.
struct SecretRequest {
  std::string_view form;
  std::string_view name;
  // Whether messages may contain the name. If a substitution brought it, it may be a secret itself.
  bool is_name_shown = true;
  Diagnostic at;  // the place, without a message
};

/// The text of a secret. The remark, if any, goes to the tree's warnings.
struct FetchedSecret {
  std::string text;
  std::optional<Diagnostic> remark;
};

/// Returns the text of a secret, valid UTF-8, or the reason why there is none.
using SecretReader =
    std::function<base::Result<FetchedSecret, Diagnostic>(const SecretRequest& request)>;

}  // namespace actord::hocon
