"""What the tidy checks share: the files of the repository, and how a finding is reported.

A check is a function that takes a Tree and yields findings as text. It knows nothing of ctest.
"""

import os
import subprocess


class Tree:
    """The source tree at `root`: tracked files, and new ones that git does not ignore."""

    def __init__(self, root):
        self.root = os.path.realpath(root)
        self.files = sorted(self._from_git() or self._from_disk())

    def _from_git(self):
        command = ["git", "-c", "safe.directory=*", "-C", self.root, "ls-files", "-z", "-c", "-o",
                   "--exclude-standard"]
        try:
            out = subprocess.run(command, capture_output=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            return []  # no git, or an unpacked archive
        names = {name.decode() for name in out.split(b"\0") if name}
        return [name for name in names if os.path.isfile(self.path(name))]

    def _from_disk(self):
        found = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = [f for f in folders if f not in (".git", "build", "__pycache__")]
            found += [os.path.relpath(os.path.join(folder, name), self.root) for name in names]
        return found

    def path(self, name):
        return os.path.join(self.root, name)

    def matching(self, *suffixes):
        return [name for name in self.files if name.endswith(suffixes)]

    def text(self, name):
        with open(self.path(name), encoding="utf-8", errors="replace") as stream:
            return stream.read()

    def is_text(self, name):
        with open(self.path(name), "rb") as stream:
            return b"\0" not in stream.read(8192)

    def scripts(self):
        """Shell scripts and what they source, by their first line or their name."""
        shebangs = ("#!/bin/sh", "#!/bin/bash", "#!/usr/bin/env bash", "#!/usr/bin/env sh")
        found = []
        for name in self.files:
            if name.endswith((".sh", ".bash")):
                found.append(name)
            elif "." not in os.path.basename(name) or name.startswith(".ci/"):
                with open(self.path(name), "rb") as stream:
                    first = stream.readline(40).decode(errors="replace").rstrip()
                    if first in shebangs or first.startswith("# shellcheck shell="):
                        found.append(name)
        return found
