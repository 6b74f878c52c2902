# SPDX-License-Identifier: Apache-2.0
"""The list of floors: which room stands below which, and the exceptions to the rules.

A file includes its own room or a lower floor: never up, never a neighbour on the same floor. To add
a room is to add a line here.
"""

CORE = {
    "base": 0,
    "hocon": 1,
    "message": 1,
    "log": 1,
    "sched": 1,
    "persist": 1,
    "actor": 2,
    "system": 3,
    "pattern": 4,
    "sdk": 4,
    "link": 5,
    "testkit": 6,
}

DAEMON = {
    "os": 5,
    "wire": 5,
    "schema": 5,
    "options": 6,
    "layers": 6,
    "settings": 6,
    "sinks": 6,
    "loader": 6,
    "isolate": 6,
    "journal": 6,
    "remote": 6,
    "admin": 6,
    "web": 6,
    "config": 7,
    "manual": 7,
    "host": 7,
    "app": 8,
    "ctl": 8,
}

MAIN = 9  # daemon/*.cpp

ROOMS = {**CORE, **DAEMON}

# The public headers, <actord/...>, are what a plugin is compiled against; they know nothing of the
# rooms. The plugin boundary is plain C and includes nothing, so every room may use it. The C++ SDK
# on top is for code that is an actor or hosts actors: the system's own actors are its first users.
PLUGIN_BOUNDARY = "actord/plugin.h"
SDK_USERS_FLOOR = 3

# The parts of an actor, from the bottom: a file in core/actor, and its state in CellExtras, if it
# has any. A part knows those before it and none behind; other files know only the first.
ACTOR_PARTS = {
    "lifecycle": None,
    "actor_log": None,
    "turn": None,
    "subscriptions": None,
    "replies": None,
    "selection": None,
    "death_watch": "death_watch",
    "actor_timers": "timers",
    "asks": "asks",
    "receive_stack": "receive_stack",
    "deferred_system_messages": "deferred",
    "mailbox_room": "room",
    "mailbox_order": "order",
    "redelivery": "redelivery",
    "stash": "stash",
    "persistence": "persistence",
    "census": None,
    "instance": "instance",
    "child_list": None,
    "spawning": None,
    "routing": None,
    "start_sequence": "start_sequence",
    "recovery": "recovery",
    "termination": "termination",
    "orders": None,
    "supervisor": None,
    "inspector": None,
    "reconfigurer": None,
    "activation": None,
    # With functions of Activation, too.
    "builtin_messages": None,
    "credits": None,
    "journal_answers": None,
    "redelivered": None,
    "layouts": None,
    "traces": None,
}
# The block of all that state: a source reaches the parts below it through this member.
ACTOR_STATE = "cell_extras"

# Libraries and system headers that a place must not use: place, pattern of the header, reason.
FORBIDDEN_HEADERS = [
    ("core/", r"spdlog/|fmt/|yaml-cpp/|boost/|nlohmann/", "core builds without these libraries"),
    ("core/", r"dlfcn\.h|sys/socket\.h|netinet/|arpa/", "core has no sockets and no dlopen"),
]

# Libraries whose headers take long to compile: pattern of the header, the header of the daemon that
# may include it, what other headers do.
LIBRARY_DOORS = [
    (r"boost/(asio|beast)\b", None, "os/event_loop.hpp has what headers need"),
    (r"nlohmann/(?!json_fwd\.hpp)", "daemon/wire/json.hpp", "through wire/json.hpp or json_fwd"),
    (r"spdlog/", "daemon/sinks/own_sink.hpp", "through sinks/own_sink.hpp"),
]

# The only door to atomics and threads in core.
SYNC_DOOR = "core/base/sync.hpp"

# Files of core that use what the door should provide: path (a folder ends in '/'), reason.
SYNC_EXCEPTIONS = {
    "core/base/step_sync.hpp": "the other half of the door, for simulations of single steps",
    "core/base/native_stack.cpp": "asks the system for the bounds of the thread's stack",
    "core/system/crash_site.cpp": "a handler of signals is given nothing but its thread",
    "core/link/guest_call.cpp": "functions of plugin.h without a context find their call by it",
    "core/include/actord/type_chain.hpp": "compiled into plugins, which know nothing of base",
    "core/include/actord/shared_object.hpp": "the same",
}

# Files of tests that may sleep: path, reason.
SLEEPERS = {
    "tests/bad_plugins/flood.cpp": "it is a plugin that is slow, so that its mailbox grows",
    "tests/bad_plugins/slow_end.cpp": "it is a plugin that takes long, which the test reports",
    "tests/bad_plugins/stuck.cpp": "it is a plugin that takes long, which the test reports",
    "tests/bench/hosted_plugin.hpp": "it waits for processes",
    "tests/bench/isolation_rows.cpp": "it measures what begins after a rest",
    "tests/bench/isolation_storm_rows.cpp": "processes are killed at random instants",
    "tests/bench/measuring.cpp": "some rows measure a time in which nothing is to happen",
    "tests/integration/pause_test.py": "it stops a process for some time, which must pass",
    "tests/sim/step_fibers_test.cpp": "its time is virtual",
}

# Documents that the tree names although they are not part of it, with what they are.
PUBLIC_DOCUMENTS = {
    "HOCON.md": "the specification of HOCON, in the repository lightbend/config",
}
