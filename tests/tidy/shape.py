"""Checks of shape: lengths, header guards, directories that explain themselves."""

import os
import re

FUNCTION_LINES_MAX = 70
FILE_LINES_MAX = 500
COLUMNS_MAX = 100
TABLE_COLUMNS_MAX = 120  # SQL and scripts, and C where clang-format is off for a table's sake
# One quoted sentence that no line break would make easier to read.
QUOTED_TEXT = re.compile(r"\s*('[^']*'|\('\w+', '[^']*'|\"[^\"]*\")[,;)]*$")
SOURCES = (".c", ".h", ".py", ".sql", ".sh")
# The result of all migrations, dumped: nobody reads or writes it by hand.
GENERATED = ("sql/schema.sql", "tests/ledger/old.sql", "tests/ledger/baseline.sql")

# Under pipefail a writer whose reader has seen enough fails of SIGPIPE, or not, by chance.
EARLY_READER = re.compile(
    r"""(^|[^|])\|\s*(grep\s+-\w*[qm]|head\b|sed\s[^|]*\bq['"; ]|awk\s[^|]*\bexit\b)""")


def functions(text):
    """Yields (name, first line, lines) of each C function. Linux braces: they open and close in
    the first column, so no parser is needed."""
    name, start = None, 0
    previous = ""
    for number, line in enumerate(text.splitlines(), 1):
        if line == "{":
            match = re.search(r"(\w+)\s*\(", previous)
            name, start = (match.group(1) if match else "?"), number
        elif line == "}" and name is not None:
            yield name, start, number - start + 1
            name = None
        elif line and not line[0].isspace() and line[0] not in "#/*}":
            previous = line


def function_lengths(tree):
    for path in tree.matching(".c", ".h"):
        for name, start, lines in functions(tree.text(path)):
            if lines > FUNCTION_LINES_MAX:
                yield f"{path}:{start}: {name} has {lines} lines, more than {FUNCTION_LINES_MAX}"


def file_lengths(tree):
    paths = set(tree.matching(*SOURCES)) | set(tree.scripts())
    for path in sorted(paths - set(GENERATED)):
        lines = tree.text(path).count("\n")
        if lines > FILE_LINES_MAX:
            yield f"{path}: {lines} lines, more than {FILE_LINES_MAX}"


def line_lengths(tree):
    paths = set(tree.matching(*SOURCES, ".txt", ".cmake", ".def")) | set(tree.scripts())
    for path in sorted(paths - set(GENERATED)):
        usual = COLUMNS_MAX if path.endswith((".c", ".h", ".py")) else TABLE_COLUMNS_MAX
        limit = usual
        for number, line in enumerate(tree.text(path).splitlines(), 1):
            if "clang-format off" in line:
                limit = TABLE_COLUMNS_MAX
            elif "clang-format on" in line:
                limit = usual
            if len(line) > limit and not QUOTED_TEXT.match(line):
                yield f"{path}:{number}: {len(line)} columns, more than {limit}"
            if line != line.rstrip():
                yield f"{path}:{number}: white space at the end of the line"


def guard_of(path):
    """TENDER_BROKER_CORE_BOOK_H for broker/core/book.h; installed headers are named as they are
    included, so TENDER_CONTRACTOR_H for contractor-sdk/include/tender/contractor.h."""
    short = re.sub(r"^contractor-sdk/include/", "", path)
    guard = re.sub(r"[^A-Za-z0-9]", "_", short).upper()
    return guard if guard.startswith("TENDER_") else "TENDER_" + guard


def header_guards(tree):
    for path in tree.matching(".h"):
        text = tree.text(path)
        guard = guard_of(path)
        if f"#ifndef {guard}\n#define {guard}\n" not in text:
            yield f"{path}: the guard is not {guard}"


def opening_comments(tree):
    """Each C file says at its top what it is for, or its own header does."""
    known = set(tree.files)
    for path in tree.matching(".c", ".h"):
        if path.endswith(".c") and path[:-1] + "h" in known:
            continue
        if not tree.text(path).lstrip().startswith("/*"):
            yield f"{path}: does not open with a comment that says what it is for"


def readmes(tree):
    """Each directory has a README.md, or the nearest one above it names the way to it."""
    known = set(tree.files)
    folders = set()
    for path in tree.files:
        folder = os.path.dirname(path)
        while folder:
            folders.add(folder)
            folder = os.path.dirname(folder)
    for folder in sorted(folders):
        if not folder.startswith(".") and not is_explained(tree, known, folder):
            yield f"{folder}: has no README.md, and none above names it"


def is_explained(tree, known, folder):
    if f"{folder}/README.md" in known:
        return True
    above = os.path.dirname(folder)
    while above:
        if f"{above}/README.md" in known:
            first = os.path.relpath(folder, above).split("/")[0]
            words = re.split(r"[^A-Za-z0-9_.\-/]+", tree.text(f"{above}/README.md"))
            return any(word.strip("./").split("/")[0] == first for word in words)
        above = os.path.dirname(above)
    return False


def early_readers(tree):
    """No pipe of a script ends in what stops reading early (grep -q, head): what does reads a
    file."""
    for path in tree.scripts():
        text = tree.text(path).replace("|\n", "| ").replace("\\\n", " ")
        for line in text.splitlines():
            if not line.lstrip().startswith("#") and EARLY_READER.search(line):
                yield f"{path}: the writer of a pipe may die of it: {line.strip()[:80]}"
