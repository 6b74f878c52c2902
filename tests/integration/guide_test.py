# SPDX-License-Identifier: Apache-2.0
"""The author's guide: each piece of C++ in it is part of a plugin, which is built without warnings,
tested with the test kit, and run by the daemon with the configurations that the guide shows.
"""

import json
import os
import re
import shutil
import subprocess
import textwrap
import unittest

import rig

BUILD = os.environ["ACTORD_BUILD"]
GUIDE = os.path.join(os.environ["ACTORD_SOURCE"], "core/include/actord/README.md")
PROJECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "guide_project")
WARNINGS = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Werror"


def lines_of(text):
    return [line.strip() for line in text.strip().splitlines()]


@unittest.skipIf(rig.HAS_SANITIZER, "the code of the guide is small, and its build is slow")
class Guide(rig.Case):
    @classmethod
    def setUpClass(cls):
        with open(GUIDE, encoding="utf-8") as file:
            cls.guide = file.read()
        cls.place = rig.tempfile.mkdtemp(prefix="actord-guide-")
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        for words in (["cmake", "-S", PROJECT, "-B", cls.place, "-G", "Ninja",
                       f"-DCMAKE_CXX_FLAGS={WARNINGS}", f"-Dactord_DIR={BUILD}"],
                      ["cmake", "--build", cls.place],
                      ["ctest", "--test-dir", cls.place, "--output-on-failure"]):
            done = subprocess.run(words, capture_output=True, text=True, check=False,
                                  timeout=6 * rig.PATIENCE)
            if done.returncode != 0:
                raise AssertionError(f"{' '.join(words)}\n{done.stdout}{done.stderr}")

    def blocks(self, language):
        found = re.findall(rf"```{language}\n(.*?)```", self.guide, re.S)
        self.assertTrue(found, language)
        return found

    def test_each_piece_of_cpp_is_part_of_the_project(self):
        sources = []
        for name in os.listdir(PROJECT):
            with open(os.path.join(PROJECT, name), encoding="utf-8") as file:
                sources.append(lines_of(file.read()))
        for block in self.blocks("cpp"):
            wanted = lines_of(block)
            is_there = any(wanted == source[at:at + len(wanted)]
                           for source in sources for at in range(len(source)))
            self.assertTrue(is_there, f"not in {PROJECT}:\n{textwrap.indent(block, '  ')}")

    def test_the_first_actor_answers_as_the_guide_says(self):
        config = next(block for block in self.blocks("hocon") if "greeter/" in block)
        line = re.search(r"actorctl ask (\S+) (\S+) '(.*?)' +# (.*)", self.guide)
        daemon = self.start(config, plugins=(self.place,))
        daemon.wait_for("daemon.ready")
        path, name, message, answer = line.groups()
        given = json.loads(self.ctl("ask", path, name, message, "-o", "json"))
        self.assertEqual(given["message"], json.loads(answer))
        self.assert_stops_in_order(daemon)

    def test_the_shop_runs_and_its_rules_are_checked(self):
        config = next(block for block in self.blocks("hocon") if "shop/Shop" in block)
        price = self.write("price.txt", "250")
        config = config.replace("/srv/price.txt", price)
        daemon = self.start(config, plugins=(self.place,))
        daemon.wait_for("daemon.ready")
        answer = json.loads(self.ctl("ask", "/user/shop", "shop.Order/1", '{"sku": "tea"}',
                                     "-o", "json"))
        self.assertEqual(answer["message"]["sold"], 1)
        daemon.stop()
        self.assertIn("shop.exported", daemon.events())

        wrong = self.write("wrong.conf", config.replace("20", "40"))
        done = subprocess.run([rig.BIN, wrong, "--check", "--plugin-path", self.place],
                              capture_output=True, text=True, timeout=rig.PATIENCE, check=False)
        self.assertEqual(done.returncode, rig.EX_CONFIG, done.stderr)
        self.assertIn("must be at most 32 with mode = careful", done.stderr)

    def test_an_inspection_tells_in_which_state_the_door_is(self):
        mailbox = next(block for block in self.blocks("hocon") if "/user/door" in block)
        daemon = self.start('actord.user.door.behaviour = "shop/Door"\n' + mailbox,
                            plugins=(self.place,))
        daemon.wait_for("daemon.ready")
        told = self.ctl("inspect", "/user/door")
        self.assertRegex(told, r"limit +1000 messages, then wait\n")
        self.assertRegex(told, r"order +control, shop\.Key/1, \*\n")
        self.assertRegex(self.ctl("inspect", "/user/door"), r"state +running \(locked\)\n")
        self.ctl("tell", "/user/door", "shop.Alarm/1")
        daemon.wait_for("shop.door", lambda record: record["is_open"])
        actor = json.loads(self.ctl("inspect", "/user/door", "-o", "json"))
        self.assertEqual((actor["state"], actor["named_state"]), ("running", "open"))
        self.assertNotIn("shop.Key/1", actor["takes"])
        self.assertIn("shop.Key/1", actor["takes_in_other_states"])
        self.assert_stops_in_order(daemon)

    def breakers(self):
        told = json.loads(self.ctl("breakers", "-o", "json"))["breakers"]
        return {each["name"]: each for each in told}

    def test_couriers_share_a_breaker_that_the_operator_configures_and_sees(self):
        breakers = next(block for block in self.blocks("hocon") if "circuit-breaker" in block)
        couriers = """
            actord.user.one.behaviour = "shop/Courier"
            actord.user.two.behaviour = "shop/Courier"
        """
        config = self.write("couriers.conf", couriers + breakers)
        daemon = self.start(config, plugins=(self.place,))
        daemon.wait_for("daemon.ready")
        self.assertEqual(self.ctl("breakers", "-o", "name"), "wholesaler\n")
        self.assertEqual(self.breakers()["wholesaler"]["state"], "closed")

        def order_of(courier, failure):
            told = self.ctl("ask", f"/user/{courier}", "shop.Order/1", '{"sku": "tea"}', status=1)
            self.assertIn(failure, told)

        for courier in ("one", "two", "two"):
            order_of(courier, "shop::SoldOut")
        line = daemon.wait_for("breaker.changed")
        self.assertEqual((line["level"], line["actor"]["path"], line["breaker"]["name"],
                          line["breaker"]["state"], line["breaker"]["failures"]),
                         ("warning", "/user/two", "wholesaler", "open", 3))
        for courier in ("one", "two"):
            order_of(courier, "actord::CircuitBreakerOpen")
        breaker = self.breakers()["wholesaler"]
        self.assertEqual((breaker["state"], breaker["failures"], breaker["opened"],
                          breaker["failed"], breaker["refused"]), ("open", 3, 1, 3, 2))
        self.assertLessEqual(breaker["remaining_ms"], 15_000)
        self.assertRegex(self.ctl("breakers"), r"(?m)^wholesaler +open +3 +\d+ seconds +1 +3 +2$")
        metrics = self.ctl("metrics")
        of_it = '{name="wholesaler"'
        for sample in (f'state{of_it},state="open"}} 1', f'state{of_it},state="closed"}} 0',
                       f'transitions_total{of_it},state="open"}} 1', f"refused_total{of_it}}} 2",
                       f"failures_total{of_it}}} 3"):
            self.assertIn(f"\nactord_circuit_breaker_{sample}\n", metrics)

        self.write("couriers.conf", couriers + breakers.replace("= 3", "= 1") + """
            actord.circuit-breaker.default.reset-timeout = 1 ms
            actord.circuit-breaker.mail {}
        """ + "".join(f"actord.circuit-breaker.z{i} {{}}\n" for i in range(600)))
        self.ctl("config", "reload")
        self.assertEqual(self.breakers()["wholesaler"]["state"], "open")
        self.assertEqual(self.breakers()["mail"]["state"], "closed")
        self.assertTrue(self.ctl("breakers").endswith("\nand 102 more\n"))
        self.assertEqual(self.ctl("metrics").count("\nactord_circuit_breaker_refused_total{"), 250)
        self.ctl("kill", "/user/two")
        self.assertEqual(self.breakers()["wholesaler"]["state"], "open")

        wrong = self.write("wrong.conf", "actord.circuit-breaker.shop { reset-timeout = 2 h }")
        done = subprocess.run([rig.BIN, wrong, "--check"], capture_output=True, text=True,
                              timeout=rig.PATIENCE, check=False)
        self.assertEqual(done.returncode, rig.EX_CONFIG, done.stderr)
        self.assertIn("wrong.conf:1:47: error: reset-timeout is longer than max-reset-timeout",
                      done.stderr)
        self.assert_stops_in_order(daemon)

    def test_a_plugin_whose_extension_another_one_uses_is_not_retired(self):
        daemon = self.start('actord.user.cashier.behaviour = "till/Cashier"\n',
                            plugins=(self.place,))
        daemon.wait_for("daemon.ready")
        ask = ("ask", "/user/cashier", "shop.GetPrice/1", '{"sku": "tea"}', "--timeout", "2s")
        self.ctl("tell", *ask[1:4])
        daemon.wait_for("actor.failed", lambda record: "shop is not loaded"
                        in record["failure"]["message"])
        self.ctl("plugin", "load", "shop")
        self.assertIn("250", self.ctl(*ask))
        refused = self.ctl("plugin", "retire", "shop", status=rig.EX_USAGE)
        self.assertIn("shop.prices/1 by the plugin till", refused)
        self.assertIn("250", self.ctl(*ask))
        self.assert_stops_in_order(daemon)


if __name__ == "__main__":
    rig.main()
