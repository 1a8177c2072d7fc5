#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each commit of a branch stands alone: its tree becomes one file, which compiles with all devices, as the tool does, so
# that whoever looks for a fault by halves (git bisect) meets no tree that does not build. A subject has at most 72
# characters, and a body says why.
#   tests/check_commits.sh [BASE]    commits after BASE; else the last ten
# JOBS commits at a time. The last line is "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d)
trap 'wait; rm -rf "$work"' EXIT
warnings="-std=c99 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"
devices="-DNNRT_BACKEND_RKNPU -DNNRT_BACKEND_RKNPU_OPEN -DNNRT_BACKEND_NNIE -DNNRT_BACKEND_BPU"

builds() { # builds COMMIT, in a folder with its tree
    python3 amalgamate.py -o build/nnrt.h &&
        # shellcheck disable=SC2086
        ${CC:-gcc} $warnings -Wno-misleading-indentation $devices -Ibuild -fsyntax-only packaging/nnrt.c &&
        ${CC:-gcc} $warnings $devices -I. -fsyntax-only tools/nnrt.c
}
look() { # look COMMIT
    local subject
    mkdir "$work/$1"
    git archive "$1" | tar -x -C "$work/$1"
    (cd "$work/$1" && builds) >"$work/$1.log" 2>&1 </dev/null ||
        echo "does not build: $(head -n 5 "$work/$1.log")" >>"$work/$1.wrong"
    subject=$(git log -1 --format=%s "$1")
    [ ${#subject} -le 72 ] || echo "its subject has ${#subject} characters, at most 72" >>"$work/$1.wrong"
    [ -n "$(git log -1 --format=%b "$1")" ] || echo "no body says why" >>"$work/$1.wrong"
    rm -rf "${work:?}/$1"
}

if [ -n "${1:-}" ]; then
    commits=$(git rev-list --no-merges --reverse "$1..HEAD") || exit 1
else
    commits=$(git rev-list --no-merges --max-count=10 --reverse HEAD) || exit 1
fi
passed=0
failed=0
for commit in $commits; do
    while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-$(nproc)}" ]; do wait -n; done
    look "$commit" &
done
wait
for commit in $commits; do
    if [ -e "$work/$commit.wrong" ]; then
        failed=$((failed + 1))
        git log -1 --format='FAILED  %h %s' "$commit"
        sed 's/^/        /' "$work/$commit.wrong"
    else
        passed=$((passed + 1))
        git log -1 --format='ok      %h %s' "$commit"
    fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
