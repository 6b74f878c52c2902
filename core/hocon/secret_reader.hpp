// SPDX-License-Identifier: Apache-2.0
//
// The door through which secrets come in that are kept outside the configuration. Whoever sets the
// reader knows where they are; this room knows which it needs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "hocon/diagnostic.hpp"

namespace actord::hocon {

/// A secret that is kept elsewhere.
struct SecretRequest {
  std::string_view form;
  std::string_view name;
  Diagnostic at;  // the place, without a message: for the reader to complete
};

/// The text of a secret; the remark is passed on with the tree's warnings.
struct FetchedSecret {
  std::string text;
  std::optional<Diagnostic> remark;
};

/// A secret's text, valid UTF-8, or why there is none.
using SecretReader =
    std::function<base::Result<FetchedSecret, Diagnostic>(const SecretRequest& request)>;

}  // namespace actord::hocon
