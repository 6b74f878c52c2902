# SPDX-License-Identifier: Apache-2.0
"""The items and sections of core/actor/supervision.md, as that page numbers them.

Used by the conformance table (table.py), and by tests/tidy, which checks citations.
"""

import re

PAGE = "core/actor/supervision.md"

SECTION = re.compile(r"## (\d+)\. ")
ITEMS = "1"  # the section of the items; numbered lists of other sections are no items
ITEM = re.compile(r"(?:(\d+)\. | +- \*\*(\d+[a-z])\*\* )(\*\*Not yet\.\*\*)?")


class Specification:
    """`items` are in the order of the page: "1", …, "168", "168a", …; `not_yet` are the items that
    are specified and not implemented; `sections` are "0", "1", …"""

    def __init__(self, text):
        self.items, self.not_yet, self.sections = [], set(), []
        for line in text.splitlines():
            if section := SECTION.match(line):
                self.sections.append(section.group(1))
            if self.sections[-1:] == [ITEMS] and (item := ITEM.match(line)):
                self.items.append(item.group(1) or item.group(2))
                if item.group(3):
                    self.not_yet.add(self.items[-1])

    def to_be_shown(self):
        """Every item that a test must show. An item with lettered items is shown by these."""
        divided = {item[:-1] for item in self.items if item[-1].isalpha()}
        return [item for item in self.items if item not in divided | self.not_yet]
