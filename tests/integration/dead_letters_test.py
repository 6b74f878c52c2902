# SPDX-License-Identifier: Apache-2.0
"""The messages that no handler received, in the hands of an operator: actorctl deadletters."""

import json

import rig

CONFIG = """
actord {
  dead-letters.history-size = %s
  user {
    echo.behaviour = "echo/Echo"
    other.behaviour = "echo/Echo"
    keeper { behaviour = "secretive/Keeper", config { pin = "1234" } }
  }
}
"""


class DeadLetters(rig.Case):
    def setUp(self):
        super().setUp()
        self.boot("4 MiB")

    def boot(self, size):
        self.daemon = self.start(CONFIG % size, plugins=(rig.PLUGINS, rig.BAD_PLUGINS))
        self.daemon.wait_for("daemon.ready")

    def lose(self, *texts):
        """Stops an actor for which messages wait. Returns the ids of the letters."""
        self.ctl("suspend", "/user/echo")
        for text in texts:
            self.ctl("tell", "/user/echo", "echo.Text/1", json.dumps({"text": text}))
        self.ctl("stop", "/user/echo")
        return self.ids()

    def ids(self, *words):
        return self.ctl("deadletters", "list", *words, "-o", "name").split()

    def waiting(self, path):
        return json.loads(self.ctl("inspect", path, "-o", "json"))["mailbox"]["messages"]

    def test_a_lost_message_is_listed_and_shown_with_its_content(self):
        first, second = self.lose("one", "two")
        listed = self.ctl("deadletters", "list")
        self.assertRegex(listed, r"(?m)^ID +WHEN +REASON +TYPE +TO +FROM$")
        self.assertRegex(listed, rf"(?m)^{first}  \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{{3}}  "
                                 r"stopped  echo\.Text/1  /user/echo$")
        shown = self.ctl("deadletters", "show", second)
        self.assertRegex(shown, r"(?m)^  reason +stopped$")
        self.assertIn('"text": "two"', shown)
        whole = json.loads(self.ctl("deadletters", "show", first, "-o", "json"))
        self.assertEqual(whole["message"], {"text": "one"})
        self.assertEqual(self.ids("/user/echo", "--reason", "stopped", "-n", "1"), [second])
        self.assertEqual(self.ids("/user/ech"), [])
        self.assertEqual(self.ids("--reason", "unhandled"), [])

    def test_a_letter_is_sent_again_to_the_new_actor_at_its_path(self):
        first, second = self.lose("one", "two")
        refused = self.ctl("deadletters", "replay", first, status=rig.EX_USAGE)
        self.assertIn("there is no actor /user/echo", refused)
        self.ctl("start", "/user/echo")
        self.ctl("suspend", "/user/echo")
        self.assertIn(f"{first} was sent to /user/echo", self.ctl("deadletters", "replay", first))
        self.assertEqual(self.waiting("/user/echo"), 1)
        self.assertEqual(self.ids(), [second])
        told = self.ctl("deadletters", "replay", first, status=rig.EX_USAGE)
        self.assertIn(f"there is no dead letter {first}", told)
        self.assertIn("deadletters list", told)
        self.ctl("stop", "/user/echo")
        again = self.ids()
        self.assertEqual(len(again), 2)
        self.assertIn("one", self.ctl("deadletters", "show", again[1]))
        self.daemon.wait_for("admin.command", lambda record: first in record["arguments"])

    def test_a_letter_goes_to_another_actor_if_that_takes_its_type(self):
        [letter] = self.lose("one")
        refused = self.ctl("deadletters", "replay", letter, "--to", "/user/keeper",
                           status=rig.EX_USAGE)
        self.assertIn("/user/keeper takes no echo.Text/1", refused)
        self.ctl("suspend", "/user/other")
        self.ctl("deadletters", "replay", letter, "--to", "/user/other")
        self.assertEqual(self.waiting("/user/other"), 1)

    def test_a_letter_is_forgotten(self):
        first, second = self.lose("one", "two")
        self.assertIn(f"{first} is forgotten", self.ctl("deadletters", "drop", first))
        self.assertEqual(self.ids(), [second])

    def test_the_secret_of_a_message_is_not_shown(self):
        self.ctl("suspend", "/user/keeper")
        self.ctl("tell", "/user/keeper", "secretive.Handed/1", '{"pin": "pin-98765"}')
        self.ctl("stop", "/user/keeper")
        [letter] = self.ids()
        for form in ("text", "json"):
            shown = self.ctl("deadletters", "show", letter, "-o", form)
            self.assertNotIn("98765", shown)
            self.assertIn("…", shown)

    def test_the_oldest_letters_make_room(self):
        self.daemon.stop()
        self.boot("1 KiB")
        letters = self.lose(*("x" * 200 for _ in range(6)))
        self.assertTrue(1 <= len(letters) <= 3, letters)
        self.assertTrue(letters[-1].endswith(".6"), letters)

    def test_no_letter_outlives_the_plugin_that_its_message_is_of(self):
        self.daemon.stop()
        self.daemon = self.start('actord.user.it.behaviour = "keepsake/Holder"\n',
                                 plugins=(rig.BAD_PLUGINS,))
        self.daemon.wait_for("daemon.ready")
        self.ctl("suspend", "/user/it")
        self.ctl("tell", "/user/it", "keepsake.Given/1", '{"text": "a letter"}')
        self.ctl("stop", "/user/it")
        self.assertEqual(len(self.ids()), 1)
        self.assertEqual(self.daemon.stop(), 0)
        self.assertEqual(self.daemon.errors, "detached\n")

    def test_none_are_kept_if_there_is_no_room(self):
        self.daemon.stop()
        self.boot("0")
        self.assertEqual(self.lose("one"), [])
        self.assertEqual(self.ctl("deadletters", "list"), "")


if __name__ == "__main__":
    rig.main()
