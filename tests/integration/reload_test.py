# SPDX-License-Identifier: Apache-2.0
"""Another configuration replaces the current one while the daemon runs: what it changes, what it
leaves alone, and how a wrong one is refused."""

import os
import pty
import signal
import socket
import subprocess

import rig
import site_model
from crawl_test import CrawlCase, crawl_config

CHAOS = site_model.Chaos(seed=7, probability=0.5, max_attempts=100)
DIRECTIVE = 'decider {{ "crawler::RetrievalException" = {}, default = escalate }}'
RELOADED = ("config.reloaded", "config.rejected")


def path_of(record):
    return record["actor"]["path"].split("#")[0]


class ReloadCase(CrawlCase):
    def rewrite(self, text):
        """Replaces the file as a whole, as an editor does: the daemon never sees half a file."""
        new = self.write("new.conf", text)
        os.replace(new, os.path.join(self.folder, "actord.conf"))

    def reload(self, daemon, text=None):
        """Reloads, and returns the record of the result."""
        if text is not None:
            self.rewrite(text)
        daemon.send(signal.SIGHUP)
        return daemon.wait_for(RELOADED)

    def line_of(self, text, wanted):
        return 1 + next(i for i, line in enumerate(text.splitlines()) if wanted in line)


class Rules(ReloadCase):
    def start_crawl(self, pages=1200, strategy=None, chaos=CHAOS):
        self.root = self.small_site(pages)
        self.port = rig.free_port()
        daemon = self.start(self.config(strategy or DIRECTIVE.format("restart"), chaos))
        daemon.wait_for("daemon.ready")
        self.start_url = f"http://127.0.0.1:{self.port}/index.html"
        return daemon

    def config(self, strategy, chaos=CHAOS):
        return crawl_config(self.root, self.port, chaos,
                            strategy="max-restarts = 100000\n" + strategy)

    def test_the_next_failure_is_judged_by_the_new_rule_which_its_line_names(self):
        daemon = self.start_crawl()
        daemon.wait_for("actor.restarted")
        text = self.config(DIRECTIVE.format("stop"))
        reloaded = self.reload(daemon, text)
        self.assertEqual(reloaded["event"], "config.reloaded", daemon.log_tail())
        self.assertEqual((reloaded["generation"], reloaded["changed"]), (2, 1))
        line = self.line_of(text, "RetrievalException")
        self.assertIn(f'restart → stop ({self.folder}/actord.conf:{line})', reloaded["changes"][0])
        self.assertTrue(reloaded["changes"][0].startswith("re-strategy /user/crawler/fetchers "))
        finished = daemon.wait_for("crawler.finished")["crawl"]
        self.assert_stops_in_order(daemon)
        failures = self.crawler_failures(daemon)
        before = [r for r in failures if r["seq"] < reloaded["seq"]]
        stopped = [r for r in failures if r["decision"]["directive"] == "stop"]
        restarted = [r for r in failures if r["decision"]["directive"] == "restart"]
        self.assertGreater(len(before), 0)
        # There are four fetchers. Each is stopped by its next failure, and none was restarted after
        # that.
        self.assertEqual(len(stopped), 4)
        self.assertEqual(failures[-4:], stopped)
        self.assertEqual({r["decision"]["config_origin"] for r in stopped},
                         {f"{self.folder}/actord.conf:{line}"})
        self.assertEqual({r["decision"]["rule"] for r in stopped}, {"crawler::RetrievalException"})
        self.assertGreater(finished["given_up"], 0)
        # No actor was affected except those that failed.
        self.assertEqual(len(daemon.all("actor.restarted")), len(restarted))
        for record in daemon.all("actor.restarted"):
            self.assertTrue(path_of(record).startswith("/user/crawler/fetchers/"), record)
        for record in daemon.all("actor.stopped"):
            if path_of(record) in ("/user/site", "/user/crawler"):
                self.assertEqual(record["actor"]["incarnation"], 0)
                self.assertEqual(record["reason"], "shutdown")

    def test_a_reload_keeps_the_restart_counts(self):
        daemon = self.start_crawl(pages=400)
        daemon.wait_for("actor.restarted")
        reloaded = self.reload(daemon, self.config(DIRECTIVE.format("restart")).replace(
            "max-restarts = 100000", "max-restarts = 200000"))
        self.assertEqual(reloaded["changed"], 1, reloaded)
        daemon.wait_for("crawler.finished")
        self.assert_stops_in_order(daemon)
        counts, limits = {}, set()
        for record in self.crawler_failures(daemon):
            counts.setdefault(record["actor"]["uid"], []).append(record["restart"]["count"])
            limits.add(record["restart"]["max"])
        self.assertEqual(limits, {100000, 200000})
        for counted in counts.values():
            self.assertEqual(counted, list(range(1, len(counted) + 1)))

    def test_a_wrong_configuration_leaves_the_rules_in_force_and_names_its_place(self):
        daemon = self.start_crawl()
        daemon.wait_for("actor.restarted")
        good = self.config(DIRECTIVE.format("stop"))
        for slip, message in (("RetrievalException\" = stop", "RetrievalException\" = stopp"),
                              ("max-restarts", "max-restart")):
            text = good.replace(slip, message)
            rejected = self.reload(daemon, text)
            self.assertEqual(rejected["event"], "config.rejected", daemon.log_tail())
            self.assertEqual(rejected["level"], "error")
            self.assertEqual(rejected["generation"], 1)
            line = self.line_of(text, message)
            self.assertRegex(rejected["errors"][0], rf"actord\.conf:{line}:\d+: ")
        daemon.wait_for("crawler.finished")
        self.assert_stops_in_order(daemon)
        self.assertEqual({r["decision"]["directive"] for r in self.crawler_failures(daemon)},
                         {"restart"})

    def test_a_thousand_reloads_under_load_lose_nothing_and_leak_nothing(self):
        chaos = site_model.Chaos(seed=3, probability=0.3, max_attempts=100)
        daemon = self.start_crawl(pages=1500, chaos=chaos)
        texts = [self.config(DIRECTIVE.format("restart") + f"\nwithin = {n} minutes", chaos)
                 for n in (60, 61)]
        reloads = 0

        def reload():
            nonlocal reloads
            reloaded = self.reload(daemon, texts[reloads % 2])
            self.assertEqual(reloaded["event"], "config.reloaded", daemon.log_tail())
            self.assertEqual(reloaded.get("late"), None)
            reloads += 1

        while not daemon.all("crawler.finished") or reloads < 1000:
            reload()
            if reloads == 200:
                early = daemon.resident_kib()
        self.assertLess(daemon.resident_kib() - early, 24 * 1024 * rig.GROWTH)
        settled = daemon.resident_kib()
        for _ in range(300):
            reload()
        self.assertLess(daemon.resident_kib() - settled, 2 * 1024 * rig.GROWTH)
        predicted = site_model.Crawl(self.start_url, chaos)
        self.assert_stops_in_order(daemon)
        self.assertEqual(len(self.crawler_failures(daemon)), predicted.failures)
        self.assertEqual(self.indexed_paths(), predicted.pages)


def echoes(*names, extra=""):
    actors = "\n".join(f'{name} {{ behaviour = "echo/Echo" }}' for name in names)
    return f"actord {{\n user {{\n{actors}\n}}\n {extra}\n}}\n"


class Actors(ReloadCase):
    def start_echoes(self, *names, **keywords):
        daemon = self.start(echoes(*names), **keywords)
        daemon.wait_for("daemon.ready")
        return daemon

    def reasons_to_stop(self, daemon):
        """Call after the daemon has ended: a reload tells actors to stop, and does not wait."""
        return sorted((path_of(r), r["reason"]) for r in daemon.all("actor.stopped")
                      if path_of(r).startswith("/user/"))

    def test_actors_come_and_go_and_the_others_stay(self):
        daemon = self.start_echoes("stays", "goes")
        reloaded = self.reload(daemon, echoes("first", "stays", "last"))
        self.assertEqual([change.split(" (")[0] for change in reloaded["changes"]],
                         ['create /user/first: "echo/Echo"', 'create /user/last: "echo/Echo"',
                          'stop /user/goes: no longer "echo/Echo"'])
        started = [path_of(r) for r in daemon.all("actor.started")]
        self.assertLess(started.index("/user/first"), started.index("/user/last"))
        self.assertEqual(started.count("/user/stays"), 1)
        self.assert_stops_in_order(daemon)
        self.assertEqual(self.reasons_to_stop(daemon), [
            ("/user/first", "shutdown"), ("/user/goes", "config"), ("/user/last", "shutdown"),
            ("/user/stays", "shutdown")])

    def test_another_config_restarts_that_actor_alone(self):
        root, port = self.small_site(10), rig.free_port()
        text = crawl_config(root, port, None)
        daemon = self.start(text)
        daemon.wait_for("crawler.finished")
        reloaded = self.reload(daemon, text.replace("workers = 4", "workers = 3"))
        self.assertEqual(len(reloaded["changes"]), 1, reloaded)
        self.assertIn("restart /user/crawler config.workers: 4 → 3", reloaded["changes"][0])
        restarted = daemon.all("actor.restarted")
        self.assertEqual([(path_of(r), r["restart"]["cause"]) for r in restarted],
                         [("/user/crawler", "actord::ConfigChanged")])
        self.assertTrue(restarted[0]["config"]["origin"].startswith(self.folder))
        self.assertEqual([r for r in daemon.all("actor.stopped") if path_of(r) == "/user/site"], [])
        self.assertEqual(daemon.all("actor.failed"), [])
        self.assert_stops_in_order(daemon)

    def test_a_file_that_has_become_empty_stops_no_actor(self):
        daemon = self.start_echoes("stays")
        rejected = self.reload(daemon, "")
        self.assertEqual(rejected["event"], "config.rejected")
        self.assertIn("the file is empty now", rejected["errors"][0])
        cleared = self.reload(daemon, "{}")
        self.assertEqual(cleared["event"], "config.reloaded")
        self.assert_stops_in_order(daemon)
        self.assertEqual(self.reasons_to_stop(daemon), [("/user/stays", "config")])

    def test_an_actor_that_cannot_be_created_is_reported_and_nothing_is_taken_back(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            site = (f'site {{ behaviour = "static_site/Site", config {{ root = "{self.folder}", '
                    f'port = {taken.getsockname()[1]} }} }}')
            daemon = self.start_echoes("stays")
            text = echoes("stays", "new").replace("user {", "user {\n" + site)
            reloaded = self.reload(daemon, text)
        self.assertEqual((reloaded["level"], reloaded["generation"]), ("warning", 2))
        self.assertEqual(len(reloaded["lost"]), 1)
        self.assertTrue(reloaded["lost"][0].startswith("/user/site: "), reloaded)
        self.assertIn("/user/new", [path_of(r) for r in daemon.all("actor.started")])
        self.assert_stops_in_order(daemon)

    def test_a_plugin_that_is_named_for_the_first_time_is_loaded(self):
        daemon = self.start("actord { }\n")
        daemon.wait_for("daemon.ready")
        reloaded = self.reload(daemon, echoes("echo"))
        self.assertEqual(reloaded["event"], "config.reloaded")
        self.assertEqual([r["plugin"]["name"] for r in daemon.all("plugin.loaded")], ["echo"])
        rejected = self.reload(daemon, echoes("echo").replace("echo/Echo", "nowhere/Echo"))
        self.assertEqual(rejected["event"], "config.rejected")
        self.assertIn('there is no plugin "nowhere"', rejected["errors"][0])
        self.assert_stops_in_order(daemon)


class StaticInitialisers(ReloadCase):
    """A plugin runs static initialisers while it is loaded; they must not harm the daemon."""

    FAULTS = {
        "throws": "a static initialiser throws: too early",
        "foreign": "a static initialiser throws something other than a std::exception",
        "killed": "a static initialiser ends the process by SIGKILL",
        "exits": "a static initialiser ends the process with exit status 0",
        "endless": "a static initialiser has not ended after 5 s",
    }

    def start_with_bad_plugins(self):
        daemon = self.start("actord { }\n", plugins=(rig.PLUGINS, rig.BAD_PLUGINS))
        daemon.wait_for("daemon.ready")
        return daemon

    def test_a_plugin_whose_initialiser_does_not_return_is_refused_and_the_daemon_goes_on(self):
        daemon = self.start_with_bad_plugins()
        for name, why in self.FAULTS.items():
            with self.subTest(name):
                text = echoes("echo").replace("echo/Echo", f"static_{name}/It")
                rejected = self.reload(daemon, text)
                self.assertEqual(rejected["event"], "config.rejected")
                self.assertIn(f"static_{name}.so: it cannot be loaded: {why}",
                              rejected["errors"][0])
        reloaded = self.reload(daemon, echoes("echo"))
        self.assertEqual(reloaded["event"], "config.reloaded")
        self.assertEqual([r["plugin"]["name"] for r in daemon.all("plugin.loaded")], ["echo"])
        self.assert_stops_in_order(daemon)


class Keys(ReloadCase):
    def test_keys_that_need_a_restart_are_pending_until_they_are_reverted(self):
        daemon = self.start(echoes("echo"))
        daemon.wait_for("daemon.ready")
        pool = "actor.default-dispatcher.throughput = 7"
        reloaded = self.reload(daemon, echoes("echo", "more", extra=pool))
        self.assertEqual(reloaded["pending"], ["actord.actor.default-dispatcher.throughput"])
        self.assertEqual(len(reloaded["changes"]), 2)
        reloaded = self.reload(daemon, echoes("echo", extra=pool))
        self.assertEqual(reloaded["pending"], ["actord.actor.default-dispatcher.throughput"])
        reloaded = self.reload(daemon, echoes("echo"))
        self.assertEqual(reloaded["pending"], [])
        self.assertNotIn("needs-restart", " ".join(reloaded["changes"]))
        self.assertIn("it is the value of the start", " ".join(reloaded["changes"]))
        self.assert_stops_in_order(daemon)

    def test_the_level_of_the_log_changes_at_once(self):
        debug = "actor.debug.lifecycle = on"
        daemon = self.start(echoes("echo", extra=debug))
        daemon.wait_for("daemon.ready")
        self.assertEqual([r for r in daemon.records if r["level"] == "debug"], [])
        reloaded = self.reload(daemon, echoes("echo", extra=debug + "\nlog.level = debug"))
        self.assertEqual(reloaded["changed"], 1)
        self.assert_stops_in_order(daemon)
        self.assertTrue([r for r in daemon.records if r["level"] == "debug"])

    def test_switches_and_dead_letters_change_at_once(self):
        daemon = self.start(echoes("echo", extra="log.level = debug"))
        daemon.wait_for("daemon.ready")
        reloaded = self.reload(daemon, echoes(
            "echo", extra="log.level = debug, actor.debug.lifecycle = on, dead-letters.log = off"))
        self.assertEqual(reloaded["pending"], [])
        self.assertEqual({change.split()[0] for change in reloaded["changes"]}, {"live"})
        self.assert_stops_in_order(daemon)
        self.assertTrue(daemon.all("actor.lifecycle"))

    def test_the_same_content_is_unchanged_and_keeps_its_generation(self):
        daemon = self.start(echoes("echo"))
        daemon.wait_for("daemon.ready")
        for text in (None, "# a comment\n" + echoes("echo")):
            reloaded = self.reload(daemon, text)
            self.assertEqual((reloaded["event"], reloaded["changed"], reloaded["generation"]),
                             ("config.reloaded", 0, 1))
        self.assertEqual(len(daemon.all("actor.started")), 5)
        self.assert_stops_in_order(daemon)


class Requests(ReloadCase):
    def test_the_service_manager_hears_of_each_attempt_and_of_its_end(self):
        address = os.path.join(self.folder, "notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(address)
            manager.settimeout(rig.PATIENCE)

            def next_with(word):
                while True:
                    lines = manager.recv(4096).decode().splitlines()
                    if word in lines:
                        return dict(line.split("=", 1) for line in lines)

            daemon = self.start(echoes("echo"), environment={"NOTIFY_SOCKET": address})
            next_with("READY=1")
            applied = "2 of 2 configured actors are up; generation 2"
            for text, status in ((echoes("echo", "more"), applied),
                                 ("actord { oops = 1 }\n", "reload failed: ")):
                self.reload(daemon, text)
                self.assertGreater(int(next_with("RELOADING=1")["MONOTONIC_USEC"]), 0)
                self.assertIn(status, next_with("READY=1")["STATUS"])
        self.assert_stops_in_order(daemon)

    def test_signals_during_a_reload_are_one_further_reload(self):
        daemon = self.start(echoes("echo"))
        daemon.wait_for("daemon.ready")
        for _ in range(200):
            daemon.send(signal.SIGHUP)
        self.reload(daemon, echoes("echo", "last"))
        while not any(path_of(r) == "/user/last" for r in daemon.all("actor.started")):
            daemon.wait_for(RELOADED)
        self.assert_stops_in_order(daemon)
        self.assertLessEqual(len(daemon.all("config.reloaded")), 201)

    def test_a_stop_during_a_reload_ends_in_order(self):
        for _ in range(10):
            daemon = self.start(echoes("echo"))
            daemon.wait_for("daemon.ready")
            self.rewrite(echoes("echo", *(f"new-{i}" for i in range(100))))
            daemon.send(signal.SIGHUP)
            self.assert_stops_in_order(daemon)
            outcomes = [r["event"] for r in daemon.records if r.get("event") in RELOADED]
            self.assertLessEqual(len(outcomes), 1)

    def test_a_stop_while_a_file_does_not_answer_ends_without_the_reload(self):
        daemon = self.start(echoes("echo"))
        daemon.wait_for("daemon.ready")
        self.silent_drop_ins(60)
        asking = subprocess.Popen(
            [rig.CTL, "config", "reload", "--wait", "--timeout", "1h", "--socket",
             os.path.join(self.state, "actord.sock")],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(asking.kill)
        daemon.wait_for("admin.command")
        self.assert_stops_in_order(daemon)
        _, errors = asking.communicate(timeout=rig.PATIENCE)
        self.assertEqual(asking.returncode, rig.EX_TEMPFAIL, errors)
        self.assertIn("actord is stopping", errors)
        self.assertEqual(daemon.wait_for("config.rejected")["reason"], "actord is stopping")
        self.assertEqual(daemon.wait_for("daemon.stopping")["waits_for"],
                         ["files of the configuration"])

    def test_on_a_terminal_sighup_ends_the_daemon(self):
        try:
            master, slave = pty.openpty()
        except OSError:
            return  # this machine has no terminals
        self.addCleanup(os.close, master)
        daemon = self.start(echoes("echo"), stdin=slave)
        os.close(slave)
        daemon.wait_for("daemon.ready")
        self.assertEqual(daemon.stop(signal.SIGHUP), 0, daemon.log_tail())
        self.assertEqual(daemon.records[-1]["reason"], "SIGHUP")


if __name__ == "__main__":
    rig.main()
