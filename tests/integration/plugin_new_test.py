# SPDX-License-Identifier: Apache-2.0
"""The way of an author: `actorctl plugin new` writes a plugin that builds without warnings, passes
its tests and runs, in C++ and in C, with both compilers, with what is installed and with the build
tree.
"""

import json
import os
import shutil
import subprocess
import unittest

import rig

BUILD = os.environ["ACTORD_BUILD"]
WARNINGS = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"
CLANG = shutil.which("clang++")


@unittest.skipIf(rig.HAS_SANITIZER, "a sanitizer does not change what is written")
class New(rig.Case):
    @classmethod
    def setUpClass(cls):
        cls.place = rig.tempfile.mkdtemp(prefix="actord-new-")
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        cls.prefix = os.path.join(cls.place, "usr")
        subprocess.run(["cmake", "--install", BUILD, "--component", "libactord-dev", "--prefix",
                        cls.prefix], check=True, stdout=subprocess.DEVNULL)

    def call(self, *words):
        """Runs a program that succeeds. Returns its output."""
        done = subprocess.run(words, capture_output=True, text=True, check=False,
                              timeout=4 * rig.PATIENCE)
        self.assertEqual(done.returncode, 0, f"{' '.join(words)}\n{done.stdout}{done.stderr}")
        return done.stdout

    def new(self, name, *options):
        folder = os.path.join(self.folder, name)
        return json.loads(self.call(rig.CTL, "plugin", "new", name, "--dir", folder, "-o", "json",
                                    *options))

    def build(self, folder, where, compilers=("gcc", "g++")):
        """Builds without a warning, and passes the tests. Returns the folder of the build."""
        build = os.path.join(folder, "build")
        self.call("cmake", "-S", folder, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                  f"-DCMAKE_C_COMPILER={compilers[0]}", f"-DCMAKE_CXX_COMPILER={compilers[1]}",
                  f"-DCMAKE_C_FLAGS={WARNINGS}",
                  f"-DCMAKE_CXX_FLAGS={WARNINGS} -Wold-style-cast", where)
        self.call("cmake", "--build", build)
        self.assertIn("100% tests passed, 0 tests failed out of 1",
                      self.call("ctest", "--test-dir", build, "--output-on-failure"))
        return build

    def assert_lives(self, made, build):
        """Its configuration runs it. The first three questions are answered, the fourth is a
        failure, and the actor that was restarted counts anew."""
        name = made["name"]
        config = os.path.join(made["folder"], f"{name}.conf")
        daemon = self.start(config, plugins=(build,))
        daemon.wait_for("daemon.ready")
        path, message, sample = made["commands"][-1].split(" ", 4)[2:]
        question = (path, message, sample.strip("'"))
        for count in (1, 2, 3):
            answer = json.loads(self.ctl("ask", *question))
            self.assertEqual(answer["count"], count)
        self.ctl("tell", *question)
        self.assertEqual(daemon.wait_for("actor.failed")["failure"]["type"], f"{name}::TooMany")
        daemon.wait_for("actor.restarted")
        answer = json.loads(self.ctl("ask", *question))
        self.assertEqual(answer["count"], 1)
        self.assert_stops_in_order(daemon)

    def test_the_plugin_without_options_is_built_with_what_is_installed(self):
        made = self.new("demo")
        build = self.build(made["folder"], f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.assert_lives(made, build)
        stage = os.path.join(self.folder, "stage")
        done = subprocess.run(["cmake", "--install", build], capture_output=True, check=False,
                              env={**os.environ, "DESTDIR": stage})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(os.path.isfile(
            f"{stage}{os.path.realpath(self.prefix)}/lib/actord/plugins/demo.so"))

    @unittest.skipIf(CLANG is None, "clang++ is not installed")
    def test_all_types_of_fields_are_built_with_clang_and_the_build_tree(self):
        made = self.new(
            "types", "-m", "Many:a:bool,b:int,c:uint,d:double,e:text,f:duration,g:ref,h:bytes,"
            "i:float,j:int8,k:uint16,l:list<text>,m:map<int>,n:optional<double>",
            "-m", "PingPong:list<int>", "-m", "Nothing")
        self.assert_lives(made, self.build(made["folder"], f"-Dactord_DIR={BUILD}",
                                           ("clang", "clang++")))

    def test_the_plugin_in_c_is_built_with_the_build_tree(self):
        made = self.new("cee", "--c")
        self.assert_lives(made, self.build(made["folder"], f"-Dactord_DIR={BUILD}"))

    @unittest.skipIf(CLANG is None, "clang++ is not installed")
    def test_all_types_of_fields_in_c_are_built_with_clang_and_what_is_installed(self):
        made = self.new("see", "--c", "-m", "Set:on:bool,n:int,u:uint,x:double,d:duration,r:ref",
                        "-m", "Nothing")
        self.assert_lives(made, self.build(
            made["folder"], f"-DCMAKE_PREFIX_PATH={self.prefix}", ("clang", "clang++")))


if __name__ == "__main__":
    rig.main()
