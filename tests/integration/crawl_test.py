# SPDX-License-Identifier: Apache-2.0
"""A crawl with injected failures, from the first page to the last row of the index. Each number is
counted a second time by other means."""

import collections
import json
import os
import signal
import sqlite3

import rig
import site_model


def crawl_config(root, port, chaos, extra="", strategy=None, user="", actor=""):
    """A site and a crawler of it; `chaos` is a site_model.Chaos, or None."""
    faults = (f"chaos {{ probability = {chaos.probability}, seed = {chaos.seed} }}, "
              f"max-attempts = {chaos.max_attempts}") if chaos else ""
    strategy = strategy or """
            max-restarts = unlimited
            decider { "crawler::RetrievalException" = restart, default = escalate }"""
    return f"""
    actord {{
      user {{
        site {{
          behaviour = "static_site/Site"
          config {{ root = {json.dumps(root)}, port = {port} }}
        }}
        crawler {{
          behaviour = "crawler/Master"
          config {{
            start = "http://127.0.0.1:{port}/index.html"
            workers = 4
            {extra}
            {faults}
          }}
          supervisor-strategy {{ {strategy}
          }}
        }}
        {user}
      }}
      actor {{
        deployment {{ "/user/crawler/*" {{ dispatcher = blocking-io }} }}
        {actor}
      }}
    }}
    """


class CrawlCase(rig.Case):
    def crawl(self, root, chaos, patience=rig.PATIENCE, port=None, **keywords):
        """Runs until the crawl has ended. Returns the running daemon and its crawl record."""
        port = port or rig.free_port()
        daemon = self.start(crawl_config(root, port, chaos, **keywords))
        daemon.wait_for("daemon.ready")
        finished = daemon.wait_for("crawler.finished", patience=patience)["crawl"]
        self.start_url = f"http://127.0.0.1:{port}/index.html"
        return daemon, finished

    def small_site(self, pages=60):
        root = os.path.join(self.folder, "site")
        self.phrase_page = site_model.generate(root, pages)
        return root

    def index(self):
        database = sqlite3.connect(os.path.join(self.state, "crawler", "index.sqlite"))
        self.addCleanup(database.close)
        return database

    def indexed_paths(self):
        rows = self.index().execute("SELECT path FROM pages").fetchall()
        paths = [path for (path,) in rows]
        self.assertEqual(len(paths), len(set(paths)), "a page stands in the index twice")
        return set(paths)

    # ---- failures and their outcomes

    def crawler_failures(self, daemon):
        return [record for record in daemon.all("actor.failed")
                if record["actor"]["path"].startswith("/user/crawler")]

    def assert_each_failure_is_logged_in_full(self, failures):
        ids = [record["failure"]["id"] for record in failures]
        self.assertEqual(len(ids), len(set(ids)), "an id was used twice")
        for record in failures:
            self.assertEqual(record["failure"]["types"][0], "crawler::RetrievalException", record)
            self.assertIn("std::exception", record["failure"]["types"])
            self.assertEqual(record["failure"]["details"]["url"].split("/")[2].split(":")[0],
                             "127.0.0.1")
            self.assertEqual(record["message"]["type"], "crawler.Fetch/1")
            self.assertIn(record["decision"]["directive"],
                          ("restart", "resume", "stop", "escalate"))
            self.assertRegex(record["decision"]["config_origin"], r"actord\.conf:\d+$")
            self.assertEqual(record["supervisor"]["path"].split("#")[0], "/user/crawler")

    def assert_each_has_one_outcome(self, daemon, failures, event):
        outcomes = collections.Counter(record["failure"]["id"] for record in daemon.all(event)
                                       if "failure" in record)
        for record in failures:
            self.assertEqual(outcomes[record["failure"]["id"]], 1, record)


class SmallSite(CrawlCase):
    def test_every_failure_is_logged_decided_and_survived_and_every_page_is_found(self):
        chaos = site_model.Chaos(seed=7, probability=0.2, max_attempts=12)
        daemon, finished = self.crawl(self.small_site(), chaos)
        predicted = site_model.Crawl(self.start_url, chaos)
        self.assertGreater(predicted.failures, 5)
        self.assert_stops_in_order(daemon)

        failures = self.crawler_failures(daemon)
        self.assertEqual(len(failures), predicted.failures)
        self.assert_each_failure_is_logged_in_full(failures)
        self.assert_each_has_one_outcome(daemon, failures, "actor.restarted")
        self.assertEqual(finished["failures"], predicted.failures)
        self.assertEqual(finished["restarts"], predicted.failures)
        self.assertEqual(finished["pages"], len(predicted.pages))
        self.assertEqual(finished["broken"], len(predicted.broken))
        self.assertEqual(finished["redirects"], len(predicted.redirects))
        self.assertEqual(finished["given_up"], 0)
        self.assertEqual(self.indexed_paths(), predicted.pages)
        found = self.index().execute("SELECT path FROM pages(?)",
                                     (f'"{site_model.PHRASE}"',)).fetchall()
        self.assertEqual(found, [(self.phrase_page,)])

    def test_the_same_seed_fails_alike_and_a_second_crawl_replaces_the_first(self):
        chaos = site_model.Chaos(seed=3, probability=0.3, max_attempts=20)
        root, results = self.small_site(), []
        for _ in range(2):
            daemon, finished = self.crawl(root, chaos)
            results.append((finished["failures"], finished["pages"], self.indexed_paths()))
            self.assert_stops_in_order(daemon)
        self.assertEqual(results[0], results[1])

    def test_it_can_be_stopped_in_the_middle(self):
        config = crawl_config(self.small_site(400), rig.free_port(),
                              site_model.Chaos(seed=1, probability=0.3, max_attempts=20))
        daemon = self.start(config)
        daemon.wait_for("actor.restarted")
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.all("crawler.finished"), [], "it was too quick for this test")


class BigSite(CrawlCase):
    """The example as delivered, on the documentation of SQLite."""

    def test_the_example_crawls_the_whole_site(self):
        self.assertTrue(os.path.exists(os.path.join(rig.SITE_ROOT, "index.html")),
                        f"no site in {rig.SITE_ROOT}: install sqlite3-doc or set ACTORD_SITE_ROOT")
        port = rig.free_port()
        daemon = self.start(
            os.path.join(rig.EXAMPLES, "crawler.conf"),
            sets=[f"actord.user.site.config.root={json.dumps(rig.SITE_ROOT)}",
                  f"actord.user.site.config.port={port}"])
        daemon.wait_for("daemon.ready")
        finished = daemon.wait_for("crawler.finished", patience=5 * rig.PATIENCE)["crawl"]
        chaos = site_model.Chaos(seed=7, probability=0.05, max_attempts=5)
        predicted = site_model.Crawl(f"http://127.0.0.1:{port}/index.html", chaos)
        self.assertEqual(daemon.stop(signal.SIGTERM), 0, daemon.log_tail())
        self.assert_clean_log(daemon)

        self.assertGreater(len(predicted.pages), 500)
        self.assertEqual(finished["given_up"], len(predicted.given_up))
        self.assertEqual(self.indexed_paths(), predicted.pages)
        self.assertEqual(finished["pages"], len(predicted.pages))
        self.assertEqual(finished["failures"], predicted.failures)
        self.assertEqual(finished["restarts"], predicted.failures)
        failures = self.crawler_failures(daemon)
        self.assertEqual(len(failures), predicted.failures)
        self.assert_each_has_one_outcome(daemon, failures, "actor.restarted")
        found = self.index().execute("SELECT path FROM pages(?)", ('"write ahead log"',)).fetchall()
        self.assertIn(("/wal.html",), found)


if __name__ == "__main__":
    rig.main()
