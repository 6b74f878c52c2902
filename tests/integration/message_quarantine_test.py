# SPDX-License-Identifier: Apache-2.0
"""Messages on which an actor fails: given again, then kept apart in the quarantine of messages, in
the hands of an operator, and outliving the process (supervision.md 185)."""

import json
import os
import shutil
import signal
import sqlite3
import time

import rig
import site_model
from crawl_test import crawl_config

CONFIG = """
actord {
  user {
    guest {
      behaviour = "allergic/Guest"
      on-failure { message = redeliver, max-attempts = %s }
      isolation = %s
    }
    other.behaviour = "allergic/Guest"
  }
  %s
}
"""


class MessageQuarantine(rig.Case):
    def setUp(self):
        super().setUp()
        # A folder of its own, so that a test can put another build into the place of the plugin.
        self.plugins = os.path.join(self.folder, "plugins")
        os.makedirs(self.plugins)
        shutil.copy(f"{rig.BAD_PLUGINS}/allergic.so", self.plugins)
        self.kept = os.path.join(self.state, "quarantine")

    def boot(self, attempts=3, isolation="thread", more=""):
        self.daemon = self.start(CONFIG % (attempts, isolation, more), plugins=(self.plugins,))
        self.daemon.wait_for("daemon.ready")

    def cure(self):
        shutil.copy(f"{rig.BAD_PLUGINS}/cured/allergic.so", self.plugins)

    def serve(self, of, to="/user/guest"):
        self.ctl("tell", to, "allergic.Meal/1", json.dumps({"of": of}))

    def poison(self, of="nuts"):
        """Lets the guest fail on a message until that is in the quarantine. Returns its record."""
        known = {record["quarantine"]["id"] for record in self.daemon.all("message.quarantined")}
        self.serve(of)
        return self.daemon.wait_for("message.quarantined",
                                    lambda record: record["quarantine"]["id"] not in known)

    def wait_until_eaten(self, of):
        self.daemon.wait_for("allergic.ate", lambda record: record["of"] == of)

    def ids(self, *words):
        return self.ctl("quarantine", "list", *words, "-n", "all", "-o", "name").split()

    def shown(self, message):
        return json.loads(self.ctl("quarantine", "show", message, "-o", "json"))

    def file(self, message):
        return os.path.join(self.kept, f"{message}.json")

    def wait_for_file(self, message):
        end = time.monotonic() + rig.PATIENCE
        while not os.path.exists(self.file(message)):
            self.assertLess(time.monotonic(), end, f"{message} has no file")
            self.ids()  # takes as long as a process does

    # ---- given again, then kept apart

    def test_after_its_attempts_a_message_is_kept_apart_and_the_actor_goes_on(self):
        self.boot()
        record = self.poison()
        self.serve("bread")
        self.wait_until_eaten("bread")
        failures = self.daemon.all("actor.failed")
        self.assertEqual(len(failures), 3)
        self.assertEqual(len(self.daemon.all("actor.restarted")), 3)
        self.assertEqual(record["level"], "warning")
        self.assertEqual(record["actor"]["path"], "/user/guest")
        self.assertEqual(record["message"], {"type": "allergic.Meal/1", "sender": "",
                                             "attempts": 3})
        self.assertEqual(record["failure"]["id"], failures[-1]["failure"]["id"])
        message = record["quarantine"]["id"]
        self.assertEqual(record["help"], f"actorctl quarantine show {message}")
        metrics = self.ctl("metrics")
        self.assertIn("\nactord_messages_redelivered_total 2\n", metrics)
        self.assertIn("\nactord_messages_quarantined_total 1\n", metrics)
        self.assertIn("\nactord_quarantine_messages 1\n", metrics)

    def test_it_is_listed_and_shown_with_its_failure_and_its_content(self):
        self.boot()
        message = self.poison()["quarantine"]["id"]
        listed = self.ctl("quarantine", "list")
        self.assertRegex(listed, r"(?m)^ID +WHEN +TYPE +TO +ATTEMPTS +CAUSE$")
        self.assertRegex(listed, rf"(?m)^{message}  \d{{4}}-\d\d-\d\d [\d:.]+  allergic\.Meal/1  "
                                 r"/user/guest  3 +allergic::Allergy$")
        self.assertEqual(self.ids("/user/guest"), [message])
        self.assertEqual(self.ids("/user/other"), [])
        text = self.ctl("quarantine", "show", message)
        self.assertRegex(text, r"(?m)^  failure +allergic::Allergy: cannot bear nuts$")
        self.assertIn('"of": "nuts"', text)
        whole = self.shown(message)
        self.assertEqual(whole["message"], {"of": "nuts"})
        self.assertEqual(whole["failure"]["phase"], "receive")
        self.assertEqual(whole["failure"]["causes"],
                         [{"type": "allergic::Allergy", "message": "cannot bear nuts"}])
        self.assertNotIn("left_out", whole)

    def test_a_message_that_ends_the_process_is_kept_apart_too(self):
        self.boot(attempts=2, isolation="process")
        message = self.poison("poison")["quarantine"]["id"]
        self.serve("bread")
        self.wait_until_eaten("bread")
        self.assertEqual(self.shown(message)["failure"]["causes"][0]["type"],
                         "actord::crash::SIGSEGV")
        self.assertEqual(self.daemon.all("deadletter"), [])

    def test_without_the_setting_the_message_is_gone(self):
        self.boot()
        self.serve("nuts", to="/user/other")
        self.daemon.wait_for("actor.restarted")
        self.assertEqual(self.ids(), [])
        self.assertIn("the quarantine of messages is empty",
                      self.run_ctl("quarantine", "list", "--socket",
                                   os.path.join(self.state, "actord.sock")).stderr)

    # ---- away from there

    def test_after_another_build_of_the_plugin_the_message_is_sent_again(self):
        self.boot()
        message = self.poison()["quarantine"]["id"]
        self.wait_for_file(message)
        self.assert_stops_in_order(self.daemon)
        self.cure()
        self.boot()
        self.assertEqual(self.ids(), [message])
        self.assertIn(f"{message} was sent to /user/guest",
                      self.ctl("quarantine", "replay", message))
        self.wait_until_eaten("nuts")
        self.assertEqual(self.ids(), [])
        self.assertEqual(os.listdir(self.kept), [])
        self.assertEqual(self.daemon.all("actor.failed"), [])
        [command] = self.daemon.all("admin.command")
        self.assertIn(message, command["arguments"])

    def test_a_message_that_fails_again_comes_back_under_another_id(self):
        self.boot(attempts=1)
        first = self.poison()["quarantine"]["id"]
        self.ctl("quarantine", "replay", first)
        self.daemon.wait_for("message.quarantined",
                             lambda record: record["quarantine"]["id"] != first)
        [second] = self.ids()
        self.assertNotEqual(second, first)

    def test_it_can_be_sent_to_another_actor(self):
        self.boot(attempts=1)
        message = self.poison()["quarantine"]["id"]
        self.ctl("suspend", "/user/other")
        self.ctl("quarantine", "replay", message, "--to", "/user/other")
        inspected = json.loads(self.ctl("inspect", "/user/other", "-o", "json"))
        self.assertEqual(inspected["mailbox"]["messages"], 1)

    def test_all_are_sent_again_or_dropped_at_once(self):
        self.boot(attempts=1)
        messages = [self.poison()["quarantine"]["id"] for _ in range(3)]
        self.assertEqual(self.ids(), messages)
        dropped = self.ctl("quarantine", "drop", messages[1])
        self.assertIn(f"{messages[1]} is forgotten", dropped)
        self.assertEqual(self.ids(), [messages[0], messages[2]])
        self.assertFalse(os.path.exists(self.file(messages[1])))
        self.ctl("suspend", "/user/other")
        self.ctl("quarantine", "replay", "--all", "--to", "/user/other")
        self.assertEqual(self.ids(), [])
        self.poison()
        self.ctl("quarantine", "drop", "--all")
        self.assertEqual(self.ids(), [])
        self.assertEqual(os.listdir(self.kept), [])

    def test_what_cannot_be_done_is_told_with_the_way_to_mend_it(self):
        self.boot(attempts=1)
        message = self.poison()["quarantine"]["id"]
        for words in (("show", "nobody.q1"), ("replay", "nobody.q1"), ("drop", "nobody.q1")):
            told = self.ctl("quarantine", *words, status=rig.EX_USAGE)
            self.assertIn("there is no message nobody.q1 in the quarantine", told)
            self.assertIn("quarantine list", told)
        self.assertIn("which message is meant?",
                      self.ctl("quarantine", "drop", status=rig.EX_USAGE))
        self.assertIn("--all is meant for all",
                      self.ctl("quarantine", "drop", message, "--all", status=rig.EX_USAGE))
        self.assertIn("there is no actor /user/nobody",
                      self.ctl("quarantine", "replay", message, "--to", "/user/nobody",
                               status=rig.EX_USAGE))
        self.assertEqual(self.ids(), [message])

    # ---- the files

    def test_it_outlives_a_kill(self):
        self.boot()
        messages = [self.poison()["quarantine"]["id"] for _ in range(2)]
        for each in messages:
            self.wait_for_file(each)
        before = self.shown(messages[0])
        self.daemon.send(signal.SIGKILL)
        self.daemon.wait()
        self.boot()
        self.assertEqual(self.ids(), messages)
        self.assertEqual(self.shown(messages[0]), before)
        self.assertEqual(os.stat(self.file(messages[0])).st_mode & 0o777, 0o600)
        third = self.poison()["quarantine"]["id"]
        self.assertEqual(self.ids(), [*messages, third])

    def test_a_secret_is_neither_shown_nor_written(self):
        self.boot(attempts=1)
        self.ctl("tell", "/user/guest", "allergic.Prescription/1",
                 '{"of": "nuts", "pin": "pin-98765"}')
        message = self.daemon.wait_for("message.quarantined")["quarantine"]["id"]
        self.wait_for_file(message)
        self.assertNotIn("98765", self.ctl("quarantine", "show", message))
        with open(self.file(message), encoding="utf-8") as file:
            self.assertNotIn("98765", file.read())
        # This process has the whole message, and the next one has not.
        self.assert_stops_in_order(self.daemon)
        self.cure()
        self.boot(attempts=1)
        told = self.ctl("quarantine", "replay", message, status=rig.EX_USAGE)
        self.assertIn("not all of it is there", told)
        self.assertIn("actorctl tell", told)
        self.assertRegex(self.ctl("quarantine", "show", message), r"(?m)^  not stored +a member")
        self.ctl("quarantine", "drop", message)

    def test_the_process_that_it_came_to_sends_it_with_its_secrets(self):
        self.boot(attempts=1)
        self.ctl("tell", "/user/guest", "allergic.Prescription/1",
                 '{"of": "nuts", "pin": "pin-98765"}')
        message = self.daemon.wait_for("message.quarantined")["quarantine"]["id"]
        self.ctl("quarantine", "replay", message)
        self.daemon.wait_for("message.quarantined",
                             lambda record: record["quarantine"]["id"] != message)

    def test_a_broken_file_stays_and_is_told_of(self):
        self.boot(attempts=1)
        message = self.poison()["quarantine"]["id"]
        self.wait_for_file(message)
        self.assert_stops_in_order(self.daemon)
        broken = os.path.join(self.kept, "broken.json")
        with open(broken, "w", encoding="utf-8") as file:
            file.write('{"id": "broken", "form"')
        self.boot(attempts=1)
        [failed] = self.daemon.all("quarantine.failed")
        self.assertIn(broken, failed["quarantine"]["error"])
        self.assertIn("remove it", failed["help"])
        self.assertEqual(self.ids(), [message])
        self.assertTrue(os.path.exists(broken))

    def test_a_folder_that_cannot_be_written_is_told_of_and_the_message_is_there(self):
        self.boot(attempts=1)
        with open(self.kept, "w", encoding="utf-8"):
            pass
        message = self.poison()["quarantine"]["id"]
        failed = self.daemon.wait_for("quarantine.failed")
        self.assertIn(self.kept, failed["quarantine"]["error"])
        self.assertEqual(self.ids(), [message])
        self.assert_stops_in_order(self.daemon)

    def test_a_full_quarantine_makes_dead_letters(self):
        self.boot(attempts=1, more="quarantine.max-messages = 1")
        first = self.poison()["quarantine"]["id"]
        self.serve("nuts")
        full = self.daemon.wait_for("quarantine.full")
        self.assertEqual(full["quarantine"]["messages"], 1)
        self.daemon.wait_for("deadletter", lambda record: record["reason"] == "poison")
        self.assertEqual(self.ids(), [first])
        self.assertNotEqual(self.ctl("deadletters", "list", "--reason", "poison", "-o", "name"), "")

    # ---- the configuration

    def test_a_reload_changes_the_attempts_of_an_actor_that_runs(self):
        self.boot(attempts=1)
        self.poison()
        self.write("actord.conf", CONFIG % (4, "thread", ""))
        self.ctl("config", "reload", "--wait")
        self.poison()
        self.assertEqual(len(self.daemon.all("actor.failed")), 5)
        self.assertEqual(len(self.daemon.all("actor.started")), len(
            {record["actor"]["uid"] for record in self.daemon.all("actor.started")}))

    def test_what_the_configuration_must_not_say(self):
        wrong = [("message = again", "expected one of drop, redeliver"),
                 ("max-attempts = 0", "1 to 1000"),
                 ("message = redeliver, attempts = 3", "max-attempts")]
        for text, words in wrong:
            with self.subTest(text):
                config = self.write("wrong.conf",
                                    f'actord.user.echo {{ behaviour = "echo/Echo"\n'
                                    f"on-failure {{ {text} }} }}\n")
                checked = self.run_ctl("config", "check", "--config", config, "--plugin-path",
                                       rig.PLUGINS)
                self.assertNotEqual(checked.returncode, 0)
                self.assertIn(words, checked.stdout + checked.stderr)
        config = self.write("idle.conf", 'actord.user.echo { behaviour = "echo/Echo"\n'
                                         "on-failure.max-attempts = 5 }\n")
        checked = self.run_ctl("config", "check", "--config", config, "--plugin-path", rig.PLUGINS)
        self.assertIn("message = redeliver", checked.stdout + checked.stderr)


class PoisonedPage(rig.Case):
    """A page on which each fetcher of the crawler fails, until a corrected crawler is there."""

    CHAOS = site_model.Chaos(seed=11, probability=0.05, max_attempts=1)
    ACTOR = """deployment."/user/crawler/fetchers/*" {
        dispatcher = blocking-io
        on-failure { message = redeliver, max-attempts = 3 }
    }"""

    def crawl(self, chaos):
        """The fetchers do not hand a page back, so that it is actord that gives it again: each
        attempt has the same number, and fails as the first one has."""
        daemon = self.start(crawl_config(self.root, self.port, chaos, actor=self.ACTOR,
                                         extra="hand-back = false, deadline = 2 s"))
        daemon.wait_for("daemon.ready")
        return daemon, daemon.wait_for("crawler.finished", patience=rig.PATIENCE)["crawl"]

    def pages(self):
        database = sqlite3.connect(os.path.join(self.state, "crawler", "index.sqlite"))
        self.addCleanup(database.close)
        return {path for (path,) in database.execute("SELECT path FROM pages")}

    def test_the_crawl_ends_without_the_page_and_a_corrected_crawler_gets_it(self):
        self.root = os.path.join(self.folder, "site")
        self.port = rig.free_port()
        site_model.generate(self.root, 60)
        daemon, finished = self.crawl(self.CHAOS)
        start = f"http://127.0.0.1:{self.port}/index.html"
        predicted = site_model.Crawl(start, self.CHAOS)
        poisoned = len(daemon.all("message.quarantined"))
        self.assertGreater(poisoned, 0)
        self.assertEqual(poisoned, len(predicted.given_up))
        self.assertEqual(finished["given_up"], poisoned)
        self.assertEqual(finished["failures"], 3 * poisoned)
        self.assertEqual(self.pages(), predicted.pages)
        shown = [json.loads(self.ctl("quarantine", "show", each, "-o", "json"))
                 for each in self.ctl("quarantine", "list", "-n", "all", "-o", "name").split()]
        self.assertEqual({each["type"] for each in shown}, {"crawler.Fetch/1"})
        lost = {each["message"]["url"].split(str(self.port))[1] for each in shown}
        self.assertEqual(lost, predicted.given_up)
        self.assert_stops_in_order(daemon)

        daemon, finished = self.crawl(None)
        self.ctl("quarantine", "replay", "--all", "--to", "/user/crawler/fetchers")
        self.assertEqual(self.ctl("quarantine", "list", "-o", "name"), "")
        self.assertEqual(self.pages(), site_model.Crawl(start, site_model.Calm()).pages)
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.all("actor.failed"), [])


if __name__ == "__main__":
    rig.main()
