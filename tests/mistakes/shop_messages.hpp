// SPDX-License-Identifier: Apache-2.0
//
// The messages of the mistakes, which are right.
#pragma once

#include <actord/actord.hpp>

struct Order {
  std::string sku;
};
struct Receipt {
  int number = 0;
};
ACTORD_MESSAGE(Order, "shop.Order/1", sku)
ACTORD_MESSAGE(Receipt, "shop.Receipt/1", number)
