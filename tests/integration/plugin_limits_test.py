# SPDX-License-Identifier: Apache-2.0
"""What the actors of a plugin may have: told when it is reached, and changed by a reload."""

import signal

import rig

FLOOD = """
actord.boot.on-failure = degrade
actord.plugins.limits.flood.actors = {}
actord.user.f {{ behaviour = "flood/Source", config {{ messages = 10 }} }}
"""


class PluginLimits(rig.Case):
    def test_a_reload_raises_the_limit_that_an_actor_has_reached(self):
        path = self.write("actord.conf", FLOOD.format(1))
        daemon = self.start(path, plugins=(rig.BAD_PLUGINS,))
        told = daemon.wait_for("plugin.limit-reached")
        self.assertEqual(told["plugin"]["name"], "flood")
        self.assertEqual((told["resource"], told["limit"], told["refused"]), ("actors", 1, 1))
        self.assertEqual(told["actor"]["path"], "/user/f")
        failed = daemon.wait_for("actor.failed")
        self.assertIn("actord::LimitReached", str(failed))
        self.assertIn("the plugin flood has 1 actors, which is its limit "
                      "(actord.plugins.limits.flood.actors)", str(failed))
        daemon.wait_for("daemon.degraded")
        self.write("actord.conf", FLOOD.format(2))
        daemon.send(signal.SIGHUP)
        daemon.wait_for("actor.started", lambda each: each["actor"]["path"] == "/user/f")
        daemon.wait_for("config.reloaded")
        self.assert_stops_in_order(daemon)


if __name__ == "__main__":
    rig.main()
