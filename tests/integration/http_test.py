# SPDX-License-Identifier: Apache-2.0
"""HTTP: metrics, which a real Prometheus scrapes, and probes; and what gets no answer."""

import http.client
import json
import os
import signal
import socket
import subprocess
import time
import unittest
import urllib.parse
import urllib.request

import rig

CONFIG = """
actord.user.a { behaviour = "mortal/Mortal", config { file = "%s" } }
actord.http { listen = "%s", hosts = ["metrics.example.org"] }
"""
# ./dev test unpacks it; it need not be installed.
TOOLS = os.environ.get("ACTORD_PROMETHEUS", "/usr/bin")
PROMETHEUS, PROMTOOL = (os.path.join(TOOLS, name) for name in ("prometheus", "promtool"))
HAS_PROMETHEUS = os.path.exists(PROMETHEUS) and os.path.exists(PROMTOOL)
SCRAPE = """
global: {{ scrape_interval: 1s }}
scrape_configs:
  - job_name: actord
    static_configs: [{{ targets: ["127.0.0.1:{port}"] }}]
"""


class Http(rig.Case):
    def setUp(self):
        super().setUp()
        self.fate = self.write("fate", "")
        self.port = rig.free_port()

    def boot(self, **keywords):
        self.daemon = self.start(CONFIG % (self.fate, f"127.0.0.1:{self.port}"),
                                 plugins=(rig.PLUGINS, rig.BAD_PLUGINS), **keywords)
        self.daemon.wait_for("daemon.ready")

    def ask(self, path, method="GET", **headers):
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=rig.PATIENCE)
        self.addCleanup(client.close)
        client.request(method, path, headers=headers)
        reply = client.getresponse()
        return reply, reply.read().decode()

    def raw(self, data):
        """What comes back for these bytes, until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=rig.PATIENCE) as client:
            try:
                client.sendall(data)
                got = b""
                while chunk := client.recv(65536):
                    got += chunk
            except ConnectionError:
                pass
            return got

    def test_metrics_are_told_in_both_formats(self):
        self.boot()
        for _ in range(2):
            self.have_actor_fail()
        reply, text = self.ask("/metrics")
        self.assertEqual(reply.status, 200)
        self.assertEqual(reply.getheader("Content-Type"),
                         "text/plain; version=0.0.4; charset=utf-8")
        self.assertIn("\nactord_restarts_total 2\n", text)
        self.assertIn("\nactord_messages_failed_total 2\n", text)
        self.assertIn("\nactord_configured_actors_up 1\n", text)
        self.assertIn('\nactord_configured_actor_up{path="/user/a"} 1\n', text)
        self.assertRegex(text, r'\nactord_dispatcher_threads\{dispatcher="default"\} [1-9]')
        reply, text = self.ask("/metrics", Accept="application/openmetrics-text; version=1.0.0")
        self.assertIn("application/openmetrics-text", reply.getheader("Content-Type"))
        self.assertTrue(text.endswith("\n# EOF\n"))
        done = self.run_ctl("metrics", "--socket", os.path.join(self.state, "actord.sock"))
        self.assertIn("\nactord_restarts_total 2\n", done.stdout)

    def test_reloads_are_counted(self):
        self.boot()
        for config, status in (("actord.user.a.behaviour = 7", rig.EX_CONFIG),
                               (CONFIG % (self.fate, f"127.0.0.1:{self.port}"), rig.EX_OK)):
            self.write("actord.conf", config)
            done = self.run_ctl("config", "reload", "--socket",
                                os.path.join(self.state, "actord.sock"))
            self.assertEqual(done.returncode, status, done.stderr)
            last = f"\nactord_config_last_reload_successful {int(status == 0)}\n"
            self.assertIn(last, self.ask("/metrics")[1])
        text = self.ask("/metrics")[1]
        self.assertIn("\nactord_config_reloads_applied_total 1\n", text)
        self.assertIn("\nactord_config_reloads_rejected_total 1\n", text)

    def test_probes_say_what_is_well(self):
        self.boot(sets=("actord.actor.guardian-supervisor-strategy=stopping",))
        for path in ("/livez", "/readyz", "/startupz"):
            reply, text = self.ask(path)
            self.assertEqual((reply.status, text), (200, "ok\n"))
            self.assertIn("[+] ", self.ask(path + "?verbose")[1])
        self.assertIn("1 of 1 configured actors are up", self.ask("/readyz?verbose")[1])
        self.write("fate", "fail")
        self.daemon.wait_for("daemon.degraded")
        reply, text = self.ask("/readyz?verbose")
        self.assertEqual(reply.status, 200)
        self.assertIn("[-] 0 of 1 configured actors are up\n    /user/a has failed", text)
        self.assertIn("the file says so:\\nSTOPPING=1\n", text)
        self.assertIn("\nactord_configured_actors_lost 1\n", self.ask("/metrics")[1])

    def test_a_daemon_that_drains_is_not_ready_until_that_ends(self):
        self.boot()
        admin = os.path.join(self.state, "actord.sock")
        def ctl(*words):
            return self.run_ctl(*words, "--socket", admin)
        drained = ctl("drain", "--reason", "new kernel")
        self.assertEqual(drained.returncode, 0, drained.stderr)
        self.assertEqual(drained.stdout, "actord is draining: /readyz answers 503, and no messages "
                                         "wait\n")
        self.assertEqual(self.ask("/readyz")[0].status, 503)
        self.assertIn("[-] actord is not draining\n", self.ask("/readyz?verbose")[1])
        self.assertEqual(self.ask("/livez")[0].status, 200)
        self.assertIn("is draining\n", ctl("status").stdout)
        self.assertIn("not draining", ctl("drain", "--end").stdout)
        self.assertEqual(self.ask("/readyz")[0].status, 200)

    def test_a_drain_waits_for_messages_but_not_for_ever(self):
        self.boot(sets=('actord.user.echo.behaviour="echo/Echo"',))
        admin = os.path.join(self.state, "actord.sock")
        self.run_ctl("suspend", "/user/echo", "--socket", admin)
        self.run_ctl("tell", "/user/echo", "echo.Text/1", "--socket", admin)
        late = self.run_ctl("drain", "--timeout", "1s", "--socket", admin)
        self.assertEqual(late.returncode, rig.EX_TEMPFAIL, late.stdout)
        self.assertRegex(late.stderr, "messages still wait for [12] actors?; actord is draining")
        at_once = self.run_ctl("drain", "--no-wait", "-o", "json", "--socket", admin)
        self.assertGreaterEqual(json.loads(at_once.stdout)["waiting"], 1)

    def test_a_daemon_that_stops_is_not_ready(self):
        self.daemon = self.start(
            'actord.user.it { behaviour = "stuck/Worker", config { how = sleep, ms = 3000 } }\n'
            f'actord.http.listen = "127.0.0.1:{self.port}"\n', plugins=(rig.BAD_PLUGINS,))
        self.daemon.wait_for("daemon.ready")
        self.daemon.send(signal.SIGTERM)
        self.daemon.wait_for("daemon.stopping")
        self.assertEqual(self.ask("/readyz")[0].status, 503)
        self.assertEqual(self.ask("/livez")[0].status, 200)
        self.assertEqual(self.daemon.wait(), 0)

    def test_what_may_not_be_asked_is_refused(self):
        self.boot()
        for status, path, method, headers in (
                (404, "/", "GET", {}), (404, "/metricsx", "GET", {}), (405, "/metrics", "POST", {}),
                (405, "/metrics", "DELETE", {}),
                (403, "/metrics", "GET", {"Origin": "http://evil.example"}),
                (421, "/metrics", "GET", {"Host": "evil.example"}),
                (200, "/metrics", "GET", {"Host": "metrics.example.org:80"}),
                (200, "/metrics", "GET", {"Host": f"localhost:{self.port}"}),
                (200, "/metrics", "HEAD", {})):
            with self.subTest((path, method, headers)):
                reply, text = self.ask(path, method, **headers)
                self.assertEqual(reply.status, status)
                self.assertEqual(reply.getheader("X-Content-Type-Options"), "nosniff")
                self.assertIn("default-src 'none'", reply.getheader("Content-Security-Policy"))
                if method == "HEAD":
                    self.assertEqual(text, "")

    def test_nonsense_ends_the_connection_and_nothing_else(self):
        self.boot()
        get = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n"
        for data, status in (
                (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200), b" 400 "),
                (get + b"X: " + b"y" * 20000 + b"\r\n\r\n", b" 431 "),
                (get + b"Content-Length: 5\r\n\r\nhello", b" 413 "),
                (get + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", b" 413 "),
                (b"GET metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                 b" 400 ")):
            with self.subTest(data[:60]):
                self.assertIn(status, self.raw(data)[:40])
        self.assertEqual(self.ask("/livez")[0].status, 200)

    def test_silent_clients_leave_room_for_others(self):
        self.boot()
        silent = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(200)]
        for each in silent:
            self.addCleanup(each.close)
        silent[0].sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.assertIn(b"200 OK", silent[0].recv(4096))
        self.assertIn(b"too many clients", silent[199].recv(4096))
        for each in silent:
            each.close()
        deadline = time.monotonic() + rig.PATIENCE  # actord sees their end a moment later
        while self.ask("/livez")[0].status != 200:
            self.assertLess(time.monotonic(), deadline, "there is no room for another client")

    def test_a_taken_port_and_a_wrong_address_are_errors_of_the_start(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", self.port))
            taken.listen()
            daemon, status = self.run_to_end(CONFIG % (self.fate, f"127.0.0.1:{self.port}"),
                                             plugins=(rig.BAD_PLUGINS,))
        self.assertEqual(status, rig.EX_TEMPFAIL)
        self.assertIn(f"cannot serve HTTP at 127.0.0.1 port {self.port}", daemon.errors)
        for address, expected in (("0.0.0.0:80", "no password protects it"),
                                  ("192.0.2.1:80", "no password protects it"),
                                  ("localhost", "expected off or ADDRESS:PORT"),
                                  ("127.0.0.1:70000", "expected off or ADDRESS:PORT"),
                                  ("::1:80", "expected off or ADDRESS:PORT")):
            path = self.write("wrong.conf", CONFIG % (self.fate, address))
            done = self.run_ctl("config", "check", path)
            self.assertEqual(done.returncode, rig.EX_CONFIG, done.stdout + done.stderr)
            self.assertIn(expected, done.stdout + done.stderr)

    @unittest.skipUnless(HAS_PROMETHEUS, "there is no Prometheus: ./dev test unpacks it")
    def test_prometheus_accepts_the_metrics_and_counts_the_restarts(self):
        self.boot()
        for _ in range(3):
            self.have_actor_fail()
        text = self.ask("/metrics")[1]
        done = subprocess.run([PROMTOOL, "check", "metrics"], input=text, capture_output=True,
                              text=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        port = rig.free_port()
        server = subprocess.Popen(
            [PROMETHEUS,
             "--config.file", self.write("prometheus.yml", SCRAPE.format(port=self.port)),
             "--storage.tsdb.path", os.path.join(self.folder, "tsdb"),
             "--web.listen-address", f"127.0.0.1:{port}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(server.wait)
        self.addCleanup(server.stderr.close)
        self.addCleanup(server.kill)
        for line in server.stderr:
            if "Server is ready to receive web requests" in line:
                break
        query = urllib.parse.urlencode({"query": "sum(actord_restarts_total)"})
        answer = {"data": {"result": []}}
        while not answer["data"]["result"]:  # until it has scraped once
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/query?{query}") as reply:
                answer = json.load(reply)
        self.assertEqual(answer["data"]["result"][0]["value"][1], "3")


if __name__ == "__main__":
    rig.main()
