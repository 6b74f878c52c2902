# SPDX-License-Identifier: Apache-2.0
"""Plugins of C, Rust, g++ and clang with libc++ in one daemon: they exchange messages whose texts
each stores in its own way, and the failures of each are judged by the strategy.
"""

import json
import os
import shutil
import subprocess
import unittest

import rig

BUILD = os.environ["ACTORD_BUILD"]
HERE = os.path.dirname(os.path.abspath(__file__))
RELAY, CARELESS = (os.path.join(HERE, each) for each in ("relay_project", "rust_project"))
RUST = os.path.join(rig.PLUGINS, "rust_echo.so")
LIBCXX = "/usr/lib/llvm-14/lib/libc++.a"
CLANG = shutil.which("clang++")
# Texts that fit into the object of a std::string, that do not, and that are not of ASCII.
TEXTS = ("a", "exactly fifteen", "x" * 22, "x" * 23, "Grüße, Ж, 漢字 " * 500)


def needs_rust(test):
    return unittest.skipUnless(os.path.exists(RUST), "rustc was not found")(test)


def needs_libcxx(test):
    found = CLANG is not None and os.path.exists(LIBCXX)
    return unittest.skipUnless(found, "clang++ or libc++ was not found")(test)


@unittest.skipIf(rig.HAS_SANITIZER, "plugins without a sanitizer are refused by a daemon with one")
class Languages(rig.Case):
    @classmethod
    def setUpClass(cls):
        cls.place = rig.tempfile.mkdtemp(prefix="actord-languages-")
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        cls.built = {}

    def build(self, name, compiler="g++", flags="", project=RELAY):
        """The folder of the plugin of that name, which that compiler has built."""
        if name not in self.built:
            build = os.path.join(self.place, name)
            for words in (["cmake", "-S", project, "-B", build, "-G", "Ninja", f"-DPLUGIN={name}",
                           f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_CXX_FLAGS={flags}",
                           "-DACTORD_RUSTC=/usr/bin/rustc",
                           f"-Dactord_DIR={BUILD}"],
                          ["cmake", "--build", build]):
                done = subprocess.run(words, capture_output=True, text=True, check=False,
                                      timeout=4 * rig.PATIENCE)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.built[name] = build
        return self.built[name]

    def boot(self, actors, plugins=()):
        daemon = self.start(f"actord.user {{ {actors} }}\n", plugins=(rig.PLUGINS, *plugins))
        daemon.wait_for("daemon.ready")
        return daemon

    def ask(self, path, message, type_name="echo.Text/1"):
        answer = self.ctl("ask", path, type_name, json.dumps(message), "-o", "json")
        return json.loads(answer)["message"]

    def assert_echoes(self, path):
        for text in TEXTS:
            with self.subTest(path=path, size=len(text)):
                self.assertEqual(self.ask(path, {"text": text}), {"text": text})

    def test_a_text_goes_through_an_actor_of_c_and_back(self):
        daemon = self.boot('echo.behaviour = "echo/Echo"\n'
                           'c { behaviour = "c_echo/Relay", config.to = /user/echo }\n'
                           'c_echo.behaviour = "c_echo/Echo"')
        self.assert_echoes("/user/c")
        self.assert_echoes("/user/c_echo")
        self.assert_stops_in_order(daemon)

    @needs_rust
    @needs_libcxx
    def test_a_text_goes_through_actors_of_four_compilers(self):
        """From g++ to C, Rust, libc++ and g++ again; the answer goes straight back."""
        gcc = self.build("gcc_echo", "g++")
        libcxx = self.build("libcxx_echo", CLANG, "-stdlib=libc++")
        daemon = self.boot(
            'echo.behaviour = "echo/Echo"\n'
            'libcxx { behaviour = "libcxx_echo/Relay", config.to = /user/echo }\n'
            'rust { behaviour = "rust_echo/Relay", config.to = /user/libcxx }\n'
            'c { behaviour = "c_echo/Relay", config.to = /user/rust }\n'
            'gcc { behaviour = "gcc_echo/Relay", config.to = /user/c }\n',
            plugins=(gcc, libcxx))
        self.assert_echoes("/user/gcc")
        self.assert_echoes("/user/c")
        self.assert_stops_in_order(daemon)

    @needs_rust
    @needs_libcxx
    def test_an_actor_asks_one_of_another_language_and_gets_its_answer(self):
        """The answer to an ask does not go through a handler for its type."""
        libcxx = self.build("libcxx_echo", CLANG, "-stdlib=libc++")
        actors = 'echo.behaviour = "echo/Echo"\n'
        for language in ("c", "rust"):
            actors += (f'{language}.behaviour = "{language}_echo/Echo"\n'
                       f'ask_{language} {{ behaviour = "libcxx_echo/Asker", '
                       f"config.to = /user/{language} }}\n")
        daemon = self.boot(actors, plugins=(libcxx,))
        for language in ("c", "rust"):
            self.assert_echoes(f"/user/ask_{language}")
        self.assert_stops_in_order(daemon)

    @needs_rust
    def test_a_panic_of_rust_is_judged_by_the_strategy(self):
        daemon = self.start(
            'actord.actor.guardian-supervisor-strategy { decider { "rust::Panic" = resume } }\n'
            'actord.user.divider.behaviour = "rust_echo/Divider"\n')
        daemon.wait_for("daemon.ready")
        divide = lambda divisor: self.ask("/user/divider", {"dividend": 7, "divisor": divisor},
                                          "rust_echo.Divide/1")
        self.assertEqual(divide(2), {"quotient": 3, "answers": 1})
        self.ctl("tell", "/user/divider", "rust_echo.Divide/1", '{"dividend": 7}')
        failed = daemon.wait_for("actor.failed")
        self.assertEqual((failed["failure"]["type"], failed["failure"]["message"],
                          failed["decision"]["directive"]),
                         ("rust::Panic", "attempt to divide by zero", "resume"))
        self.assertRegex(failed["failure"]["details"]["place"], r"rust_echo\.rs:\d+:\d+$")
        self.assertEqual(divide(3), {"quotient": 2, "answers": 2})  # resumed, not restarted
        self.assert_stops_in_order(daemon)

    @needs_rust
    def test_without_a_rule_a_panic_restarts_the_actor(self):
        daemon = self.boot('divider.behaviour = "rust_echo/Divider"')
        self.ctl("tell", "/user/divider", "rust_echo.Divide/1", '{"dividend": 7}')
        daemon.wait_for("actor.restarted")
        self.assertEqual(
            self.ask("/user/divider", {"dividend": 7, "divisor": 2}, "rust_echo.Divide/1"),
            {"quotient": 3, "answers": 1})
        self.assert_stops_in_order(daemon)

    @needs_rust
    def test_nothing_that_safe_rust_does_wrong_ends_actord(self):
        daemon = self.boot('main.behaviour = "careless/Main"',
                           plugins=(self.build("careless", project=CARELESS),))
        unlisted = ("actord::UnlistedMessage",
                    "careless.Unlisted/1 is missing from the messages of the plugin")
        for order, failure in (
                ("tell", unlisted), ("reply", unlisted), ("timer", unlisted), ("publish", unlisted),
                ("ask", ("rust::Panic", "the answer is for another behaviour, Other")),
                ("bomb", ("rust::Panic", "a panic with a value that is no text")),
                ("else", ("careless::Wrong", "no such order"))):
            self.ctl("tell", "/user/main", "careless.Do/1", json.dumps({"what": order}))
            failed = daemon.wait_for("actor.failed")["failure"]
            self.assertEqual((failed["types"][0], failed["message"]), failure)
            daemon.wait_for("actor.restarted")  # and the destructor of the value has panicked
        self.assert_stops_in_order(daemon)

    def test_each_language_reports_failures_by_its_own_names(self):
        actors = {"c": ("c_echo/Relay", "c_echo::NothingToSay", ())}
        if os.path.exists(RUST):
            actors["rust"] = ("rust_echo/Relay", "rust_echo::NothingToSay", ())
        if CLANG is not None and os.path.exists(LIBCXX):
            folder = self.build("libcxx_echo", CLANG, "-stdlib=libc++")
            actors["libcxx"] = ("libcxx_echo/Relay", "relay_echo::NothingToSay", (folder,))
        daemon = self.boot('echo.behaviour = "echo/Echo"\n' + "\n".join(
            f'{name} {{ behaviour = "{behaviour}", config.to = /user/echo }}'
            for name, (behaviour, _, _) in actors.items()),
            plugins=[folder for *_, folders in actors.values() for folder in folders])
        for name, (_, failure, _) in actors.items():
            self.ctl("tell", f"/user/{name}", "echo.Text/1", '{"text": ""}')
            failed = daemon.wait_for("actor.failed",
                                     lambda record, name=name:
                                     record["actor"]["path"] == f"/user/{name}")
            self.assertEqual((failed["failure"]["types"][0], failed["failure"]["message"]),
                             (failure, "the text is empty"))
        self.assert_stops_in_order(daemon)

    def test_a_config_that_is_wrong_is_refused_with_its_place(self):
        behaviours = ["c_echo/Relay"] + ["rust_echo/Relay"] * os.path.exists(RUST)
        for behaviour in behaviours:
            for config, reason in (("{}", "to"), ("{ to = 5, more = 1 }", "more")):
                text = f'actord.user.it {{ behaviour = "{behaviour}", config {config} }}\n'
                done = subprocess.run([rig.BIN, self.write("actord.conf", text), "--check"],
                                      capture_output=True, text=True, timeout=rig.PATIENCE,
                                      check=False)
                with self.subTest(behaviour=behaviour, config=config):
                    self.assertEqual(done.returncode, rig.EX_CONFIG, done.stderr)
                    self.assertRegex(done.stderr, rf"actord\.conf:1:\d+: error: .*{reason}")


if __name__ == "__main__":
    rig.main()
