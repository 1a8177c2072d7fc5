# SPDX-License-Identifier: Apache-2.0
# Words for those who work on nnrt: `make help` prints them. Users need no make: they copy build/nnrt.h.
# Everything made goes below build/, which git ignores.

# The compiler of this machine. Where there is none it is gcc, and `compiler` says that it is missing. The redirection
# makes make ask a shell: before 4.3 it looks for a program of the name `command` otherwise.
HOST_CC ?= $(or $(firstword $(foreach name,gcc clang cc,$(if $(shell command -v $(name) 2>/dev/null),$(name)))),gcc)
ifeq ($(origin CC),default)
CC := $(HOST_CC)
endif
JOBS ?= 2
# Seconds that a suite may take, longer where the machine is busy.
TIMEOUT ?= 300
FUZZ_SECONDS ?= 10
# nnrt.h itself must be clean under these in C and C++ with gcc and clang; `make compile-checks` proves it.
WARNINGS := -std=c99 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
# gcc looks up lines for this warning, which takes four seconds in a file of 60,000; the tree's rooms have it.
ONE_FILE_WARNINGS := $(WARNINGS) -Wno-misleading-indentation

# 1 where the compiler finds the header, else nothing. The sign stands in a variable: in $(shell) make keeps the backslash
# before it from 4.3 on, and takes it away before that.
HASH := \#
has_header = $(shell echo '$(HASH)include <$(1)>' | $(CC) -E -x c - >/dev/null 2>&1 && echo 1)

HEADERS := $(wildcard *.h bpu/*.h core/*.h cpu/*.h data/*.h detection/*.h dsp/*.h group/*.h image/*.h kernels/*.h nnie/*.h npu/*.h rknpu/*.h rknpu_open/*.h selftest/*.h tflite/*.h)
# libdl is part of libc where it is not a library of its own; the Rockchip device needs it.
LIBRARIES := -lm -lpthread -ldl
TEST_SOURCES := $(wildcard tests/*/test_*.c)
TEST_HEADERS := $(wildcard tests/*.h tests/*/*.h tests/criterion_shim/criterion/*.h tests/sim/*/*.h)
# `make test SUITES="test_plan test_graph"` runs those two; the same for every other word that runs tests.
SUITES ?= $(sort $(basename $(notdir $(TEST_SOURCES))))
# Those that need simulated boards.
BOARD_SUITES := test_bpu_% test_dsp test_group_boards test_nnie_% test_open_% test_rknpu_% test_sim%
FUZZERS := $(basename $(notdir $(wildcard tests/fuzz/fuzz_*.c)))
EXAMPLES := $(basename $(notdir $(wildcard examples/*.c)))

.PHONY: all help compiler amalgam tool shared sim docs docs-site demo newcomer demo-check examples examples-sim test test-scalar check-tool test-amalgam asan tsan arm softfp aarch64 rvv bare flash test-options fuzz fuzz-replay msan
.PHONY: prove check-commits check-amalgam check-style check-names compile-checks format size bench bench-models bench-arm bench-mcu check clean suites tools-for-test

all: amalgam tool

help:
	@echo 'make                 build/nnrt.h (the product) and build/nnrt (the tool)'
	@echo 'make amalgam         build/nnrt.h, the tree below nnrt.h in one file'
	@echo 'make tool            build/nnrt: devices, inspect, run, bench, compile'
	@echo 'make shared          build/libnnrt.so, for nnrt.py and other languages'
	@echo 'make sim             build/sim: simulated boards, their libraries and models; try one with'
	@echo '                     LD_LIBRARY_PATH=build/sim NNRT_SIM_CHIP=rv1106 build/nnrt devices'
	@echo 'make demo            the meter example on its pictures, inspected and timed: below a minute'
	@echo 'make newcomer        what the README tells to type, with the seconds it takes: a clone of what is committed, in a new'
	@echo '                     Debian below /tmp (as root, with debootstrap), else on this machine'
	@echo 'make demo-check      the network of the meter tried on 10,000 drawn windows (python3-numpy)'
	@echo 'make examples        every program of examples/, from build/nnrt.h: on the CPU, then on simulated boards'
	@echo 'make install         the one file, the compiled library (also as neural_network_runtime and neural_network_core), the'
	@echo '                     tool, its man page and completion, nnrt.py, and what pkg-config and CMake find them by:'
	@echo '                     PREFIX=/usr/local DESTDIR= CC= INSTALLED_FLAGS=-O2; make uninstall'
	@echo 'make dist            build/dist: a release, the same bytes in every folder: nnrt.h, static tools, SPDX bill of materials'
	@echo 'make bundles         build/bundles: libraries of Arduino and PlatformIO, component of ESP-IDF, module of Zephyr, CMSIS-Pack'
	@echo 'make packages        each way to install nnrt, tried by a program of three lines (pkg-config, CMake, Meson)'
	@echo 'make docs            docs/operators.md, written from the tables of the library, and the pictures of the meter'
	@echo 'make docs-site       build/site/html/index.html, the pages of docs/ and the API reference (doxygen, doxygen-awesome-css)'
	@echo 'make test            every tests/*/test_*.c against the tree, the tool, the docs; SUITES="test_x test_y" ISA=scalar|sse41|avx2|...'
	@echo 'make check-tool      the tool as its users meet it'
	@echo 'make test-amalgam    the same against build/nnrt.h'
	@echo 'make asan            the tests under AddressSanitizer and UBSan, gcc and clang'
	@echo 'make tsan            the tests that use threads under ThreadSanitizer'
	@echo 'make arm             the tests for ARMv7 Cortex-A7 with NEON, run by QEMU'
	@echo 'make softfp          what loads HiSilicon'\''s libraries for ARMv7 with their ABI, run by QEMU'
	@echo 'make rvv             the tests of kernels on RISC-V with vectors of 128, 256 and 512 bits, run by QEMU'
	@echo 'make aarch64         the tests for AArch64, run by QEMU as a Cortex-A53 and as "max"'
	@echo 'make bare            programs without a system, run by QEMU on boards with a Cortex-M0+, M4, M7, M55 (newlib)'
	@echo 'make flash           examples/flash, a compiled model in flash and no heap, on ARMv7 and a Cortex-M4 of QEMU'
	@echo 'make test-options    suites as a user could run them, with NNRT_NO_THREADS and NNRT_NO_STDIO, with NNRT_NO_SIMD'
	@echo 'make fuzz            each fuzzer for FUZZ_SECONDS=10 (clang)'
	@echo 'make fuzz-replay     each fuzzer on its seeds, without clang'
	@echo 'make msan            the same under MemorySanitizer: nothing that nobody has written is looked at (clang)'
	@echo 'make prove           the readers of flatbuffers and plans proved to stay inside, for every input (frama-c, cvc4)'
	@echo 'make check-amalgam   the one file means what the tree means'
	@echo 'make check-style     ASCII, LF, line and file lengths, licence lines, .clang-format'
	@echo 'make format          every C file as .clang-format has it (clang-format 14)'
	@echo 'make check-names     no macro, symbol or type that is not ours; no call to printf, abort, exit'
	@echo 'make check-commits   each commit after BASE=REVISION (else of the last ten) compiles as one file, and says why it is'
	@echo 'make compile-checks  every header alone, every NNRT_* option, C99 and C++11, gcc and clang, the README'
	@echo 'make size            flash of a program with all operators, six, and only a plan, x86-64, ARMv7, AArch64, Cortex-M4'
	@echo 'make bench           kernels timed on this machine; models in turns with XNNPACK (libxnnpack-dev) and, with BENCH_BASE=REVISION,'
	@echo '                     with nnrt as it was: BENCH_MODELS="kws_ref_model ..." BENCH_LEVELS=sse41,avx2,vnni BENCH_THREADS=1,2'
	@echo '                     BENCH_ROUNDS=25 BENCH_REALTIME=1; ratios are kept in build/bench_history.json; `tests/bench/bench.py layers MODEL`'
	@echo 'make bench-models    the models alone: runs, and starts from bytes in memory (`tests/bench/bench.py starts`)'
	@echo 'make bench-arm       instructions of one inference of each model on a Cortex-A7 (QEMU), beside XNNPACK'\''s'
	@echo 'make bench-mcu       instructions, RAM, flash and start-up of each model on a Cortex-M4, M55 and RV32IMAC (QEMU)'
	@echo 'make check           everything CI does (.ci/run)'
	@echo 'make clean           remove build/'

# ------------------------------------------------------------------------------------------ product, tool, examples

# What a machine without a compiler or python3 is told is what `make demo` tells it. Where tests are asked for, what they
# need has been installed before: two at a time are refused by apt.
compiler: $(if $(filter test test-%,$(MAKECMDGOALS)),tools-for-test)
	@{ command -v $(firstword $(CC)) && command -v python3; } >/dev/null || tests/install_tools.sh build
	@{ mkdir -p build && test -w build; } 2>/dev/null || { \
	echo 'build/ cannot be written here, and make puts there all that it makes.'; \
	echo '  FIX: cp -r . /tmp/nnrt && make -C /tmp/nnrt'; \
	echo 'Without make: cc -I FOLDER_OF_NNRT takes nnrt.h as it lies, python3 amalgamate.py -o /tmp/nnrt.h writes the one file.'; \
	exit 1; }

amalgam: build/nnrt.h

build/nnrt.h: $(HEADERS) amalgamate.py LICENSE | compiler
	python3 amalgamate.py

tool: build/nnrt

# PNG, JPEG and BMP as inputs of `nnrt run`, where Debian's libstb-dev is.
HAVE_STB = $(call has_header,stb/stb_image.h)

build/nnrt: tools/nnrt.c $(wildcard tools/*.h tools/*/*.h) $(HEADERS) | compiler
	@mkdir -p build
	$(CC) $(WARNINGS) -O2 -I. $(if $(HAVE_STB),-DNNRT_TOOL_STB) -DNNRT_BACKEND_RKNPU -DNNRT_BACKEND_NNIE -DNNRT_BACKEND_BPU \
	    -DNNRT_BACKEND_RKNPU_OPEN -o $@ $< $(LIBRARIES)

# For other languages: what is public, and nothing else. nnrt.py finds it there.
shared: build/libnnrt.so

build/libnnrt.so: build/nnrt.h packaging/nnrt.c packaging/install.mk
	$(CC) -std=c99 -O2 -shared -fPIC -fvisibility=hidden '-DNNRT_API=__attribute__((visibility("default")))' -Ibuild \
	    $(LIBRARY_DEFINES) -o $@ packaging/nnrt.c $(LIBRARIES)

# The simulated boards. Words below that use another compiler or a sanitizer give it another folder.
SIM ?= build/sim
SIM_SOURCES := $(wildcard tests/sim/build.sh $(foreach e,c h py sh,tests/sim/*/*.$e)) rknpu/abi.h nnie/abi.h

sim: $(SIM)/made

$(SIM)/made: $(SIM_SOURCES) | compiler
	CC="$(CC)" SANITIZE="$(SIM_SANITIZE)" OUT=$(@D) tests/sim/build.sh
	@touch $@

docs: build/print_operators tool sim
	build/print_operators >docs/operators.md
	build/nnrt inspect $(METER).tflite --target neon --json >build/meter_cpu.json
	LD_LIBRARY_PATH=build/sim NNRT_SIM_CHIP=rv1106 build/nnrt inspect build/sim/models/meter.rv1106.rknn --json >build/meter_npu.json
	tests/docs/side_by_side.py build/meter_cpu.json build/meter_npu.json docs

# Every public function needs its comment, or this fails; Doxygen's own warnings fail it, too.
API_HEADERS := core/api_types.h $(wildcard */api.h */*_api.h) core/api_extensions.h
docs-site:
	@set -e; for header in $(API_HEADERS); do python3 tests/docs/doxygen_filter.py $$header >/dev/null; done
	@mkdir -p build
	@if command -v doxygen >/dev/null; then rm -rf build/site && python3 tests/docs/site.py && echo build/site/html/index.html; \
	else echo 'skipped: doxygen is not installed (apt-get install doxygen doxygen-awesome-css)'; fi

build/print_operators: tests/docs/print_operators.c $(wildcard tests/docs/*.h tests/operators/*.h) $(HEADERS) | compiler
	@mkdir -p build
	$(CC) $(WARNINGS) -O0 -I. -Itests -o $@ $< $(LIBRARIES)

METER := examples/meter/meter
SIM_CHIPS := rv1106 rk3566 rk3588
# The meter prints times.
EXAMPLE_OPT = -O1
build/examples/meter: EXAMPLE_OPT = -O2
EXAMPLE_FLAGS = $(ONE_FILE_WARNINGS) $(EXAMPLE_OPT) -Ibuild -DNNRT_BACKEND_RKNPU -DNNRT_BACKEND_NNIE -DNNRT_BACKEND_BPU

# Built the way a user of a board with an NPU builds them, from the one file, and run: here there is no such library, so
# that the CPU is the only device.
examples: $(EXAMPLES:%=build/examples/%) build/examples/openharmony examples-sim
	build/examples/hello
	build/examples/offline_model $(METER).tflite
	build/examples/selftest
	build/examples/async $(METER).tflite
	build/examples/camera $(METER).tflite
	build/examples/groups $(METER).tflite examples/meter/pictures/*.pgm
	build/examples/openharmony build
	build/examples/openharmony build $(METER).tflite

# The same programs with an NPU as the first device. NNRT_SIM_STRICT: a mistake that the board sees is a failure.
examples-sim: $(EXAMPLES:%=build/examples/%) build/examples/openharmony build/examples/meter sim
	@for chip in $(SIM_CHIPS); do \
	    export LD_LIBRARY_PATH=build/sim NNRT_SIM_CHIP=$$chip NNRT_SIM_STRICT=1; model=build/sim/models/meter.$$chip.rknn; \
	    for command in hello "offline_model $$model" "offline_model $(METER).tflite" "async $$model" \
	        "camera $$model $(METER).tflite" "groups $$model $(METER).tflite examples/meter/pictures/reading_009000.pgm" \
	        "openharmony build" "openharmony build $$model" "meter $$model examples/meter/pictures/reading_009000.pgm"; do \
	        echo "NNRT_SIM_CHIP=$$chip build/examples/$$command"; build/examples/$$command || exit 1; \
	    done; \
	done
	@head -c 4608 examples/meter/meter.tflite >build/examples/picture.bgr; \
	for chip in hi3516cv500 hi3519av100 hi3559av100; do \
	    export LD_LIBRARY_PATH=build/sim NNRT_SIM_CHIP=$$chip NNRT_SIM_STRICT=1 NNRT_SIM_SYS=1; \
	    model=build/sim/models/meter.$$chip.wk; \
	    for command in hello "offline_model $$model" "async $$model" "camera $$model $(METER).tflite" \
	        "openharmony build $$model" "meter $$model examples/meter/pictures/reading_009000.pgm" \
	        "detector build/sim/models/rcnn.$$chip.wk build/examples/picture.bgr"; do \
	        echo "NNRT_SIM_CHIP=$$chip build/examples/$$command"; build/examples/$$command || exit 1; \
	    done; \
	done
	LD_LIBRARY_PATH=build/sim NNRT_SIM_CHIP=hi3519av100 NNRT_SIM_STRICT=1 build/examples/dsp build/sim/models/dsp_bin/dsp0
	@head -c 1152 $(METER).tflite >build/examples/picture.nv12; \
	for board in 'x3 1.18.6 bin' 'j5 1.24.5 bin' 'x5 . bin' 's100 3.6.1 hbm' 's600 3.13.6 hbm'; do \
	    set -- $$board; export LD_LIBRARY_PATH=build/sim/$$2:build/sim NNRT_SIM_CHIP=$$1 NNRT_SIM_STRICT=1; \
	    chip=$$1 ending=$$3 model=build/sim/models/meter.$$1.$$3; \
	    for command in hello "offline_model $$model" "async $$model" "openharmony build $$model" \
	        "meter $$model examples/meter/pictures/reading_009000.pgm" \
	        "nv12_detector build/sim/models/detector.$$chip.$$ending build/examples/picture.nv12" \
	        "two_models build/sim/models/pair.$$chip.$$ending first second"; do \
	        echo "NNRT_SIM_CHIP=$$chip build/examples/$$command"; build/examples/$$command || exit 1; \
	    done; \
	done
	@head -c 2304 $(METER).tflite >build/examples/frame.nv12; \
	for board in 'x3 1.9.7' 'j5 1.24.5' 'x5 .'; do \
	    set -- $$board; export LD_LIBRARY_PATH=build/sim/$$2:build/sim NNRT_SIM_CHIP=$$1 NNRT_SIM_STRICT=1; \
	    echo "NNRT_SIM_CHIP=$$1 build/examples/roi"; \
	    build/examples/roi build/sim/models/resizer.$$1.bin build/examples/frame.nv12 48 32 0,0,23,15 8,4,47,31 \
	        || exit 1; \
	done

build/examples/%: examples/%.c $(wildcard examples/*.h) tests/asserting.h build/nnrt.h
	@mkdir -p $(@D)
	$(CC) $(EXAMPLE_FLAGS) $(ASSERTING) -o $@ $< $(LIBRARIES)

# Two files, as an application of OpenHarmony is built: its own, by its own include names, and the library.
build/examples/openharmony: examples/openharmony/openharmony.c examples/first/nnrt.c tests/asserting.h build/nnrt.h
	@mkdir -p $(@D)
	$(CC) $(EXAMPLE_FLAGS) $(ASSERTING) -o $@ $(filter %.c,$^) $(LIBRARIES)

build/examples/meter: $(METER).c build/nnrt.h
	@mkdir -p $(@D)
	$(CC) $(EXAMPLE_FLAGS) -o $@ $< $(LIBRARIES)

# Fails when a reading is not the one that examples/meter/expected.txt has for the picture.
demo:
	@tests/install_tools.sh build
	@$(MAKE) --no-print-directory $(PARALLEL) tool build/examples/meter
	@build/examples/meter $(METER).tflite examples/meter/pictures/*.pgm >build/demo.txt; result=$$?; \
	cat build/demo.txt; [ $$result = 0 ] || exit 1; \
	while read -r picture reading; do \
	    grep -q "$$picture  $$reading " build/demo.txt || { echo "$$picture should read $$reading"; exit 1; }; \
	done <examples/meter/expected.txt
	build/nnrt inspect $(METER).tflite
	build/nnrt bench $(METER).tflite

newcomer:
	@tests/newcomer.sh

# Trains nothing: the committed network in the integer arithmetic of TensorFlow Lite, in numpy. Debian's numpy belongs
# to Debian's python3, which need not be the first one on the path.
demo-check:
	@for python in python3 /usr/bin/python3; do \
	    $$python -c 'import numpy' 2>/dev/null || continue; \
	    echo $$python examples/meter/train_meter.py --check; \
	    exec $$python examples/meter/train_meter.py --check; \
	done; \
	echo 'no python3 with numpy; FIX: sudo apt-get install python3-numpy'; exit 1

# ------------------------------------------------------------------------------------------ tests
# `suites` is the one recipe that builds and runs test programs. The words below it choose:
#   V      name of the variant, a directory below build/
#   FROM   where nnrt.h comes from: . is the tree, build is the one file
#   PYTHON suites of tests/*.py that run after the programs
#   OPT, OBJECT_OPT for the library alone, FLAGS, EMULATOR, and SHIM=1 for tests/criterion_shim instead of Criterion
#   SIM    the simulated board that the suites of the Rockchip device load

# NNRT_ASSERT looks, in programs that make the code of the library themselves; tests/linked.h sees to the others.
ASSERTING = -include tests/asserting.h

V ?= native
FROM ?= .
OPT ?= -O1 -g1
OBJECT_OPT = $(OPT)
HAVE_CRITERION = $(call has_header,criterion/criterion.h)
SHIM ?= $(if $(HAVE_CRITERION),,1)
CRITERION = $(if $(SHIM),-isystem tests/criterion_shim,)
CRITERION_LIB = $(if $(SHIM),,-lcriterion)
PROGRAMS = $(SUITES:%=build/$(V)/%)

# The suites that tests/linked.h speaks of. To them nnrt.h is a system's header: it has its warnings in the object.
LINKED := $(basename $(notdir $(shell grep -l '"linked.h"' $(TEST_SOURCES))))
LINKED_PROGRAMS = $(LINKED:%=build/$(V)/%)

vpath test_%.c $(sort $(dir $(TEST_SOURCES)))

build/$(V)/nnrt.o: tests/nnrt.c $(HEADERS) $(TEST_HEADERS) $(if $(filter build,$(FROM)),build/nnrt.h) Makefile
	@mkdir -p $(@D)
	$(CC) $(WARNINGS) $(OBJECT_OPT) $(FLAGS) -I$(FROM) -Itests -c -o $@ $<

# linked.h is parsed once for all of them. gcc takes linked.h.gch where it would find linked.h, if that is the first thing
# that it reads; clang has to be told, and not for the suite that looks at what stands before the library.
build/$(V)/linked.h.gch: tests/linked.h tests/asserting.h tests/counting_alloc.h $(HEADERS) $(if $(filter build,$(FROM)),build/nnrt.h) Makefile
	@mkdir -p $(@D)
	$(CC) $(WARNINGS) $(OPT) $(FLAGS) $(TO_LINK) -Itests $(CRITERION) -x c-header -o $@ $<

TO_LINK = -fno-inline -isystem $(FROM)
PARSED = $(if $(findstring clang,$(CC)),-include-pch build/$(V)/linked.h.gch,-Ibuild/$(V))
$(LINKED_PROGRAMS): build/$(V)/nnrt.o build/$(V)/linked.h.gch
$(LINKED_PROGRAMS): INCLUDE = $(PARSED) $(TO_LINK)

# The suites of the kernels alone link with those: nothing above them is compiled.
KERNELS_ALONE := $(basename $(notdir $(shell grep -l '"linked_kernels.h"' $(TEST_SOURCES))))
build/$(V)/kernels.o: tests/kernels.c tests/linked_kernels.h tests/linked_functions.h tests/asserting.h nnrt_cpu_kernels.h $(wildcard kernels/*.h) Makefile
	@mkdir -p $(@D)
	$(CC) $(WARNINGS) $(OBJECT_OPT) $(FLAGS) -I. -Itests -c -o $@ $<
$(KERNELS_ALONE:%=build/$(V)/%): build/$(V)/kernels.o
$(KERNELS_ALONE:%=build/$(V)/%): INCLUDE = -fno-inline -isystem .

INCLUDE = -I$(FROM) $(ASSERTING)

build/$(V)/test_%: test_%.c $(HEADERS) $(TEST_HEADERS) $(if $(filter build,$(FROM)),build/nnrt.h) Makefile
	@mkdir -p $(@D)
	@rm -f $@
	$(CC) $(WARNINGS) $(OPT) $(FLAGS) $(INCLUDE) -Itests $(CRITERION) -o $@ $< $(filter %.o,$^) $(CRITERION_LIB) \
	    $(LIBRARIES) -lrt

# It holds the network of the board.
build/$(V)/test_sim_model: $(SIM_SOURCES)

# It is the tool.
build/$(V)/test_tool_heap: $(wildcard tools/* tools/*/*)

$(patsubst %,build/$(V)/%,$(basename $(notdir $(wildcard tests/tools/test_rkchip_*.c tests/rknpu_open/test_open_*.c)))): $(wildcard tools/rkchip/*.h)

# Plans are made on the PC, also for the suites that run elsewhere.
build/$(V)/test_plans_only build/$(V)/test_firmware build/$(V)/test_targets build/$(V)/test_open_plans_only: build/plans/made
build/plans/made: $(HEADERS) tools/nnrt.c $(wildcard tools/*.h tools/*/*.h)
	@mkdir -p $(@D)
	@$(MAKE) --no-print-directory -s build/nnrt CC=$(HOST_CC)
	@for target in $$(build/nnrt compile --target '?' | awk '{ print $$1 }'); do \
	    build/nnrt compile examples/meter/meter.tflite --target $$target -o $(@D)/meter_$$target.plan >/dev/null || exit 1; \
	done
	@for seed in add variable; do \
	    build/nnrt compile tests/fuzz/seeds/tflite/$$seed.tflite --target scalar -o $(@D)/$${seed}_scalar.plan >/dev/null || exit 1; \
	done
	@build/nnrt compile examples/meter/meter.tflite -o $(@D)/meter_best.plan >/dev/null
	@build/nnrt compile examples/meter/meter.tflite --config nnrt.target=rv1106+scalar -o $(@D)/meter_npu.plan >/dev/null
	@touch $@

# They skip themselves where there is no board: so a board that does not build ends it here.
suites: $(if $(filter $(BOARD_SUITES),$(SUITES)),$(SIM)/made)
	@$(MAKE) --no-print-directory -k $(PARALLEL) $(PROGRAMS) || true
	@CC="$(CC)" $(if $(ISA),NNRT_ISA=$(ISA)) NNRT_SIM_DIR=$(SIM) tests/run_tests.py \
	    --jobs $(JOBS) --timeout $(TIMEOUT) --emulator "$(EMULATOR)" $(PYTHON) $(PROGRAMS)

tools-for-test:
	@tests/install_tools.sh test

# A recipe of it begins with +: make sees no $(MAKE) there, and would keep the processors of `make -j4` from it.
RUN = $(MAKE) --no-print-directory suites
# `make -j4` has said how many.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

# Only with all suites: SUITES=test_x is asked for by who wants nothing else.
ifneq ($(origin SUITES),command line)
test: MADE_BEFORE := tool shared build/print_operators build/examples/camera build/examples/openharmony sim
test: PYTHON := $(sort $(wildcard tests/*/test_*.py))
endif
test: tools-for-test
	@$(if $(MADE_BEFORE),$(MAKE) --no-print-directory $(PARALLEL) $(MADE_BEFORE))
	+@$(RUN) PYTHON="$(PYTHON)"

# What another instruction set can change: the CPU device, and what is built on it.
CPU_SUITES = $(filter-out $(BOARD_SUITES) test_detect% test_group_% test_npu_%,$(SUITES))

test-scalar: tools-for-test tool sim
	+@$(RUN) ISA=scalar SUITES="$(CPU_SUITES)" PYTHON="$(filter %/test_tool.py,$(wildcard tests/*/test_*.py))"

check-tool: tool sim
	@tests/run_tests.py $(wildcard tests/*/test_*tool.py tests/tools/test_tool_*.py)

# The suites that know no more than a user does. What the others look into is in one file the same: check-amalgam. That
# the product drives boards is shown by the examples.
PUBLIC = $(basename $(notdir $(shell grep -L nnrt__ $$(grep -lE '"(nnrt|linked)\.h"' $(TEST_SOURCES)) | xargs grep -L -E '"(sim/.*\.c|core/.*\.h)"')))

AMALGAM_SUITES = $(filter test_models test_tflite_% test_ops_% test_async test_cache test_detection test_image test_group%,$(PUBLIC))
test-amalgam: tools-for-test build/nnrt.h
	+@$(RUN) V=amalgam FROM=build WARNINGS="$(ONE_FILE_WARNINGS)" SUITES="$(filter-out $(BOARD_SUITES),$(AMALGAM_SUITES))"

# The board is built as the program is, so that its own accesses are watched, too. With the stand-in for Criterion, as
# Criterion passes a test whose process ends with a leak report. gcc looks at the sizes of objects only when it
# optimises, so the library is optimised; suites are compiled in less than half the time when they are not, and then every
# access that is written is checked.
# Under clang come the kernels, where bytes are touched by many ways, and what runs whole models: with all of both the stage
# took eleven minutes, and the reader of files has its fuzzers there. The one that repeats the kernels' own suites for every size does not:
# what clang sees beside gcc is a kind of access, which one size shows. The one that counts what is allocated compiles the
# library again, a minute with sanitizers, for code that the others try.
COUNTS_MEMORY = test_weights_once
CLANG_SUITES = $(filter-out test_kernels_every_size,$(filter test_models test_ops_conv test_forged test_stripes $(basename \
    $(notdir $(wildcard tests/kernels/*.c))),$(SUITES)))
# Every model in every layout takes a minute with sanitizers; test_rknpu_run and its neighbours convert the same ways.
LONG_IN_ASAN = test_rknpu_layouts

asan:
	+@result=0; \
	if command -v gcc >/dev/null; then \
	    echo 'gcc -fsanitize=address,undefined'; \
	    $(RUN) V=asan-gcc SIM=build/sim-asan-gcc SHIM=1 CC=gcc OPT="-O0 -g1" OBJECT_OPT="-O1 -g1" FLAGS="$(SANITIZE)" \
	        SIM_SANITIZE="$(SANITIZE)" SUITES="$(filter-out $(COUNTS_MEMORY) $(if $(filter command line,$(origin SUITES)),,$(LONG_IN_ASAN)),$(SUITES))" || result=1; \
	else echo 'no gcc: only clang is tried'; fi; \
	command -v clang >/dev/null || { echo 'no clang: only gcc was tried'; exit $$result; }; \
	echo 'clang -fsanitize=address,undefined'; \
	$(if $(CLANG_SUITES),$(RUN) V=asan-clang SIM=build/sim-asan-clang SHIM=1 CC=clang OPT="-O0 -g1" OBJECT_OPT="-O1 -g1" \
	    FLAGS="$(SANITIZE)" SUITES="$(CLANG_SUITES)" SIM_SANITIZE="$(SANITIZE)" || result=1;) \
	exit $$result

# Suites that start threads; the others have nothing to race. test_plan and test_bounds give threads to one test of many,
# and would try plans and sizes for minutes; the faults of boards take up to five minutes each here, and come under
# AddressSanitizer.
THREADED = $(filter $(SUITES),$(filter-out test_plan test_bounds test_%_faults,$(basename $(notdir \
    $(shell grep -lE 'pthread|RunAsync|nnrt\.threads' $(TEST_SOURCES) /dev/null)))))

tsan:
	+@$(if $(THREADED),$(RUN) V=tsan SIM=build/sim-tsan SHIM=1 FLAGS="-fsanitize=thread" SIM_SANITIZE="-fsanitize=thread" \
	    SUITES="$(THREADED)",echo no suite uses threads)

# Boards have the library with -O2; the suites themselves are compiled in half the time with less. GCC 12.2 for ARM
# with -O1 alone leaves out what a function writes into the structure that it returns, tensor() of the reader's suites
# among them: its pass ipa-modref tells that nobody reads that. -O2, -Os and -Og are right.
CROSS_OPT = OPT="-O1 -fno-ipa-modref" OBJECT_OPT=-O2

# Linked dynamically, as on a board: a static program cannot load the simulated libraries. Debian has the C library of
# a cross compiler below /usr/TRIPLE.
ARM_ROOT ?= /usr/arm-linux-gnueabihf
AARCH64_ROOT ?= /usr/aarch64-linux-gnu

# HiSilicon's 32-bit libraries pass floating point in integer registers, and so do the programs that load them: their
# suites run that way, the others with the hard-float ABI.
SOFTFP_ROOT ?= /usr/arm-linux-gnueabi
SOFTFP_SUITES = $(filter test_nnie_% test_sim_nnie% test_dsp%,$(SUITES))
# Horizon's libraries are for 64 bits; what needs none of them is tried here, too.
BITS64_SUITES = $(filter test_sim_bpu% $(basename $(notdir $(shell grep -lE 'bpu_board.h|NNRT_SIM_DIR' tests/bpu/*.c))),$(SUITES))
# Every model on every chip takes minutes below an emulator, and needs readdir, which fails there on 32 bits. What the
# open NPU's compiler writes is integers, the same everywhere: one suite of it and those of check and drivers stay.
NATIVE_SUITES = test_rknpu_layouts $(filter-out %_ops,$(filter test_open_compile_%,$(SUITES)))
# The PC's tools do not run on a board, and the suites of the simulated boards try those, not nnrt. Faults and what is
# asynchronous of the Rockchip device take two minutes below an emulator, and come under AddressSanitizer.
PC_SUITES = $(basename $(notdir $(wildcard tests/tools/test_*.c tests/sim/test_*.c))) $(COUNTS_MEMORY)
HARD_SUITES = $(filter-out $(SOFTFP_SUITES) $(BITS64_SUITES) $(NATIVE_SUITES) $(PC_SUITES) test_rknpu_faults \
    test_rknpu_async,$(SUITES))
CORTEX_A7 = -mcpu=cortex-a7 -mfpu=neon-vfpv4 -mfloat-abi=

# Without NEON the compiler has the DSP extension left, that of a Cortex-M4, whose kernels no other test on Linux sees.
DSP_SUITES = $(filter test_kernels_s8 test_kernels_every_size test_models test_stripes test_targets,$(SUITES))
WITHOUT_NEON = -mcpu=cortex-a7 -mfpu=vfpv4-d16 -mfloat-abi=hard -mthumb

arm:
	+@$(RUN) V=armv7 SIM=build/sim-armv7 SHIM=1 CC=arm-linux-gnueabihf-gcc $(CROSS_OPT) SUITES="$(HARD_SUITES)" \
	    EMULATOR="qemu-arm -L $(ARM_ROOT) -cpu cortex-a7" FLAGS="$(CORTEX_A7)hard"; a7_result=$$?; \
	[ -n "$(DSP_SUITES)" ] || exit $$a7_result; \
	$(RUN) V=armv7-dsp SHIM=1 CC=arm-linux-gnueabihf-gcc $(CROSS_OPT) SUITES="$(DSP_SUITES)" \
	    EMULATOR="qemu-arm -L $(ARM_ROOT) -cpu cortex-a7" FLAGS="$(WITHOUT_NEON)" && exit $$a7_result

softfp:
	+@$(RUN) V=armv7-softfp SIM=build/sim-armv7-softfp SHIM=1 CC=arm-linux-gnueabi-gcc $(CROSS_OPT) \
	    SUITES="$(SOFTFP_SUITES)" EMULATOR="qemu-arm -L $(SOFTFP_ROOT) -cpu cortex-a7" FLAGS="$(CORTEX_A7)softfp"

# Simulated boards and the core come on x86-64 and ARMv7, which is 64 bit and 32, and so do sizes at their bounds; Horizon's
# device is for AArch64 alone. The suites that see another level's kernels come on a processor with all levels: those of
# the kernels try each level there, those above them come on both.
LEVEL_SUITES = $(filter test_kernels_% test_models test_ops_conv test_plan test_stripes test_targets,$(SUITES))
A53_SUITES = $(filter-out test_kernels_% test_bounds $(PC_SUITES),$(filter $(basename $(notdir $(wildcard tests/cpu/*.c \
    tests/tflite/*.c))),$(CPU_SUITES)) $(filter-out %_faults,$(filter test_bpu_% test_npu_layout,$(SUITES))))
aarch64:
	+@$(RUN) V=aarch64 SIM=build/sim-aarch64 SHIM=1 CC=aarch64-linux-gnu-gcc $(CROSS_OPT) \
	    SUITES="$(A53_SUITES)" \
	    EMULATOR="qemu-aarch64 -L $(AARCH64_ROOT) -cpu cortex-a53"; a53_result=$$?; \
	[ -n "$(LEVEL_SUITES)" ] || exit $$a53_result; \
	$(RUN) V=aarch64 SIM=build/sim-aarch64 SHIM=1 CC=aarch64-linux-gnu-gcc $(CROSS_OPT) SUITES="$(LEVEL_SUITES)" \
	    EMULATOR="qemu-aarch64 -L $(AARCH64_ROOT) -cpu max" && exit $$a53_result

# The program is for RISC-V without vectors, and finds those of the processor by itself: of 128, 256 and 512 bits, and
# none. GCC has their functions since 14; Debian 12 has clang-19, libc6-dev-riscv64-cross and gcc-12-riscv64-linux-gnu.
RISCV64_ROOT ?= /usr/riscv64-linux-gnu
RISCV64_CC ?= clang-19 --target=riscv64-linux-gnu
RVV_SUITES = $(LEVEL_SUITES) $(filter test_image test_npu_layout,$(SUITES))
NO_RVV_SUITES = $(filter test_kernels_s8 test_targets,$(SUITES))
RVV_RUN = $(RUN) V=riscv64 SHIM=1 CC="$(RISCV64_CC)" OPT=-O1 OBJECT_OPT=-O2
RISCV64 = EMULATOR="qemu-riscv64 -L $(RISCV64_ROOT) -cpu rv64,
rvv:
	+@result=0; \
	for bits in 128 256 512; do \
	    $(RVV_RUN) SUITES="$(RVV_SUITES)" $(RISCV64)v=true,vlen=$$bits,vext_spec=v1.0" || result=1; \
	done; \
	[ -n "$(NO_RVV_SUITES)" ] || exit $$result; \
	$(RVV_RUN) SUITES="$(NO_RVV_SUITES)" $(RISCV64)v=false" && exit $$result

# The PC's tool makes the plans that the boards have in flash.
bare: tool
	@tests/bare/run.py
	@tests/bench/bench_mcu.py --check tests/bench/figures_mcu.md

# The committed plan is what the tool makes, and the firmware of it gives a PC's scores.
flash: tool
	@tests/bare/flash.py

# What an option leaves out has no test there: threads, files, other kernels than the portable ones. `make compile-checks`
# has each alone. The portable ones for size, as firmware has them: -Os chooses smaller ways of its own.
OPTION_SUITES = $(filter-out $(BOARD_SUITES) test_no_system test_own_clock,$(PUBLIC))

test-options: tools-for-test
	+@result=0; \
	echo NNRT_NO_THREADS, NNRT_NO_STDIO; \
	$(RUN) V=no-system FLAGS="-DNNRT_NO_THREADS -DNNRT_NO_STDIO" SUITES="$(filter-out test_async test_group_threads \
	    test_threads test_cache test_files test_tflite_resize test_tool_heap $(COUNTS_MEMORY),$(OPTION_SUITES))" || result=1; \
	echo NNRT_NO_SIMD, -Os; \
	$(RUN) V=no-simd OPT="-Os -g1" FLAGS=-DNNRT_NO_SIMD \
	    SUITES="$(sort $(OPTION_SUITES) test_ops_conv test_stripes test_forged)" || result=1; \
	exit $$result

# ------------------------------------------------------------------------------------------ fuzzing

# Seeds that follow from others: the plans of this build, which a new format makes anew, and its models for the fuzzer
# that runs them in every way. The portable plans are as small in RAM as they can be: inputs lie in the arena, outputs
# over inputs, and convolutions have stripes.
SMALL_PLANS = --config nnrt.inputs=arena --config nnrt.stripes=1000
build/fuzz/seeds/made: $(wildcard tests/fuzz/seeds/tflite/*) $(HEADERS) tools/nnrt.c $(wildcard tools/*.h tools/*/*.h)
	@rm -rf $(@D) && mkdir -p $(@D)/plan $(@D)/differential
	@$(MAKE) --no-print-directory -s build/nnrt CC=$(HOST_CC)
	@cp tests/fuzz/seeds/tflite/*.tflite $(@D)/differential
	@for model in tests/fuzz/seeds/tflite/*.tflite; do for target in scalar $(PLAN_TARGETS); do \
	    build/nnrt compile $$model --target $$target $$(test $$target != scalar || echo '$(SMALL_PLANS)') \
	        -o $(@D)/plan/$$(basename $$model .tflite).$$target.plan >/dev/null 2>&1 || true; \
	done; done
	@test $$(ls $(@D)/plan | wc -l) -ge 250 || { echo 'too few plans were made of tests/fuzz/seeds/tflite'; exit 1; }
	@touch $@

PLAN_TARGETS = $(if $(filter aarch64 arm%,$(shell uname -m)),neon,avx2)
SEEDS_OF = $$(for seeds in tests/fuzz/seeds/$${fuzzer\#fuzz_} build/fuzz/seeds/$${fuzzer\#fuzz_}; do \
    test -d $$seeds && echo $$seeds$(1); done)

# Inputs that a fuzzer finds stay in build/fuzz/NAME.corpus; a crash is written to build/fuzz/NAME-crash-*.
fuzz: build/fuzz/seeds/made
	@$(MAKE) --no-print-directory $(PARALLEL) $(FUZZERS:%=build/fuzz/%)
	@$(MAKE) --no-print-directory -k -O $(PARALLEL) $(FUZZERS:%=run-%)

# A fuzzer has one thread.
run-fuzz_%:
	@fuzzer=fuzz_$*; mkdir -p build/fuzz/$$fuzzer.corpus; \
	echo "$$fuzzer: $(FUZZ_SECONDS) s"; \
	build/fuzz/$$fuzzer -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=1024 -verbosity=0 \
	    -print_final_stats=1 -artifact_prefix=build/fuzz/$$fuzzer- \
	    $$(test -f tests/fuzz/$$fuzzer.dict && echo -dict=tests/fuzz/$$fuzzer.dict) \
	    build/fuzz/$$fuzzer.corpus $(call SEEDS_OF)

# They link with the library as suites do (tests/linked.h): it takes clang a minute to make it with all that watches it.
FUZZ_FLAGS = -std=c99 -g1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
build/fuzz/nnrt.o: tests/nnrt.c $(HEADERS) $(TEST_HEADERS)
	@mkdir -p $(@D)
	clang $(FUZZ_FLAGS) -O1 -I. -Itests -c -o $@ $<

build/fuzz/fuzz_%: tests/fuzz/fuzz_%.c build/fuzz/nnrt.o
	clang $(FUZZ_FLAGS) $(FUZZER_OPT) $(TO_LINK) -Itests -o $@ $(filter-out %.h $(UNLINKED),$^) $(LIBRARIES)

# What it tries is not in the object, but in itself.
FUZZER_OPT = -O0
build/fuzz/fuzz_rkchip build/fuzz/fuzz_open_image: FUZZER_OPT = -O1
# It has the rooms that it tries inside, and with them what the object has of the core.
build/fuzz/fuzz_open_image: UNLINKED = %nnrt.o
build/fuzz/fuzz_rkchip build/fuzz/fuzz_open_image: $(wildcard tools/rkchip/*.h tests/tools/*.h tests/rknpu_open/*.h)

# Where the programs of fuzz-replay are, which other compilers and sanitizers have beside each other.
REPLAY = build/fuzz/replay

fuzz-replay: build/fuzz/seeds/made
	@$(MAKE) --no-print-directory $(PARALLEL) $(FUZZERS:%=$(REPLAY)_%)
	@$(MAKE) --no-print-directory -k -O $(PARALLEL) $(FUZZERS:%=replay-%)

replay-fuzz_%:
	@fuzzer=fuzz_$*; seeds=$$(echo $(call SEEDS_OF,/*)); \
	test -n "$$seeds" || { echo "$$fuzzer has no seeds"; exit 1; }; \
	echo "$$fuzzer: $$(echo $$seeds | wc -w) seeds"; \
	$(REPLAY)_$$fuzzer $$seeds

$(REPLAY)_nnrt.o: tests/nnrt.c $(HEADERS) $(TEST_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(WARNINGS) -O1 -g1 $(SANITIZE) -I. -Itests -c -o $@ $<

$(REPLAY)_fuzz_%: tests/fuzz/fuzz_%.c tests/fuzz/standalone.c $(REPLAY)_nnrt.o
	$(CC) $(WARNINGS) -O1 -g1 $(SANITIZE) $(TO_LINK) -Itests -o $@ $(filter-out %.h $(UNLINKED),$^) $(LIBRARIES)
$(REPLAY)_fuzz_open_image: UNLINKED = %nnrt.o
$(REPLAY)_fuzz_rkchip $(REPLAY)_fuzz_open_image: $(wildcard tools/rkchip/*.h tests/tools/*.h tests/rknpu_open/*.h)

# Criterion is not compiled for MemorySanitizer, the fuzzers need no library.
msan: build/fuzz/seeds/made
	@$(MAKE) --no-print-directory fuzz-replay CC=clang REPLAY=build/fuzz/msan \
	    SANITIZE="-fsanitize=memory -fno-sanitize-recover=all -fsanitize-memory-track-origins"

# ------------------------------------------------------------------------------------------ other checks

# For every input, where tests and fuzzers try some.
prove:
	@tests/prove/prove.py

check-amalgam:
	python3 amalgamate.py --check

check-style:
	tests/check_style.py

format:
	tests/check_style.py --format

check-names: build/nnrt.h
	tests/check_names.py

# The commits after BASE, or the last ten.
check-commits:
	@tests/check_commits.sh $(BASE)

compile-checks: build/nnrt.h sim
	tests/compile/run.sh

size: build/nnrt.h
	@tests/size.sh --check docs/sizes.md

BENCHES := bench_kernels bench_layout bench_conv

bench: $(BENCHES:%=build/bench/%)
	@for bench in $(BENCHES); do build/bench/$$bench || exit 1; done
	@tests/bench/bench.py models

bench-models:
	@tests/bench/bench.py models

bench-arm:
	@tests/bench/bench.py arm

bench-mcu: tool
	@tests/bench/bench_mcu.py

build/bench/%: tests/bench/%.c $(HEADERS) $(wildcard tests/bench/*.h)
	@mkdir -p $(@D)
	$(CC) $(WARNINGS) -O2 -I. -o $@ $< $(LIBRARIES)

check:
	.ci/run

include packaging/install.mk

clean:
	rm -rf build
