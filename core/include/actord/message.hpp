// SPDX-License-Identifier: Apache-2.0
//
// Plain structs as messages and config: the macros of fields.hpp and all functions that they need.
#pragma once

#include <actord/fields.hpp>
#include <actord/member_table.hpp>
#include <actord/printing.hpp>
#include <actord/reading.hpp>
#include <actord/writing.hpp>
