// SPDX-License-Identifier: Apache-2.0
//
// The C++ interface of actord, the one header that a plugin includes. README.md beside it says how
// to write a plugin.
//
// It is header-only and compiled into the plugin. No C++ type crosses the boundary (plugin.h).
#pragma once

// clang-format off: words.hpp includes the standard library before plugin.h
#include <actord/words.hpp>
// clang-format on

#include <actord/about.hpp>
#include <actord/actor.hpp>
#include <actord/actor_selection.hpp>
#include <actord/builtin_causes.hpp>
#include <actord/builtin_messages.hpp>
#include <actord/config_findings.hpp>
#include <actord/context.hpp>
#include <actord/error.hpp>
#include <actord/failure_view.hpp>
#include <actord/field.hpp>
#include <actord/handlers.hpp>
#include <actord/message.hpp>
#include <actord/pipe.hpp>
#include <actord/plugin_parts.hpp>
#include <actord/spawn_arguments.hpp>
#include <actord/supervisor_strategy.hpp>
#include <actord/system_handle.hpp>
