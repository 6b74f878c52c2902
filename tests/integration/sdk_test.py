# SPDX-License-Identifier: Apache-2.0
"""The SDK as authors outside of this tree have it: a project elsewhere is built with what is
installed and with the build tree, by CMake and by one line with pkg-config, and runs in the daemon.
"""

import os
import re
import shutil
import subprocess
import unittest

import rig

BUILD = os.environ["ACTORD_BUILD"]
README, GUIDE = (os.path.join(os.environ["ACTORD_SOURCE"], each)
                 for each in ("README.md", "core/include/actord/README.md"))
PROJECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sdk_project")
WARNINGS = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Werror"
CLANG = shutil.which("clang++")
SHOP = 'actord.user.shop { behaviour = "shop/Shop", config { most = 3, mode = fast } }\n'


@unittest.skipIf(rig.HAS_SANITIZER, "a sanitizer does not change how an SDK is found")
class Sdk(rig.Case):
    @classmethod
    def setUpClass(cls):
        cls.place = rig.tempfile.mkdtemp(prefix="actord-sdk-")
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        cls.prefix = os.path.join(cls.place, "root/usr")
        cls.call("cmake", "--install", BUILD, "--component", "libactord-dev",
                 "--prefix", cls.prefix)
        cls.project = os.path.join(cls.place, "shop")
        shutil.copytree(PROJECT, cls.project)

    @staticmethod
    def call(*words, environment=None):
        """Runs a program that succeeds. Returns its output."""
        done = subprocess.run(words, capture_output=True, text=True, check=False,
                              timeout=4 * rig.PATIENCE, env={**os.environ, **(environment or {})})
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
        return done.stdout

    @staticmethod
    def read(path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def configure(self, *options, source=None, text=None, compiler="g++"):
        """Configures the project, another one, or one that only has the text as its CMakeLists.txt.
        Returns how that ended, and the folder of the build."""
        source = source or self.project
        if text is not None:
            source = os.path.dirname(self.write(
                "other/CMakeLists.txt",
                f"cmake_minimum_required(VERSION 3.19)\nproject(other LANGUAGES CXX)\n{text}\n"))
        build = os.path.join(self.folder, "build")
        done = subprocess.run(
            ["cmake", "-S", source, "-B", build, "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={compiler}",
             f"-DCMAKE_CXX_FLAGS={WARNINGS}", *options],
            capture_output=True, text=True, timeout=rig.PATIENCE, check=False)
        return done, build

    def build(self, *options, **keywords):
        """Builds the project and runs its test. Returns the folder of the build."""
        done, build = self.configure(*options, **keywords)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.call("cmake", "--build", build)
        self.assertIn("100% tests passed, 0 tests failed out of 1",
                      self.call("ctest", "--test-dir", build, "--output-on-failure"))
        return build

    def assert_refused(self, text, *parts, options=()):
        """CMake refuses such a project, and says so."""
        done, _ = self.configure(f"-DCMAKE_PREFIX_PATH={self.prefix}", *options, text=text)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        for part in parts:
            self.assertIn(part, " ".join(done.stderr.split()))

    def assert_runs(self, folder):
        """The daemon takes the plugin from that folder, and an actor of it answers."""
        config = self.write("actord.conf", SHOP)
        done = subprocess.run([rig.BIN, config, "--check", "--plugin-path", folder],
                              capture_output=True, text=True, timeout=rig.PATIENCE, check=False)
        self.assertEqual((done.returncode, done.stderr), (rig.EX_OK, ""), done.stdout)
        daemon = self.start(config, plugins=(folder,))
        daemon.wait_for("daemon.ready")
        answer = self.ctl("ask", "/user/shop", "shop.Order/1", '{"sku": "tea", "count": 2}',
                          "-o", "json")
        self.assertIn('"sold":2', re.sub(r"\s", "", answer))
        self.assert_stops_in_order(daemon)

    def assert_exports_only_its_entry(self, file):
        names = [line.split()[-1] for line in
                 self.call("nm", "--dynamic", "--defined-only", file).splitlines()]
        self.assertEqual(names, ["actord_plugin_v1"])

    # ---- CMake

    def test_a_project_is_built_with_what_is_installed(self):
        build = self.build(f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.assert_exports_only_its_entry(os.path.join(build, "shop.so"))
        stage = os.path.join(self.folder, "stage")
        self.call("cmake", "--install", build, environment={"DESTDIR": stage})
        installed = f"{stage}{os.path.realpath(self.prefix)}/lib/actord/plugins"
        self.assertEqual(os.listdir(installed), ["shop.so"])
        self.assert_runs(installed)

    def test_a_project_is_built_with_the_build_tree(self):
        self.assert_runs(self.build(f"-Dactord_DIR={BUILD}"))

    @unittest.skipIf(CLANG is None, "clang++ is not installed")
    def test_clang_builds_it_too(self):
        build = self.build(f"-DCMAKE_PREFIX_PATH={self.prefix}", compiler=CLANG)
        self.assert_exports_only_its_entry(os.path.join(build, "shop.so"))
        self.assert_runs(build)

    def test_the_version_is_that_of_the_plugin_interface(self):
        abi = re.search(r"plugin interface (\d+)\.(\d+)",
                        self.call(rig.BIN, "--version")).groups()
        major, minor = (int(each) for each in abi)
        done, _ = self.configure(
            f"-DCMAKE_PREFIX_PATH={self.prefix}",
            text=f"find_package(actord {major}.{minor} REQUIRED)\n"
                 "message(STATUS \"found ${actord_VERSION} plugins ${actord_PLUGIN_DIR}\")")
        self.assertIn(f"found {major}.{minor} plugins "
                      f"{os.path.realpath(self.prefix)}/lib/actord/plugins", done.stdout)
        for version in (f"{major}.{minor + 1}", f"{major + 1}", f"{major - 1}"):
            self.assert_refused(f"find_package(actord {version} REQUIRED)",
                                f'compatible with requested version "{version}"',
                                f"version: {major}.{minor}")

    def test_it_is_found_where_lib_is_a_link(self):
        link = os.path.join(self.place, "root/lib")
        if not os.path.lexists(link):
            os.symlink("usr/lib", link)
        done, _ = self.configure(
            f"-DCMAKE_PREFIX_PATH={self.place}/root",
            text="find_package(actord 1 REQUIRED)\n"
                 "get_target_property(headers actord::plugin-sdk INTERFACE_INCLUDE_DIRECTORIES)\n"
                 "message(STATUS \"headers ${headers}\")")
        self.assertIn(f"headers {os.path.realpath(self.prefix)}/include", done.stdout, done.stderr)

    def test_wrong_words_and_a_missing_symbol_are_errors(self):
        found = "find_package(actord 1 REQUIRED)\n"
        self.assert_refused(found + "actord_add_plugin(shop shop.cpp)",
                            "actord_add_plugin(name SOURCES file… [LINKS target…])")
        self.assert_refused(found + "actord_add_plugin_test(t PLUGIN shop SOURCE t.cpp)",
                            "actord_add_plugin_test(name [PLUGIN plugin] SOURCES file… [LINKS")
        self.assert_refused(found + "actord_add_plugin_test(t SOURCES t.cpp)",
                            "doctest-dev", options=["-DCMAKE_DISABLE_FIND_PACKAGE_doctest=ON"])
        self.write("other/lost.cpp", "void gone();\nextern \"C\" __attribute__((visibility("
                                     "\"default\"))) void actord_plugin_v1() { gone(); }\n")
        done, build = self.configure(f"-DCMAKE_PREFIX_PATH={self.prefix}",
                                     text=found + "actord_add_plugin(lost SOURCES lost.cpp)")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run(["cmake", "--build", build], capture_output=True, text=True,
                              timeout=rig.PATIENCE, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("undefined reference to `gone()'", done.stdout)

    # ---- pkg-config

    def test_one_line_with_pkg_config_builds_a_plugin(self):
        environment = {"PKG_CONFIG_PATH": next(
            folder for folder, _, files in os.walk(self.prefix) if "actord-plugin.pc" in files)}
        line = ("g++ -std=c++20 -shared -fPIC shop.cpp $(pkg-config --cflags --libs actord-plugin)"
                " -o shop.so")
        self.assertIn(line, self.read(GUIDE))
        out = os.path.join(self.folder, "shop.so")
        command = line.replace("g++ ", f"g++ {WARNINGS} ", 1).replace("-o shop.so", f"-o {out}")
        self.call("sh", "-c", f"cd {self.project} && {command}", environment=environment)
        self.assert_exports_only_its_entry(out)
        self.assert_runs(self.folder)
        folder = self.call("pkg-config", "--variable=plugindir", "actord-plugin",
                           environment=environment).strip()
        self.assertEqual(os.path.normpath(folder), f"{self.prefix}/lib/actord/plugins")

    # ---- what the documents show

    def test_the_plugin_of_the_readme_is_a_whole_project(self):
        text = self.read(README).partition("## Write a plugin")[2]
        for name, language in (("echo.cpp", "cpp"), ("CMakeLists.txt", "cmake")):
            self.write(f"echo/{name}", re.search(rf"```{language}\n(.*?)```", text, re.S)[1])
        done, build = self.configure(f"-DCMAKE_PREFIX_PATH={self.prefix}",
                                     source=os.path.join(self.folder, "echo"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.call("cmake", "--build", build)
        daemon = self.start('actord.user.echo.behaviour = "echo/Echo"\n', plugins=(build,))
        daemon.wait_for("daemon.ready")
        self.assert_stops_in_order(daemon)

    def test_the_guide_shows_the_project_of_this_test(self):
        guide = self.read(GUIDE)
        for part in self.read(os.path.join(PROJECT, "CMakeLists.txt")).split("\n\n"):
            lines = [line for line in part.splitlines() if not line.startswith("#")]
            self.assertIn("```cmake\n" + "\n".join(lines) + "\n```", guide)


if __name__ == "__main__":
    rig.main()
