# SPDX-License-Identifier: Apache-2.0
# HiSilicon's, for ../build.sh: no board yet, but libraries that need each other as the vendor's do, in OUT/nnie: those
# of 2.0.2.1 by their names, and libnnie of 2.0.1 and of Hi3531DV200 as libnnie_early.so and libnnie_other.so.

# made NAME DEFINITION [FLAGS...]
made()
{
    name=$1 definition=$2
    shift 2
    # shellcheck disable=SC2086
    $CC $FLAGS "$@" "-D$definition" -shared -Wl,-soname,"$name" -o "$OUT/nnie/$name.new" tests/sim/nnie/made_libraries.c
    mv "$OUT/nnie/$name.new" "$OUT/nnie/$name"
}

mkdir -p "$OUT/nnie"
made libsecurec.so NNRT_MADE_SECUREC
made libupvqe.so NNRT_MADE_UPVQE
made libdnvqe.so NNRT_MADE_DNVQE
made libVoiceEngine.so NNRT_MADE_VOICE
made libmpi.so NNRT_MADE_MPI
made libnnie.so NNRT_MADE_NNIE=2 -Wl,-z,now
made libnnie_early.so NNRT_MADE_NNIE=1 -Wl,-z,now
made libnnie_other.so NNRT_MADE_OTHER
