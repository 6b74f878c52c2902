# SPDX-License-Identifier: Apache-2.0
"""Every second attempt fails: with unlimited restarts the crawl is complete, with few it ends."""

import collections

import rig
import site_model
from crawl_test import CrawlCase

RESTART = 'decider { "crawler::RetrievalException" = restart, default = escalate }'


class HalfOfAllFails(CrawlCase):
    def test_with_restarts_without_limit_every_page_is_found(self):
        chaos = site_model.Chaos(seed=5, probability=0.5, max_attempts=40)
        daemon, finished = self.crawl(self.small_site(200), chaos,
                                      strategy="max-restarts = unlimited\n" + RESTART)
        predicted = site_model.Crawl(self.start_url, chaos)
        self.assertGreater(predicted.failures, 100)
        self.assert_stops_in_order(daemon)
        failures = self.crawler_failures(daemon)
        self.assertEqual(len(failures), predicted.failures)
        self.assert_each_failure_is_logged_in_full(failures)
        self.assert_each_has_one_outcome(daemon, failures, "actor.restarted")
        self.assertEqual((finished["failures"], finished["restarts"], finished["given_up"]),
                         (predicted.failures, predicted.failures, 0))
        self.assertEqual(self.indexed_paths(), predicted.pages)
        self.assertEqual(daemon.all("supervisor.limit"), [])

    def test_pages_that_fail_in_every_attempt_are_given_up_and_named(self):
        chaos = site_model.Chaos(seed=5, probability=0.5, max_attempts=3)
        daemon, finished = self.crawl(self.small_site(200), chaos,
                                      strategy="max-restarts = unlimited\n" + RESTART)
        predicted = site_model.Crawl(self.start_url, chaos)
        self.assertGreater(len(predicted.given_up), 3)
        self.assert_stops_in_order(daemon)
        named = {site_model.location(record["url"]) for record in daemon.all("crawler.given_up")}
        self.assertEqual(named, predicted.given_up)
        self.assertEqual(finished["given_up"], len(predicted.given_up))
        self.assertEqual(self.indexed_paths(), predicted.pages)

    def test_with_few_restarts_fetchers_are_stopped_at_their_limit_and_the_crawl_ends(self):
        chaos = site_model.Chaos(seed=5, probability=0.5, max_attempts=40)
        daemon, finished = self.crawl(self.small_site(200), chaos,
                                      strategy="max-restarts = 3, within = 1 minute\n" + RESTART)
        self.assert_stops_in_order(daemon)
        failures = self.crawler_failures(daemon)
        per_fetcher = collections.Counter(record["actor"]["path"].split("#")[0]
                                          for record in failures)
        self.assertEqual(set(per_fetcher.values()), {4}, per_fetcher)
        self.assertEqual(len(daemon.all("supervisor.limit")), 4)
        self.assertEqual(len(failures), len(daemon.all("actor.restarted")) + 4)
        self.assertEqual(finished["pages"], len(self.indexed_paths()))
        self.assertGreater(finished["given_up"], 0)


if __name__ == "__main__":
    rig.main()
