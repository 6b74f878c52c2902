// SPDX-License-Identifier: Apache-2.0
//
// Plain structs as messages and config: the macros of fields.hpp and all that they need.
#pragma once

#include <actord/data_types.hpp>
#include <actord/fields.hpp>
#include <actord/printing.hpp>
