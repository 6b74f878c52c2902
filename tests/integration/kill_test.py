# SPDX-License-Identifier: Apache-2.0
"""SIGKILL in the middle of a crawl: the index is intact, and the next start finishes the work."""

import signal

import rig
import site_model
from crawl_test import SLOW_SITE, CrawlCase, crawl_config


class Killed(CrawlCase):
    def test_the_index_survives_and_the_next_crawl_completes_it(self):
        chaos = site_model.Chaos(seed=2, probability=0.2, max_attempts=20)
        root, port = self.small_site(400), rig.free_port()
        config = crawl_config(root, port, chaos, extra="batch = 5")
        daemon = self.start(config, sets=(SLOW_SITE,))
        daemon.wait_for("daemon.ready")
        for _ in range(20):
            daemon.wait_for("actor.restarted")
        self.assertEqual(daemon.stop(signal.SIGKILL), -signal.SIGKILL)
        self.assertEqual(daemon.all("crawler.finished"), [], "it was too quick for this test")
        self.assertEqual(self.index().execute("PRAGMA integrity_check").fetchone(), ("ok",))
        before = self.indexed_paths()

        daemon, finished = self.crawl(root, chaos, extra="batch = 5", port=port)
        predicted = site_model.Crawl(self.start_url, chaos)
        self.assert_stops_in_order(daemon)
        self.assertLess(before, predicted.pages)
        self.assertEqual(self.indexed_paths(), predicted.pages)
        self.assertEqual(finished["pages"], len(predicted.pages))
        crawls = self.index().execute("SELECT finished_at IS NULL FROM crawls ORDER BY id")
        self.assertEqual([unfinished for (unfinished,) in crawls], [1, 0])


if __name__ == "__main__":
    rig.main()
