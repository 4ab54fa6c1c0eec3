"""Checks of words: the repository speaks of Tender alone, and its README shows what it ships."""

import os
import re

# Written so that this file does not match itself.
FOREIGN = re.compile(
    "|".join((
        r"(?<![\w.])/wor[k]/",           # where one machine keeps its trees
        r"(?<![\w.])/tm[p]/t/",
        r"(?<![\w.])/hom[e]/[a-z]",
        r"/ro[o]t/[a-z.]",
        r"deb\.debia[n]\.",              # package hosts: the machine's own sources name them
        r"registry\.npm[j]s",
        r"nodesourc[e]\.",
        r"artifact-?registr[y]",
        r"pypi\.or[g]",
    )))


def foreign_words(tree):
    for path in tree.files:
        if not tree.is_text(path):
            continue
        for number, line in enumerate(tree.text(path).splitlines(), 1):
            match = FOREIGN.search(line)
            if match:
                yield f"{path}:{number}: names a machine or a package host: {match.group(0)}"


def conflict_marks(tree):
    for path in tree.files:
        if not tree.is_text(path):
            continue
        for number, line in enumerate(tree.text(path).splitlines(), 1):
            if re.match(r"(<{7}|>{7}) ", line):
                yield f"{path}:{number}: a conflict left behind"


def first_contractor(tree):
    """The first C block of README.md is examples/first-contractor/main.c, byte for byte."""
    blocks = re.findall(r"```c\n(.*?)```", tree.text("README.md"), re.S)
    shipped = tree.text("examples/first-contractor/main.c")
    if not blocks:
        yield "README.md: shows no first contractor"
    elif blocks[0] != shipped:
        yield "README.md: its first contractor differs from examples/first-contractor/main.c"
    screen = shipped.count("\n")
    if screen > 60:
        yield f"examples/first-contractor/main.c: {screen} lines are more than one screen (60)"


def links(tree):
    """Relative links of Markdown files lead to files."""
    for path in tree.matching(".md"):
        text = re.sub(r"```.*?```|`[^`\n]*`", "", tree.text(path), flags=re.S)
        for target in re.findall(r"\]\(([^)#\s]+)", text):
            if re.match(r"[a-z]+:", target):
                continue
            if not os.path.exists(os.path.join(tree.root, os.path.dirname(path), target)):
                yield f"{path}: links to {target}, which does not exist"


def limits(tree):
    """ops/limits.md has the options' defaults, and a row for each limit that is counted."""
    options = dict(re.findall(r'^OPTION\(\w+, \w+, "([a-z-]+)", "([^"]*)"',
                              tree.text("broker/shell/options.def"), re.M))
    counted = re.findall(r'^    X\(\w+, +"([a-z-]+)"', tree.text("broker/shell/refusals.h"), re.M)
    shown = re.findall(r"^\| (`[a-z`, -]+`) ?↻? \| (\S+) \|", tree.text("ops/limits.md"), re.M)
    rows = {name: value for names, value in shown for name in re.findall(r"`([a-z-]+)`", names)}
    for name, value in rows.items():
        if options.get(name, value) != value:
            yield f"ops/limits.md: `{name}` is {options[name]} by default, not {value}"
    for name in counted:
        if name != "book" and name not in rows:
            yield f"ops/limits.md: has no row for `{name}`, which the broker counts"
    if not rows or not counted:
        yield "ops/limits.md or broker/shell/refusals.h has no rows that this check can read"


def failpoints(tree):
    """Each place of ledger/include/failpoint.def is in the code."""
    names = re.findall(r"^FAILPOINT\((\w+),", tree.text("ledger/include/failpoint.def"), re.M)
    paths = [path for path in tree.matching(".c") if path.startswith(("ledger/", "broker/"))]
    code = "".join(tree.text(path) for path in paths)
    passed = set(re.findall(r"\bfailpoint\((\w+)\)", code))
    for name in sorted(set(names) ^ passed) or ([] if names else ["the table"]):
        yield f"failpoint {name}: not in ledger/include/failpoint.def, or nowhere in the code"
