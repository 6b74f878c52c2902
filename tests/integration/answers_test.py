# SPDX-License-Identifier: Apache-2.0
"""actorctl and the peers that it may find at the socket: daemons that die or say nothing, and
listeners that are no daemons. It ends in time, reports the problem, and never reports success."""

import itertools
import json
import os
import signal
import socket
import struct
import subprocess
import threading

import rig

VERBS = (("show", "--running"), ("diff",), ("reload",), ("reload", "--dry-run"),
         ("explain", "--running", "actord.name"))
SHORT = ("--timeout", "300ms")


def frame(data):
    if not isinstance(data, bytes):
        data = json.dumps(data).encode()
    return struct.pack(">I", len(data)) + data


def reply(**members):
    return frame({"v": 1, "id": 1, **members})


def result(value):
    return reply(status=0, result=value)


class Answers(rig.Case):
    def setUp(self):
        super().setUp()
        self.path = os.path.join(self.folder, "own.sock")
        self.clients = []

    def listen(self, answer):
        """Calls `answer` with each client, in a thread of its own, until the test ends. The call
        ends if the client has gone away."""
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(self.path)
        listening.listen()

        def talk(client):
            try:
                answer(client)
            except OSError:
                pass

        def accept():
            while True:
                try:
                    client, _ = listening.accept()
                except OSError:
                    return
                self.clients.append(client)
                threading.Thread(target=talk, args=(client,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()

        def close():
            listening.shutdown(socket.SHUT_RDWR)
            listening.close()
            for client in self.clients:
                client.close()
            os.remove(self.path)
        return close

    def asked(self, answer, verb, *options):
        close = self.listen(answer)
        try:
            return self.run_ctl("config", *verb, "--socket", self.path, *options)
        finally:
            close()

    def assert_answer(self, answer, status, message, *options, verbs=VERBS):
        for verb in verbs:
            done = self.asked(answer, verb, *options)
            self.assertEqual(done.returncode, status, (verb, done))
            self.assertTrue(done.stderr.startswith("actorctl: "), done)
            self.assertIn(message, done.stderr)
            self.assertNotIn("exception", done.stderr)
            self.assertEqual(done.stdout, "")
        done = self.asked(answer, verbs[0], *options, "-o", "json")
        self.assertEqual(done.returncode, status, done)
        output = json.loads(done.stdout)
        self.assertEqual(output["exit"], status)
        self.assertIn(message, output["error"])

    def assert_reported(self, data, status, message, *options, verbs=VERBS):
        def tell(client):
            client.recv(1 << 16)
            client.sendall(data)
        self.assert_answer(tell, status, message, *options, verbs=verbs)

    # ---- no protocol

    def test_bytes_that_are_no_frames_are_not_understood(self):
        for data in (b"\xff" * 1000, b"\0\0\0\0", struct.pack(">I", (1 << 20) + 1),
                     struct.pack(">I", 0xFFFFFFFF) + b"x" * 100, b"HTTP/1.0 400 Bad Request\r\n"):
            self.assert_reported(data, rig.EX_UNAVAILABLE, "not understood: a frame of ",
                                 verbs=VERBS[:2])

    def test_frames_that_are_no_answers_are_not_understood(self):
        for data, why in ((b"\xff\xfe", "not JSON"), (b"{", "not JSON"),
                          (b"[1]", "not a JSON object"),
                          (b"[" * 1000, "nested deeper"), ({"id": 1}, "no version"),
                          ({"v": 2, "id": 1, "status": 0}, "version 2"),
                          ({"v": 1, "status": 0}, "no number \"id\""),
                          ({"v": 1, "id": 2, "status": 0, "result": {}}, "another request"),
                          ({"v": 1, "id": 1}, "neither"),
                          ({"v": 1, "id": 1, "status": "0"}, "neither"),
                          ({"v": 1, "id": 1, "status": 256}, "neither"),
                          ({"v": 1, "id": 1, "status": 3}, "there is no status 3")):
            self.assert_reported(frame(data), rig.EX_UNAVAILABLE, why, verbs=VERBS[:2])

    # ---- no end

    def test_silence_is_given_up_wherever_it_begins(self):
        for data in (b"", b"\0\0", b"\0\0\1\0" + b'{"v":1,"id":1,'):
            self.assert_reported(data, rig.EX_TEMPFAIL, "did not answer within 300 ms", *SHORT,
                                 verbs=VERBS[:2])

    def test_a_client_that_gets_progress_for_ever_gives_up(self):
        def tell(client):
            while True:
                client.sendall(frame({"v": 1, "id": 1, "progress": {"phase": "still"}}))
        self.assert_answer(tell, rig.EX_TEMPFAIL, "did not answer within", *SHORT)

    def test_an_answer_in_parts_without_end_is_given_up(self):
        def tell(client):
            for n in itertools.count(1):
                client.recv(1 << 16)
                client.sendall(result({"generation": 1, "values": [], "next": n}))

        def restart(client):
            for n in itertools.count(1):
                client.recv(1 << 16)
                client.sendall(result({"generation": n, "values": [], "next": 1}))
        for answer in (tell, restart):
            self.assert_answer(answer, rig.EX_TEMPFAIL, "did not answer within", *SHORT,
                               verbs=VERBS[:1])
        self.assert_reported(result({"generation": 1, "values": [], "next": 0}), rig.EX_UNAVAILABLE,
                             "is not after", verbs=VERBS[:1])

    # ---- an end

    def test_a_connection_that_is_closed_before_the_answer_says_so(self):
        for data in (b"", b"\0\0", reply(status=0)[:9],
                     frame({"v": 1, "id": 1, "progress": {}}) + b"\0"):
            def tell(client, data=data):
                client.recv(1 << 16)
                client.sendall(data)
                client.close()
            self.assert_answer(tell, rig.EX_UNAVAILABLE, "closed the connection before",
                               verbs=VERBS[:3])
        self.assert_answer(lambda client: client.close(), rig.EX_UNAVAILABLE,
                           "closed the connection before", verbs=VERBS[:2])

    def test_a_daemon_that_stands_still_and_one_that_dies(self):
        daemon = self.start('actord.user { echo { behaviour = "echo/Echo" } }\n')
        daemon.wait_for("daemon.ready")
        daemon.send(signal.SIGSTOP)
        at = ("--socket", os.path.join(self.state, "actord.sock"))
        late = self.run_ctl("config", "show", "--running", *at, *SHORT)
        self.assertEqual(late.returncode, rig.EX_TEMPFAIL, late.stderr)
        waiting = subprocess.Popen([rig.CTL, "config", "diff", *at, "--timeout", "1h"], text=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(waiting.kill)
        daemon.send(signal.SIGKILL)
        _, errors = waiting.communicate(timeout=rig.PATIENCE)
        self.assertEqual(waiting.returncode, rig.EX_UNAVAILABLE, errors)
        self.assertTrue(errors.startswith("actorctl: "), errors)

    # ---- answers of another shape

    def test_results_that_are_no_results_are_not_understood(self):
        shapes = {
            "show": (5, [], {}, {"values": []}, {"values": {}, "generation": 1},
                     {"values": [1], "generation": 1}, {"values": [{"key": 1}], "generation": 1},
                     {"values": [{"key": "a", "built_in": 1}], "generation": 1},
                     {"values": [], "generation": 1, "next": "x"},
                     {"values": [], "generation": 1, "next": -1}),
            "diff": (5, {}, {"changes": 1}, {"changes": [[]]}, {"changes": [{"key": {}}]},
                     {"changes": [], "merges": [{"kept": [1]}]},
                     {"changes": [], "merges": {"kept": "x"}}),
            "reload": (5, {}, {"outcome": 1, "generation": 1}, {"outcome": "applied"},
                       {"outcome": "applied", "generation": 1, "plan": []},
                       {"outcome": "unchanged", "generation": 1, "forced": "x"},
                       {"outcome": "applied", "generation": 1, "plan": {"steps": [1]}},
                       {"outcome": "applied", "generation": 1, "lost": "x"},
                       {"outcome": "applied", "generation": 1, "findings": 7}),
        }
        for verb in VERBS[:3]:
            for shape in shapes[verb[0]]:
                self.assert_reported(result(shape), rig.EX_UNAVAILABLE, "not understood: ",
                                     verbs=(verb,))
        self.assert_reported(reply(status=0), rig.EX_UNAVAILABLE, "not understood: ", verbs=VERBS)

    def test_what_stands_beside_an_error_may_be_anything(self):
        huge = {"message": "m", "file": "f", "line": 4294967295, "column": 1, "source": "x",
                "source_column": 4294967295, "length": 4294967295}
        for value in (5, [], None, {"findings": 1}, {"findings": [1, [], {}]}, {"plan": 3},
                      {"plan": {"steps": 1}}, {"plan": {"steps": [1, {"action": 4}]}},
                      {"findings": [huge, {**huge, "source_column": 1}]}):
            def tell(client, value=value):
                client.recv(1 << 16)
                client.sendall(reply(status=rig.EX_CONFIG, error="no", result=value))
            for verb in VERBS:
                done = self.asked(tell, verb)
                self.assertEqual(done.returncode, rig.EX_CONFIG, done)
                self.assertTrue(done.stderr.startswith("actorctl: no\n"), done.stderr[:200])
                self.assertLess(len(done.stderr), 1000)


if __name__ == "__main__":
    rig.main()
