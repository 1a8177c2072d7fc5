# SPDX-License-Identifier: Apache-2.0
# make install, make uninstall: the one file, the compiled library, the tool, and what finds them. For another processor
# CC and INSTALLED_FLAGS are given; what has to run here, for the man page, is then made with HOST_CC, this machine's.
#
#     make install PREFIX=/usr DESTDIR=/tmp/image CC=arm-linux-gnueabihf-gcc INSTALLED_FLAGS="-Os -mcpu=cortex-a7"

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
INCLUDEDIR ?= $(PREFIX)/include
LIBDIR ?= $(PREFIX)/lib
DATADIR ?= $(PREFIX)/share
DOCDIR ?= $(DATADIR)/doc/nnrt
# Where Python looks differs with its version and distribution: a folder of nnrt's own, for PYTHONPATH.
PYTHONDIR ?= $(DATADIR)/nnrt
INSTALLED_FLAGS ?= -O2
# arm-linux-gnueabihf-ar beside arm-linux-gnueabihf-gcc
ifeq ($(origin AR),default)
AR = $(if $(filter %-gcc,$(firstword $(CC))),$(patsubst %-gcc,%-ar,$(firstword $(CC))),ar)
endif

VERSION := $(shell sed -n 's/^$(HASH)define NNRT_VERSION "\(.*\)"/\1/p' core/api_extensions.h)
MACHINE = $(shell $(CC) -dumpmachine)
PACKAGE = build/package/$(MACHINE)
IS_NATIVE = $(filter $(MACHINE),$(shell $(HOST_CC) -dumpmachine))
# What is installed and what is run: the same where this machine is the one to install for.
INSTALLED_TOOL = $(if $(IS_NATIVE),build/nnrt,$(PACKAGE)/nnrt)
HOST_TOOL = $(if $(IS_NATIVE),build/nnrt,build/package/host/nnrt)
# All devices and extensions are in the compiled library. A program declares those that it uses. What needs the CPU
# device, too, packaging/nnrt.c defines, and for the tool this.
TOOL_DEFINES = $(LIBRARY_DEFINES) $(if $(findstring NNRT_NO_CPU,$(INSTALLED_FLAGS)),,-DNNRT_BACKEND_RKNPU_OPEN)
LIBRARY_DEFINES := -DNNRT_BACKEND_RKNPU -DNNRT_BACKEND_NNIE -DNNRT_BACKEND_BPU -DNNRT_DETECTION -DNNRT_IMAGE -DNNRT_GROUPS

.PHONY: install uninstall packages dist bundles

# It tells about itself, and runs nothing.
build/package/host/nnrt: tools/nnrt.c $(wildcard tools/*.h) $(HEADERS)
	@mkdir -p $(@D)
	$(HOST_CC) -std=c99 -O0 -DNNRT_NO_CPU -I. -o $@ $< $(LIBRARIES)

# One object for both: what is public is seen outside, as `make shared` has it.
PUBLIC_ONLY = -fvisibility=hidden '-DNNRT_API=__attribute__((visibility("default")))'
# Before 1.0 a minor number may change calls, so it is a part of the name that programs load.
NUMBERS := $(subst ., ,$(VERSION))
SONAME := libnnrt.so.$(word 1,$(NUMBERS)).$(word 2,$(NUMBERS))
# OpenHarmony's programs link these two, or open them by dlopen; here both are nnrt.
OPENHARMONY_LIBRARIES := neural_network_runtime neural_network_core
DOCUMENTS := README.md README.zh.md CHANGELOG.md SECURITY.md LICENSE $(wildcard docs/*.md docs/*.png docs/*.svg)

install: build/nnrt.h
	@mkdir -p $(PACKAGE)
	@$(MAKE) --no-print-directory -s $(HOST_TOOL)
	$(if $(IS_NATIVE),,$(CC) -std=c99 $(INSTALLED_FLAGS) -I. $(TOOL_DEFINES) -o $(INSTALLED_TOOL) tools/nnrt.c $(LIBRARIES))
	$(CC) -std=c99 $(INSTALLED_FLAGS) -fPIC -ffunction-sections -fdata-sections $(PUBLIC_ONLY) -Ibuild $(LIBRARY_DEFINES) \
	    -c -o $(PACKAGE)/nnrt.o packaging/nnrt.c
	rm -f $(PACKAGE)/libnnrt.a
	$(AR) rcs $(PACKAGE)/libnnrt.a $(PACKAGE)/nnrt.o
	$(CC) $(INSTALLED_FLAGS) -shared -Wl,-soname,$(SONAME) -Wl,-z,defs -o $(PACKAGE)/libnnrt.so $(PACKAGE)/nnrt.o $(LIBRARIES)
	for pc in nnrt nnrt-static nnrt-shared; do \
	    sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' -e 's|@LIBDIR@|$(LIBDIR)|' \
	        -e 's|@VERSION@|$(VERSION)|' packaging/$$pc.pc.in >$(PACKAGE)/$$pc.pc || exit 1; \
	done
	sed 's|@VERSION@|$(VERSION)|' packaging/nnrt-config-version.cmake.in >$(PACKAGE)/nnrt-config-version.cmake
	$(HOST_TOOL) help --man >$(PACKAGE)/nnrt.1
	for shell in bash zsh fish; do $(HOST_TOOL) help --completion $$shell >$(PACKAGE)/nnrt.$$shell || exit 1; done
	install -d $(INSTALLED_FOLDERS:%=$(DESTDIR)%)
	install -m 755 $(INSTALLED_TOOL) $(DESTDIR)$(BINDIR)/nnrt
	install -m 755 tools/nnrt-report $(DESTDIR)$(BINDIR)/nnrt-report
	install -m 644 build/nnrt.h nnrt.hpp $(DESTDIR)$(INCLUDEDIR)/
	install -m 644 build/neural_network_runtime/*.h $(DESTDIR)$(INCLUDEDIR)/neural_network_runtime/
	install -m 644 $(PACKAGE)/libnnrt.a $(DESTDIR)$(LIBDIR)/
	install -m 755 $(PACKAGE)/libnnrt.so $(DESTDIR)$(LIBDIR)/libnnrt.so.$(VERSION)
	ln -sf libnnrt.so.$(VERSION) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libnnrt.so
	for name in $(OPENHARMONY_LIBRARIES); do \
	    ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/lib$$name.so && \
	    install -m 644 packaging/openharmony.ld $(DESTDIR)$(LIBDIR)/lib$$name.a || exit 1; \
	done
	install -m 644 $(PACKAGE)/nnrt.pc $(PACKAGE)/nnrt-static.pc $(PACKAGE)/nnrt-shared.pc $(DESTDIR)$(LIBDIR)/pkgconfig/
	install -m 644 packaging/nnrt-config.cmake $(PACKAGE)/nnrt-config-version.cmake $(DESTDIR)$(LIBDIR)/cmake/nnrt/
	install -m 644 $(PACKAGE)/nnrt.1 $(DESTDIR)$(DATADIR)/man/man1/
	install -m 644 $(PACKAGE)/nnrt.bash $(DESTDIR)$(DATADIR)/bash-completion/completions/nnrt
	install -m 644 $(PACKAGE)/nnrt.zsh $(DESTDIR)$(DATADIR)/zsh/site-functions/_nnrt
	install -m 644 $(PACKAGE)/nnrt.fish $(DESTDIR)$(DATADIR)/fish/vendor_completions.d/
	install -m 644 nnrt.py $(DESTDIR)$(PYTHONDIR)/
	for page in $(DOCUMENTS); do install -m 644 $$page $(DESTDIR)$(DOCDIR)/$$page || exit 1; done

# Those that are nnrt's alone stand last, the inner ones first: uninstall removes them.
INSTALLED_FOLDERS = $(BINDIR) $(DATADIR)/man/man1 $(DATADIR)/bash-completion/completions \
    $(DATADIR)/zsh/site-functions $(DATADIR)/fish/vendor_completions.d $(LIBDIR)/pkgconfig $(OWN_FOLDERS)
OWN_FOLDERS = $(INCLUDEDIR)/neural_network_runtime $(LIBDIR)/cmake/nnrt $(DOCDIR)/docs $(DOCDIR) $(PYTHONDIR)
INSTALLED_FILES = $(BINDIR)/nnrt $(BINDIR)/nnrt-report $(INCLUDEDIR)/nnrt.h $(INCLUDEDIR)/nnrt.hpp $(LIBDIR)/libnnrt.a \
    $(LIBDIR)/libnnrt.so $(LIBDIR)/$(SONAME) $(LIBDIR)/libnnrt.so.$(VERSION) \
    $(foreach name,$(OPENHARMONY_LIBRARIES),$(LIBDIR)/lib$(name).so $(LIBDIR)/lib$(name).a) \
    $(LIBDIR)/pkgconfig/nnrt.pc $(LIBDIR)/pkgconfig/nnrt-static.pc $(LIBDIR)/pkgconfig/nnrt-shared.pc \
    $(LIBDIR)/cmake/nnrt/nnrt-config.cmake $(LIBDIR)/cmake/nnrt/nnrt-config-version.cmake \
    $(DATADIR)/man/man1/nnrt.1 $(DATADIR)/bash-completion/completions/nnrt \
    $(DATADIR)/zsh/site-functions/_nnrt $(DATADIR)/fish/vendor_completions.d/nnrt.fish \
    $(PYTHONDIR)/nnrt.py $(DOCUMENTS:%=$(DOCDIR)/%) \
    $(INCLUDEDIR)/neural_network_runtime/neural_network_core.h \
    $(INCLUDEDIR)/neural_network_runtime/neural_network_runtime.h \
    $(INCLUDEDIR)/neural_network_runtime/neural_network_runtime_type.h

uninstall:
	rm -f $(INSTALLED_FILES:%=$(DESTDIR)%)
	-rmdir $(OWN_FOLDERS:%=$(DESTDIR)%) 2>/dev/null

# build/dist: what a release has. packaging/dist.py
dist:
	@$(MAKE) --no-print-directory -s $(HOST_TOOL)
	@python3 packaging/dist.py $(HOST_TOOL)

# build/bundles: what Arduino, PlatformIO, ESP-IDF, Zephyr and users of CMSIS-Pack unpack. packaging/bundles.py
bundles: build/nnrt.h
	@python3 packaging/bundles.py build/bundles build/nnrt.h

# Each package installed and used by a program of three lines.
packages: tool
	@tests/packages/run.sh
