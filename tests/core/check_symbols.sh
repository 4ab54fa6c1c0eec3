#!/bin/sh
# The core is pure: lists what its objects need from outside, and refuses what is not allowed here.
# usage: check_symbols.sh NM LIBRARY
set -eu
needed=$("$1" --undefined-only --format=posix "$2" | awk '$2 == "U" { print $1 }' | sort -u)
defined=$("$1" --defined-only --format=posix "$2" | awk 'NF > 2 { print $1 }' | sort -u)
foreign=$(printf '%s\n' "$needed" | grep -vxF "$defined" || true)
libc='mem(chr|cmp|cpy|move|set)|str[a-z]*|calloc|free|__assert_fail'
ours='(bid|entry|message|shard|tender|tree)_[a-z0-9_]+|crypto_hash_sha256[a-z_]*'
compiler='__(u)?(div|mod)ti3|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__mem[a-z]*_chk'
instruments='__(asan|ubsan|gcov|tsan|llvm|sanitizer)_[a-z0-9_]*'
allowed="^($libc|$ours|$compiler|$instruments)\$"
wrong=$(printf '%s\n' "$foreign" | grep -vE "$allowed" || true)
if [ -n "$wrong" ]; then
    printf 'the core needs what it must not:\n%s\n' "$wrong"
    exit 1
fi
printf '%s\n' "$foreign"
