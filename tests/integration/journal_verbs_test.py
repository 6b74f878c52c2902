# SPDX-License-Identifier: Apache-2.0
"""What operators do with the event journal of a running daemon: look at it, export it, check it,
give room back, delete, and see that its disk is full. The actors are those of the bank."""

import contextlib
import errno
import json
import os
import sqlite3
import subprocess
import time
import unittest
from unittest import mock

import rig

BANK = """actord.user.bank {
  behaviour = "bank/Bank"
  config { accounts = %d, opening = 200, transfers = %d, interval = 1 ms }
}
"""
EXPORTED = {"event": ("id", "sequence", "ts", "type", "bytes", "message"),
            "snapshot": ("id", "sequence", "ts", "type", "bytes", "message")}
# The daemon sees a small file system at "disk".
SMALL_DISK = """#!/bin/sh
exec unshare --mount --map-root-user sh -c 'mount -t tmpfs -o mode=0700,size=40m none "$0" &&
  exec "$@"' "{disk}" "{actord}" "$@"
"""


def may_mount():
    """Whether this machine lets the test give the daemon a file system of its own and plugins that
    it trusts: in a namespace of users the files of root are nobody's."""
    try:
        return subprocess.run(["unshare", "--mount", "--map-root-user", "sh", "-c",
                               "mount -t tmpfs none /mnt && test -O /"], capture_output=True,
                              check=False).returncode == 0
    except FileNotFoundError:
        return False


class Case(rig.Case):
    def bank(self, accounts=3, transfers=0, **keywords):
        daemon = self.start(BANK % (accounts, transfers), **keywords)
        daemon.wait_for("daemon.ready")
        # Every account has recovered.
        self.await_that(self.audit, lambda audit: audit["is_complete"])
        return daemon

    def audit(self):
        return json.loads(self.ctl("ask", "/user/bank", "bank.Audit/1", "--timeout", "20s"))

    def await_rest(self, begun):
        """Waits until so many transfers have begun, and all have ended."""
        self.await_that(self.audit, lambda audit: audit["is_complete"] and
                        audit["begun"] >= begun and audit["open"] == 0)

    def await_that(self, ask, holds):
        deadline = time.monotonic() + rig.PATIENCE
        while not holds(found := ask()):
            self.assertLess(time.monotonic(), deadline, found)
        return found

    def listed(self, *words):
        lines = self.ctl("journal", "list", "-o", "json", *words).splitlines()
        return {line["id"]: line for line in map(json.loads, lines)}

    def journal(self, *words, status=rig.EX_OK):
        return self.ctl("journal", *words, status=status)

    def output_of(self, *words):
        """Both outputs, and the exit status."""
        return self.run_ctl("journal", *words, "--socket", os.path.join(self.state, "actord.sock"))

    @property
    def database(self):
        return os.path.join(self.state, "journal", "journal.sqlite")

    def orphan(self):
        """The id of an account that no actor has: the bank has fewer accounts than before."""
        daemon = self.bank(accounts=3, transfers=30)
        self.await_rest(30)
        self.assert_stops_in_order(daemon)
        return "bank/account-2"


class Verbs(Case):
    def test_a_list_a_show_and_an_export_tell_the_same_events(self):
        self.bank(transfers=30)
        self.await_rest(30)
        listed = self.listed()
        self.assertEqual(len(listed), 4, listed)
        self.assertEqual(self.journal("list", "-o", "name").split(), sorted(listed))
        self.assertEqual(list(self.listed("--prefix", "bank/a")),
                         ["bank/account-0", "bank/account-1", "bank/account-2"])
        self.assertEqual(list(self.listed("--prefix", "bank/account-1")), ["bank/account-1"])
        exported = [json.loads(line) for line in self.journal("export").splitlines()]
        for line in exported:
            self.assertEqual([key for key in EXPORTED[line["kind"]] if key not in line], [], line)
        for id, about in listed.items():
            self.assertRegex(about["actor"], f"^/user/{id}/(account|saga)$")
            shown = json.loads(self.journal("show", id, "-n", "all", "-o", "json"))
            events = shown["events"]
            self.assertEqual([event["sequence"] for event in events],
                             list(range(about["first"], about["last"] + 1)))
            self.assertEqual(sum(event["bytes"] for event in events), about["bytes"])
            self.assertEqual([{key: line[key] for key in line if key not in ("id", "kind")}
                              for line in exported
                              if line["id"] == id and line["kind"] == "event"], events)
        account = "bank/account-0"
        first = json.loads(self.journal("show", account, "--from", "1", "-n", "1", "-o", "json"))
        self.assertEqual([(event["type"], event["message"]) for event in first["events"]],
                         [("bank.Opened/1", {"amount": 200})])
        last = self.journal("show", account, "-n", "2").splitlines()
        self.assertEqual(len([line for line in last if "  bank." in line and "{" in line]), 2, last)

    def test_a_file_has_its_name_when_the_export_is_whole(self):
        self.bank(transfers=5)
        self.await_rest(5)
        id = next(iter(self.listed()))
        file = os.path.join(self.folder, "journal.jsonl")
        self.journal("export", id, "-o", file)
        with open(file, encoding="utf-8") as lines:
            self.assertEqual({json.loads(line)["id"] for line in lines}, {id})
        self.assertFalse(os.path.exists(file + ".partial"))
        other = os.path.join(self.folder, "other.jsonl")
        self.journal("export", "/user/nobody", "-o", other, status=rig.EX_USAGE)
        self.assertFalse(os.path.exists(other) or os.path.exists(other + ".partial"))
        self.assertIn("cannot create", self.journal(
            "export", "-o", os.path.join(self.folder, "no-folder", "file"), status=rig.EX_OSERR))

    def test_the_journal_can_be_seen_without_the_actors(self):
        id = self.orphan()
        daemon = self.start(BANK % (3, 30), sets=("actord.user=null",))
        daemon.wait_for("daemon.ready")
        self.assertEqual([line["actor"] for line in self.listed().values() if "actor" in line], [])
        self.assertIn("no plugin that is loaded has this type", self.journal("show", id))
        self.ctl("plugin", "load", "bank")
        self.assertIn('{"amount":200}', self.journal("show", id, "--from", "1"))
        self.journal("verify")
        self.journal("drop", id, "--yes")
        self.assertNotIn(id, self.listed())

    def test_an_unknown_id_is_told_with_a_similar_one(self):
        self.bank()
        id = "bank/account-0"
        self.assertIn(f'did you mean "{id}"?',
                      self.journal("show", f"/user/{id}/account", status=rig.EX_USAGE))
        for verb in (["show"], ["export"]):
            told = self.journal(*verb, id + "x", status=rig.EX_USAGE)
            self.assertIn(f'the journal has nothing of "{id}x"', told)
            self.assertIn(f'did you mean "{id}"?', told)

    def test_only_what_no_actor_has_can_be_dropped_and_only_on_purpose(self):
        orphan = self.orphan()
        self.bank(accounts=2)
        self.assertNotIn("actor", self.listed()[orphan])
        self.assertIn("--yes", self.journal("drop", orphan, status=rig.EX_USAGE))
        held = "bank/account-0"
        self.assertIn(f"is that of the running actor /user/{held}/account",
                      self.journal("drop", held, "--yes", status=rig.EX_USAGE))
        self.journal("drop", orphan, "--yes")
        self.assertNotIn(orphan, self.listed())
        self.assertIn(held, self.listed())
        self.journal("drop", orphan, "--yes", status=rig.EX_USAGE)
        self.assertIn("the journal is whole", self.journal("verify"))

    def test_verify_and_show_and_export_name_the_event_of_a_flipped_byte(self):
        orphan = self.orphan()
        with contextlib.closing(sqlite3.connect(self.database)) as database, database:
            row = database.execute(
                "SELECT events.number, content FROM events JOIN ids "
                "ON ids.number = events.id WHERE name = ? AND sequence = 1", (orphan,)).fetchone()
            flipped = bytes([*row[1][:-1], row[1][-1] ^ 1])
            database.execute("UPDATE events SET content = ? WHERE number = ?", (flipped, row[0]))
        self.bank(accounts=2)
        checked = self.output_of("verify")
        self.assertEqual(checked.returncode, 1, checked.stdout + checked.stderr)
        self.assertIn(f'event 1 of "{orphan}" is not as it was written', checked.stdout)
        self.assertIn("1 fault in", checked.stdout)
        found = json.loads(self.output_of("verify", "-o", "json").stdout)
        self.assertEqual((found["damage_count"], found["is_complete"]), (1, True))
        shown = self.output_of("show", orphan, "--from", "1")
        self.assertEqual(shown.returncode, 1, shown.stdout + shown.stderr)
        self.assertIn("is not as it was written", shown.stdout)
        exported = self.output_of("export", orphan)
        self.assertEqual(exported.returncode, 1)
        lines = [json.loads(line) for line in exported.stdout.splitlines()]
        self.assertEqual([line["sequence"] for line in lines if "message" not in line], [1])
        self.assertGreater(len(lines), 1, "the other events are there")

    def test_actors_write_while_the_journal_is_checked(self):
        self.bank(transfers=3000)
        before = sum(id["last"] for id in self.listed().values())
        for _ in range(3):
            self.assertIn("the journal is whole", self.journal("verify"))
            self.journal("compact")
        self.await_that(lambda: sum(id["last"] for id in self.listed().values()),
                        lambda now: now > before)
        self.assertIn("the journal is whole", self.journal("verify"))

    def test_compact_gives_back_what_was_dropped(self):
        orphan = self.orphan()
        self.bank(accounts=2)
        self.journal("drop", orphan, "--yes")
        done = json.loads(self.journal("compact", "-o", "json"))
        self.assertEqual(done["now"]["log_bytes"], 0)
        self.assertEqual(done["pages_left"], 0)
        self.assertIn("the journal takes up", self.journal("compact"))

    def test_metrics_and_the_status_tell_what_the_journal_does(self):
        self.bank(transfers=10)
        self.await_rest(10)
        status = json.loads(self.journal("status", "-o", "json"))
        self.assertEqual((status["state"], status["writers"]), ("ok", 4))
        self.assertGreater(status["events"], 30)
        self.assertGreater(status["reserve_bytes"], 0)
        metrics = dict(line.rsplit(" ", 1) for line in self.ctl("metrics").splitlines()
                       if line.startswith("actord_journal"))
        self.assertEqual(metrics['actord_journal_state{state="ok"}'], "1")
        self.assertEqual(metrics['actord_journal_state{state="full"}'], "0")
        self.assertEqual(metrics["actord_journal_actors"], "4")
        self.assertGreater(float(metrics["actord_journal_events_total"]), 30)
        self.assertGreater(float(metrics["actord_journal_writing_seconds_total"]), 0)
        self.assertNotIn("journal", json.loads(self.ctl("status", "-o", "json")))

    def test_an_idle_journal_is_tidied_up(self):
        self.bank(transfers=10)
        self.await_rest(10)

        def is_in_database():
            """The database without its log has all events."""
            uri = f"file:{self.database}?immutable=1"
            with contextlib.closing(sqlite3.connect(uri, uri=True)) as database:
                try:
                    return database.execute("SELECT count(*) FROM events").fetchone()[0]
                except sqlite3.Error:
                    return 0
        events = sum(id["last"] for id in self.listed().values())
        self.await_that(is_in_database, lambda count: count == events)

    def test_a_reload_changes_all_but_the_place(self):
        daemon = self.bank()
        keys = ("recovery.concurrent = 3", "recovery.timeout = 9 s", "snapshots.every = 7",
                "snapshots.keep = 3", "journal.batch.events = 5", "journal.durability = process")
        config = BANK % (3, 0)
        for key in keys:
            config += f"actord.persistence.{key}\n"
        self.write("actord.conf", config)
        reloaded = json.loads(self.ctl("config", "reload", "-o", "json"))
        self.assertEqual(reloaded["pending"], [])
        self.write("actord.conf",
                   config + f'actord.persistence.journal.path = "{self.folder}/elsewhere"\n')
        reloaded = json.loads(self.ctl("config", "reload", "-o", "json"))
        self.assertEqual(reloaded["pending"], ["actord.persistence.journal.path"])
        # Snapshots are made as the reload says.
        for _ in range(20):
            self.ctl("ask", "/user/bank/transfers", "bank.Transfer/1",
                     '{"from": "account-0", "to": "account-1", "amount": 1}')
        self.await_rest(20)
        account = "bank/account-0"
        self.assertEqual(self.await_that(lambda: self.listed()[account],
                                         lambda about: "snapshot" in about)["snapshots"] > 0, True)
        self.assert_stops_in_order(daemon)

    def test_without_a_journal_the_verbs_say_so(self):
        self.start('actord.user.echo.behaviour = "echo/Echo"\n').wait_for("daemon.ready")
        for words in (["list"], ["show", "x"], ["export"], ["verify"], ["compact"],
                      ["drop", "x", "--yes"]):
            self.assertIn("no persistent actor has used a journal yet",
                          self.journal(*words, status=rig.EX_USAGE))
        self.assertIn("unused", self.journal("status"))
        self.assertFalse(os.path.exists(os.path.join(self.state, "journal")))
        self.assertNotIn("actord_journal", self.ctl("metrics"))


@unittest.skipUnless(may_mount(), "no mount namespace with the plugins of root can be had")
class FullDisk(Case):
    def test_a_full_disk_is_a_state_that_is_told_and_ends_by_itself(self):
        disk = os.path.join(self.folder, "disk")
        os.mkdir(disk)
        script = self.write("small-disk", SMALL_DISK.format(disk=disk, actord=rig.BIN))
        os.chmod(script, 0o700)
        with mock.patch.object(rig, "BIN", script):
            daemon = self.start(BANK % (3, 1_000_000), sets=[
                f'actord.persistence.journal.path="{disk}/journal"'])
        daemon.wait_for("daemon.ready")
        ballast = f"/proc/{daemon.process.pid}/root{disk}/ballast"

        def filled():
            """The status of the journal when nothing is left on its disk."""
            with open(ballast, "ab", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(1 << 16))
                except OSError as error:
                    self.assertEqual(error.errno, errno.ENOSPC)
            return json.loads(self.output_of("status", "-o", "json").stdout)
        # What the journal releases is taken, too: else it would go on with that.
        self.await_that(filled, lambda told: told["state"] == "full" and
                        told["reserve_bytes"] == 0 and os.statvfs(ballast).f_bavail == 0)
        self.assertEqual(daemon.wait_for("journal.failed")["journal"]["fault"], "full")
        told = self.await_that(lambda: self.output_of("status"),
                               lambda done: "the journal is full" in done.stdout)
        self.assertEqual(told.returncode, 2)
        self.assertIn("make room", told.stdout)
        status = self.run_ctl("status", "--socket", os.path.join(self.state, "actord.sock"))
        self.assertEqual(status.returncode, 2, status.stdout)
        self.assertRegex(status.stdout, r"journal +full: ")
        self.assertIn('actord_journal_state{state="full"} 1', self.ctl("metrics"))
        self.assertIn("the journal is whole", self.journal("verify"), "it is read all the same")
        os.remove(ballast)
        daemon.wait_for("journal.recovered")
        self.await_that(lambda: self.output_of("status"),
                        lambda done: "the journal is ok" in done.stdout)
        self.assertIn("the journal is whole", self.journal("verify"))


if __name__ == "__main__":
    rig.main()
