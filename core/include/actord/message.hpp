// SPDX-License-Identifier: Apache-2.0
//
// Plain structs as messages and config: what is declared in fields.hpp, with all that comes from
// it.
#pragma once

#include <actord/fields.hpp>
#include <actord/member_table.hpp>
#include <actord/printing.hpp>
#include <actord/reading.hpp>
#include <actord/writing.hpp>
