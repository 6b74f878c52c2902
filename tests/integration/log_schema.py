# SPDX-License-Identifier: Apache-2.0
"""Compares lines of the log with config/actord-log.schema.json."""

import json
import os

import jsonschema

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATH = os.path.join(ROOT, "config", "actord-log.schema.json")


def _load():
    with open(PATH, encoding="utf-8") as file:
        return json.load(file)


SCHEMA = _load()
Validator = jsonschema.validators.validator_for(SCHEMA)
WHOLE = Validator(SCHEMA)


def _part(name):
    """A validator of one of the definitions."""
    return Validator({"$schema": SCHEMA["$schema"], "$ref": "#/$defs/" + name,
                      "$defs": SCHEMA["$defs"]})


LINE = _part("line")
BY_EVENT = {name.removeprefix("event:"): _part(name)
            for name in SCHEMA["$defs"] if name.startswith("event:")}
_events_of_plugins = set()


def _validator_of(record):
    """The part of the schema that decides about the record. The whole schema has a condition for
    each event, which takes long to go through."""
    event = record.get("event") if isinstance(record, dict) else None
    if not isinstance(event, str) or record.get("truncated") is True:
        return LINE
    if event in BY_EVENT:
        return BY_EVENT[event]
    if event in _events_of_plugins:
        return LINE
    if WHOLE.is_valid(record):  # a name that is not reserved: only the envelope matters from now on
        _events_of_plugins.add(event)
    return WHOLE


def departure(record):
    """Says what in the record departs from the schema: the event, the field and the fault. None if
    nothing does."""
    validator = _validator_of(record)
    if validator.is_valid(record):
        return None
    errors = list(validator.iter_errors(record))
    # A member with a fault counts as unevaluated besides.
    faults = [error for error in errors if error.validator != "unevaluatedProperties"] or errors
    error = jsonschema.exceptions.best_match(faults)
    field = ".".join(str(step) for step in error.absolute_path)
    return f"{record.get('event')}: {field or 'the line'}: {error.message}"
