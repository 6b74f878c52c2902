# SPDX-License-Identifier: Apache-2.0
"""Sockets that a service manager has opened: requests wait there while actord is restarted."""

import fcntl
import os
import socket
import subprocess
import urllib.request

import rig

CONFIG = """
actord.user.echo.behaviour = "echo/Echo"
"""


class Activation(rig.Case):
    def setUp(self):
        super().setUp()
        self.path = os.path.join(self.folder, "passed.sock")
        self.admin = self.listen(socket.AF_UNIX, self.path)

    def listen(self, family, address):
        """A listening socket whose descriptor is none of those that it will become."""
        listening = socket.socket(family)
        self.addCleanup(listening.close)
        listening.bind(address)
        listening.listen()
        high = fcntl.fcntl(listening.fileno(), fcntl.F_DUPFD, 20)
        moved = socket.socket(fileno=high)
        self.addCleanup(moved.close)
        return moved

    def boot(self, *sockets, **keywords):
        daemon = self.start(CONFIG, sockets=sockets, **keywords)
        daemon.wait_for("daemon.ready")
        return daemon

    def ask(self, **keywords):
        done = self.run_ctl("ask", "/user/echo", "echo.Text/1", '{"text": "hello"}', "--socket",
                            self.path, **keywords)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("hello", done.stdout)

    def test_the_passed_socket_is_the_admin_socket(self):
        self.boot(self.admin)
        self.ask()
        self.assertFalse(os.path.exists(os.path.join(self.state, "actord.sock")))

    def test_a_request_waits_for_the_next_actord(self):
        daemon = self.boot(self.admin)
        self.assertEqual(daemon.stop(), 0)
        self.assertTrue(os.path.exists(self.path))
        waiting = subprocess.Popen([rig.CTL, "ask", "/user/echo", "echo.Text/1",
                                    '{"text": "patient"}', "--socket", self.path],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.boot(self.admin)
        out, err = waiting.communicate(timeout=rig.PATIENCE)
        self.assertEqual(waiting.returncode, 0, err)
        self.assertIn("patient", out)

    def test_what_needs_no_actor_does_not_wait_for_the_end_of_the_start(self):
        daemon = self.start(
            'actord.user.it {\n'
            '  behaviour = "stuck/Worker", config { start_ms = 4000, times = 0 } }\n',
            plugins=(rig.BAD_PLUGINS,), sockets=(self.admin,))
        daemon.wait_for("plugin.loaded")
        told = self.run_ctl("loglevel", "/user/it/child", "debug", "--socket", self.path)
        self.assertEqual(told.returncode, 0, told.stderr)
        daemon.wait_for("admin.command")
        self.assertNotIn("daemon.ready", [each["event"] for each in daemon.records])
        daemon.wait_for("daemon.ready")

    def test_http_is_served_at_a_passed_tcp_socket(self):
        web = self.listen(socket.AF_INET, ("127.0.0.1", 0))
        port = web.getsockname()[1]
        self.boot(self.admin, web)
        self.ask()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=rig.PATIENCE) as got:
            self.assertEqual(got.status, 200)

    def test_what_is_no_listening_socket_is_left_alone(self):
        pair = socket.socketpair()
        for each in pair:
            self.addCleanup(each.close)
        datagrams = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(datagrams.close)
        self.boot(pair[0], datagrams, self.admin)
        self.ask()

    def test_sockets_for_another_process_are_not_taken(self):
        daemon = self.start(CONFIG, environment={"LISTEN_PID": "1", "LISTEN_FDS": "1"})
        daemon.wait_for("daemon.ready")
        self.path = os.path.join(self.state, "actord.sock")
        self.ask()


if __name__ == "__main__":
    rig.main()
