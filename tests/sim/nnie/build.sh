# SPDX-License-Identifier: Apache-2.0
# HiSilicon's, for ../build.sh: the board of all chips in OUT, with the libraries of 2.0.2.1, and with those of earlier
# releases in OUT/RELEASE. Every folder has libsim_hisilicon.so, which is the board, and the vendor's libraries, which
# need it, and each other without naming it.
# In OUT/nnie libraries that only need each other as the vendor's do, for the test of who is loaded when: those of
# 2.0.2.1 by their names, and libnnie of 2.0.1 and of Hi3531DV200 as libnnie_early.so and libnnie_other.so.
NNIE_VERSIONS=${NNIE_VERSIONS-2.0.1 2.0.2}

# hisi FOLDER NAME FLAGS AND SOURCES...
hisi()
{
    hisi_folder=$1 hisi_name=$2
    shift 2
    # shellcheck disable=SC2086
    $CC $FLAGS -shared -Wl,-soname,"$hisi_name" -o "$hisi_folder/$hisi_name.new" "$@"
    mv "$hisi_folder/$hisi_name.new" "$hisi_folder/$hisi_name"
}

# hisi_board FOLDER 0xMMmmpp FLAGS OF LIBNNIE...
hisi_board()
{
    board_folder=$1 board_release=$2
    shift 2
    mkdir -p "$board_folder"
    # shellcheck disable=SC2086
    hisi "$board_folder" libsim_hisilicon.so -DNNRT_SIM_VERSION="$board_release" $DEFS \
        "$OUT"/common/*.o "$OUT"/nnie_board/*.o tests/sim/nnie/sim_hisi_board.c -lm -lpthread
    for each_needed in securec:SECUREC upvqe:UPVQE dnvqe:DNVQE VoiceEngine:VOICE; do
        hisi "$board_folder" "lib${each_needed%:*}.so" "-DNNRT_SIM_${each_needed#*:}" tests/sim/nnie/vendor_needed.c
    done
    hisi "$board_folder" libmpi.so tests/sim/nnie/vendor_mpi.c -L"$board_folder" -lsim_hisilicon "-Wl,-rpath,\$ORIGIN"
    hisi "$board_folder" libdsp.so tests/sim/nnie/vendor_dsp.c -L"$board_folder" -lsim_hisilicon "-Wl,-rpath,\$ORIGIN"
    hisi "$board_folder" libnnie.so "$@" tests/sim/nnie/vendor_nnie.c -L"$board_folder" -lsim_hisilicon \
        "-Wl,-rpath,\$ORIGIN"
}

# made NAME DEFINITION [FLAGS...]
made()
{
    made_name=$1 made_definition=$2
    shift 2
    hisi "$OUT/nnie" "$made_name" "-D$made_definition" "$@" tests/sim/nnie/made_libraries.c
}

# The board without what differs by release: once.
# shellcheck disable=SC2046
objects "$OUT/nnie_board" $(ls tests/sim/nnie/sim_hisi_*.c | grep -v sim_hisi_board.c)
hisi_board "$OUT" 0x020002 -DNNRT_SIM_NEEDS_MPI=1 -Wl,-z,now
for each_release in $NNIE_VERSIONS; do
    case $each_release in
    2.0.1) hisi_board "$OUT/$each_release" 0x020001 -DNNRT_SIM_NEEDS_MPI=0 -Wl,-z,now ;;
    *) hisi_board "$OUT/$each_release" 0x020002 -DNNRT_SIM_NEEDS_MPI=0 -Wl,-z,now ;;
    esac
done

mkdir -p "$OUT/nnie"
made libsecurec.so NNRT_MADE_SECUREC
made libupvqe.so NNRT_MADE_UPVQE
made libdnvqe.so NNRT_MADE_DNVQE
made libVoiceEngine.so NNRT_MADE_VOICE
made libmpi.so NNRT_MADE_MPI
made libnnie.so NNRT_MADE_NNIE=2 -Wl,-z,now
made libnnie_early.so NNRT_MADE_NNIE=1 -Wl,-z,now
made libnnie_other.so NNRT_MADE_OTHER
rm -rf "$OUT/nnie_board"
