# SPDX-License-Identifier: Apache-2.0
"""The laboratory of directives as delivered: each trouble has the outcome that the README states,
both in what the experiment observes and in the log."""

import os

import rig

# Columns: trial, trouble, directive, the child's number afterwards, same address and same instance,
# children left.
OUTCOMES = [
    (1, "arithmetic", "resume", 42, True, True, 1),
    (2, "null_reference", "restart", 0, True, False, 1),
    (3, "bad_argument", "stop", None, False, None, 0),
    (4, "other", "escalate", None, False, None, 0),
    (5, "other", "escalate", 0, True, False, 1),
]
# Columns: cause, directive in the log, path of the supervisor that decided, and of those that
# escalated.
VERDICTS = [
    ("lab::ArithmeticError", "resume", "/user/lab/supervisor", []),
    ("lab::NullReference", "restart", "/user/lab/supervisor", []),
    ("std::invalid_argument", "stop", "/user/lab/supervisor", []),
    ("std::runtime_error", "restart", "/user/lab", ["/user/lab/supervisor"]),
    ("std::runtime_error", "restart", "/user/lab", ["/user/lab/keeping-supervisor"]),
]


class DirectiveLab(rig.Case):
    def run_example(self, **keywords):
        daemon = self.start(os.path.join(rig.EXAMPLES, "directive_lab.conf"), **keywords)
        self.finished = daemon.wait_for("lab.finished")
        self.assert_stops_in_order(daemon)
        self.assertEqual(daemon.errors, "")
        return daemon

    def test_each_trouble_has_its_outcome(self):
        daemon = self.run_example()
        self.assertEqual((self.finished["trials"], self.finished["as_foreseen"]), (5, 5))
        observed = [(record["trial"], record["trouble"], record["directive"],
                     record.get("value_after"), record["same_ref"], record.get("same_instance"),
                     record["children_left"]) for record in daemon.all("lab.observed")]
        self.assertEqual(observed, OUTCOMES)
        for record in daemon.all("lab.observed"):
            self.assertEqual((record["value_before"], record["as_foreseen"]), (42, True))

    def test_the_log_names_each_decision_and_its_supervisor(self):
        daemon = self.run_example()
        verdicts = [(record["failure"]["type"], record["decision"]["directive"],
                     record["supervisor"]["path"],
                     [step["supervisor"] for step in record["decision"].get("path", [])[:-1]])
                    for record in daemon.all("actor.failed")]
        self.assertEqual(verdicts, VERDICTS)
        self.assertEqual([record["level"] for record in daemon.all("actor.failed")],
                         ["warning"] + ["error"] * 4)

    def test_each_failure_ends_where_its_verdict_says(self):
        daemon = self.run_example()
        ends = []
        for failed in daemon.all("actor.failed"):
            ends.append([record["event"] + " " + record["actor"]["path"]
                         for record in daemon.records
                         if record["event"] in ("actor.resumed", "actor.restarted", "actor.stopped")
                         and record.get("failure", {}).get("id") == failed["failure"]["id"]])
        self.assertEqual(ends, [
            ["actor.resumed /user/lab/supervisor/child-1"],
            ["actor.restarted /user/lab/supervisor/child-1"],
            ["actor.stopped /user/lab/supervisor/child-1"],
            ["actor.stopped /user/lab/supervisor/child-4", "actor.restarted /user/lab/supervisor"],
            ["actor.restarted /user/lab/keeping-supervisor",
             "actor.restarted /user/lab/keeping-supervisor/child-5"],
        ])
        kept = [record for record in daemon.all("actor.restarted")
                if record["actor"]["path"] == "/user/lab/keeping-supervisor/child-5"]
        self.assertEqual(len(kept), 1, "the surviving child is restarted with its supervisor")

    def test_the_level_and_not_the_switch_decides_which_starts_and_stops_are_logged(self):
        configured = {"/", "/system", "/system/log", "/user", "/user/lab"}
        for switch in ("off", "on"):
            daemon = self.run_example(sets=[f"actord.actor.debug.lifecycle={switch}"])
            self.assertEqual({record["actor"]["path"] for record in daemon.all("actor.started")},
                             configured)
            self.assertEqual({record["actor"]["path"] for record in daemon.all("actor.stopped")
                              if "failure" not in record and "collateral_of" not in record},
                             configured)
            self.assertEqual(daemon.all("actor.lifecycle"), [])
            daemon = self.run_example(sets=[f"actord.actor.debug.lifecycle={switch}",
                                            "actord.log.level=debug"])
            levels = {record["level"] for record in daemon.all("actor.started")
                      if record["actor"]["path"] not in configured}
            self.assertEqual(levels, {"debug"})
            self.assertEqual(bool(daemon.all("actor.lifecycle")), switch == "on")

    def test_the_number_is_what_the_config_says(self):
        daemon = self.run_example(sets=("actord.user.lab.config.value=7",))
        observed = daemon.all("lab.observed")
        self.assertEqual({record["value_before"] for record in observed}, {7})
        self.assertEqual(observed[0]["value_after"], 7)


if __name__ == "__main__":
    rig.main()
