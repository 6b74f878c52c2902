# SPDX-License-Identifier: Apache-2.0
"""The format of the state directory: what another version of actord has left there."""

import os
import signal

import rig

ECHO = 'actord.user.echo.behaviour = "echo/Echo"\n'
LATER = "format = 900\nreadable-from = %d\nactord = 90.1.0\nmigrated = yes\n"


class StateVersion(rig.Case):
    def setUp(self):
        super().setUp()
        self.file = os.path.join(self.state, "actord.version")

    def content(self):
        with open(self.file, encoding="utf-8") as file:
            return file.read()

    def run_once(self):
        daemon = self.start(ECHO)
        daemon.wait_for("daemon.ready")
        self.assert_stops_in_order(daemon)
        return daemon.records[0]["version"]

    def assert_refused(self, status, *sentences):
        before = self.identity()
        daemon, ended = self.run_to_end(ECHO)
        self.assertEqual(ended, status, daemon.log_tail() + daemon.errors)
        for sentence in sentences:
            self.assertIn(sentence, daemon.errors)
        self.assertIn(sentences[0], daemon.records[-1]["error"])
        self.assertNotIn("plugin.loaded", daemon.events())
        self.assertEqual(self.identity(), before)

    def identity(self):
        """Differs when the file was replaced, written or given away; not when it was read."""
        found = os.lstat(self.file)
        return found.st_ino, found.st_mtime_ns, found.st_ctime_ns

    def test_the_first_start_notes_the_format_and_the_next_keeps_it(self):
        version = self.run_once()
        self.assertIn(f"\nformat = 1\nreadable-from = 1\nactord = {version}\n", self.content())
        before = os.stat(self.file)
        self.run_once()
        self.assertEqual(os.stat(self.file).st_ino, before.st_ino)

    def test_a_directory_of_a_version_that_noted_none_is_used(self):
        self.run_once()
        os.remove(self.file)
        self.run_once()
        self.assertIn("\nformat = 1\n", self.content())
        self.assertTrue(os.path.exists(os.path.join(self.state, "history")))

    def test_one_step_of_downgrade_starts_and_keeps_the_later_format(self):
        self.write("state/actord.version", LATER % 1)
        self.run_once()
        self.assertEqual(self.content(), LATER % 1)

    def test_a_format_that_cannot_be_read_is_refused(self):
        self.write("state/actord.version", LATER % 2)
        self.assert_refused(
            rig.EX_CONFIG,
            f"actord 90.1.0 has brought the state directory {self.state} to format 900",
            "help: install actord 90.1.0 or a later version again, or move the directory away",
            f"mv {self.state} {self.state}.90.1.0")
        os.rename(self.state, self.state + ".90.1.0")  # as the help says
        self.run_once()

    def test_a_damaged_file_is_refused_until_it_is_removed(self):
        self.write("state/actord.version", "")
        self.assert_refused(rig.EX_CONFIG, f"{self.file} is damaged: it has no line",
                            f"rm -r {self.file}")
        os.remove(self.file)
        os.mkdir(self.file)
        self.assert_refused(rig.EX_CONFIG, f"cannot read {self.file}: Is a directory",
                            f"rm -r {self.file}")
        os.rmdir(self.file)
        self.run_once()

    def test_a_running_daemon_is_not_disturbed_by_one_that_is_refused(self):
        daemon = self.start(ECHO)
        daemon.wait_for("daemon.ready")
        self.write("state/actord.version", LATER % 2)
        other, status = self.run_to_end(ECHO, sets=["actord.admin.socket=off"])
        self.assertEqual(status, rig.EX_TEMPFAIL)  # the lock comes first
        self.assertIn("another actord uses the state directory", other.errors)
        self.assertEqual(daemon.stop(signal.SIGTERM), rig.EX_OK)


if __name__ == "__main__":
    rig.main()
