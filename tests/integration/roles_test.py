# SPDX-License-Identifier: Apache-2.0
"""What the members of a group may do at the admin socket: actord.admin.roles, default-role."""

import grp
import os
import pwd
import unittest

import rig

CONFIG = """
actord.user.echo.behaviour = "echo/Echo"
actord.admin { default-role = %s, roles { %s } }
"""
OTHER = "daemon"


@unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
class Roles(rig.Case):
    """The socket belongs to a group of which the other user is a member, as in a service."""

    GROUP = grp.getgrnam("adm").gr_gid
    FURTHER = "games"

    def setUp(self):
        super().setUp()
        try:
            self.run_ctl("--version", user=pwd.getpwnam(OTHER).pw_uid)
        except PermissionError:
            self.skipTest(f"{OTHER} cannot run {rig.CTL}")

    def boot(self, default="admin", roles=""):
        os.chmod(self.folder, 0o755)
        self.daemon = self.start(CONFIG % (default, roles))
        self.daemon.wait_for("daemon.ready")
        os.chmod(self.state, 0o755)
        self.socket = os.path.join(self.state, "actord.sock")
        os.chown(self.socket, 0, self.GROUP)

    def as_other(self, *words, status=rig.EX_OK):
        done = self.run_ctl(*words, "--socket", self.socket, user=pwd.getpwnam(OTHER).pw_uid,
                            group=self.GROUP, extra_groups=[grp.getgrnam(self.FURTHER).gr_gid])
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def check(self, *, reads, operates, administers):
        for may, words in ((reads, ("status",)), (reads, ("logs", "-n", "1")),
                           (reads, ("tree",)), (reads, ("config", "show", "--running")),
                           (operates, ("ask", "/user/echo", "echo.Text/1")),
                           (operates, ("restart", "/user/echo")),
                           (administers, ("config", "reload"))):
            with self.subTest(words):
                told = self.as_other(*words, status=rig.EX_OK if may else rig.EX_NOPERM)
                if not may:
                    self.assertIn("needs the role", told)
                    self.assertIn("actord.admin.roles", told)

    def test_by_default_the_members_of_the_group_may_do_everything(self):
        self.boot()
        self.check(reads=True, operates=True, administers=True)

    def test_a_role_includes_those_below_it(self):
        self.boot("operate")
        self.check(reads=True, operates=True, administers=False)
        denied = self.daemon.wait_for("admin.denied")
        self.assertEqual((denied["verb"], denied["role"], denied["peer"]["user"]),
                         ("config.reload", "operate", OTHER))

    def test_the_role_of_a_group_counts_more_than_the_default(self):
        self.boot("admin", f"{self.FURTHER} = read")
        self.check(reads=True, operates=False, administers=False)

    def test_of_several_groups_the_highest_role_counts(self):
        self.boot("none", f"{self.FURTHER} = read, {self.GROUP} = operate, {OTHER}-x = admin")
        self.check(reads=True, operates=True, administers=False)

    def test_without_a_role_nothing_is_allowed_and_a_reload_changes_that(self):
        self.boot("none")
        self.check(reads=False, operates=False, administers=False)
        self.write("actord.conf", CONFIG % ("read", ""))
        done = self.run_ctl("config", "reload", "--socket", self.socket)
        self.assertEqual(done.returncode, rig.EX_OK, done.stderr)
        self.check(reads=True, operates=False, administers=False)

    def test_a_group_that_does_not_exist_is_warned_of(self):
        path = self.write("actord.conf", CONFIG % ("read", "no-such-group = admin"))
        done = self.run_ctl("config", "check", path)
        self.assertEqual(done.returncode, rig.EX_OK, done.stderr)
        self.assertIn('there is no group "no-such-group" here', done.stdout + done.stderr)


if __name__ == "__main__":
    rig.main()
