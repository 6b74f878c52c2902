# SPDX-License-Identifier: Apache-2.0
"""One crawl under each verdict: the configuration alone decides the effect of a failure."""

import rig
import site_model
from crawl_test import CrawlCase, crawl_config

CHAOS = site_model.Chaos(seed=7, probability=0.2, max_attempts=12)
DIRECTIVE = 'decider {{ "crawler::RetrievalException" = {}, default = escalate }}'


class Strategy(CrawlCase):
    def directives(self, daemon):
        return {record["decision"]["directive"] for record in self.crawler_failures(daemon)}

    def test_resume_loses_the_message_and_the_deadline_brings_the_page_back(self):
        # A resumed actor keeps its incarnation, so none was restarted.
        daemon, finished = self.crawl(self.small_site(), CHAOS, extra='deadline = 400ms',
                                      strategy=DIRECTIVE.format("resume"))
        predicted = site_model.Crawl(self.start_url, CHAOS)
        self.assert_stops_in_order(daemon)
        failures = self.crawler_failures(daemon)
        self.assertEqual(self.directives(daemon), {"resume"})
        self.assert_each_failure_is_logged_in_full(failures)
        self.assert_each_has_one_outcome(daemon, failures, "actor.resumed")
        self.assertEqual({record["level"] for record in failures}, {"warning"})
        self.assertEqual(daemon.all("actor.restarted"), [])
        self.assertGreaterEqual(len(daemon.all("crawler.overdue")), len(failures))
        self.assertEqual(finished["restarts"], 0)
        self.assertEqual(self.indexed_paths(), predicted.pages)

    def test_a_stopped_fetcher_leaves_its_page_to_the_others(self):
        # There are more fetchers than failures: the crawl ends without some of them.
        chaos = site_model.Chaos(seed=11, probability=0.03, max_attempts=12)
        daemon, finished = self.crawl(self.small_site(), chaos, extra="workers = 12",
                                      strategy=DIRECTIVE.format("stop"))
        predicted = site_model.Crawl(self.start_url, chaos)
        self.assertTrue(0 < predicted.failures < 12, predicted.failures)
        self.assert_stops_in_order(daemon)
        failures = self.crawler_failures(daemon)
        self.assertEqual(self.directives(daemon), {"stop"})
        self.assertEqual(len(failures), predicted.failures)
        self.assert_each_has_one_outcome(daemon, failures, "actor.stopped")
        self.assertEqual((finished["restarts"], finished["given_up"]), (0, 0))
        self.assertEqual(self.indexed_paths(), predicted.pages)

    def test_the_stopping_strategy_of_the_block_stops_whatever_fails(self):
        daemon, finished = self.crawl(self.small_site(), CHAOS,
                                      strategy='decider { default = stop }')
        self.assert_stops_in_order(daemon)
        self.assertEqual(self.directives(daemon), {"stop"})
        # There are four fetchers and more failures: no fetcher is left, and the crawl still ends.
        self.assertEqual(len(self.crawler_failures(daemon)), 4)
        self.assertGreater(finished["given_up"], 0)

    def test_without_restarts_a_fetcher_ends_with_its_first_failure(self):
        daemon, finished = self.crawl(
            self.small_site(), CHAOS,
            strategy="max-restarts = never\n" + DIRECTIVE.format("restart"))
        self.assert_stops_in_order(daemon)
        failures = self.crawler_failures(daemon)
        self.assertEqual(len(failures), 4)
        limits = daemon.all("supervisor.limit")
        self.assertEqual({record["failure"]["id"] for record in limits},
                         {record["failure"]["id"] for record in failures})
        self.assertEqual(len(limits), 4)
        self.assertEqual(daemon.all("actor.restarted"), [])
        self.assert_each_has_one_outcome(daemon, failures, "actor.stopped")
        self.assertEqual(finished["given_up"], len(daemon.all("crawler.given_up")))
        self.assertGreater(finished["given_up"], 0)
        self.assertEqual(finished["pages"], len(self.indexed_paths()))

    def escalated(self, guardian):
        config = crawl_config(self.small_site(), rig.free_port(), CHAOS,
                              strategy=DIRECTIVE.format("escalate"),
                              actor=f"guardian-supervisor-strategy {{ {guardian} }}")
        return self.start(config)

    def test_escalated_past_the_guardian_it_ends_the_daemon(self):
        daemon = self.escalated("decider { default = escalate }")
        self.assertEqual(daemon.wait(), rig.EX_UNAVAILABLE, daemon.log_tail())
        self.assert_clean_log(daemon)
        self.assertEqual(daemon.records[-1]["exit"], rig.EX_UNAVAILABLE)
        self.assertEqual(len(daemon.all("guardian.terminated")), 1)
        self.assertIn("/user", daemon.errors)
        self.assert_one_screen(daemon)
        stopped = [record["actor"]["path"].split("#")[0] for record in daemon.all("actor.stopped")]
        self.assertEqual(stopped[-4:], ["/user", "/system/log", "/system", "/"])

    def test_escalated_to_a_guardian_that_stops_it_ends_the_crawler_alone(self):
        daemon = self.escalated("decider { default = stop }")
        stopped = daemon.wait_for(
            "actor.stopped", where=lambda r: r["actor"]["path"].split("#")[0] == "/user/crawler")
        failed = daemon.all("actor.failed")
        self.assertEqual(stopped["failure"]["id"], failed[0]["failure"]["id"])
        self.assertEqual(len(failed), 1, "a failure is logged once, by the supervisor that decides")
        self.assertEqual(failed[0]["supervisor"]["path"].split("#")[0], "/user")
        self.assertIn("/user/crawler/fetchers/", failed[0]["actor"]["path"])
        self.assertEqual([step["supervisor"].split("#")[0]
                          for step in failed[0]["decision"]["path"]],
                         ["/user/crawler/fetchers", "/user/crawler", "/user"])
        self.assert_stops_in_order(daemon)


if __name__ == "__main__":
    rig.main()
