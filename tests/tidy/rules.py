# SPDX-License-Identifier: Apache-2.0
"""The rules: each is a function that takes a Tree and yields (path, line number, what is wrong).

Every rule has its bad and its good examples in rules_test.py, which fails for a rule that has none.
"""

import os
import re
import string
import sys

from floors import (ACTOR_PARTS, ACTOR_STATE, CORE, DAEMON, FORBIDDEN_HEADERS, LIBRARY_DOORS, MAIN,
                    PLUGIN_BOUNDARY, PUBLIC_DOCUMENTS, ROOMS, SDK_USERS_FLOOR, SLEEPERS, SYNC_DOOR,
                    SYNC_EXCEPTIONS)

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "conformance"))
from specification import PAGE, Specification

COLUMNS = 100
LINES = 600
TEST_LINES = 800
FUNCTION_LINES = 70
HEADERS_REACHED = 100

RULES = {}


def rule(function):
    RULES[function.__name__] = function
    return function


def is_test(path):
    return path.startswith("tests/")


def cxx(tree):
    return (file for file in tree if file.is_cxx)


def code(tree):
    return (file for file in tree if file.is_code)


# ---- layers --------------------------------------------------------------------------------------


def floor_of(path):
    """The room of a source and its floor, or (None, None) if the source stands on no floor."""
    parts = path.split("/")
    if path.startswith("core/include/"):
        return "include", SDK_USERS_FLOOR
    if parts[0] == "core" and len(parts) > 2:
        return parts[1], CORE.get(parts[1])
    if parts[0] == "daemon":
        return ("main", MAIN) if len(parts) == 2 else (parts[1], DAEMON.get(parts[1]))
    return None, None


@rule
def floors(tree):
    """A file includes its own room or a lower floor; a plugin <actord/...> and its own files."""
    for file in cxx(tree):
        if is_test(file.path):
            continue
        if file.path.startswith("plugins/"):
            yield from plugin_includes(tree, file)
            continue
        room, floor = floor_of(file.path)
        if room is None:
            continue
        if floor is None:
            yield file.path, 1, f"room '{room}' has no floor: give it one in tests/tidy/floors.py"
            continue
        for line, form, target in file.includes:
            wrong = wrong_include(room, floor, form, target)
            if wrong:
                yield file.path, line, wrong


def wrong_include(room, floor, form, target):
    first = target.split("/")[0]
    if ".." in target.split("/"):
        return f"'{target}' climbs: name the file from the root of core or daemon"
    if first in ("tests", "plugins", "support"):
        return f"'{target}': nothing includes {first}"
    if first == "actord":
        if target != PLUGIN_BOUNDARY and floor < SDK_USERS_FLOOR:
            return f"<{target}> is for floor {SDK_USERS_FLOOR} and up, and '{room}' is on {floor}"
        return None
    if form == "<" and (first not in ROOMS or "/" not in target or not target.endswith(".hpp")):
        return None  # a library or the system
    if room == "include":
        return f"'{target}': a public header includes <actord/...> alone of ours"
    if first not in ROOMS or "/" not in target:
        return f"'{target}' names no room: write \"room/file.hpp\""
    if first != room and ROOMS[first] >= floor:
        return f"'{target}' is on floor {ROOMS[first]}, and room '{room}' on {floor}"
    return None


def plugin_includes(tree, file):
    for line, form, target in file.includes:
        first = target.split("/")[0]
        if form == "<":
            if first in ROOMS and target.endswith(".hpp"):
                yield file.path, line, f"<{target}>: a plugin includes <actord/...> alone of ours"
        elif f"{file.folder}/{target}" not in tree.files:
            yield file.path, line, f'"{target}": a plugin quotes the files of its own folder alone'


EXTRAS_MEMBER = re.compile(r"\bextras(?:\(\))?\s*(?:\.|->)\s*(\w+)")


@rule
def actor_parts(tree):
    """In core/actor a part includes, and reaches in CellExtras, only those below it."""
    height = {part: at for at, part in enumerate(ACTOR_PARTS)}
    owner = {state: part for part, state in ACTOR_PARTS.items() if state}
    for file in cxx(tree):
        stem = file.name.partition(".")[0]
        if file.folder != "core/actor" or stem == ACTOR_STATE:
            continue
        top = height.get(stem, 0)
        for line, _, target in file.includes:
            part = target.removeprefix("actor/").partition(".")[0]
            if part == ACTOR_STATE and (file.is_header and stem != "activation" or top == 0):
                yield file.path, line, f"'{target}': for the sources of parts"
            elif target.startswith("actor/") and height.get(part, -1) > top:
                yield file.path, line, f"'{target}' stands above '{stem}' (tests/tidy/floors.py)"
        for line, text in enumerate(file.code, 1):
            for state in EXTRAS_MEMBER.findall(text):
                if state in owner and height[owner[state]] > top:
                    yield file.path, line, f"extras.{state} stands above '{stem}'"


@rule
def forbidden_headers(tree):
    """Core does not use sockets, dlopen and the daemon's libraries."""
    for file in cxx(tree):
        for line, _, target in file.includes:
            for place, pattern, why in FORBIDDEN_HEADERS:
                if file.path.startswith(place) and re.match(pattern, target):
                    yield file.path, line, f"<{target}>: {why}"
                    break


def headers_reached(tree, file):
    """The paths of our headers that `file` includes, directly or through others."""
    found, waiting = set(), [file]
    while waiting:
        for _, _, target in waiting.pop().includes:
            for root in ("core", "daemon", "core/include"):
                path = f"{root}/{target}"
                if path in tree.files and path not in found and path != file.path:
                    found.add(path)
                    waiting.append(tree.files[path])
    return found


@rule
def narrow_headers(tree):
    """A header of the daemon reaches fewer than 100 others: a change of one of them compiles all
    that includes it, and each that is reached costs time in every such file."""
    for file in cxx(tree):
        if file.is_header and file.path.startswith("daemon/"):
            reached = len(headers_reached(tree, file))
            if reached >= HEADERS_REACHED:
                yield (file.path, 1, f"reaches {reached} headers; fewer than {HEADERS_REACHED} are "
                       "allowed: declare classes that are only referred to")


@rule
def library_doors(tree):
    """Headers of the daemon include a library that takes long to compile through one door only."""
    for file in cxx(tree):
        if not file.is_header or not file.path.startswith("daemon/"):
            continue
        for line, _, target in file.includes:
            for pattern, door, instead in LIBRARY_DOORS:
                if file.path != door and re.match(pattern, target):
                    yield file.path, line, f"<{target}>: {instead}"


SYNC_HEADERS = {"atomic", "thread", "mutex", "shared_mutex", "condition_variable", "semaphore",
                "latch", "barrier", "future", "pthread.h"}
SYNC_NAMES = re.compile(
    r"\b(std::(atomic\w*|j?thread|(recursive_|shared_|timed_)*mutex|condition_variable\w*|future|"
    r"promise|async|call_once|once_flag|(counting|binary)_semaphore|latch|barrier)\b|"
    r"pthread_\w+|__atomic_\w+|__sync_\w+|thread_local\b)")


@rule
def sync_door(tree):
    """Core uses atomics and threads only through base/sync.hpp."""
    for file in cxx(tree):
        if not file.path.startswith("core/") or file.path == SYNC_DOOR:
            continue
        if any(file.path == place or (place.endswith("/") and file.path.startswith(place))
               for place in SYNC_EXCEPTIONS):
            continue
        for line, _, target in file.includes:
            if target in SYNC_HEADERS:
                yield file.path, line, f"<{target}>: through base/sync.hpp only"
        for line, text in enumerate(file.code, 1):
            match = SYNC_NAMES.search(text)
            if match:
                yield file.path, line, f"{match.group(1)}: through base/sync.hpp only"


# ---- form ----------------------------------------------------------------------------------------


@rule
def spdx(tree):
    """Code names its licence in the first lines."""
    for file in code(tree):
        if "SPDX-License-Identifier: Apache-2.0" not in "\n".join(file.lines[:3]):
            yield file.path, 1, "no line 'SPDX-License-Identifier: Apache-2.0' at its head"


@rule
def pragma_once(tree):
    """A C++ header has #pragma once; a C header may have its guard."""
    for file in cxx(tree):
        if not file.is_header or "#pragma once" in file.lines:
            continue
        if file.name.endswith(".h") and re.search(r"^#ifndef (\w+)\n#define \1$", file.text, re.M):
            continue
        yield file.path, 1, "no #pragma once"


@rule
def columns(tree):
    """No line of code is wider than 100 columns."""
    for file in code(tree):
        for line, text in enumerate(file.lines, 1):
            if len(text) > COLUMNS:
                yield file.path, line, f"{len(text)} columns; {COLUMNS} are allowed"


@rule
def length(tree):
    """A file holds one concept, so its length is limited."""
    for file in code(tree):
        limit = TEST_LINES if is_test(file.path) else LINES
        if len(file.lines) > limit:
            yield file.path, limit + 1, f"{len(file.lines)} lines; {limit} are allowed"


@rule
def function_length(tree):
    """A function fits on one screen. clang-tidy has the same limit, but ./dev lint --quick, which
    .ci/run runs, does without clang-tidy, and --all does not show it the tests."""
    for file in cxx(tree):
        for line, lines in file.functions:
            if lines > FUNCTION_LINES:
                yield (file.path, line,
                       f"a function of {lines} lines; {FUNCTION_LINES} are allowed")


VAGUE_OPENER = re.compile(r"(?:^|(?<=[.!?])\s+)(Who|Whoever|Whom|Whose|Of|That)\b")
VAGUE_PERSON = re.compile(r"(?<![:`\w])(nobody|somebody|anybody|everybody|whoever)(?![`\w])",
                               re.I)


def comments(file):
    """(line number, text) of what stands behind // or within /* */, a line at a time."""
    for line, (text, code_of_line) in enumerate(zip(file.lines, file.code), 1):
        comment = text[len(code_of_line.rstrip()):].strip()
        if comment.startswith(("//", "/*", "*")):
            yield line, comment.strip("/*<! ")


@rule
def plain_comments(tree):
    """A comment of C++ names its subject: the actor, the worker, the caller."""
    for file in cxx(tree):
        for line, text in comments(file):
            if found := VAGUE_OPENER.search(text):
                yield file.path, line, f"a sentence opens with {found[1]!r}: name the subject"
            if found := VAGUE_PERSON.search(text):
                yield file.path, line, f"{found[1]!r}: name the actor, the worker, the caller, ..."


@rule
def whitespace(tree):
    """No tabs, no blanks at the end of a line, no carriage return; a file ends with a newline."""
    for file in code(tree):
        for line, text in enumerate(file.text.split("\n"), 1):
            if "\t" in text:
                yield file.path, line, "a tab"
            if text != text.rstrip():
                yield file.path, line, "blanks at the end"
        if file.text and not file.text.endswith("\n"):
            yield file.path, len(file.lines), "no newline at the end"


SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*$")


@rule
def names(tree):
    """Files of code and the folders that hold them are named in snake_case."""
    for file in tree:
        stem, dot, _ = file.name.partition(".")
        if (file.is_cxx or file.path.endswith((".py", ".sh"))) and dot and not SNAKE.match(stem):
            yield file.path, 1, f"'{file.name}' is not snake_case"
        for part in file.folder.split("/"):
            if file.is_cxx and not SNAKE.match(part):
                yield file.path, 1, f"folder '{part}' is not snake_case"


@rule
def header_names(tree):
    """One name, one header: a basename is found once."""
    seen = {}
    for file in cxx(tree):
        if file.is_header:
            first = seen.setdefault(file.name, file.path)
            if first != file.path:
                yield file.path, 1, f"{first} has the same name"


# ---- content -------------------------------------------------------------------------------------

BANNED = {
    r"strcpy|strcat|sprintf|vsprintf|gets": "writes without a limit",
    r"strtok|gmtime|localtime|asctime|ctime|strerror": "is not safe with threads",
    r"rand|srand|random|srandom|drand48": "comes from the context or base/random.hpp",
    r"popen|tmpnam|mktemp|tempnam": "invites an attacker",
    r"atoi|atol|atoll|atof": "cannot say that it failed: std::from_chars",
    r"alloca|setjmp|longjmp": "steps over destructors or the stack",
}
BANNED_CALLS = [(re.compile(rf"\b({names_})\s*\("), why) for names_, why in BANNED.items()]
# called with an argument it is another function, such as a member's initializer
NO_ARGUMENTS = {"rand", "random"}
SHELL_CALL = re.compile(r"\b(system)\s*\(\s*[^)\s]")
STATEMENT_WORDS = {"return", "else", "do", "throw", "co_return", "co_yield"}


def calls_global(text, start):
    """Whether the name at `start` is a call of the C function: no member (x.random()), no name of
    another namespace (base::random()), no declaration (int random())."""
    before = text[:start].rstrip()
    if before.endswith("std::"):
        return True
    if before.endswith("::"):
        return not re.search(r"\w::$", before)
    if before.endswith((".", "->", ">")) or re.search(r"\w[*&]+$", before):
        return False
    word = re.search(r"(\w+)$", before)
    return word is None or word.group(1) in STATEMENT_WORDS


@rule
def banned_calls(tree):
    """C functions that have a better successor are not called."""
    for file in cxx(tree):
        for line, text in enumerate(file.code, 1):
            for pattern, why in [*BANNED_CALLS, (SHELL_CALL, "invites an attacker")]:
                match = pattern.search(text)
                if not match or not calls_global(text, match.start()):
                    continue
                is_empty = re.match(r"\s*\)", text[match.end():])
                if is_empty or match.group(1) not in NO_ARGUMENTS:
                    yield file.path, line, f"{match.group(1)}() {why}"


@rule
def library_habits(tree):
    """Core reads no environment and prints nothing: settings come in, events go out."""
    pattern = re.compile(
        r"(?<![\w.>])(?:std::)?((?:secure_)?getenv|f?printf|puts)\s*\(|std::(cout|cerr)")
    for file in cxx(tree):
        if not file.path.startswith("core/"):
            continue
        for line, text in enumerate(file.code, 1):
            match = pattern.search(text)
            if match and file.path != "core/base/assert.cpp":  # its last message goes to stderr
                yield file.path, line, f"{match.group(1) or match.group(2)} in the library"


EVENTS_TABLES = ("core/log/runtime_events.hpp", "core/log/daemon_events.hpp")
EVENT_IN_TABLE = re.compile(r'\.name = "([^"]+)"(?:(?!\.name = ).)*?(?:\n    \}|\},\n)', re.S)
EVENT_WRITTEN = re.compile(r'\b(emit|audit)\s*\([^;]*?"([a-z]\w*(?:[.-]\w+)+)"', re.S)


@rule
def audit_events(tree):
    """An event of the audit is written with audit(), whatever the level is; others with emit()."""
    table = "".join(tree.files[path].text for path in EVENTS_TABLES if path in tree.files)
    audits = {match.group(1) for match in EVENT_IN_TABLE.finditer(table)
              if ".is_audit = true" in match.group(0)}
    for file in cxx(tree):
        if not file.path.startswith(("core/", "daemon/")):
            continue
        for match in EVENT_WRITTEN.finditer(file.text):
            function, event = match.groups()
            if (event in audits) == (function == "audit"):
                continue
            line = file.text.count("\n", 0, match.start()) + 1
            yield file.path, line, (f"{event} is an event of the audit: write it with audit()"
                                    if event in audits else
                                    f"{event} is no event of the audit ({EVENTS_TABLES[0]})")


@rule
def unfinished(tree):
    """Code has no note of unfinished work, unless it names the decision that it waits for."""
    pattern = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b(?!\(decisions/\d{4})")
    for file in code(tree):
        if file.folder == "tests/tidy":
            continue
        for line, text in enumerate(file.lines, 1):
            match = pattern.search(text)
            if match:
                yield file.path, line, f"{match.group(1)} without a decision it waits for"


@rule
def machine_paths(tree):
    """The project does not mention the machine on which it was written."""
    pattern = re.compile(r"(?<![\w.~}$-])/(?:work|root|tmp|home)/[\w.-]")
    for file in tree:
        if file.folder == "tests/tidy" or file.name == "LICENSE":
            continue
        for line, text in enumerate(file.lines, 1):
            match = pattern.search(text)
            if match:
                yield file.path, line, f"'{match.group()}…' is a path of one machine"


# Each has one group, the call that sleeps. The later ones of a language wait for what cannot come:
# no thread can wake a parker or notify a condition that has no name, and no descriptor is ready
# where none is given.
SLEEPS = {
    "cxx": [
        r"\b(sleep_for|sleep_until|usleep|(?:clock_)?nanosleep|sleep)\s*\(",
        r"\b((?:Parker|condition_variable(?:_any)?|promise<\w*>|\w+_semaphore(?:<\w*>)?)\s*"
        r"(?:\([^()]*\)|\{[^{}]*\})\s*(?:\.\s*get_future\s*\(\)\s*)?"
        r"\.\s*(?:park|wait_for|wait_until|try_acquire_for|try_acquire_until)\w*)\s*\(",
        r"\b(p?poll)\s*\(\s*(?:nullptr|NULL|0)\s*,",
        r"\b(p?select)\s*\(\s*0\s*,",
    ],
    "py": [
        r"\b((?:time\.)?sleep)\s*\(",
        r"\b((?:Event|Condition)\(\)\.wait)\s*\(",
        r"\b(select)\s*\(\s*\[\]\s*,\s*\[\]\s*,\s*\[\]",
    ],
    "sh": [r"(?:^|[;&|({]|\bdo\b|\bthen\b)\s*(sleep)\s"],
}
# A park of a parker with a name and with a limit, which is the only argument; 0 is no limit.
LIMITED_PARK = re.compile(r"\b(\w+)\s*\.\s*park(?:_until)?\s*\(\s*(?!0\s*\))[^,()]+\)")


def sleeps_in(lines, language):
    """(line number, what sleeps there) of the lines of a file."""
    for line, text in enumerate(lines, 1):
        for pattern in SLEEPS[language]:
            if match := re.search(pattern, text):
                yield line, match.group(1)
        for parker in LIMITED_PARK.findall(text) if language == "cxx" else ():
            if not any(re.search(rf"\b{parker}\s*\.\s*unpark\s*\(", each) for each in lines):
                yield line, f"{parker}.park without an unpark"


@rule
def sleeps(tree):
    """A test waits for an event; it never sleeps, nor waits for what cannot come."""
    for file in tree:
        if not is_test(file.path) or file.folder == "tests/tidy" or file.path in SLEEPERS:
            continue
        if file.is_cxx:
            language, lines = "cxx", file.code
        elif file.is_script:
            language = "py" if file.name.endswith(".py") else "sh"
            lines = [re.sub(r"(^|\s)#.*", "", line) for line in file.lines]
        else:
            continue
        for line, what in sleeps_in(lines, language):
            yield file.path, line, f"{what} in a test"


@rule
def skipped_tests(tree):
    """A test is never skipped: it asserts the wrong behaviour and gives the reason."""
    pattern = re.compile(r"doctest::(skip|may_fail|should_fail)\b")
    for file in cxx(tree):
        for line, text in enumerate(file.code, 1):
            match = pattern.search(text) if is_test(file.path) else None
            if match:
                yield file.path, line, f"doctest::{match.group(1)}"


# ---- memory orders -------------------------------------------------------------------------------

ORDER = re.compile(
    r"[(,]\s*(?:base::|std::memory_order_)(acquire|release|acq_rel|seq_cst)\b\s*(?=[,)])")
ORDER_OF_BASE = re.compile(r"[(,]\s*(acquire|release|acq_rel|seq_cst)\b\s*(?=[,)])")
OPERATION = re.compile(r"(\w+)\s*\.\s*(?:load|store|exchange|compare_exchange_\w+|fetch_\w+)\s*\(")
ORDER_REACH = 300  # characters from the atomic's name to the order
COMMENT = re.compile(r"\s*//")
PAIRS = re.compile(r"\bpairs?\b", re.I)


def comment_blocks(file):
    """The text of every run of lines that contain only a comment."""
    block = []
    for line in [*file.lines, ""]:
        if COMMENT.match(line):
            block.append(line)
        elif block:
            yield " ".join(block)
            block = []


def comment_at(file, line):
    """The comments of the statement that `line` (from 0) belongs to: those at the ends of its lines
    and the run of comments directly above its first line."""
    while line > 0 and file.code[line - 1].strip() and not re.search(r"[;{}:]\s*$",
                                                                     file.code[line - 1]):
        line -= 1
    text, above = "", line - 1
    while above >= 0 and COMMENT.match(file.lines[above]):
        text, above = file.lines[above] + text, above - 1
    while line < len(file.lines):
        text += file.lines[line][len(file.code[line].rstrip()):]
        if re.search(r"[;{}]\s*$", file.code[line]):
            break
        line += 1
    return text


@rule
def order_stories(tree):
    """A memory order that is not relaxed says what it pairs with: in the comment of its statement,
    or in a comment of its folder that names the atomic in backquotes."""
    stories = {}
    for file in cxx(tree):
        for block in comment_blocks(file):
            if PAIRS.search(block):
                stories.setdefault(file.folder, set()).update(re.findall(r"`(\w+)`", block))
    for file in cxx(tree):
        if not file.path.startswith(("core/", "daemon/")):
            continue
        code = "\n".join(file.code)
        found = [*ORDER.finditer(code)]
        if file.folder == "core/base":
            found += ORDER_OF_BASE.finditer(code)
        for match in found:
            line = code.count("\n", 0, match.start(1))
            before = code[max(0, match.start() - ORDER_REACH):match.start() + 1]
            atomics = OPERATION.findall(before)
            if atomics and atomics[-1] in stories.get(file.folder, ()):
                continue
            if not PAIRS.search(comment_at(file, line)):
                yield file.path, line + 1, f"{match.group(1)}: no comment says what it pairs with"


# ---- documents -----------------------------------------------------------------------------------

DOCUMENT = re.compile(r"[\w./:~-]*\w\.md\b")

# Numbers of the specification: "12", "179a", "12-66", "12 to 66", "179g-i", and lists of these. A
# list may go on in the next line of a comment, also of a comment in a patch.
GAP = r"(?:[ \t]|\n[ +-]?[ \t]*(?://+|#)?)+"
AND = rf"(?:,|,?{GAP}and)"
RANGE = rf"\d+[a-z]?\b(?:(?:-|{GAP}to{GAP})(?:\d+[a-z]?|[a-z])\b)?"
LIST = rf"{RANGE}(?:{AND}{GAP}{RANGE})*"
CITATION = r"supervision\.md[`)\]]*"
ITEMS_CITED = re.compile(rf"{CITATION}{GAP}({LIST})")
SECTIONS_CITED = re.compile(
    rf"{CITATION}(?:,|{GAP}{LIST}{AND}){GAP}sections?{GAP}({LIST})")
PART_CITED = re.compile(rf"{CITATION}{GAP}([A-Z])(?=[\s,.;)])")
ITEMS_SHOWN = re.compile(rf"\bitems?{GAP}({LIST})")  # in tests/conformance
TITLE = re.compile(r"\[?supervision\.md\b")


def resolves(tree, file, document):
    """The path from the root, from the folder of `file`, or by a name that is unique."""
    beside = os.path.normpath(os.path.join(file.folder, document))
    return (document in tree.files or beside in tree.files or
            sum(path.endswith(f"/{document}") for path in tree.files) == 1)


def cells_below_title(file):
    """(line number, text) of the cells in each table column that is headed supervision.md."""
    column = None
    for line, text in enumerate(file.lines, 1):
        cells = [cell.strip() for cell in text.split("|")] if text.startswith("|") else []
        if not cells:
            column = None
        elif column is None:
            column = next((at for at, cell in enumerate(cells) if TITLE.match(cell)), len(cells))
        elif column < len(cells):
            yield line, cells[column]


def strangers(cited, known):
    """The numbers in a list that `known` does not have. A range has both ends, in order."""
    for first, last in re.findall(r"(\d+[a-z]?)(?:(?:-| to )(\d+[a-z]?|[a-z])\b)?",
                                  re.sub(GAP, " ", cited)):
        last = first.rstrip(string.ascii_lowercase) + last if last.isalpha() else last or first
        unknown = [end for end in dict.fromkeys((first, last)) if end not in known]
        if not unknown and known.index(first) > known.index(last):
            unknown = [f"{first}-{last}"]
        yield from unknown


def numbers_cited(file):
    """(line number, "item" or "section", list of numbers) of each citation of the specification."""
    patterns = [(ITEMS_CITED, "item"), (SECTIONS_CITED, "section")]
    if file.path.startswith("tests/conformance/"):
        patterns.append((ITEMS_SHOWN, "item"))
    for pattern, kind in patterns:
        for match in pattern.finditer(file.text):
            yield file.text.count("\n", 0, match.start()) + 1, kind, match.group(1)
    for line, cell in cells_below_title(file):
        yield line, "item", cell


@rule
def citations(tree):
    """Every document that is named exists, and so does every item and section of the specification
    (core/actor/supervision.md) that is cited."""
    page = Specification(tree.files[PAGE].text if PAGE in tree.files else "")
    for number in sorted({item for item in page.items if page.items.count(item) > 1}):
        yield PAGE, 1, f"two items have the number {number}"
    for file in tree:
        if file.folder == "tests/tidy":
            continue
        for line, text in enumerate(file.lines, 1):
            for document in DOCUMENT.findall(text):
                if ("//" not in document and document not in PUBLIC_DOCUMENTS and
                        not resolves(tree, file, document)):
                    yield file.path, line, f"there is no {document}"
        for line, kind, cited in numbers_cited(file):
            for number in strangers(cited, page.items if kind == "item" else page.sections):
                yield file.path, line, f"{PAGE} has no {kind} {number}"
        for match in PART_CITED.finditer(file.text):
            line = file.text.count("\n", 0, match.start()) + 1
            yield file.path, line, f"part {match.group(1)} of {PAGE}: cite its items"


# ---- the tree ------------------------------------------------------------------------------------


@rule
def globs(tree):
    """CMakeLists.txt lists its files, so that a review sees a new one and a build notices it."""
    for file in tree:
        if file.is_cmake:
            for line, text in enumerate(file.lines, 1):
                if re.search(r"\bfile\s*\(\s*GLOB", text.split("#")[0], re.I):
                    yield file.path, line, "a GLOB"


def names_source(text, name):
    """Whether the CMakeLists.txt `text` names the source; ${name}.c names every stem."""
    stem, _, ending = name.rpartition(".")
    if re.search(rf"(?<!\w){re.escape(name)}\b", text):
        return True
    return f"}}.{ending}" in text and re.search(rf"(?<!\w){re.escape(stem)}\b", text)


@rule
def unlisted(tree):
    """Every source is named in the CMakeLists.txt of its folder or of one above it."""
    lists = {file.folder: file.text for file in tree if file.name == "CMakeLists.txt"}
    for file in cxx(tree):
        if file.is_header:
            continue
        folder, name = file.folder, file.name
        while folder:
            if folder in lists and names_source(lists[folder], name):
                break
            folder, _, _ = folder.rpartition("/")
        else:
            yield file.path, 1, "no CMakeLists.txt names it: it is never compiled"


@rule
def empty_folders(tree):
    """A folder is created only when it has a file in it."""
    for path in tree.empty_folders:
        yield path, 1, "an empty folder"


@rule
def plugin_folders(tree):
    """A plugin is a folder with its own README.md and its own CMakeLists.txt."""
    plugins = {path.split("/")[1] for path in tree.files
               if path.startswith("plugins/") and path.count("/") > 1}
    for name in sorted(plugins):
        for needed in ("README.md", "CMakeLists.txt"):
            if f"plugins/{name}/{needed}" not in tree.files:
                yield f"plugins/{name}", 1, f"no {needed}"


@rule
def rooms_have_floors(tree):
    """A room that CMake builds is in the list of floors, and only on one floor."""
    for path in tree.files:
        parts = path.split("/")
        if len(parts) == 3 and parts[2] == "CMakeLists.txt" and parts[0] in ("core", "daemon"):
            if parts[1] not in (CORE if parts[0] == "core" else DAEMON):
                yield path, 1, f"room '{parts[1]}' is not in tests/tidy/floors.py"
