# SPDX-License-Identifier: Apache-2.0
"""Log files besides the output: actord.log.files."""

import json
import os
import signal

import rig

CONFIG = """
actord {
  log.level = debug
  log.files {
    all { path = "%s/all.log", rotate { size = 64 KiB, keep = 1000 } }
    few { path = "%s/few.log", format = console, level = warning }
  }
  actor.debug.receive = on
  user {
    a { behaviour = "mortal/Mortal", config { file = "%s" } }
    flood {
      behaviour = "flood/Source"
      config { messages = 20000, bytes = 10, each_us = 50 }
    }
  }
}
"""


class LogFiles(rig.Case):
    def setUp(self):
        super().setUp()
        self.fate = self.write("fate", "")
        self.all = os.path.join(self.folder, "all.log")
        self.daemon = self.start(CONFIG % (self.folder, self.folder, self.fate),
                                 plugins=(rig.PLUGINS, rig.BAD_PLUGINS))
        self.daemon.wait_for("daemon.ready")

    def end(self):
        self.daemon.send(signal.SIGTERM)
        self.assertEqual(self.daemon.wait(), rig.EX_OK)

    def lines(self):
        """Of all files, the oldest first."""
        files = [name for name in os.listdir(self.folder) if name.startswith("all.log")]
        ages = sorted((int(name[len("all.log."):] or 0) for name in files if name != "all.log"),
                      reverse=True)
        texts = []
        for path in [f"{self.all}.{age}" for age in ages] + [self.all]:
            with open(path, encoding="utf-8") as file:
                texts.append(file.read())
        return len(ages), "".join(texts).splitlines()

    def test_a_file_that_is_rotated_under_load_has_each_line_whole_and_once(self):
        self.daemon.wait_for("actor.receive", lambda each: each["seq"] > 15_000)
        self.end()
        rotations, lines = self.lines()
        self.assertGreater(rotations, 10)
        self.assertEqual([json.loads(line) for line in lines], self.daemon.records)

    def test_a_file_for_people_has_only_what_is_severe_enough(self):
        self.write("fate", "fail")
        self.daemon.wait_for("actor.restarted")
        self.write("fate", "")
        self.end()
        with open(os.path.join(self.folder, "few.log"), encoding="utf-8") as file:
            text = file.read()
        self.assertRegex(text, r"(?m)^\S+ WARN  actor.restarted /user/a ")
        self.assertNotIn("INFO", text)

    def test_sigusr1_opens_the_files_again(self):
        moved = os.path.join(self.folder, "moved")
        os.rename(self.all, moved)
        self.daemon.send(signal.SIGUSR1)
        self.end()
        _, lines = self.lines()
        self.assertEqual(json.loads(lines[-1])["event"], "daemon.stopped")
        self.assertNotIn("daemon.signal-ignored", [each["event"] for each in self.daemon.records])


if __name__ == "__main__":
    rig.main()
