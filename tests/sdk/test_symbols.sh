#!/bin/sh
# Goal: libtender exports what symbols.map lists, and that is what the public headers declare.
# usage: test_symbols.sh LIBRARY SYMBOLS_MAP INCLUDE_DIRECTORY
set -eu
directory=$(mktemp -d)
trap 'rm -r "$directory"' EXIT
nm -D --defined-only "$1" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort -u \
    >"$directory/exported"
grep -o 'tender_[a-z_]*' "$2" | sort -u >"$directory/listed"
cat "$3"/tender/*.h | tr '\n' ' ' | grep -oE 'TENDER_API[^;{]*' |
    grep -oE '\btender_[a-z_]+ ?\(' | tr -d ' (' | sort -u >"$directory/declared"
diff "$directory/listed" "$directory/exported"
diff "$directory/listed" "$directory/declared"
