# SPDX-License-Identifier: Apache-2.0
"""The examples of configuration, whose plugins must all be there: no -ci preset builds them all."""

import os
import subprocess

import rig


class Examples(rig.Case):
    def test_actord_finds_nothing_wrong_with_any_of_them(self):
        names = sorted(name for name in os.listdir(rig.EXAMPLES) if name.endswith(".conf"))
        self.assertGreaterEqual(len(names), 6)
        for name in names:
            with self.subTest(name):
                command = [rig.BIN, "--check", "--config", os.path.join(rig.EXAMPLES, name),
                           "--plugin-path", rig.PLUGINS,
                           "--set", f'actord.state-dir="{self.state}"']
                done = subprocess.run(command, capture_output=True, text=True,
                                      timeout=rig.PATIENCE, check=False)
                self.assertEqual((done.returncode, done.stdout), (0, "configuration ok\n"),
                                 done.stderr)


if __name__ == "__main__":
    rig.main()
