// SPDX-License-Identifier: Apache-2.0
#include "guide.hpp"

ACTORD_PLUGIN(
    "shop", "1.0.0",
    actord::Behaviours<shop::Shop, shop::Clerk, shop::Customer, shop::Counter, shop::Street,
                       shop::PriceList, shop::Till, shop::Door, shop::Hall, shop::Buyer,
                       shop::Courier, shop::Office, shop::Port, shop::Exporter, shop::Gateway>,
    actord::Messages<shop::Order, shop::Done, shop::Price, shop::GetPrice, shop::Closed,
                     shop::Content, shop::Tick, shop::Key, shop::Opened, shop::Alarm,
                     shop::Request>,
    actord::Failures<shop::SoldOut>, actord::Module<shop::Metrics>)
