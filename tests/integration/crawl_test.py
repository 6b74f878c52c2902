# SPDX-License-Identifier: Apache-2.0
"""A crawl with injected failures, from the first page to the last row of the index. Each number is
counted a second time by other means."""

import collections
import contextlib
import json
import os
import random
import re
import signal
import sqlite3
import threading
import unittest

import rig
import site_model

ROUTER = 'actord.actor.deployment."/user/crawler/fetchers"'


SLOW_SITE = "actord.user.site.config.faults.latency=20ms"  # for a crawl that is to be interrupted


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
        }}
        {user}
      }}
      actor {{
        deployment {{
          "/user/crawler/**" {{ dispatcher = blocking-io }}
          "/user/crawler/fetchers" {{ supervisor-strategy {{ {strategy}
          }} }}
        }}
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

    def assert_valid_utf8(self):
        """Every text in the index, of every table that the crawler makes."""
        database = self.index()
        database.text_factory = bytes
        for table, columns in (("pages", "path, title, body"), ("locations", "path"),
                               ("crawls", "start"), ("dead_links", "source, target")):
            for row in database.execute(f"SELECT {columns} FROM {table}"):
                for text in row:
                    text.decode("utf-8")  # raises an error

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
            self.assertEqual(record["supervisor"]["path"].split("#")[0], "/user/crawler/fetchers")

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
        self.assertEqual(finished["dead"], len(predicted.dead))
        self.assertEqual(finished["not_html"], len(predicted.not_html))
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
        daemon = self.start(config, sets=(SLOW_SITE,))
        daemon.wait_for("actor.restarted")
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.all("crawler.finished"), [], "it was too quick for this test")


class Encodings(CrawlCase):
    """Pages in encodings other than UTF-8: what the index has of them is what they say."""

    WORD = "문서"

    def encoded_site(self):
        root = os.path.join(self.folder, "site")
        meta = '<meta http-equiv="Content-Type" content="text/html; charset={}">'
        self.texts = {
            "/meta-euc-kr.html": (meta.format("EUC-KR") + self.WORD).encode("euc-kr"),
            "/meta-sjis.html": (meta.format("Shift_JIS") + "日本語").encode("shift_jis"),
            "/meta-1252.html": (meta.format("iso-8859-1") + "€ café").encode("cp1252"),
            "/utf16.html": "\ufeff<p>é".encode("utf-16-le"),
            "/mark-against-header.html.euc-kr": b"\xef\xbb\xbf<p>" + "é".encode(),
            "/header-against-meta.html.ko.euc-kr": ("<meta charset=utf-8>" +
                                                    self.WORD).encode("euc-kr"),
            "/undeclared-utf8.html": "<p>café".encode(),
            "/undeclared.html": "<p>café au lait".encode("cp1252"),
            "/cut.html": b"<meta charset=euc-kr><p>x\xb9",
            "/mixed.html": b"<meta charset=utf-8><p>caf\xe9 \xe2\x82",
        }
        for name, data in self.texts.items():
            os.makedirs(root, exist_ok=True)
            with open(root + name, "wb") as file:
                file.write(data)
        links = "".join(f"<a href={name}>x</a>" for name in self.texts)
        with open(os.path.join(root, "index.html"), "w", encoding="utf-8") as file:
            file.write(links)
        return root

    def test_pages_are_stored_as_they_read_and_always_as_valid_utf8(self):
        daemon, finished = self.crawl(self.encoded_site(), None)
        self.assert_stops_in_order(daemon)
        self.assert_valid_utf8()
        bodies = dict(self.index().execute("SELECT path, body FROM pages"))
        del bodies["/index.html"]
        self.assertEqual(bodies, {
            "/meta-euc-kr.html": self.WORD,
            "/meta-sjis.html": "日本語",
            "/meta-1252.html": "€ café",
            "/utf16.html": "é",
            "/mark-against-header.html.euc-kr": "é",
            "/header-against-meta.html.ko.euc-kr": self.WORD,
            "/undeclared-utf8.html": "café",
            "/undeclared.html": "café au lait",
            "/cut.html": "x\ufffd",
            "/mixed.html": "caf\ufffd \ufffd",
        })
        found = self.index().execute("SELECT path FROM pages(?) ORDER BY path", (self.WORD,))
        self.assertEqual([path for (path,) in found],
                         ["/header-against-meta.html.ko.euc-kr", "/meta-euc-kr.html"])
        self.assertEqual(finished["bad_texts"], 2)

    def test_a_text_with_unreadable_bytes_is_named_with_its_encoding(self):
        daemon = self.start(crawl_config(self.encoded_site(), rig.free_port(), None),
                            sets=["actord.log.level=debug"])
        daemon.wait_for("crawler.finished")
        self.assert_stops_in_order(daemon)
        named = {site_model.location(record["url"]):
                 (record["encoding"], record["declared_by"], record["replaced"])
                 for record in daemon.all("crawler.bad_text")}
        self.assertEqual(named, {"/cut.html": ("euc-kr", "meta", 1),
                                 "/mixed.html": ("utf-8", "meta", 2)})


class Outcome(CrawlCase):
    """What crawler.finished says when the index is not what the operator expects."""

    def finish(self, root, chaos=None, **keywords):
        daemon, _ = self.crawl(root, chaos, **keywords)
        self.assert_stops_in_order(daemon)
        record, = daemon.all("crawler.finished")
        return record

    def test_a_complete_crawl_is_information_and_images_are_no_dead_links(self):
        root = self.small_site()
        with open(os.path.join(root, "page1.html"), "a", encoding="utf-8") as page:
            page.write('<a href="picture.png">picture</a>')
        record = self.finish(root)
        self.assertEqual((record["level"], record["msg"]), ("info", "the crawl has ended"))
        self.assertEqual(record["crawl"]["start_problem"], "")
        self.assertEqual((record["crawl"]["dead"], record["crawl"]["not_html"]), (1, 1))
        dead = self.index().execute("SELECT DISTINCT target, status FROM dead_links").fetchall()
        self.assertEqual(dead, [("/missing.html", 404)])

    def test_a_start_page_that_does_not_exist_is_a_warning(self):
        root = os.path.join(self.folder, "empty")
        os.mkdir(root)
        record = self.finish(root)
        self.assertEqual((record["level"], record["msg"]),
                         ("warning", "the crawl has ended, because the start page failed"))
        self.assertEqual(record["crawl"]["start_problem"], "HTTP status 404")
        self.assertEqual(record["crawl"]["pages"], 0)
        self.assertIn("the start page failed: HTTP status 404", record["summary"]["pages"])

    def test_a_start_page_that_is_no_html_or_leads_away_is_a_warning(self):
        root = os.path.join(self.folder, "site")
        site_model.write(root, "index.html/deep/index.html", "the start is a folder")
        record = self.finish(root)
        self.assertEqual(record["level"], "warning")
        self.assertEqual(record["crawl"]["start_problem"], "HTTP status 404")
        self.assertEqual(record["crawl"]["redirects"], 1)
        site_model.write(root, "start.png", "no picture")
        port = rig.free_port()
        daemon = self.start(crawl_config(root, port, None).replace("/index.html", "/start.png"))
        record = daemon.wait_for("crawler.finished")
        self.assertEqual((record["level"], record["crawl"]["start_problem"]),
                         ("warning", "the answer is image/png"))
        self.assert_stops_in_order(daemon)

    def test_a_server_that_is_not_there_is_a_warning_with_its_reason(self):
        port, nobody = rig.free_port(), rig.free_port()
        config = crawl_config(self.folder, port, None, extra="max-attempts = 2").replace(
            f"127.0.0.1:{port}/index.html", f"127.0.0.1:{nobody}/index.html")
        daemon = self.start(config)
        record = daemon.wait_for("crawler.finished")
        self.assert_stops_in_order(daemon)
        self.assertEqual(record["level"], "warning")
        self.assertEqual(record["crawl"]["start_problem"], "lost the connection")
        self.assertEqual(record["crawl"]["given_up"], 1)
        self.assertEqual(record["crawl"]["reasons"]["connection_lost"], 1)
        self.assertEqual(sum(record["crawl"]["reasons"].values()), 1)
        given_up, = daemon.all("crawler.given_up")
        self.assertEqual((given_up["attempts"], given_up["reason"]), (2, "connection_lost"))

    def test_pages_given_up_are_a_warning_with_counts_by_reason(self):
        chaos = site_model.Chaos(seed=5, probability=0.5, max_attempts=3)
        record = self.finish(self.small_site(200), chaos)
        self.assertGreater(record["crawl"]["given_up"], 0)
        self.assertEqual((record["level"], record["msg"]),
                         ("warning", "the crawl has ended, but pages are missing"))
        self.assertEqual(record["crawl"]["reasons"]["chaos"], record["crawl"]["given_up"])
        self.assertIn(f"({record['crawl']['given_up']} failed on purpose)",
                      record["summary"]["pages"])

    def test_a_page_above_the_limit_is_a_warning(self):
        root = self.small_site()
        site_model.write(root, "page1.html", "x" * 20_000)
        record = self.finish(root, extra="max-page-size = 10k")
        self.assertEqual((record["level"], record["crawl"]["too_large"]), ("warning", 1))

    def test_without_fetchers_the_rest_is_given_up_for_that_reason(self):
        chaos = site_model.Chaos(seed=7, probability=0.2, max_attempts=12)
        record = self.finish(self.small_site(), chaos, strategy="decider { default = stop }")
        self.assertEqual(record["level"], "warning")
        self.assertGreater(record["crawl"]["reasons"]["no_fetcher"], 0)


class BigSite(CrawlCase):
    """The example as delivered, on the documentation of SQLite."""

    EXAMPLE = os.path.join(rig.EXAMPLES, "crawler.conf")

    def start_example(self, *sets, config=EXAMPLE):
        self.assertTrue(os.path.exists(os.path.join(rig.SITE_ROOT, "index.html")),
                        f"no site in {rig.SITE_ROOT}: install sqlite3-doc or set ACTORD_SITE_ROOT")
        port = rig.free_port()
        daemon = self.start(config,
                            sets=[f"actord.user.site.config.root={json.dumps(rig.SITE_ROOT)}",
                                  f"actord.user.site.config.port={port}", *sets])
        daemon.wait_for("daemon.ready")
        return daemon, f"http://127.0.0.1:{port}/index.html"

    def test_what_its_comment_proposes_loses_no_page(self):
        with open(self.EXAMPLE, encoding="utf-8") as file:
            proposed = re.search(r"chaos\.probability = ([0-9.]+), max-attempts = ([0-9]+), "
                                 r"max-restarts = ([0-9]+):", file.read())
        probability, attempts, restarts = float(proposed[1]), int(proposed[2]), int(proposed[3])
        self.assertLess(probability ** attempts, 1e-5)
        daemon, start = self.start_example(
            f"actord.user.crawler.config.chaos.probability={probability}",
            f"actord.user.crawler.config.max-attempts={attempts}",
            f"{ROUTER}.supervisor-strategy.max-restarts={restarts}")
        record = daemon.wait_for("crawler.finished", patience=5 * rig.PATIENCE)
        predicted = site_model.Crawl(
            start, site_model.Chaos(seed=7, probability=probability, max_attempts=attempts))
        self.assert_stops_in_order(daemon)
        self.assertEqual((record["level"], record["crawl"]["given_up"]), ("info", 0))
        self.assertEqual(record["crawl"]["failures"], predicted.failures)
        self.assertEqual(self.indexed_paths(), predicted.pages)

    def test_its_router_is_resized_in_mid_crawl_and_no_page_is_fetched_twice(self):
        with open(self.EXAMPLE, encoding="utf-8") as file:
            text = file.read()

        def sized(size):
            self.assertIn("# router.size = 16", text)
            return text.replace("# router.size = 16", f"router.size = {size}")

        daemon, start = self.start_example(
            "actord.user.crawler.config.chaos.probability=0", "actord.log.level=debug",
            "actord.user.site.config.faults.latency=3 ms", config=sized(2))
        for after, size in ((100, 12), (300, 5)):
            while len(daemon.all("site.request")) < after:
                daemon.wait_for("site.request")
            self.write("actord.conf", sized(size))
            daemon.send(signal.SIGHUP)
            self.assertEqual(daemon.wait_for("config.reloaded")["changed"], 1)
            answer = self.run_ctl("ask", "/user/crawler/fetchers", "actord.GetRoutees/1",
                                  "--socket", os.path.join(self.state, "actord.sock"))
            self.assertEqual(len(json.loads(answer.stdout)["routees"]), size, answer.stdout)
            self.assertEqual(daemon.all("crawler.finished"), [], "it is not in mid-crawl")
        record = daemon.wait_for("crawler.finished", patience=5 * rig.PATIENCE)
        predicted = site_model.Crawl(start, site_model.Calm())
        self.assert_stops_in_order(daemon)
        self.assertEqual(record["crawl"]["pages"], len(predicted.pages))
        self.assertEqual(self.indexed_paths(), predicted.pages)
        fetched = collections.Counter(each["target"] for each in daemon.all("site.request")
                                      if each["seq"] < record["seq"])
        self.assertEqual({path for path, times in fetched.items() if times != 1}, set())
        self.assertLessEqual(predicted.pages, set(fetched))
        fetchers = {each["actor"]["path"].split("#")[0] for each in daemon.all("actor.started")
                    if each["actor"]["path"].startswith("/user/crawler/fetchers/")}
        self.assertEqual(len(fetchers), 12)
        self.assertEqual((self.crawler_failures(daemon), record["crawl"]["restarts"]), ([], 0))

    def assert_searches(self, start):
        """actorctl asks the crawler for pages, and for what is no search."""
        def ask(query):
            return self.run_ctl("ask", "/user/crawler", "crawler.Search/1", json.dumps(query),
                                "--socket", os.path.join(self.state, "actord.sock"))
        found = json.loads(ask({"query": '"write-ahead log"', "limit": 100}).stdout)["pages"]
        self.assertEqual([page["rank"] for page in found], list(range(1, len(found) + 1)))
        urls = [page["url"] for page in found]
        self.assertIn(f"{start[:start.index('/', 8)]}/wal.html", urls)
        self.assertIn("write-ahead log", (found[0]["title"] + found[0]["excerpt"]).lower())
        self.assertEqual(len(json.loads(ask({"query": "sqlite"}).stdout)["pages"]), 10)
        empty = ask({"query": " "})
        self.assertEqual(empty.returncode, 1, empty.stdout)
        self.assertIn("a search needs a word (crawler::InvalidSearch)", empty.stderr)

    def test_the_example_crawls_the_whole_site(self):
        daemon, start = self.start_example()
        finished = daemon.wait_for("crawler.finished", patience=5 * rig.PATIENCE)["crawl"]
        chaos = site_model.Chaos(seed=7, probability=0.05, max_attempts=5)
        predicted = site_model.Crawl(start, chaos)
        self.assert_searches(start)
        self.assertEqual(daemon.stop(signal.SIGTERM), 0, daemon.log_tail())
        self.assert_clean_log(daemon)

        self.assertGreater(len(predicted.pages), 500)
        self.assertEqual(finished["given_up"], len(predicted.given_up))
        self.assertEqual(self.indexed_paths(), predicted.pages)
        self.assert_valid_utf8()
        self.assertEqual(finished["pages"], len(predicted.pages))
        self.assertEqual(finished["failures"], predicted.failures)
        self.assertEqual(finished["restarts"], predicted.failures)
        failures = self.crawler_failures(daemon)
        self.assertEqual(len(failures), predicted.failures)
        self.assert_each_has_one_outcome(daemon, failures, "actor.restarted")
        found = self.index().execute("SELECT path FROM pages(?)", ('"write ahead log"',)).fetchall()
        self.assertIn(("/wal.html",), found)

    @contextlib.contextmanager
    def killing_hosts_of(self, daemon):
        """Ends a host process with an actor by SIGSEGV every 100 ms."""
        choice, is_over = random.Random(7), threading.Event()

        def kill():
            while not is_over.wait(0.1):
                started = {record["worker"]["pid"] for record in daemon.all("worker.started")}
                ended = {record["worker"]["pid"] for record in daemon.all("worker.crashed")}
                with contextlib.suppress(ProcessLookupError, IndexError):
                    os.kill(choice.choice(sorted(started - ended)), signal.SIGSEGV)

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            yield
        finally:
            is_over.set()
            killer.join()

    @unittest.skipIf(rig.HAS_SANITIZER, "the sanitizer reports the crash")
    def test_fetchers_that_are_killed_every_100_ms_lose_no_page(self):
        fetchers = 'actord.actor.deployment."/user/crawler/fetchers/*"'
        daemon, start = self.start_example(
            f"{fetchers}.isolation=process", f"{fetchers}.worker.group=per-actor",
            f"{fetchers}.dispatcher=blocking-io", "actord.actor.restart-storm=off",
            "actord.user.crawler.config.workers=2",
            "actord.user.crawler.config.chaos.probability=0",
            "actord.user.crawler.config.max-attempts=50",
            f"{ROUTER}.supervisor-strategy.max-restarts=unlimited",
            f"{ROUTER}.supervisor-strategy.decider.\"actord::WorkerCrash\"=restart")
        with self.killing_hosts_of(daemon):
            finished = daemon.wait_for("crawler.finished", patience=5 * rig.PATIENCE)
        crawl = finished["crawl"]
        predicted = site_model.Crawl(start, site_model.Calm())
        self.assertEqual(daemon.stop(signal.SIGTERM), 0, daemon.log_tail())
        self.assertEqual((finished["level"], crawl["given_up"]), ("info", 0))
        self.assertEqual(crawl["pages"], len(predicted.pages))
        self.assertEqual(self.indexed_paths(), predicted.pages)
        failures = self.crawler_failures(daemon)
        for record in failures:
            self.assertIn("actord::WorkerCrash", record["failure"]["types"])
        # Who is killed after the last page is not restarted, or too late.
        self.assertIn(len(failures) - crawl["restarts"], range(3))
        self.assertGreater(crawl["restarts"], 2)


if __name__ == "__main__":
    rig.main()
