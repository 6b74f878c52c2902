# SPDX-License-Identifier: Apache-2.0
"""Code of a plugin that ends the process with status 0. It is noticed, the log is written to its
end, and the exit status is not 0."""

import os
import signal

import rig

CONFIG = """
actord.user {{
  first.behaviour = "echo/Echo"
  it {{ behaviour = "exiting/Exiter", config {{ call = {call}, place = {place} }} }}
}}
"""
PLUGIN = f"{rig.BAD_PLUGINS}/exiting.so"
ACTOR = "the actor /user/it (exiting/Exiter, plugin exiting 1.2.3)"


class Exit(rig.Case):
    def crashed(self, call, place, error):
        """The record of the crash of a daemon in which that call has ended the process. The daemon
        knows of no crash before."""
        self.state = os.path.join(self.folder, f"{call}-{place}")
        daemon = self.start(CONFIG.format(call=call, place=place),
                            plugins=(rig.PLUGINS, rig.BAD_PLUGINS))
        if place in ("detach", "end"):
            daemon.wait_for("daemon.ready")
            daemon.send(signal.SIGTERM)
        self.assertEqual(daemon.wait(), rig.EX_SOFTWARE, daemon.log_tail())
        self.assert_clean_log(daemon)
        crashed, stopped = daemon.records[-2:]
        self.assertEqual((crashed["event"], crashed["level"], crashed["msg"]),
                         ("daemon.crashed", "error", error))
        self.assertNotIn("signal", crashed)
        self.assertEqual((stopped["event"], stopped["reason"], stopped["exit"], stopped["error"]),
                         ("daemon.stopped", "plugin-exited", rig.EX_SOFTWARE, error))
        self.assertIn(f"actord: error: {error}", daemon.errors)
        return crashed

    def test_a_handler(self):
        for call, shown in (("exit", "exit(0)"), ("_exit", "_exit(0)"), ("_Exit", "_exit(0)"),
                            ("quick_exit", "quick_exit(0)"), ("pthread_exit", "pthread_exit()"),
                            ("thrd_exit", "thrd_exit()"), ("err", "exit(0)")):
            with self.subTest(call):
                record = self.crashed(call, "handler", f"{ACTOR} calls {shown}")
                self.assertEqual(record["call"], shown)
                self.assertEqual(record["actor"]["path"], "/user/it")
                self.assertEqual(record["actor"]["behaviour"], "exiting/Exiter")
                self.assertEqual(record["message"]["type"], "exiting.Exit/1")
                self.assertEqual(record["plugin"], {"name": "exiting", "version": "1.2.3"})

    def test_a_constructor(self):
        record = self.crashed("exit", "constructor", f"{ACTOR} calls exit(0)")
        self.assertEqual(record["actor"]["path"], "/user/it")
        self.assertNotIn("message", record)

    def test_a_thread_of_the_plugin(self):
        record = self.crashed("quick_exit", "thread",
                              "a thread that runs no actor calls quick_exit(0)")
        self.assertNotIn("actor", record)

    def test_the_end_of_a_plugin(self):
        for call, shown in (("exit", "exit(0)"), ("pthread_exit", "pthread_exit()")):
            with self.subTest(call):
                record = self.crashed(
                    call, "detach", f"the plugin {PLUGIN} calls {shown} while it is detached")
                self.assertEqual(record["plugin"]["file"], PLUGIN)
        for call in ("_exit", "exit"):
            with self.subTest(call):
                self.crashed(call, "end", f"a static destructor of a plugin calls {call}(0)")


if __name__ == "__main__":
    rig.main()
