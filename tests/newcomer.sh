#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `make newcomer`: what somebody does who has just heard of nnrt, on a machine that has never seen it.
#
#     tests/newcomer.sh              what is committed
#     tests/newcomer.sh REVISION     an older one
#     PARTS=without_tools tests/newcomer.sh     one part, or several, of: without_tools readme without_rights
#     EVERY=8 tests/newcomer.sh                 of the suites in C, which do not depend on the machine, every eighth
#
# As root on Debian and its relatives the machine is a new system below /tmp, made by debootstrap from the sources that
# this machine's apt has, with git and make and nothing else. There the README is typed as it is printed: the pages that
# show a model, which take five minutes at most from the clone on, the demo, the program that stands first, every test;
# and what other people have is tried: no compiler, no python3, clang alone, no rights, make -j2, a folder with a space
# in its name, a tree that cannot be written.
# Elsewhere the README alone is typed, without `make test`, on this machine, which may have more than the README knows.
#
# Prints the seconds of each step. Nothing is left behind, also when it is interrupted. The last line is
# "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/.." || exit 1
revision=${1:-HEAD}
parts=${PARTS:-without_tools readme without_rights}
every=${EVERY:-1}
work=$(mktemp -d)
log=$work/log
passed=0
failed=0
skipped=0
begin=$SECONDS
MOST_TO_A_REPORT=300 # seconds, what apt installs on the way included

clean() {
    awk -v below="$work/" 'index($5, below) == 1 { print $5 }' /proc/self/mountinfo | sort -r | xargs -r umount -l
    rm -rf --one-file-system "$work"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

# ------------------------------------------------------------------------------------------ steps

system="" # the root of the system that commands run in; empty: this machine
folder=/  # where
user=root # as whom

enter() { # enter COMMAND
    if [ -z "$system" ]; then
        (cd "$folder" && exec bash -c "$1")
        return
    fi
    local home=/root
    [ "$user" = root ] || home=/home/$user
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=$home TERM=dumb "${network[@]}" \
        chroot --userspec="$user:" "$system" bash -c "cd '$folder' && $1"
}

count() { # count RESULT WHAT SECONDS
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
        printf '%4d s  ok      %s\n' "$3" "$2"
    else
        failed=$((failed + 1))
        printf '%4d s  FAILED  %s\n' "$3" "$2"
        { grep -E 'FAIL|error:|\*\*\*' "$log" | head -n 20; echo ...; tail -n 30 "$log"; } | sed 's/^/                /'
    fi
}
run() { # run WHAT COMMAND
    local start=$SECONDS
    enter "$2" >"$log" 2>&1 </dev/null
    count $? "$1" $((SECONDS - start))
}
# refuses WHAT PATTERN COMMAND: it fails, says a line that matches, and nothing that only its makers understand
refuses() {
    local start=$SECONDS result=0
    enter "$3" >"$log" 2>&1 </dev/null && result=1
    grep -Eq "$2" "$log" || result=1
    ! grep -Eq 'Traceback|not found|No such file|mkdir:' "$log" || result=1
    count $result "$1" $((SECONDS - start))
}
skip() { # skip WHY
    skipped=$((skipped + 1))
    printf '        skipped %s\n' "$1"
}

# ------------------------------------------------------------------------------------------ a new system

# What reaches the network from here reaches it from there: proxies, and certificates that this machine trusts.
network=()
carry_network() {
    local scheme proxy
    for scheme in http https; do
        eval "$(apt-config shell proxy "Acquire::$scheme::Proxy")"
        [ -z "${proxy:-}" ] || [ -n "$(printenv "${scheme}_proxy")" ] || export "${scheme}_proxy=$proxy"
        unset proxy
    done
    for name in http_proxy https_proxy no_proxy; do
        [ -z "$(printenv $name)" ] || network+=("$name=$(printenv $name)")
    done
}
carry_files() { # carry_files SYSTEM
    local file
    apt-config dump | grep -E '^Acquire::(https?::(Proxy|CaInfo|CaPath|Verify)|Check-|Retries)' \
        >"$1/etc/apt/apt.conf.d/90host"
    # It lives for some minutes: nothing has to reach the disk.
    echo force-unsafe-io >"$1/etc/dpkg/dpkg.cfg.d/90newcomer"
    for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt; do
        [ ! -e $file ] || install -D -m 644 $file "$1$file"
    done
    # The repository belongs to whoever runs this.
    printf '[safe]\n\tdirectory = *\n' >"$1/etc/gitconfig"
}

make_system() { # make_system: $work/system with git and make, or says why not
    local release mirror
    [ "$(id -u)" = 0 ] || { echo "no new system: not root"; return 1; }
    command -v apt-get >/dev/null || { echo "no new system: no apt-get"; return 1; }
    if ! command -v debootstrap >/dev/null; then
        { apt-get update -qq && apt-get install -y -qq --no-install-recommends debootstrap; } >/dev/null 2>&1 </dev/null
        command -v debootstrap >/dev/null || { echo "no new system: debootstrap could not be installed"; return 1; }
    fi
    release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    # shellcheck disable=SC2016
    mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 2>/dev/null |
        awk -v release="$release" '$2 == release && $3 == "main" { print $1; exit }')
    [ -n "$mirror" ] || { echo "no new system: apt has no source of ${release:-this release}"; return 1; }
    carry_network
    debootstrap --variant=minbase --include=git,make "$release" "$work/system" "$mirror" >"$log" 2>&1 </dev/null ||
        { tail -n 5 "$log"; echo "no new system: debootstrap $release ends with an error"; return 1; }
    carry_files "$work/system"
    chroot "$work/system" useradd --create-home --shell /bin/bash stranger
    cp -a "$work/source.git" "$work/system/nnrt.git"
}

# ------------------------------------------------------------------------------------------ what is typed

# Lines of the README that are indented by four behind the line that has these words, up to the first one that is not.
block_behind() {
    git -C "$work/source.git" show main:README.md | awk -v words="$1" 'index($0, words) { found = 1; next }
        found && /^    / { sub(/^    /, ""); print; some = 1; next }
        some { exit }' | sed 's/ *#.*//'
}

typed() { # typed SINCE COMMAND...: the pages, the first program, and these commands, which the README has, in their
    # places; SINCE: the second in which the clone began
    local first answer pages page command since=$1
    shift
    pages=$(block_behind '**Look at your model**')
    # In one shell: what a line exports, the next one has.
    run "the pages of 'Look at your model'" "set -ex
$pages"
    for page in $(grep -o -- '-o [^ ]*\.html' <<<"$pages" | cut -d' ' -f2); do
        run "... and $page has the steps of the model" "grep -q 'data-path=\"[^\"]*steps' $page"
    done
    [ $((SECONDS - since)) -le $MOST_TO_A_REPORT ]
    count $? "... from git clone to these pages in at most $MOST_TO_A_REPORT s" $((SECONDS - since))
    run "make demo" "make demo"
    first=$(block_behind "This is \`examples/first/first.c\`")
    answer=$(tail -n 1 <<<"$first") # what the program says stands below its command
    while read -r command; do run "$command" "$command"; done < <(head -n -1 <<<"$first")
    run "... and it says: $answer" "$(tail -n 2 <<<"$first" | head -n 1) | grep -qx '$answer'"
    for command; do
        run "$command" "$command"
        grep -xE '[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped' "$log" | sed 's/^/                its tests: /; s/,/;/g'
        grep -E 'skipped, no |\[SKIP\]' "$log" | sed 's/^ */                /' | sort -u
    done
    block_behind '**Test it in two commands.**' >"$log"
    [ "$(grep -cxE 'make (test|demo)' "$log")" = 2 ]
    count $? "the README's two commands are make test and make demo" 0
}

readme() { # as root, who may install
    local since=$SECONDS test="make test" some
    system=$work/system user=root folder=/root
    run "git clone" "git clone -q /nnrt.git"
    folder=/root/nnrt
    # SUITES stands before the word, where it leaves the suites in Python and all that they need.
    some="ls tests/*/test_*.c | awk 'NR % $every == 1' | xargs -n 1 basename -s .c | xargs"
    [ "$every" = 1 ] || test="SUITES=\"\$($some)\" $test"
    typed "$since" "$test"
}

# The smallest system, and a user who may install nothing.
without_tools() {
    system=$work/bare user=stranger folder=/home/stranger
    run "no rights: git clone into a folder with a space" "mkdir 'two words' && git clone -q /nnrt.git 'two words/nnrt'"
    folder="/home/stranger/two words/nnrt"
    for command in "make" "make demo" "make test" "make -j2 test"; do
        refuses "no compiler, no python3: $command says what to install" '^  FIX: .* gcc .* python3' "$command"
    done
    user=root
    run "apt-get install clang" "apt-get update -qq && apt-get install -y -qq --no-install-recommends clang"
    user=stranger
    for command in "make" "make sim" "make test"; do
        refuses "clang, no python3: $command says what to install" '^  FIX: .*install python3 ' "$command"
    done
    user=root
    run "apt-get install python3" "apt-get install -y -qq --no-install-recommends python3"
    user=stranger
    run "clang alone, no rights, two words: make -j2" "! command -v gcc && make -j2"
    run "... make -j2 demo" "make -j2 demo"
    run "... make -j2 test SUITES='test_error test_tflite'" "make -j2 test SUITES='test_error test_tflite'"
}

# A user of a system that has what is needed.
without_rights() {
    system=$work/system user=root folder=/opt
    run "git clone into a folder that others only read, with what it needs" \
        "git clone -q /nnrt.git && chmod -R go-w nnrt && nnrt/tests/install_tools.sh build"
    user=stranger folder=/opt/nnrt
    for command in "make" "make demo"; do
        refuses "a tree that cannot be written: $command says what to do" '^  FIX: cp -r ' "$command"
    done
    folder=/home/stranger
    run "... the first program from it" \
        "cc -std=c99 -O0 -I /opt/nnrt /opt/nnrt/examples/first/*.c -lm -lpthread -o first &&
         cd /opt/nnrt/examples/meter && /home/stranger/first meter.tflite golden/input2.bin | grep -q class"
    run "... the one file of it" "python3 /opt/nnrt/amalgamate.py -o nnrt.h && test -s nnrt.h"
    run "... what the FIX says" "cp -r /opt/nnrt . && make -j2 -C nnrt demo"
}

# ------------------------------------------------------------------------------------------ all of it

{ git init -q --bare "$work/source.git" &&
    git -C "$work/source.git" fetch -q --depth 1 "file://$PWD" "$(git rev-parse --verify "$revision^{commit}")" &&
    git -C "$work/source.git" update-ref refs/heads/main FETCH_HEAD &&
    git -C "$work/source.git" symbolic-ref HEAD refs/heads/main; } || { echo "0 passed, 1 failed, 0 skipped"; exit 1; }

if make_system >"$work/why"; then
    printf '%4d s  ok      a new system: %s\n' $((SECONDS - begin)) \
        "$(. "$work/system/etc/os-release" && echo "$PRETTY_NAME")"
    passed=$((passed + 1))
    chmod 755 "$work"
    cp -a "$work/system" "$work/bare"
    for each in system bare; do mount -t proc proc "$work/$each/proc"; done
    for part in $parts; do $part; done
else
    head -n -1 "$work/why"
    skip "$(tail -n 1 "$work/why"): the README alone, on this machine"
    folder=$work since=$SECONDS
    run "git clone" "git clone -q 'file://$work/source.git' nnrt"
    folder=$work/nnrt
    typed "$since"
fi

clean
[ ! -e "$work" ]
left=$?
log=/dev/null
count $left "nothing is left" 0
echo "in all: $((SECONDS - begin)) s"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
