#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The conformance table against programs that pass, fail, crash, hang, and leave items out."""

import contextlib
import io
import pathlib
import tempfile
import unittest
from unittest import mock

import table
from specification import Specification


def program(folder, script, name="conformance"):
    path = folder / "bin" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\n" + script, encoding="utf-8")
    path.chmod(0o755)
    return path


def cases(*lines):
    return "".join(f"echo '{line}'\n" for line in lines)


class Table(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)
        self.items = ["1", "2", "168a", "168b"]
        for name, value in (("expected", lambda: list(self.items)),
                            ("scripts", lambda: [])):
            patch = mock.patch.object(table, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def printed(self, patience=30.0, lists=False):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = (table.list_gaps(self.build) if lists
                      else table.print_table(self.build, patience))
        return out.getvalue().splitlines(), status

    def test_a_line_for_each_item_in_order_and_the_sum(self):
        program(self.build, cases("case begins: 168b last", "case passed",
                                  "case begins: 168a next", "case passed",
                                  "case begins: 2 second", "case passed"))
        program(self.build, cases("case begins: 1 first", "case passed"), "conformance-threads")
        self.assertEqual(self.printed(), (["ok 1 first", "ok 2 second", "ok 168a next",
                                           "ok 168b last", "4 passed, 0 failed"], 0))

    def test_a_failed_case_with_what_it_said(self):
        program(self.build, cases("case begins: 1 first", "ERROR: not so", "case failed",
                                  "case begins: 2 second", "case passed",
                                  "case begins: 168a a", "case passed",
                                  "case begins: 168b b", "case passed") + "exit 1\n")
        lines, status = self.printed()
        self.assertEqual(lines[:2], ["FAIL 1 first", "    ERROR: not so"])
        self.assertEqual((lines[-1], status), ("3 passed, 1 failed", 1))

    def test_a_crash_fails_its_case_and_the_others_run_all_the_same(self):
        program(self.build, 'case "$*" in\n*first=1*)\n' +
                cases("case begins: 1 first", "case passed", "case begins: 2 second", "ouch") +
                "kill -9 $$\n;;\n*)\n" +
                cases("case begins: 168a a", "case passed", "case begins: 168b b", "case passed") +
                ";;\nesac\n")
        self.assertEqual(self.printed(), ([
            "ok 1 first", "FAIL 2 second", "    ouch", "    the program ended by signal 9",
            "ok 168a a", "ok 168b b", "3 passed, 1 failed"], 1))

    def test_a_case_that_does_not_end(self):
        program(self.build, 'case "$*" in\n*first=1*)\n' + cases("case begins: 1 first") +
                "exec tail -f /dev/null\n;;\nesac\n")
        lines, status = self.printed(patience=0.5)
        self.assertEqual(lines[:2], ["FAIL 1 first", "    the program did not end within 0.5 s"])
        self.assertEqual(status, 1)

    def test_gaps_and_strangers(self):
        program(self.build, cases("case begins: 1 first", "case passed",
                                  "case begins: 999 what", "case passed",
                                  "case begins: 168a a", "case passed",
                                  "case begins: boot: no item", "case passed"))
        self.assertEqual(self.printed()[0], [
            "ok 1 first", "FAIL 2 nobody shows this item", "ok 168a a",
            "FAIL 168b nobody shows this item", "ok 999 what",
            "FAIL 999 is no item of the specification", "3 passed, 3 failed"])

    def test_rules_of_hocon_stand_behind_the_numbers_by_section(self):
        self.items = ["1", "HOCON comments", "HOCON commas", "HOCON +="]
        program(self.build, cases("case begins: HOCON commas: one trailing", "case passed",
                                  "case begins: HOCON comments: two", "case passed",
                                  "case begins: HOCON comments: one", "case passed",
                                  "case begins: HOCON colons: none", "case passed",
                                  "case begins: 1 first", "case passed"))
        self.assertEqual(self.printed()[0], [
            "ok 1 first", "ok HOCON comments: two", "ok HOCON comments: one",
            "ok HOCON commas: one trailing", "FAIL HOCON +=: nobody shows this item",
            "ok HOCON colons: none", "FAIL HOCON colons: is no item of the specification",
            "5 passed, 2 failed"])

    def test_the_cells_of_the_matrix_stand_behind_the_rules_each_with_what_it_said(self):
        self.items = ["1", "HOCON commas", "matrix pipe", "matrix ask"]
        program(self.build, cases("case begins: matrix ask: it answers", "cell passed: early, stop",
                                  "ERROR: not so", "cell failed: late, stop", "case failed",
                                  "case begins: matrix moon: it rises", "case passed",
                                  "case begins: HOCON commas: one", "case passed",
                                  "case begins: 1 first", "cell passed: early", "case passed") +
                "exit 1\n")
        self.assertEqual(self.printed()[0], [
            "ok 1 first", "ok 1 early", "ok HOCON commas: one", "FAIL matrix ask: it answers",
            "ok matrix ask: early, stop", "FAIL matrix ask: late, stop", "    ERROR: not so",
            "FAIL matrix pipe: nobody shows this item", "ok matrix moon: it rises",
            "FAIL matrix moon: is no item of the specification", "5 passed, 4 failed"])

    def test_the_list_finds_gaps_without_running_anything(self):
        program(self.build, cases("[doctest] listing all test case names", "1 first", "168a a",
                                  "boot: no item", "2 second"))
        self.assertEqual(self.printed(lists=True),
                         (["FAIL 168b nobody shows this item", "3 of 4 items shown"], 1))

    def test_the_lines_of_a_script(self):
        lines = table.read_items("noise\nok 179j ends\nFAIL 97 foreign\nwhy\n")
        self.assertEqual([str(line) for line in lines],
                         ["ok 179j ends", "FAIL 97 foreign\n    why"])


PAGE = """\
## 0. Formulas

1. no item

## 1. Items

### A. Directives

1. One, which
   2. goes on.
2. **Not yet.** Two.

### B. Lettered

3. Three.
     - **3a** The first.
     - **3b** **Not yet.** The second.
4. Four. **Not yet.**

## 2. Settings

5. no item
"""


class Page(unittest.TestCase):
    def setUp(self):
        self.page = Specification(PAGE)

    def test_items_and_sections_as_they_are_numbered(self):
        self.assertEqual(self.page.items, ["1", "2", "3", "3a", "3b", "4"])
        self.assertEqual(self.page.sections, ["0", "1", "2"])

    def test_what_is_not_yet_implemented_need_not_be_shown(self):
        self.assertEqual(self.page.not_yet, {"2", "3b"})
        self.assertEqual(self.page.to_be_shown(), ["1", "3a", "4"])


class Expected(unittest.TestCase):
    def test_all_items_but_those_of_later(self):
        everything = table.expected()
        self.assertEqual(len(everything), len(set(everything)))
        items = [item for item in everything if item[0].isdigit()]
        self.assertEqual(len(items), 320)
        self.assertIn("95", items)
        self.assertNotIn("168", items)
        self.assertEqual(items[-1], "188f")
        self.assertIn("HOCON pitfall 25", everything)
        self.assertEqual(everything[-1], "matrix back-off while down")


if __name__ == "__main__":
    unittest.main()
