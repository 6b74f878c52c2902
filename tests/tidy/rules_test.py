#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the rules: each rule finds every bad example, and nothing in the good ones."""

import unittest

from rooms import rooms_of
from rules import RULES
from source import File, Tree, blank_cxx

PAGE = {"core/actor/supervision.md": """\
## 0. Formulas

## 1. Items

11. Eleven.
12. Twelve.
13. Thirteen.
     - **13a** One.
     - **13b** **Not yet.** Another.

## 2. Settings

14. no item
"""}


def citing(path, text):
    return {**PAGE, path: text}


EVENTS = {"core/log/daemon_events.hpp": """\
    {.topic = "Clients",
     .name = "admin.command",
     .levels = Levels::info,
     .fields = admin_command_fields,
     .is_audit = true},
    {.topic = "The daemon", .name = "daemon.ready", .levels = Levels::info},
"""}

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"


def one(path, text):
    return {path: text}


def chain_of_headers(length):
    """Headers each of which includes the one before."""
    return {f"core/base/h{i}.hpp": f'#include "base/h{i - 1}.hpp"\n' if i else ""
            for i in range(length)}


def including_chain_of(path, length):
    return {path: f'#include "base/h{length - 1}.hpp"\n', **chain_of_headers(length)}


# rule: (bad trees, good trees); a tree is {path: text}.
EXAMPLES = {
    "floors": (
        [
            one("core/base/a.hpp", '#include "actor/cell.hpp"\n'),
            one("core/log/a.hpp", '#include "hocon/tree.hpp"\n'),
            one("core/base/a.hpp", "#include <actord/actor.hpp>\n"),
            one("core/actor/a.cpp", '#include "cell.hpp"\n'),
            one("core/actor/a.cpp", '#include "../base/result.hpp"\n'),
            one("core/actor/a.cpp", "#include <system/guardian.hpp>\n"),
            one("core/include/actord/a.hpp", '#include "base/result.hpp"\n'),
            one("core/attic/a.cpp", "int x;\n"),
            one("daemon/sinks/a.cpp", '#include "settings/tree.hpp"\n'),
            one("daemon/os/a.cpp", '#include "app/boot.hpp"\n'),
            one("daemon/app/a.cpp", '#include "tests/support/world.hpp"\n'),
            one("plugins/echo/echo.cpp", '#include "actor/cell.hpp"\n'),
            one("plugins/echo/echo.cpp", "#include <base/result.hpp>\n"),
            one("plugins/echo/echo.cpp", '#include "../crawler/page.hpp"\n'),
        ],
        [
            one("core/actor/a.cpp",
                '#include "actor/cell.hpp"\n#include "base/result.hpp"\n#include <system_error>\n'
                "#include <actord/plugin.h>\n#include <sys/mman.h>\n"),
            one("core/sdk/a.cpp", "#include <actord/actor.hpp>\n"),
            one("core/system/a.cpp", "#include <actord/actord.hpp>\n"),
            one("core/include/actord/a.hpp", "#include <actord/plugin.h>\n#include <string>\n"),
            one("daemon/app/a.cpp", '#include "os/signals.hpp"\n#include "system/guardian.hpp"\n'),
            one("daemon/sinks/a.cpp", '#include <spdlog/logger.h>\n#include "sinks/line.hpp"\n'),
            one("daemon/main.cpp", '#include "app/run.hpp"\n'),
            {"plugins/crawler/crawler.cpp": '#include "page.hpp"\n#include <actord/actord.hpp>\n',
             "plugins/crawler/page.hpp": "#pragma once\n"},
            one("tests/unit/actor/a_test.cpp", '#include "app/boot.hpp"\n'),
        ],
    ),
    "actor_parts": (
        [
            one("core/actor/turn.hpp", '#include "actor/recovery.hpp"\n'),
            one("core/actor/turn.hpp", '#include "actor/cell_extras.hpp"\n'),
            one("core/actor/thread_state.cpp", '#include "actor/activation.hpp"\n'),
            one("core/actor/thread_state.cpp", '#include "actor/cell_extras.hpp"\n'),
            one("core/actor/asks.cpp", "turn.extras().recovery.cancel_backoff(turn);\n"),
            one("core/actor/instance.cpp", "if (extras->start_sequence.awaits(ref)) return;\n"),
        ],
        [
            one("core/actor/recovery.hpp", '#include "actor/turn.hpp"\n'),
            one("core/actor/recovery.cpp",
                '#include "actor/cell_extras.hpp"\nturn.extras().stash.unstash_all(turn);\n'
                "turn.extras().recovery.cause_ = {};  // extras.termination is above\n"),
            one("core/actor/activation.hpp", '#include "actor/cell_extras.hpp"\n'),
            one("core/actor/cell.hpp", '#include "actor/lifecycle.hpp"\n'),
            one("core/actor/cell_extras.hpp", '#include "actor/termination.hpp"\n'),
            one("core/sdk/host_table.cpp", "of(c).extras().recovery.perpetrator();\n"),
        ],
    ),
    "forbidden_headers": (
        [
            one("core/log/a.cpp", "#include <spdlog/spdlog.h>\n"),
            one("core/sdk/a.cpp", "#include <dlfcn.h>\n"),
            one("core/include/actord/a.hpp", "#include <nlohmann/json.hpp>\n"),
        ],
        [one("daemon/sinks/a.cpp", "#include <spdlog/spdlog.h>\n#include <dlfcn.h>\n")],
    ),
    "narrow_headers": (
        [
            including_chain_of("daemon/app/a.hpp", 100),
        ],
        [
            including_chain_of("daemon/app/a.hpp", 99),
            including_chain_of("daemon/app/a.cpp", 100),
            including_chain_of("core/system/a.hpp", 100),
            {"daemon/app/a.hpp": '#include "app/b.hpp"\n',
             "daemon/app/b.hpp": '#include "app/a.hpp"\n'},
        ],
    ),
    "library_doors": (
        [
            one("daemon/app/a.hpp", "#include <boost/asio/steady_timer.hpp>\n"),
            one("daemon/os/event_loop.hpp", "#include <boost/asio/io_context.hpp>\n"),
            one("daemon/web/a.hpp", "#include <boost/beast/http.hpp>\n"),
            one("daemon/app/a.hpp", "#include <nlohmann/json.hpp>\n"),
            one("daemon/sinks/a.hpp", "#include <spdlog/sinks/sink.h>\n"),
        ],
        [
            one("daemon/app/a.cpp", "#include <boost/asio/steady_timer.hpp>\n"),
            one("daemon/app/a.hpp", "#include <boost/program_options.hpp>\n"),
            one("daemon/wire/json.hpp", "#include <nlohmann/json.hpp>\n"),
            one("daemon/schema/a.hpp", "#include <nlohmann/json_fwd.hpp>\n"),
            one("daemon/sinks/own_sink.hpp", "#include <spdlog/sinks/sink.h>\n"),
            one("tests/unit/sinks/a.hpp", "#include <spdlog/sinks/sink.h>\n"),
        ],
    ),
    "sync_door": (
        [
            one("core/actor/a.hpp", "#include <atomic>\n"),
            one("core/actor/a.hpp", "std::atomic<int> count_;\n"),
            one("core/sched/a.cpp", "std::jthread worker;\n"),
            one("core/sched/a.cpp", "thread_local int depth;\n"),
        ],
        [
            one("core/base/sync.hpp", "#include <atomic>\nstd::atomic<int> x;\n"),
            one("core/actor/a.hpp", "// std::mutex would cost more\nbase::Atomic<int> count_;\n"),
            one("daemon/sinks/a.cpp", "std::thread drain_;\n"),
        ],
    ),
    "spdx": (
        [one("core/base/a.hpp", "#pragma once\n"), one("dev", "#!/bin/sh\necho\n"),
         one("core/CMakeLists.txt", "project(x)\n")],
        [one("core/base/a.hpp", SPDX), one("tests/tidy/a.py",
                                           "#!/usr/bin/env python3\n# " + SPDX[3:]),
         one("README.md", "# x\n")],
    ),
    "pragma_once": (
        [one("core/base/a.hpp", SPDX), one("core/include/actord/a.h", SPDX)],
        [one("core/base/a.hpp", SPDX + "#pragma once\n"), one("core/base/a.cpp", SPDX),
         one("core/include/actord/a.h", "#ifndef A_H\n#define A_H\n#endif\n")],
    ),
    "columns": (
        [one("core/base/a.hpp", "/" * 101 + "\n")],
        [one("core/base/a.hpp", "é" * 100 + "\n"), one("README.md", "x" * 300 + "\n")],
    ),
    "length": (
        [one("core/base/a.cpp", "\n" * 601), one("tests/unit/base/a_test.cpp", "\n" * 801)],
        [one("core/base/a.cpp", "\n" * 600), one("tests/unit/base/a_test.cpp", "\n" * 800)],
    ),
    "function_length": (
        [
            one("core/base/a.cpp", "void f() {\n" + "\n" * 70 + "}\n"),
            one("core/base/a.hpp", "namespace a {\nclass B : public C<D()> {\n public:\n"
                                   "  int f(X x = {}) const noexcept {" + "\n" * 71 +
                                   "  }\n};\n}\n"),
            one("tests/unit/a_test.cpp",
                'TEST_SUITE("a") {\n\nTEST_CASE("b") {' + "\n" * 71 + "}\n\n}\n"),
        ],
        [
            one("core/base/a.cpp", "void f() {\n" + "\n" * 69 + "}\n"),
            one("core/base/a.cpp", ("void f() {\n" + "\n" * 40 + "}\n") * 2),
            one("core/base/a.hpp",
                "namespace a {\nclass B {\n" + "  void f() {}\n" * 80 + "};\n}\n"),
            one("core/base/a.cpp", "constexpr Row rows[] = {\n" + "  {f(1), 2},\n" * 80 + "};\n"),
        ],
    ),
    "plain_comments": (
        [one("a.cpp", "// Who sends, waits.\n"), one("a.cpp", "int x;  // known. Of the worker.\n"),
         one("a.hpp", "/// Called by nobody.\n"), one("a.h", "/* That is all. */\n")],
        [one("a.cpp", "// The sender waits: `nobody` and actor::nobody are refs.\n"),
         one("a.cpp", 'auto x = "Who is nobody?";\n'), one("a.md", "Who? Nobody.\n"),
         one("a.cpp", "// The worker that waits, of all.\nauto of = nobody;\n")],
    ),
    "whitespace": (
        [one("a.cpp", "int x; \n"), one("a.cpp", "\tint x;\n"), one("a.cpp", "int x;"),
         one("a.cpp", "int x;\r\n")],
        [one("a.cpp", "int x;\n"), one("a.cpp", "")],
    ),
    "names": (
        [one("core/base/ArenaPool.hpp", ""), one("core/base/arena-pool.cpp", ""),
         one("tests/sim/Worlds/a.cpp", ""), one("tests/tidy/my-rule.py", "")],
        [one("core/base/arena_pool.hpp", ""), one("CMakeLists.txt", ""), one(".ci/run", "")],
    ),
    "header_names": (
        [{"core/base/a.hpp": "", "daemon/os/a.hpp": ""}],
        [{"core/base/a.hpp": "", "daemon/os/b.hpp": "", "core/base/a.cpp": "",
          "daemon/os/a.cpp": ""}],
    ),
    "banned_calls": (
        [
            one("a.cpp", "  strcpy(to, from);\n"),
            one("a.cpp", "  return std::rand();\n"),
            one("a.cpp", "  x = ::sprintf(buffer, f);\n"),
            one("a.cpp", '  system("rm");\n'),
            one("a.cpp", "  if (std::system(line)) return;\n"),
            one("a.cpp", "  n = atoi(text);\n"),
        ],
        [
            one("a.cpp", "  // strcpy(to, from)\n  log(\"rand()\");\n"),
            one("a.cpp", "  ctx.system().tell(ref, m);\n  self->random();\n"),
            one("a.cpp", "      random(seed),\n  Plan(int seed) : random(seed) {}\n"),
            one("a.cpp", "  System system() const;\n  std::uint64_t random();\n"),
            one("a.cpp", "  snprintf(b, n, f);\n  base::random(x);\n  localtime_r(&t, &out);\n"),
        ],
    ),
    "library_habits": (
        [one("core/log/a.cpp", '  getenv("HOME");\n'), one("core/log/a.cpp", "std::cerr << x;\n"),
         one("core/log/a.cpp", "  printf(x);\n")],
        [one("core/log/a.cpp", "  std::snprintf(b, n, f);\n"),
         one("daemon/main.cpp", "  std::cerr << what;\n")],
    ),
    "audit_events": (
        [
            {**EVENTS, "daemon/app/a.cpp": 'log.emit(level, "admin.command", "a", {});\n'},
            {**EVENTS, "daemon/app/a.cpp":
                'log.emit(is_well ? info : warning,\n   "admin.command", "a", fields);\n'},
            {**EVENTS, "daemon/app/a.cpp": 'log.audit(level, "daemon.ready", "a", {});\n'},
            one("daemon/app/a.cpp", 'log.audit(level, "admin.command", "a", {});\n'),
        ],
        [
            {**EVENTS, "daemon/app/a.cpp":
                'log.audit(level, "admin.command", "a", {});\nlog.emit(a, "daemon.ready", "b");\n'},
            {**EVENTS, "tests/unit/a.cpp": 'log.emit(level, "admin.command", "a", {});\n'},
        ],
    ),
    "unfinished": (
        [one("core/base/a.cpp", "// TODO: later\n"), one("dev", "#!/bin/sh\n# FIXME\n")],
        [one("core/base/a.cpp", "// TODO(decisions/0006): when clusters come\n")],
    ),
    "machine_paths": (
        [one("README.md", "cd /work/main\n"), one("a.cpp", 'open("/tmp/x");\n'),
         one("config/a.conf", "root = /home/me/site\n")],
        [one("README.md", "/user/work/x, ~/tmp/x, ${TMPDIR:-/tmp}, http://host/work/x\n")],
    ),
    "sleeps": (
        [one("tests/unit/a_test.cpp", "  std::this_thread::sleep_for(1ms);\n"),
         one("tests/unit/a_test.cpp", "  usleep(10);\n"),
         one("tests/unit/a_test.cpp", "  base::Parker().park(30'000'000);\n"),
         one("tests/unit/a_test.cpp", "  base::Parker{}.park_until(deadline_ns);\n"),
         one("tests/unit/a_test.cpp", "  Parker parker;\n  parker.park(30'000'000);\n"),
         one("tests/unit/a_test.cpp", "  Parker p, q;\n  p.park(9);\n  q.unpark();\n"),
         one("tests/unit/a_test.cpp", "  std::promise<void>().get_future().wait_for(30ms);\n"),
         one("tests/unit/a_test.cpp",
             "  std::condition_variable().wait_for(lock, 30ms);\n"),
         one("tests/unit/a_test.cpp", "  std::counting_semaphore<>(0).try_acquire_for(2ms);\n"),
         one("tests/unit/a_test.cpp", "  poll(nullptr, 0, 30);\n"),
         one("tests/bench/rows.cpp", "  select(0, nullptr, nullptr, nullptr, &span);\n"),
         one("tests/integration/a.py", "time.sleep(1)\n"),
         one("tests/integration/a.py", "threading.Event().wait(0.03)\n"),
         one("tests/integration/a.py", "select.select([], [], [], 0.03)\n"),
         one("tests/integration/a.sh", "until x; do sleep 1; done\n")],
        [one("tests/unit/a_test.cpp", "  // never sleep_for(1ms)\n  int sleeps = 0;\n"),
         one("tests/unit/a_test.cpp", "  poll(&one, 1, 30);\n  has_ended.wait_for(30ms);\n"),
         one("tests/unit/a_test.cpp", "  Parker p;\n  p.unpark();\n  p.park(1);\n"),
         one("tests/unit/a_test.cpp", "  p.park(0);\n  box.park();\n  box.park(word, give);\n"),
         one("tests/bench/measuring.cpp", "  poll(nullptr, 0, ms);\n"),
         one("tests/integration/a.py", "select.select(pipes, [], [], 0.03)\nended.wait(0.03)\n"),
         one("tests/integration/a.sh", "# do sleep 1\n"),
         one("daemon/os/a.cpp", "  usleep(10);\n")],
    ),
    "skipped_tests": (
        [one("tests/unit/a_test.cpp", 'TEST_CASE("x" * doctest::skip()) {}\n')],
        [one("tests/unit/a_test.cpp", 'TEST_CASE("x" * doctest::timeout(1)) {}\n')],
    ),
    "order_stories": (
        [
            one("core/log/a.cpp", "  head_.store(1, base::release);\n"),
            one("core/log/a.cpp", "  // release: the bytes of the block\n"
                                  "  head_.store(1, base::release);\n"),
            one("core/log/a.cpp", "  // pairs with b()\n  x = 1;\n"
                                  "  head_.store(1, base::release);\n"),
            one("core/log/a.cpp", "  while (!head_.compare_exchange_weak(old, f(old),\n"
                                  "                                      base::acq_rel)) {}\n"),
            one("core/base/a.cpp", "  head_.store(1, release);\n"),
            one("daemon/os/a.cpp", "  x = head_.load(std::memory_order_acquire);\n"),
            {"core/log/a.cpp": "  head_.store(1, base::release);\n",
             "core/base/b.hpp": "// `head_` pairs with c()\n"},
            {"core/log/a.cpp": "  head_.store(1, base::release);\n",
             "core/log/b.hpp": "// `tail_` pairs with c()\n"},
        ],
        [
            one("core/log/a.cpp", "  head_.store(1, base::relaxed);\n  release(acquire, x);\n"),
            one("core/log/a.cpp", "  head_.store(1, base::release);  // pairs with b()\n"),
            one("core/log/a.cpp", "  // release: pairs with b(), which sees\n  // the block\n"
                                  "  head_.store(1, base::release);\n"),
            one("core/log/a.cpp", "  // Both pair with b().\n"
                                  "  while (!head_.compare_exchange_weak(old, f(old),\n"
                                  "                                      base::acq_rel)) {}\n"),
            {"core/log/a.cpp": "  x = g(head_.load(base::acquire));\n",
             "core/log/b.hpp": "  // The release of `head_`\n  // pairs with g().\n"},
            one("core/base/a.hpp", "inline constexpr auto acquire = std::memory_order_acquire;\n"),
            one("tests/unit/log/a.cpp", "  x = head_.load(std::memory_order_acquire);\n"),
        ],
    ),
    "citations": (
        [
            one("core/actor/supervision.md", "## 1. Items\n\n1. One.\n2. Two.\n2. Three.\n"),
            citing("core/a.hpp", "// The rule stands in missing.md.\n"),
            citing("core/a.conf", "# see docs/supervision.md\n"),
            {"core/a/NOTES.md": "", "core/b/NOTES.md": "", "core/a.hpp": "// NOTES.md\n"},
            one("core/a.hpp", "// Twice (supervision.md 12).\n"),  # there is no such page
            citing("core/a.hpp", "// Twice (supervision.md 14).\n"),
            citing("core/a.hpp", "// Twice (supervision.md 12, 13c).\n"),
            citing("core/a.hpp", "// Twice (supervision.md 12,\n// 15).\n"),
            citing("core/a.hpp", "// Twice (supervision.md\n// 15).\n"),
            citing("core/a.hpp", "// supervision.md 11-15\n"),
            citing("core/a.hpp", "// supervision.md 10 to 12\n"),
            citing("core/a.hpp", "// supervision.md 13-11\n"),
            citing("core/a.hpp", "// supervision.md 13a-c\n"),
            citing("core/a.hpp", "// supervision.md 0\n"),
            citing("core/a.hpp", "// supervision.md, section 7\n"),
            citing("core/a.hpp", "// supervision.md 12 and section 7\n"),
            citing("core/a.hpp", "// supervision.md B, C and I once more\n"),
            citing("core/a.md", "[supervision.md](actor/supervision.md) 15\n"),
            citing("core/a.md", "| part | supervision.md |\n|---|---|\n| x | 12, 15 |\n"),
            citing("tests/x/a.patch", "Breaks: once\n(supervision.md 15).\n"),
            citing("tests/x/a.patch", "+// once (supervision.md 12,\n+// 15)\n"),
            citing("tests/conformance/a_test.cpp", "// Directives: items 11 to 15.\n"),
            citing("tests/unit/a_test.cpp", 'TEST_CASE("once (supervision.md 15)") {}\n'),
        ],
        [
            citing("core/a.hpp", "// supervision.md beside this, and actor/supervision.md\n"),
            {"core/a/NOTES.md": "", "core/a/a.hpp": "// NOTES.md, a/NOTES.md, ../a/NOTES.md\n"},
            {"core/a/NOTES.md": "", "tests/a.hpp": "// NOTES.md, core/a/NOTES.md\n"},
            citing("core/a.hpp", "// https://example.org/x.md, *.md, HOCON.md, \"Syntax\"\n"),
            citing("core/a.hpp", "// Twice (supervision.md 12, 13a), 99 times; 7 in all.\n"),
            citing("core/a.hpp", "// supervision.md 11-13, and 13 as a whole; or 13a-b,\n// 12\n"),
            citing("core/a.hpp", "// supervision.md 11\n// to 13, sections of it\n"),
            citing("core/a.hpp", "// supervision.md, section 0; supervision.md 12 and section 2\n"),
            citing("core/a.md", "| part | [supervision.md](actor/supervision.md) | 99 |\n"
                                "|---|---|---|\n| x | 12, 13a | 99 |\n| y | | |\n\n| 99 |\n"),
            citing("tests/conformance/a_test.cpp", "// Directives: items 11 to 13, and 13b.\n"),
            citing("tests/unit/a_test.cpp", "// a list of items 99\n"),
        ],
    ),
    "globs": (
        [one("core/CMakeLists.txt", "file(GLOB_RECURSE all *.cpp)\n")],
        [one("core/CMakeLists.txt", "# never file(GLOB)\nfile(WRITE x y)\n")],
    ),
    "unlisted": (
        [{"core/base/a.cpp": "", "core/base/CMakeLists.txt": "actord_room(base SOURCES ba.cpp)\n"},
         {"plugins/x/x.cpp": ""}],
        [{"core/base/a.cpp": "", "core/base/CMakeLists.txt": "actord_room(base SOURCES a.cpp)\n"},
         {"tests/x/a.c": "", "tests/x/CMakeLists.txt": "foreach(x a b)\n  add(x SOURCES ${x}.c)\n"},
         {"tests/unit/base/a_test.cpp": "", "tests/unit/CMakeLists.txt": "base/a_test.cpp\n"}],
    ),
    "plugin_folders": (
        [{"plugins/echo/echo.cpp": "", "plugins/echo/CMakeLists.txt": ""}],
        [{"plugins/echo/README.md": "", "plugins/echo/CMakeLists.txt": "",
          "plugins/CMakeLists.txt": ""}],
    ),
    "rooms_have_floors": (
        [one("core/attic/CMakeLists.txt", ""), one("daemon/base/CMakeLists.txt", "")],
        [one("core/base/CMakeLists.txt", ""), one("core/CMakeLists.txt", ""),
         one("daemon/app/CMakeLists.txt", "")],
    ),
}


class Rules(unittest.TestCase):

    def test_every_rule_has_examples(self):
        self.assertEqual(sorted(RULES), sorted([*EXAMPLES, "empty_folders"]))

    def test_a_rule_finds_each_bad_example_and_nothing_in_the_good_ones(self):
        for name, (bad, good) in EXAMPLES.items():
            for texts in bad:
                with self.subTest(rule=name, bad=texts):
                    self.assertTrue(list(RULES[name](Tree(texts))))
            for texts in good:
                with self.subTest(rule=name, good=texts):
                    self.assertEqual([], list(RULES[name](Tree(texts))))

    def test_an_empty_folder_is_found(self):
        look = RULES["empty_folders"]
        self.assertTrue(list(look(Tree({}, ["core/attic"]))))
        self.assertEqual([], list(look(Tree({"core/base/a.hpp": ""}))))

    def test_a_finding_names_the_line(self):
        tree = Tree({"core/actor/a.cpp": "// one\n#include <atomic>\n"})
        self.assertEqual(("core/actor/a.cpp", 2), list(RULES["sync_door"](tree))[0][:2])


class Functions(unittest.TestCase):

    def test_the_body_of_each_function_is_found_and_nothing_else(self):
        rows = [
            ("void f() {\n}", [(1, 1)]),
            ("int f();\nint g() { return 1; }", [(2, 0)]),
            ("template <class T = int>\nauto f(T t) -> std::vector<T> {\n}", [(2, 1)]),
            ("struct stat look(int fd) {\n}", [(1, 1)]),
            ("struct S { int x{0}; bool operator==(const S&) const { return x(); } };", [(1, 0)]),
            ("class C : D<int()> {\n  C() : a_{1}, b_(g([] {})) {\n  }\n};", [(2, 1)]),
            ("struct alignas(64) S {\n  ~S() { close(x); }\n};", [(2, 0)]),
            ("X& operator=(X&& x) noexcept {\n}\nbool operator()() const { }", [(1, 1), (3, 0)]),
            ("template <class T>\n  requires requires(T t) { t(); }\nvoid f() { }", [(3, 0)]),
            ("ACTORD_MESSAGE(A, x)\nclass B {\n  void f() override { }\n};", [(3, 0)]),
            ("enum class E : int { a = f(1), b };\nint x[] = { f(1) };\nint y{f(1)};", []),
            ("constexpr auto f = [](int x) {\n};\nstd::function<void()> g{h};", [(1, 1)]),
            ('extern "C" {\nint f() { }\n}\nnamespace a::b { void g() { } }', [(2, 0), (4, 0)]),
            ('f("{"); // {\nvoid g() { /* } */ h("}");\n}', [(2, 1)]),
            ("#define F(x) \\\n  if (x) {\nvoid f() {\n}", [(3, 1)]),
            ("#if A\nvoid f() {\n#else\nvoid f(int) {\n#endif\n}\nvoid g() { }",
             [(2, 4), (7, 0)]),
            ("#if A\nvoid f() { }\n#else\nvoid g() { }\n#endif\n", [(2, 0), (4, 0)]),
        ]
        for text, want in rows:
            with self.subTest(text=text):
                self.assertEqual(want, File("a.cpp", text).functions)


class Rooms(unittest.TestCase):
    def test_a_room_has_its_lines_and_the_rooms_that_it_includes(self):
        tree = Tree({
            "core/base/a.hpp": "#pragma once\n",
            "core/log/b.hpp": '#include "base/a.hpp"\n#include "log/c.hpp"\n',
            "core/log/c.cpp": '#include "base/a.hpp"\n#include <vector>\n',
            "tests/unit/d.cpp": '#include "log/b.hpp"\n',
        })
        self.assertEqual(rooms_of(tree), [(0, "base", 1, 1, {}), (1, "log", 2, 4, {"base": 2})])


class BlankCxx(unittest.TestCase):

    def test_comments_and_literals_go_and_lines_stay(self):
        rows = [
            ("a; // b", "a;     "),
            ("a /* b\nc */ d", "a     \n     d"),
            ('f("x // y");', 'f("");'),
            ('f("\\"", b);', 'f("", b);'),
            ("n = 1'000'000; // x", "n = 1'000'000;     "),
            ("c = '\"'; d(\"x\")", "c = ''; d(\"\")"),
            ('R"(a\n" b)" + c', '"\n" + c'),
            ('R"x(a)" b)x" + c', '"" + c'),
        ]
        for text, want in rows:
            with self.subTest(text=text):
                self.assertEqual(want, blank_cxx(text))


if __name__ == "__main__":
    unittest.main()
