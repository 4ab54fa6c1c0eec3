#!/usr/bin/python3
"""Runs one tidy check, or all: tidy.py SOURCE BUILD [CHECK…].

Prints each finding on a line. Exits 0 when there is none, 1 when there are, 77 (skipped) when the
tool that a check needs is not installed.
"""

import inspect
import sys

import shape
import tools
import words
from tree import Tree

CHECKS = {
    "functions_are_70_lines_at_most": shape.function_lengths,
    "files_are_500_lines_at_most": shape.file_lengths,
    "lines_are_100_columns_at_most": shape.line_lengths,
    "header_guards_name_the_path": shape.header_guards,
    "files_say_what_they_are_for": shape.opening_comments,
    "directories_have_readmes": shape.readmes,
    "pipes_are_read_to_the_end": shape.early_readers,
    "words_are_our_own": words.foreign_words,
    "no_conflict_is_left": words.conflict_marks,
    "readme_shows_the_first_contractor": words.first_contractor,
    "links_lead_somewhere": words.links,
    "limits_are_the_options": words.limits,
    "failpoints_are_in_the_code": words.failpoints,
    "c_is_formatted": tools.format_c,
    "headers_compile_alone": tools.headers_alone,
    "installed_headers_are_c11_and_cpp": tools.headers_installed,
    "scripts_pass_shellcheck": tools.shell_scripts,
    "core_imports_nothing_impure": tools.core_symbols,
}


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    tree, build = Tree(arguments[0]), arguments[1]
    found, missing = 0, 0
    for name in arguments[2:] or CHECKS:
        check = CHECKS[name]
        wants_build = "build" in inspect.signature(check).parameters
        try:
            for finding in check(tree, build) if wants_build else check(tree):
                print(finding)
                found += 1
        except tools.Missing as absent:
            print(f"{name}: needs {absent}, which is not installed")
            missing += 1
    return 1 if found else 77 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
