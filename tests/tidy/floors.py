# SPDX-License-Identifier: Apache-2.0
"""The list of floors: what stands below what, and who may do what nobody else may.

A file includes its own room or a lower floor: never up, never a neighbour on the same floor. To add
a room is to add a line here.
"""

CORE = {
    "base": 0,
    "hocon": 1,
    "message": 1,
    "log": 1,
    "sched": 1,
    "actor": 2,
    "system": 3,
    "pattern": 4,
    "persist": 4,
    "sdk": 4,
    "testkit": 4,
}

DAEMON = {
    "os": 5,
    "wire": 5,
    "options": 6,
    "settings": 6,
    "sinks": 6,
    "loader": 6,
    "isolate": 6,
    "remote": 6,
    "admin": 6,
    "web": 6,
    "app": 7,
    "host": 7,
    "ctl": 7,
}

MAIN = 8  # daemon/*.cpp

ROOMS = {**CORE, **DAEMON}

# The plugin boundary is plain C and includes nothing: every room may speak it. The C++ SDK is
# compiled into plugins; inside the house only who stands on it may include it.
PLUGIN_BOUNDARY = "actord/plugin.h"
SDK_FLOOR = 4

# Libraries and system headers that a place must do without: place, pattern of the header, why.
FORBIDDEN_HEADERS = [
    ("core/", r"spdlog/|fmt/|yaml-cpp/|boost/|nlohmann/", "core builds without these libraries"),
    ("core/", r"dlfcn\.h|sys/socket\.h|netinet/|arpa/", "core has no sockets and no dlopen"),
]

# The only door to atomics and threads in core.
SYNC_DOOR = "core/base/sync.hpp"

# Files of core that use what the door should give them: path (a folder ends in '/'), why.
SYNC_EXCEPTIONS = {
}
