# SPDX-License-Identifier: Apache-2.0
"""The JSON Schema that actorctl prints, compared by a validator that knows nothing of actord: it
accepts exactly the configurations that actord accepts, rendered as a user would render them."""

import functools
import json
import os
import sys

import rig

try:
    import jsonschema
except ImportError:
    print("this needs a validator of JSON Schema: apt-get install python3-jsonschema")
    sys.exit(77)  # status 77 skips the test (CMakeLists.txt)

ACTOR = 'actord.user.a { behaviour = "echo/Echo" }\n'
BACKOFF = "actord.user.a.backoff-supervisor { mode = on-stop, min = 1 s, max = 3 s }\n"
STRATEGY = "actord.user.a.supervisor-strategy"

RIGHT = (
    "",
    ACTOR,
    ACTOR + BACKOFF + "actord.user.a.backoff-supervisor.while-down.forward = /user/b\n",
    ACTOR + STRATEGY + ' { decider { "std::bad_alloc" = stop, default = code }, within = infinite,'
                       " max-restarts = never }\n",
    ACTOR + STRATEGY + ' { decider { "a::B" { directive = resume, log-level = info } } }\n',
    ACTOR + STRATEGY + " = stopping\n",
    ACTOR + "actord.user.a.children.b.children.c { mailbox.capacity = 1, stash-capacity = 3 }\n",
    'actord.actor.deployment."/user/*" { dispatcher = pinned, mailbox.capacity = unlimited }\n',
    "actord.actor.guardian-supervisor-strategy = stopping\n",
    'actord.actor.guardian-supervisor-strategy = "plugin/Configurator"\n',
    "actord.actor.default-dispatcher { workers = 64, throughput-deadline = 20 us }\n",
    "actord { dead-letters { log = off, suspend = 1.5 minutes }, boot.on-failure = degrade }\n",
    "actord.log { level = debug, format = json }, x-mine = 1, app.anything = [1], vars.n = 2\n",
)

WRONG = (
    "actor.log.level = info\n",
    "actord.lgo.level = info\n",
    "actord.log.level = loud\n",
    "actord.log { level = info, levle = info }\n",
    'actord.name = "not a name"\n',
    "actord.actor.default-dispatcher.workers = 0\n",
    "actord.actor.default-dispatcher.workers = 65\n",
    "actord.actor.default-dispatcher.workers = many\n",
    "actord.actor.default-dispatcher.throughput = 1.5\n",
    "actord.actor.blocking-io-dispatcher.keep-alive = soon\n",
    "actord.actor.blocking-io-dispatcher.keep-alive = 5 sec\n",
    "actord.actor.debug.receive = maybe\n",
    "actord.dead-letters.log = -1\n",
    "actord.plugins.path = []\n",
    "actord.plugins.path = /srv/plugins\n",
    "actord.user = [1]\n",
    ACTOR + "actord.user.a.behaviour = Echo\n",
    ACTOR + "actord.user.a.dispatcher = fast\n",
    ACTOR + "actord.user.a.config = 5\n",
    ACTOR + "actord.user.a.children.b.mailbox.size = 5\n",
    ACTOR + STRATEGY + " = sometimes\n",
    ACTOR + STRATEGY + ".decider.default = perhaps\n",
    ACTOR + STRATEGY + '.decider."a::B" { log-level = info }\n',
    ACTOR + STRATEGY + ".backoff { min = 1 s }\n",
    ACTOR + STRATEGY + ".backoff { min = 1 s, max = 2 s, random-factor = 2 }\n",
    ACTOR + "actord.user.a.backoff-supervisor { min = 1 s, max = 2 s }\n",
    ACTOR + BACKOFF + "actord.user.a.backoff-supervisor.mode = always\n",
    'actord.actor.deployment."/user/*".workers = 3\n',
    "actord.actor.guardian-supervisor-strategy = nonsense\n",
)


class Schema(rig.Case):
    @functools.cached_property
    def validator(self):
        schema = json.loads(self.run_ctl("config", "schema").stdout)
        validator = jsonschema.validators.validator_for(schema, default=None)
        self.assertIs(validator, jsonschema.Draft202012Validator)
        validator.check_schema(schema)
        return validator(schema)

    def complaints(self, path):
        """The errors of a configuration, as the validator sees it."""
        rendered = self.run_ctl("config", "render", path)
        self.assertEqual(rendered.returncode, rig.EX_OK, rendered.stderr)
        return [f"{path}: {'.'.join(map(str, error.absolute_path))}: {error.message}"
                for error in self.validator.iter_errors(json.loads(rendered.stdout))]

    def is_taken(self, path):
        """Whether actord accepts the configuration by its text alone."""
        checked = self.run_ctl("config", "check", path, "--no-environment", "--no-drop-ins")
        self.assertIn(checked.returncode, (rig.EX_OK, rig.EX_CONFIG), checked.stderr)
        return checked.returncode == rig.EX_OK

    def test_every_example_and_the_reference_are_taken(self):
        config = os.path.dirname(rig.EXAMPLES)
        names = sorted(name for name in os.listdir(rig.EXAMPLES)
                       if name.endswith((".conf", ".yaml")))
        self.assertGreaterEqual(len(names), 6)
        self.assertTrue(any(name.endswith(".yaml") for name in names))
        for path in [os.path.join(rig.EXAMPLES, name) for name in names] + [
                os.path.join(config, name) for name in ("reference.conf", "actord.conf")]:
            self.assertEqual(self.complaints(path), [])

    def test_what_actord_takes_is_taken(self):
        for text in RIGHT:
            path = self.write("right.conf", text)
            self.assertTrue(self.is_taken(path), text)
            self.assertEqual(self.complaints(path), [], text)

    def test_what_actord_refuses_is_refused(self):
        for text in WRONG:
            path = self.write("wrong.conf", text)
            self.assertFalse(self.is_taken(path), text)
            self.assertNotEqual(self.complaints(path), [], text)


if __name__ == "__main__":
    rig.main()
