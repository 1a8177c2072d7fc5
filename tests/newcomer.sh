#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `make newcomer`: what somebody does who has just heard of nnrt, typed from the README alone: a clone of what is
# committed, the demo, the program that stands first, and the page that shows a model, on the CPU and on a simulated
# board. Where it may, the second command installs what is missing: this runs in an empty container with git and make.
# Prints the seconds that each command took; the last line is "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
begin=$SECONDS

# Lines that are indented by four behind the line that has these words, up to the first one that is not.
block_behind() {
    awk -v words="$1" 'index($0, words) { found = 1; next }
        found && /^    / { sub(/^    /, ""); print; some = 1; next }
        some { exit }' README.md | sed 's/ *#.*//'
}

run() { # run WHAT COMMAND
    local start=$SECONDS
    # Not as a condition, and in this shell: what a line exports, the next one has.
    eval "$2" >"$work/log" 2>&1 </dev/null
    if [ $? = 0 ]; then
        passed=$((passed + 1))
        printf '%4d s  ok      %s\n' $((SECONDS - start)) "$1"
    else
        failed=$((failed + 1))
        printf '%4d s  FAILED  %s\n' $((SECONDS - start)) "$1"
        tail -n 20 "$work/log" | sed 's/^/                /'
    fi
}

run "git clone" "git clone -q --depth 1 'file://$PWD' '$work/nnrt' && cd '$work/nnrt'"
cd "$work/nnrt" || { echo "0 passed, 1 failed, 0 skipped"; exit 1; }

run "make demo" "make demo"
first=$(block_behind "This is \`examples/first/first.c\`")
answer=$(tail -n 1 <<<"$first") # what the program says stands below its command
while read -r command; do run "$command" "$command"; done < <(head -n -1 <<<"$first")
run "... and it says: $answer" "$(tail -n 2 <<<"$first" | head -n 1) | grep -qx '$answer'"

pages=$(block_behind '**Look at your model**')
while read -r command; do run "$command" "$command"; done <<<"$pages"
for page in $(grep -o -- '-o [^ ]*\.html' <<<"$pages" | cut -d' ' -f2); do
    run "... and $page has the steps of the model" "grep -q 'data-path=\"[^\"]*steps' $page"
done

echo "from nothing to the pages: $((SECONDS - begin)) s"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
