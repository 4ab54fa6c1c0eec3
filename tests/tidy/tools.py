"""Checks that lean on a tool: the compiler, clang-format, shellcheck, nm.

A tool that is missing raises Missing, and the check counts as skipped, never as passed.
"""

import os
import re
import shutil
import subprocess

# What the pure core may import: memory, strings and assertions. No clock, file, socket or random.
CORE_SYMBOLS = re.compile(r"""
    tender_\w+ | message_\w+ | wire_\w+ | entry_\w+ | shard_\w+ | bid_\w+ | tree_\w+ |
    book_\w+ | effects_\w+ |
    mem(cpy|move|set|cmp|chr|mem) | str(n?len|n?cmp|chr) | malloc | calloc | realloc | free |
    qsort | bsearch | abort | v?snprintf | crypto_hash_sha256\w* |
    __assert_fail | __assert | __stack_chk_fail | __\w+_chk |
    __(asan|ubsan|sanitizer|gcov|llvm)_\w+ |
    _GLOBAL_OFFSET_TABLE_ | _?_?gcov_\w+ | __(u?divti3|u?modti3|muloti4)
""", re.X)


class Missing(Exception):
    """A tool that the check needs is not there."""


def tool(*names):
    for name in names:
        found = shutil.which(name)
        if found:
            return found
    raise Missing(names[0])


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", **options)


def format_c(tree):
    """Style is clang-format 14's, so that every version of the tool agrees."""
    formatter = tool("clang-format-14")
    paths = [tree.path(path) for path in tree.matching(".c", ".h")]
    result = run([formatter, "--dry-run", "--Werror", "--style=file", *paths], cwd=tree.root)
    places = re.findall(r"^(/.*?):(\d+):\d+: error:", result.stderr, re.M)
    for path in sorted({path for path, _ in places}):
        lines = [line for where, line in places if where == path]
        yield f"{path[len(tree.root) + 1:]}:{lines[0]}: clang-format-14 -i would change it"


def include_flags(tree, build):
    """Every include directory that the build uses for anything."""
    folders = set()
    commands = os.path.join(build, "compile_commands.json")
    if os.path.exists(commands):
        with open(commands, encoding="utf-8") as stream:
            folders.update(re.findall(r"-(?:I|isystem )\s*(/[^\s\"\\]+)", stream.read()))
    folders.update(tree.path(f) for f in ("contractor-sdk/include", "contractor-sdk/wire"))
    return [flag for folder in sorted(folders) for flag in ("-I", folder)]


def headers_alone(tree, build):
    compiler = tool("cc", "gcc", "clang")
    flags = ["-std=c17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
             *include_flags(tree, build)]
    for path in tree.matching(".h"):
        text = f'#include "{tree.path(path)}"\n#include "{tree.path(path)}"\nextern int nothing;\n'
        result = run([compiler, *flags, "-x", "c", "-"], input=text)
        if result.returncode != 0:
            yield f"{path}: does not compile alone\n{result.stderr.strip()}"


def headers_installed(tree, build):
    """Installed headers need C11 only, and work from C++ where a C++ compiler is there."""
    del build
    languages = [(tool("cc", "gcc", "clang"), "c", "-std=c11")]
    if shutil.which("g++"):
        languages.append((shutil.which("g++"), "c++", "-std=c++11"))
    for path in tree.matching(".h"):
        if not path.startswith("contractor-sdk/include/"):
            continue
        for compiler, language, standard in languages:
            result = run([compiler, standard, "-pedantic", "-Wall", "-Wextra", "-Werror",
                          "-fsyntax-only", "-I", tree.path("contractor-sdk/include"), "-x",
                          language, "-"],
                         input=f'#include "{tree.path(path)}"\nextern int nothing;\n')
            if result.returncode != 0:
                yield f"{path}: is not {standard[5:]}\n{result.stderr.strip()}"


def shell_scripts(tree):
    checker = tool("shellcheck")
    scripts = tree.scripts()
    result = run([checker, "-x", "-f", "gcc", "-P", "SCRIPTDIR", *scripts], cwd=tree.root)
    yield from result.stdout.splitlines()
    if result.returncode not in (0, 1):
        yield result.stderr.strip()


def core_symbols(tree, build):
    """The core is pure: what it imports is in CORE_SYMBOLS or defined by itself."""
    del tree
    archive = os.path.join(build, "broker/core/libtender_core.a")
    if not os.path.exists(archive):
        yield f"{archive}: is not built"
        return
    listing = run([tool("nm"), "-P", archive], check=True).stdout
    rows = [line.split() for line in listing.splitlines() if len(line.split()) >= 2]
    defined = {row[0] for row in rows if row[1] not in "Uw"}
    for name in sorted({row[0] for row in rows if row[1] == "U"} - defined):
        if not CORE_SYMBOLS.fullmatch(name):
            yield f"tender_core imports {name}"
