# SPDX-License-Identifier: Apache-2.0
"""The tree that the rules look at: texts by path; C++ with its comments and literals blanked."""

import os
import re
from functools import cached_property

CXX = (".cpp", ".hpp", ".h", ".c")
SCRIPTS = (".py", ".sh")

# What no rule reads: builds, the tools' own folders. In a worktree of git, .git is a file.
SKIPPED_NAMES = {".git", ".cache", "build", "__pycache__"}


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

    @cached_property
    def functions(self):
        """(line number, number of lines) of the body of every function, without the line of its
        closing brace."""
        return list(function_bodies("\n".join(without_directives(self.code))))


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
        names[:] = sorted(name for name in names if name not in SKIPPED_NAMES)
        if not names and not files:
            empty.append(os.path.relpath(folder, root))
        for name in files:
            path = os.path.join(folder, name)
            if name in SKIPPED_NAMES or os.path.islink(path) or not os.path.isfile(path):
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


def without_directives(lines):
    """The lines of code, with blanks for directives, and for what stands behind an #else if what
    stands before it opens or closes a brace for both."""
    is_directive, depth, branches = False, 0, []  # of each open #if: the depth at its start
    skipped = []  # of each open #if: whether the present branch of it is blanked
    for line in lines:
        directive = None if is_directive else re.match(r"\s*#\s*(\w*)", line)
        word = directive[1] if directive else ""
        if word.startswith("if"):
            branches.append(depth)
            skipped.append(False)
        elif word.startswith("el") and branches:
            skipped[-1] = skipped[-1] or depth != branches[-1]
        elif word == "endif" and branches:
            branches.pop()
            skipped.pop()
        is_blank = is_directive or bool(directive) or any(skipped)
        is_directive = (is_directive or bool(directive)) and line.endswith("\\")
        if not is_blank:
            depth += line.count("{") - line.count("}")
        yield "" if is_blank else line


# What may stand between the parameters of a function and its body.
QUALIFIERS = re.compile(
    r"\s*(?:(?:const|volatile|noexcept|override|final|mutable|try|&&?|"
    r"\[\[\w+\]\]|[A-Z0-9_]+\b)\s*)*"
    r"(?:(?:->|requires\b).*)?", re.DOTALL)
CLASS = re.compile(r"(?:^|[\s)>])(?:class|struct|union)\s(.*)", re.DOTALL)


def opens(head):
    """What the brace behind `head` opens: "function", "scope" (the members of a class or of a
    namespace), "initializer" (of a member, before the body of a constructor) or "data". In the
    head every pair of parentheses is empty."""
    head = re.sub(r"\boperator\s*(?:\(\)|[^\s\w(]+)", "operator", head)
    while (short := re.sub(r"<[^<>]*>", "", head)) != head:
        head = short
    if re.search(r"\bnamespace\b|\bextern\s*\"\"\s*$|\bTEST_SUITE\(\)\s*$", head):
        return "scope"
    if re.search(r"(?:^|[\s)>])enum\s[^()]*$", head):
        return "data"
    if match := CLASS.search(head):
        if "(" not in match[1].split(":")[0].replace("alignas()", ""):
            return "scope"
    if re.search(r"=\s*\[[^\]]*\]\s*(?:\(\)[^=]*)?$", head):
        return "function"  # a lambda with a name
    if re.search(r"(?<![=!<>])=(?!=)", head) or "(" not in head:
        return "data"
    if re.search(r"\brequires\s*(?:\(\)\s*)?$", head):
        return "initializer"  # a requires-expression, before the body
    if re.search(r"\)[^():]*(?<!:):(?!:)", head):  # a constructor's initializers
        return "function" if re.search(r"[)}]\s*$", head) else "initializer"
    return "function" if QUALIFIERS.fullmatch(head[head.rindex(")") + 1:]) else "data"


def closing(code, start):
    """The position of the brace that closes the one at `start`; the end if there is none."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(code, start):
        depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return match.start()
    return len(code)


def function_bodies(code):
    """(line number, number of lines) of each body; functions within functions are not listed.
    The line of the closing brace does not count, as in clang-tidy's readability-function-size."""
    token = re.compile(r"[{}();]")
    head, parentheses, at = "", 0, 0
    while match := token.search(code, at):
        start, found = match.start(), match.group()
        if parentheses == 0:
            head += code[at:start] + (found if found == "(" else "")
        at = match.end()
        if found == "(":
            parentheses += 1
        elif found == ")":
            parentheses = max(0, parentheses - 1)
            head += ")" if parentheses == 0 else ""
        elif parentheses == 0 and found == "{":
            kind = opens(head)
            if kind == "scope":
                head = ""
                continue
            end = closing(code, start)
            if kind == "function":
                yield code.count("\n", 0, start) + 1, code.count("\n", start, end)
            head = head + "{}" if kind == "initializer" else ""
            at = end + 1
        elif parentheses == 0:
            head = ""
