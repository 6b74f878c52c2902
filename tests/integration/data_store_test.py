# SPDX-License-Identifier: Apache-2.0
"""A storage that fails is restarted three times, stopped, watched and created anew; a listener
gives up. With short times and with those of the example, by the log's clock."""

import datetime
import os
import signal
import sqlite3

import rig

BASE = "/user/data_store"
SERVICE = BASE + "/worker/counter-service"
STORAGE = SERVICE + "/storage"
# Timers are never early. How late they may be depends on the machine.
SLACK = rig.PATIENCE / 30
QUICK = """total = 51, step = 3, interval = 40ms, silence = 5s, reconnect-after = 400ms
           faults { fail-between = [11, 14] }"""


def config(settings, deployment=""):
    return f"""
        actord.user.data_store {{ behaviour = "data_store/Listener", config {{ {settings} }} }}
        actord.actor.deployment {{
          "{STORAGE}" {{ dispatcher = blocking-io }}
          {deployment}
        }}
        """


def seconds(record):
    """The time at which the line was written, by the log's clock."""
    moment = datetime.datetime.strptime(record["ts"], "%Y-%m-%dT%H:%M:%S.%fZ")
    return moment.replace(tzinfo=datetime.timezone.utc).timestamp()


class DataStore(rig.Case):
    def saved(self):
        file = os.path.join(self.state, "data_store", "counts.sqlite")
        database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        self.addCleanup(database.close)
        return dict(database.execute("SELECT key, value FROM counts"))

    def of(self, daemon, event, path):
        return [record for record in daemon.all(event)
                if record["actor"]["path"].split("#")[0] == path]

    def assert_between(self, least, value, most):
        """`value` is in seconds or counts. Two log lines are as far apart as their events, except
        for the moment that the writing took."""
        least -= 0.01
        self.assertGreaterEqual(value, least)
        self.assertLessEqual(value, most)

    def assert_restart_sequence(self, daemon, away):
        """Three restarts, the limit, the stop, the watch, the wait, the new storage."""
        failed = self.of(daemon, "actor.failed", STORAGE)
        self.assertEqual([record["failure"]["type"] for record in failed],
                         ["data_store::StorageException"] * len(failed))
        records = [record for record in daemon.records
                   if record.get("actor", {}).get("path", "").split("#")[0] in (STORAGE, SERVICE)
                   and record["event"] in ("actor.restarted", "supervisor.limit", "actor.stopped",
                                           "data_store.storage_lost", "data_store.reconnect",
                                           "data_store.connected")]
        self.assertEqual([record["event"] for record in records[:8]],
                         ["data_store.connected"] + ["actor.restarted"] * 3 +
                         ["supervisor.limit", "actor.stopped", "data_store.storage_lost",
                          "data_store.reconnect"], daemon.log_tail())
        _, first, _, _, limit, stopped, lost, reconnect = records[:8]
        self.assertEqual(records[8]["event"], "data_store.connected")
        self.assertEqual(limit["restart"]["max"], 3)
        self.assertEqual(stopped["reason"], "limit")
        self.assertEqual(stopped["failure"]["id"], failed[3]["failure"]["id"])
        self.assertEqual(lost["reason"], "limit")
        self.assertLess(seconds(stopped) - seconds(first), 5)
        self.assert_between(away, seconds(reconnect) - seconds(lost), away + SLACK)
        self.assert_between(away * 1000, reconnect["away_ms"], (away + SLACK) * 1000)
        return records

    def assert_counted_to_the_end(self, daemon, total=51):
        self.assertEqual(self.saved(), {"counter": total})
        progress = daemon.all("data_store.progress")
        saved = [record["saved"] for record in progress]
        self.assertEqual(saved, sorted(saved))
        self.assertEqual(max(record["count"] for record in progress), total)
        self.assertEqual(progress[-1]["percent"], 100)
        stopped = self.of(daemon, "actor.stopped", BASE)
        self.assertEqual([record["reason"] for record in stopped], ["stopped"])

    # ---- short times ----

    def test_the_storage_is_restarted_stopped_and_made_anew_and_no_count_is_lost(self):
        daemon = self.start(config(QUICK))
        daemon.wait_for("actor.stopped",
                        where=lambda r: r["actor"]["path"].split("#")[0] == BASE)
        self.assert_stops_in_order(daemon)
        records = self.assert_restart_sequence(daemon, away=0.4)
        self.assertGreater(records[7]["backlog"], 0, "nothing waited")
        self.assertEqual(daemon.all("data_store.refused"), [])
        self.assert_counted_to_the_end(daemon)

    def test_questions_are_answered_while_the_storage_is_away(self):
        daemon = self.start(config(QUICK.replace("400ms", "1s")))
        lost = daemon.wait_for("data_store.storage_lost")
        meanwhile = [daemon.wait_for("data_store.progress") for _ in range(3)]
        reconnect = daemon.wait_for("data_store.reconnect")
        self.assertEqual({record["saved"] for record in meanwhile[1:]}, {10})
        self.assertLess(lost["seq"], meanwhile[0]["seq"])
        self.assertLess(meanwhile[-1]["seq"], reconnect["seq"])
        daemon.wait_for("data_store.finished")
        self.assert_stops_in_order(daemon)

    def test_what_the_backlog_cannot_hold_is_refused_and_done_later(self):
        daemon = self.start(config(QUICK + ", backlog = 4"))
        daemon.wait_for("data_store.finished")
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.all("data_store.reconnect")[0]["backlog"], 4)
        refused = daemon.all("data_store.refused")
        self.assertGreater(len(refused), 0)
        self.assertEqual({record["backlog"] for record in refused}, {4})
        self.assert_counted_to_the_end(daemon)

    def test_a_service_that_fails_on_a_full_backlog_is_stopped_and_silence_ends_the_work(self):
        daemon = self.start(config(
            QUICK.replace("silence = 5s", "silence = 1s") + ", backlog = 4, on-overflow = fail"))
        given_up = daemon.wait_for("data_store.given_up")
        self.assert_stops_in_order(daemon)
        failed = self.of(daemon, "actor.failed", SERVICE)
        self.assertEqual([(record["failure"]["type"], record["decision"]["directive"])
                          for record in failed], [("data_store::ServiceUnavailable", "stop")])
        lost = daemon.all("data_store.service_lost")
        self.assertEqual([record["reason"] for record in lost], ["failed"])
        self.assertGreater(len(daemon.all("data_store.refused")), 0)
        last = daemon.all("data_store.progress")[-1]
        self.assert_between(1, seconds(given_up) - seconds(last), 1 + SLACK)
        self.assertEqual(self.saved(), {"counter": 10})

    def test_a_storage_that_never_opens_is_tried_again_and_again_until_the_listener_gives_up(self):
        daemon = self.start(config("interval = 40ms, silence = 1s, reconnect-after = 300ms,"
                                   "faults { unavailable = true }"))
        daemon.wait_for("data_store.given_up")
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.all("data_store.progress"), [])
        self.assert_between(1, len(daemon.all("data_store.reconnect")), 3)
        lost = len(daemon.all("data_store.storage_lost"))
        self.assert_between(4 * lost, len(self.of(daemon, "actor.failed", STORAGE)), 4 * lost + 3)
        self.assertFalse(os.path.exists(os.path.join(self.state, "data_store", "counts.sqlite")))

    def test_the_strategy_of_the_operator_replaces_the_one_in_the_code(self):
        """A counter whose storage is slow saves a count once more, and the storage may fail on it
        again: it is restarted four times, or a few times more."""
        rule = """{ supervisor-strategy { max-restarts = 1000, within = 1 minute
                    decider { "data_store::StorageException" = restart } } }"""
        daemon = self.start(config(QUICK, f'"{SERVICE}" {rule}'))
        daemon.wait_for("data_store.finished")
        self.assert_stops_in_order(daemon)
        self.assertGreater(len(self.of(daemon, "actor.restarted", STORAGE)), 3)
        self.assertEqual(daemon.all("supervisor.limit"), [])
        self.assertEqual(daemon.all("data_store.storage_lost"), [])
        self.assert_counted_to_the_end(daemon)

    def test_after_a_kill_the_count_goes_on_from_what_was_saved(self):
        settings = "total = 300, step = 3, interval = 30ms"
        daemon = self.start(config(settings))
        daemon.wait_for("data_store.progress", where=lambda r: r["saved"] >= 30)
        self.assertEqual(daemon.stop(signal.SIGKILL), -signal.SIGKILL)
        self.assertEqual(daemon.all("data_store.finished"), [], "it was too quick for this test")
        reported = max(record["saved"] for record in daemon.all("data_store.progress"))
        before = self.saved()["counter"]
        self.assert_between(reported, before, 299)

        daemon = self.start(config(settings))
        counting = daemon.wait_for("data_store.counting")
        self.assertEqual(counting["count"], before)
        daemon.wait_for("data_store.finished")
        self.assert_stops_in_order(daemon)
        self.assert_counted_to_the_end(daemon, total=300)

    # ---- in the journal ----

    def test_in_the_journal_the_count_goes_on_after_a_kill_from_what_was_answered(self):
        settings = "stored-in = journal, total = 300, step = 3, interval = 30ms"
        daemon = self.start(config(settings))
        daemon.wait_for("data_store.progress", where=lambda r: r["saved"] >= 30)
        self.assertEqual(daemon.stop(signal.SIGKILL), -signal.SIGKILL)
        reported = max(record["saved"] for record in daemon.all("data_store.progress"))

        daemon = self.start(config(settings))
        self.assert_between(reported, daemon.wait_for("data_store.counting")["count"], 299)
        daemon.wait_for("data_store.finished")
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.all("data_store.progress")[-1]["count"], 300)
        self.assertFalse(os.path.exists(os.path.join(self.state, "data_store")))

    def test_in_a_journal_that_fails_commands_are_refused_and_silence_ends_the_work(self):
        self.write("file", "")
        journal = os.path.join(self.folder, "file", "journal")
        daemon = self.start(config("stored-in = journal, interval = 40ms, silence = 1s,"
                                   "reconnect-after = 50ms"),
                            sets=(f'actord.persistence.journal.path="{journal}"',))
        daemon.wait_for("data_store.given_up")
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.all("data_store.progress"), [])
        self.assertGreater(len(daemon.all("actor.recovery-failed")), 1)
        self.assertEqual(len(daemon.all("journal.failed")), 1)

    def test_a_count_that_is_complete_ends_the_work_at_once(self):
        for _ in range(2):
            daemon = self.start(config("total = 6, step = 3, interval = 20ms"))
            daemon.wait_for("data_store.finished")
            self.assert_stops_in_order(daemon)
            self.assert_counted_to_the_end(daemon, total=6)
        self.assertEqual(daemon.all("data_store.counting")[0]["count"], 6)

    def test_a_setting_out_of_range_is_refused_before_an_actor_is_made(self):
        for settings in ("total = 0", "step = 0", "interval = 0s", "silence = 0s",
                         "reconnect-after = 0s"):
            with self.subTest(settings):
                daemon, status = self.run_to_end(config(settings))
                self.assertEqual(status, rig.EX_CONFIG, daemon.log_tail())
                self.assertEqual(daemon.all("actor.started"), [], daemon.log_tail())

    def test_a_setting_that_only_the_code_can_judge_is_refused_as_well(self):
        for settings in ('file = "../counts"', "faults { fail-between = [3] }",
                         "faults { fail-between = [4, 3] }"):
            with self.subTest(settings):
                daemon, status = self.run_to_end(config(settings))
                self.assertEqual(status, rig.EX_CONFIG, daemon.log_tail())
                self.assertEqual(daemon.all("actor.started"), [], daemon.log_tail())

    # ---- the times of the example; both daemons run side by side ----

    def test_the_example_shows_stop_watch_and_reconnect_with_its_times(self):
        example = os.path.join(rig.EXAMPLES, "data_store.conf")
        daemon = self.start(example)
        silent = self.start(example, sets=(
            "actord.user.data_store.config.faults.unavailable=true",
            f'actord.state-dir="{self.state}-of-the-silent"'))
        given_up = silent.wait_for("data_store.given_up")
        daemon.wait_for("data_store.finished")
        self.assert_stops_in_order(daemon)
        self.assert_stops_in_order(silent)

        records = self.assert_restart_sequence(daemon, away=10)
        self.assertEqual(records[4]["restart"]["within_ms"], 5000)
        self.assert_counted_to_the_end(daemon)
        begun = self.of(daemon, "actor.started", BASE)[0]
        ended = daemon.all("data_store.finished")[0]
        self.assert_between(14, seconds(ended) - seconds(begun), 30)

        begun = self.of(silent, "actor.started", BASE)[0]
        self.assert_between(15, seconds(given_up) - seconds(begun), 15 + SLACK)
        self.assertEqual(given_up["silence_ms"], 15000)
        self.assertEqual(len(silent.all("data_store.reconnect")), 1)
        self.assertEqual(len(silent.all("data_store.storage_lost")), 2)
        lost, reconnect = (silent.all("data_store.storage_lost")[0],
                           silent.all("data_store.reconnect")[0])
        self.assert_between(10, seconds(reconnect) - seconds(lost), 10 + SLACK)


if __name__ == "__main__":
    rig.main()
