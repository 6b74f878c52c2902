# SPDX-License-Identifier: Apache-2.0
"""The tree that the rules look at: texts by path; C++ with its comments and literals blanked."""

import os
import re
from functools import cached_property

CXX = (".cpp", ".hpp", ".h", ".c")
SCRIPTS = (".py", ".sh")

# Folders that no rule reads: builds, the tools' own folders.
SKIPPED_FOLDERS = {".git", ".cache", "build", "__pycache__"}


class File:
    """One text file. `path` is relative to the root and uses '/'."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.name = path.rsplit("/", 1)[-1]
        self.folder = path.rsplit("/", 1)[0] if "/" in path else ""
        self.is_cxx = path.endswith(CXX)
        self.is_header = path.endswith((".hpp", ".h"))
        self.is_cmake = self.name == "CMakeLists.txt" or path.endswith(".cmake")
        self.is_script = path.endswith(SCRIPTS) or text.startswith("#!")
        self.is_code = self.is_cxx or self.is_cmake or self.is_script

    @cached_property
    def lines(self):
        return self.text.splitlines()

    @cached_property
    def code(self):
        """The lines of a C++ file, with blanks for comments and for the content of literals."""
        return blank_cxx(self.text).splitlines()

    @cached_property
    def includes(self):
        """(line number, form, target) of every include; form is '"' or '<'."""
        found = []
        for number, line in enumerate(self.lines, 1):
            match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
            if match:
                found.append((number, match.group(1), match.group(2)))
        return found


class Tree:
    """Files by path, and the folders that hold nothing."""

    def __init__(self, texts, empty_folders=()):
        self.files = {path: File(path, text) for path, text in texts.items()}
        self.empty_folders = list(empty_folders)

    def __iter__(self):
        return iter(self.files.values())

    def folders(self):
        return {file.folder for file in self}


def read_tree(root):
    """The tree below `root`, without files that are not UTF-8 text."""
    texts, empty = {}, []
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if name not in SKIPPED_FOLDERS)
        if not names and not files:
            empty.append(os.path.relpath(folder, root))
        for name in files:
            path = os.path.join(folder, name)
            if os.path.islink(path) or not os.path.isfile(path):
                continue
            try:
                with open(path, encoding="utf-8", newline="") as stream:
                    texts[os.path.relpath(path, root)] = stream.read()
            except UnicodeDecodeError:
                pass
    return Tree(dict(sorted(texts.items())), empty)


TOKEN = re.compile(
    r"""//[^\n]*                                   # a comment to the end of the line
      | /\*.*?\*/                                  # a comment over lines
      | (?:u8|[uUL])?R"(?P<tag>[^()\s\\]{0,16})\(.*?\)(?P=tag)"
      | (?:u8|[uUL])?"(?:\\.|[^"\\\n])*"
      | (?<![0-9a-zA-Z_])(?:u8|[uUL])?'(?:\\.|[^'\\\n])+'   # not the ' of 1'000
    """,
    re.VERBOSE | re.DOTALL,
)


def blank_cxx(text):
    """`text` without comments and with every literal emptied; the line numbers stay the same."""

    def blank(match):
        token = match.group()
        if token.startswith("/"):
            return re.sub(r"[^\n]", " ", token)
        quote = "'" if token.endswith("'") else '"'
        return quote + "\n" * token.count("\n") + quote

    return TOKEN.sub(blank, text)
