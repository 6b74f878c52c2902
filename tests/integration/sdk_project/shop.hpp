// SPDX-License-Identifier: Apache-2.0
//
// A bit of everything that macros and templates of the SDK make of an author's code, so that the
// author's warnings see it: messages, config with a range, a child, a failure.
#pragma once

#include <actord/actord.hpp>

#include <string>
#include <vector>

namespace shop {

struct Order {
  std::string sku;
  int count = 1;
};
ACTORD_MESSAGE(Order, "shop.Order/1", sku, count)

struct Done {
  int sold = 0;
};
ACTORD_MESSAGE(Done, "shop.Done/1", sold)

enum class Mode { careful, fast };
ACTORD_ENUM(Mode, careful, fast)

struct Config {
  std::int32_t most = 5;
  Mode mode = Mode::careful;

  static std::vector<actord::About> about() {
    return {actord::about(&Config::most).between(1, 64).doc("Pieces of one order at most.")};
  }
};
ACTORD_FIELDS(Config, most, mode)

struct SoldOut : actord::Error {
  using Error::Error;
};

}  // namespace shop
