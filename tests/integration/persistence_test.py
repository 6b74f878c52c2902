# SPDX-License-Identifier: Apache-2.0
"""The bank, whose accounts are persistent actors, in a real daemon with a real database: no money
is lost or made by exceptions, by kill -9 at any moment, or by a journal that fails; each transfer
that was accepted ends."""

import json
import os
import random
import signal
import time

import rig

BANK = """actord.user.bank {
  behaviour = "bank/Bank"
  config { accounts = 5, opening = 200, transfers = %d, interval = 1 ms, chaos.throws = %s }
}
"""
SUM = 5 * 200


class Bank(rig.Case):
    def bank(self, transfers=0, throws=0.0):
        daemon = self.start(BANK % (transfers, throws))
        daemon.wait_for("daemon.ready")
        return daemon

    def audit(self):
        return json.loads(self.ctl("ask", "/user/bank", "bank.Audit/1", "--timeout", "20s"))

    def await_rest(self):
        """The answer of an audit when no transfer is open: else the answers are of different
        moments, and do not add up."""
        deadline = time.monotonic() + rig.PATIENCE
        while True:
            found = self.audit()
            if found["is_complete"] and found["open"] == 0:
                return found
            self.assertLess(time.monotonic(), deadline, f"transfers do not end: {found}")

    def assert_in_balance(self, found):
        self.assertEqual(found["sum"], SUM)
        self.assertEqual(found["begun"], found["done"] + found["refused"])

    def test_money_outlives_an_orderly_stop(self):
        daemon = self.bank(transfers=100)
        while (first := self.await_rest())["begun"] < 100:
            pass
        self.assert_in_balance(first)
        self.assert_stops_in_order(daemon)
        self.bank()
        self.assertEqual(self.await_rest(), first)

    def test_money_outlives_kill_9_at_any_moment_and_exceptions(self):
        rng = random.Random(7)
        begun = 0
        for _ in range(5):
            daemon = self.bank(transfers=1_000_000, throws=0.02)
            for _ in range(rng.randrange(3, 30)):
                daemon.wait_for("actor.restarted")
            daemon.send(signal.SIGKILL)
            daemon.wait()
            daemon = self.bank()
            found = self.await_rest()
            self.assert_in_balance(found)
            self.assertGreater(found["begun"], begun)
            begun = found["begun"]
            self.assert_stops_in_order(daemon)

    def test_an_account_that_is_restarted_by_hand_has_recovered_when_the_command_ends(self):
        self.bank(transfers=20)
        while (before := self.await_rest())["begun"] < 20:
            pass
        for account in range(5):
            done = self.ctl("restart", f"/user/bank/account-{account}/account")
            self.assertIn("was restarted", done)
        self.assertEqual(self.await_rest(), before)

    def test_the_journal_is_made_when_an_actor_needs_it(self):
        daemon = self.start('actord.user.echo.behaviour = "echo/Echo"\n')
        daemon.wait_for("daemon.ready")
        self.assertFalse(os.path.exists(os.path.join(self.state, "journal")))
        self.assert_stops_in_order(daemon)


if __name__ == "__main__":
    rig.main()
