# SPDX-License-Identifier: Apache-2.0
"""The text of a secret is in no output, log, reply or status, whatever is wrong and wherever it
stands. The cases are generated: a syntax, a place of the secret, a mistake and a verb each."""

import json
import os
import resource
import shutil
import signal
import subprocess
import unittest

import rig

SECRET = "hunter2-Z9x7Q"  # without a character that any of the syntaxes would escape
# Pieces of it must not be shown either, since a reader may cut a text.
PIECES = (SECRET, SECRET[:9], SECRET[4:])
with open("/proc/sys/kernel/core_pattern", encoding="utf-8") as pattern:
    CORE_PATTERN = pattern.read().strip()
PLUGINS = (rig.PLUGINS, rig.BAD_PLUGINS)

# An actor with a reply that is sent while it is down.
REPLY = ('actord.user.k {{ behaviour = "secretive/Keeper", '
         'backoff-supervisor {{ mode = on-stop, min = 1 s, max = 2 s, '
         'while-down {{ reply = "secretive.Handed/1", with {{ %s }} }} }} }}\n')

# Each whole file has one mistake. {s} is the secret.
HOCON = {
    "unclosed string": 'vars.secret.pw = "{s}\n',
    "unclosed block": 'vars.secret.pw = """{s}\n',
    "escape": 'vars.secret.pw = "{s}\\q"\n',
    "escape before": 'vars {{ a = "\\q", secret.pw = {s} }}\n',
    "escape behind": 'vars {{ secret.pw = {s}, a = "\\q" }}\n',
    "reserved character": "vars.secret.pw = {s}@home\n",
    "reserved first": "vars.secret.pw = @{s}\n",
    "separator": "vars.secret.pw = {s}:x\n",
    "separator before": "vars {{ a = b:c, secret.pw = {s} }}\n",
    "no separator": "vars.secret.pw {s}\n",
    "no value": "vars {{ secret {{ {s} }} }}\n",
    "two lines": "vars.secret.pw =\n  {s}\n  {s}\n",
    "control character": 'vars.secret.pw = "{s}\t"\n',
    "joined": "vars.secret.pw = {s} [1]\n",
    "substitution": "vars {{ secret.pw = {s}, a = ${{nope}} }}\n",
    "substitution beside": "vars.secret.pw = {s} ${{nope}}\n",
    "open list": 'vars.secret.keys = ["{s}"\n',
    "list": "vars.secret.keys = [{s}, }}]\n",
    "open object": "vars {{ secret.pw = {s}\n",
    "brace": "vars {{ secret.pw = {s} }} }}\n",
    "include": 'vars.secret.pw = {s}, include required("absent.conf")\n',
    "include before": 'vars {{ include required("absent.conf"), secret.pw = {s} }}\n',
    "comment": "vars.a = [ # {s}\n",
    "bytes": "vars.secret.pw = {s}\udcff\n",
    "unknown key": "actord.pasword = {s}\n",
    "unknown key beside": "vars.secret.pw = {s}, actord.lgo = 1\n",
    "type beside": "vars.secret.pw = {s}, actord.log.level = loud\n",
    "shown": "vars.secret.pw = {s}, actord.name = ${{vars.secret.pw}}\n",
    "file name": "vars.secret {{ pw = {s}, a {{ file = ${{vars.secret.pw}} }} }}\n",
    "variable name": "vars.secret {{ pw = {s}, a {{ env = ${{vars.secret.pw}} }} }}\n",
    "credential name": "vars.secret {{ pw = {s}, a {{ credential = ${{vars.secret.pw}} }} }}\n",
    "plugin's": 'actord.user.k {{ behaviour = "secretive/Keeper", config.pin = {s}, x = 1 }}\n',
    "plugin's, escape": 'actord.user.k {{ behaviour = "secretive/Keeper", '
                        'config {{ pin = "{s}\\q" }} }}\n',
    "plugin's, substitution": 'actord.user.k {{ behaviour = "secretive/Keeper", '
                              'config {{ keys = [${{nope}}], pin = {s} }} }}\n',
    "plugin's, type": 'actord.user.k {{ behaviour = "secretive/Keeper", config.keys = {s} }}\n',
    "plugin's, misspelt": 'actord.user.k {{ behaviour = "secretive/Keeper", config.pni = {s} }}\n',
    "message's": REPLY % "pin = {s}, x = 1",
    "message's, type": REPLY % "pin = {s}, times = x",
    "message's, list": REPLY % "pin = [{s}]",
    "message's, misspelt": REPLY % "pni = {s}, times = x",
    "message's, absent": REPLY.replace("Handed", "Absent") % "pin = {s}",
    "no plugin": 'actord.user.k {{ behaviour = "absent/Keeper", config.pin = {s} }}\n',
}
JSON = {
    "escape": '{{"vars": {{"secret": {{"pw": "{s}\\q"}}}}}}\n',
    "bare": '{{"vars": {{"secret": {{"pw": {s}}}}}}}\n',
    "single quotes": "{{\"vars\": {{\"secret\": {{\"pw\": '{s}'}}}}}}\n",
    "no comma": '{{"vars": {{"secret": {{"pw": "{s}" "x": 1}}}}}}\n',
    "comma": '{{"vars": {{"secret": {{"pw": "{s}",}}}}}}\n',
    "no colon": '{{"vars": {{"secret": {{"pw" "{s}"}}}}}}\n',
    "no key": '{{"vars": {{"secret": {{"{s}"}}}}}}\n',
    "twice": '{{"vars": {{"secret": {{"pw": "{s}", "pw": "{s}"}}}}}}\n',
    "unclosed": '{{"vars": {{"secret": {{"pw": "{s}\n',
    "comment": '{{"vars": {{"secret": {{"pw": "{s}" // {s}\n}}}}}}\n',
    "behind": '{{"vars": {{"secret": {{"pw": "{s}"}}}}}} {s}\n',
    "plugin's": '{{"actord": {{"user": {{"k": {{"behaviour": "secretive/Keeper", '
                '"config": {{"pin": "{s}", "keys": [tru]}}}}}}}}}}\n',
}
YAML = {
    "escape": 'vars: {{secret: {{pw: "{s}\\q"}}}}\n',
    "map": "vars:\n  secret:\n    pw: {s}: x\n",
    "anchor": "vars:\n  secret:\n    pw: *{s}\n",
    "tag": "vars:\n  secret:\n    pw: !{s} x\n",
    "tag of yaml": "vars:\n  secret:\n    pw: !!int {s}\n",
    "at": "vars:\n  secret:\n    pw: @{s}\n",
    "percent": "vars:\n  secret:\n    pw: %{s}\n",
    "flow": "vars: {{secret: {{pw: {s}, }}]\n",
    "merge": "vars: {{secret: {{pw: {s}, <<: x}}}}\n",
    "twice": "vars: {{secret: {{pw: {s}, pw: {s}}}}}\n",
    "second document": "vars: {{secret: {{pw: {s}}}}}\n--- {{a: {s}}}\n",
    "indentation": "vars:\n  secret:\n    pw: |\n      {s}\n   x: 1\n",
    "plugin's": "actord: {{user: {{k: {{behaviour: secretive/Keeper, "
                'config: {{pin: {s}, keys: ["\\q"]}}}}}}}}\n',
}
MISTAKES = [(f"{syntax}: {name}", ending, text)
            for syntax, ending, texts in (("HOCON", "conf", HOCON), ("JSON", "json", JSON),
                                          ("YAML", "yaml", YAML))
            for name, text in texts.items()]


def everything(daemon):
    """All that the daemon has written so far."""
    return json.dumps(daemon.records) + repr(daemon.bad_lines) + daemon.errors


class Secrets(rig.Case):
    def assert_silent(self, output, case):
        for piece in PIECES:
            self.assertNotIn(piece, output, case)

    def file(self, ending, text):
        path = os.path.join(self.folder, f"actord.{ending}")
        with open(path, "wb") as file:
            file.write(text.format(s=SECRET).encode("utf-8", "surrogateescape"))
        os.chmod(path, 0o600)
        return path

    def output_of(self, words):
        done = subprocess.run(words, capture_output=True, timeout=60, check=False)
        return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")

    def test_a_mistake_in_a_file(self):
        plugins = [word for folder in PLUGINS for word in ("--plugin-path", folder)]
        state = ["--set", f'actord.state-dir="{self.folder}/state"']
        cases = 0
        for name, ending, text in MISTAKES:
            path = self.file(ending, text)
            ways = {
                "start": [rig.BIN, path, *plugins, *state],
                "--check": [rig.BIN, "--check", path, *plugins, *state],
                "check": [rig.CTL, "config", "check", path, *plugins, *state],
                "check -o json": [rig.CTL, "config", "check", path, *plugins, "-o", "json"],
                "show": [rig.CTL, "config", "show", path, *plugins],
                "explain": [rig.CTL, "config", "explain", "vars", "-c", path, *plugins],
                "diff": [rig.CTL, "config", "diff", path, path, *plugins],
                "files": [rig.CTL, "config", "files", path],
            }
            for way, words in ways.items():
                with self.subTest(name, way=way):
                    status, output = self.output_of(words)
                    self.assert_silent(output, (name, way))
                    if way == "start":
                        self.assertNotEqual(status, 0, output)
                    cases += 1
        self.assertGreater(cases, 200)

    def test_a_reload(self):
        good = (f'vars.secret.pw = {SECRET}\nactord.user.k {{ behaviour = "secretive/Keeper", '
                "config.pin = ${vars.secret.pw} }\n")
        config = self.write("actord.conf", good)
        daemon = self.start(config, plugins=PLUGINS)
        daemon.wait_for("daemon.ready")
        for name, ending, text in MISTAKES:
            if ending != "conf":
                continue
            with self.subTest(name):
                with open(config, "wb") as file:
                    file.write(text.format(s=SECRET).encode("utf-8", "surrogateescape"))
                for words in (("reload",), ("diff",), ("reload", "--dry-run", "-o", "json")):
                    done = self.run_ctl("config", *words, "--socket", self.state + "/actord.sock")
                    self.assert_silent(done.stdout + done.stderr, (name, words))
        daemon.send(signal.SIGHUP)
        self.assertEqual(daemon.stop(), 0)
        self.assert_silent(everything(daemon), "the log")
        self.assertIn("config.rejected", daemon.events())

    def test_what_an_actor_gives_away(self):
        """It logs the secret, and throws it."""
        daemon = self.start(
            f'actord.user.t {{ behaviour = "secretive/Teller", config.pin = {SECRET} }}\n'
            "actord.actor.guardian-supervisor-strategy.decider.default = stop\n",
            plugins=PLUGINS, sets=("actord.boot.on-failure=degrade",))
        told = daemon.wait_for("secretive.tells")
        self.assertEqual((told["msg"], told["pin"]), ("the pin is (secret)", "(secret)"))
        failed = daemon.wait_for("actor.failed")
        self.assertIn("cannot log in with (secret) as a pin", json.dumps(failed))
        daemon.wait_for("daemon.ready")
        done = self.run_ctl("start", "/user/t", "--socket", self.state + "/actord.sock")
        self.assertIn("cannot log in with (secret) as a pin", done.stdout + done.stderr)
        self.assertEqual(daemon.stop(), 0)
        self.assert_silent(done.stdout + done.stderr + everything(daemon), "the actor")

    def test_a_start_that_fails_with_it(self):
        config = self.write("actord.conf", f"""
            actord.user.t {{ behaviour = "secretive/Teller", config.pin = {SECRET} }}
            actord.actor.guardian-supervisor-strategy.decider.default = stop
            """)
        for form in ("json", "console"):
            daemon = rig.Daemon(["--config", config, "--log-format", form, "--plugin-path",
                                 rig.BAD_PLUGINS, "--set", f'actord.state-dir="{self.state}"'])
            self.addCleanup(daemon.close)
            self.assertEqual(daemon.wait(), rig.EX_TEMPFAIL)
            self.assert_silent(everything(daemon), form)
            self.assertIn("cannot log in with (secret) as a pin", daemon.errors)


@unittest.skipUnless(CORE_PATTERN.isalnum(), "the kernel writes no core file into the folder")
@unittest.skipIf("ACTORD_SANITIZED" in os.environ, "a sanitizer handles the crash")
class CoreDump(rig.Case):
    CRASH = 'actord.user.it { behaviour = "crashing/Crasher", config.how = pointer }\n'

    def setUp(self):
        super().setUp()
        limits = resource.getrlimit(resource.RLIMIT_CORE)
        try:
            resource.setrlimit(resource.RLIMIT_CORE, 2 * (resource.RLIM_INFINITY,))
        except ValueError:
            self.skipTest("this process may not permit whole core files")
        self.addCleanup(resource.setrlimit, resource.RLIMIT_CORE, limits)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def core_of(self, config):
        """The core file of a daemon that crashes, and has not crashed before; None: there is
        none."""
        shutil.rmtree(self.state, ignore_errors=True)
        _, status = self.run_to_end(self.CRASH + config, plugins=PLUGINS)
        self.assertEqual(status, -signal.SIGSEGV)
        found = [name for name in os.listdir(self.folder) if name.startswith("core")]
        if not found:
            return None
        size = os.path.getsize(found[0])
        self.assertLess(size, 1 << 30, "the core file contains reserved addresses")
        with open(found[0], "rb") as file:
            core = file.read()
        os.remove(found[0])
        return core

    def test_a_configuration_with_a_secret_leaves_none_unless_asked(self):
        self.assertIsNotNone(self.core_of("actord.name = x\n"))
        secret = f"vars.secret.pw = {SECRET}\n"
        self.assertIsNone(self.core_of(secret))
        self.assertIsNone(self.core_of("actord.core-dumps = none\n"))
        self.assertIsNone(self.core_of(
            f'actord.user.k {{ behaviour = "secretive/Keeper", config.pin = {SECRET} }}\n'))
        self.assertIn(SECRET.encode(), self.core_of(secret + "actord.core-dumps = full\n"))


if __name__ == "__main__":
    rig.main()
