// SPDX-License-Identifier: Apache-2.0
//
// What the plugin shop offers to other plugins as "shop.prices/1".
#pragma once

#include <cstdint>

extern "C" struct shop_prices {
  std::uint32_t struct_size;              // comes first; members are only added at the end
  std::int32_t (*price_of)(const char*);  // in cents; may be called on any thread
};
