// SPDX-License-Identifier: Apache-2.0
//
// The C++ face of actord: all that a plugin includes. README.md beside it says how to write one.
//
// Header-only and compiled into the plugin, so that no C++ type crosses the boundary (plugin.h).
#pragma once

// clang-format off: words.hpp asks for the standard library before plugin.h does
#include <actord/words.hpp>
// clang-format on

#include <actord/about.hpp>
#include <actord/actor.hpp>
#include <actord/builtin_causes.hpp>
#include <actord/builtin_messages.hpp>
#include <actord/context.hpp>
#include <actord/error.hpp>
#include <actord/failure_view.hpp>
#include <actord/field.hpp>
#include <actord/handlers.hpp>
#include <actord/message.hpp>
#include <actord/pipe.hpp>
#include <actord/plugin_parts.hpp>
#include <actord/supervisor_strategy.hpp>
#include <actord/system_handle.hpp>
