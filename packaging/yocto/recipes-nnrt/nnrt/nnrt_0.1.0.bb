# SPDX-License-Identifier: Apache-2.0
SUMMARY = "OpenHarmony's Neural Network Runtime API"
DESCRIPTION = "The API OH_NN* on the CPU and on the NPUs of Rockchip, HiSilicon and Horizon: nnrt.h, libnnrt and the tool"
LICENSE = "Apache-2.0"
LIC_FILES_CHKSUM = "file://LICENSE;md5=3b83ef96387f14655fc854ddc3c6bd57"

inherit externalsrc python3native bash-completion

# The tree that this layer is a part of: it is read, and nothing is written there.
EXTERNALSRC := "${@os.path.abspath(d.getVar('THISDIR') + '/../../../..')}"
EXTERNALSRC_SYMLINKS = ""

EXTRA_OEMAKE = "'CC=${CC}' 'AR=${AR}' 'HOST_CC=${BUILD_CC}' 'INSTALLED_FLAGS=${CFLAGS} ${LDFLAGS}' \
    PREFIX=${prefix} BINDIR=${bindir} INCLUDEDIR=${includedir} LIBDIR=${libdir} DATADIR=${datadir} \
    DOCDIR=${docdir}/nnrt PYTHONDIR=${PYTHON_SITEPACKAGES_DIR}"

do_configure[cleandirs] = "${B}"
do_configure() {
    tar -c -C ${S} --exclude=./build --exclude=./.git . | tar -x -C ${B}
}

# `make install` compiles.
do_compile() {
    oe_runmake install DESTDIR=${B}/build/image
}

do_install() {
    cp -R --no-dereference --preserve=mode,links ${B}/build/image/. ${D}/
}

PACKAGES =+ "${PN}-tool ${PN}-python"
FILES:${PN}-tool = "${bindir}/nnrt ${datadir}/zsh ${datadir}/fish"
FILES:${PN}-python = "${bindir}/nnrt-report ${PYTHON_SITEPACKAGES_DIR}"
RDEPENDS:${PN}-python = "${PN} python3-core python3-ctypes python3-json"

# Programs of OpenHarmony open libneural_network_*.so by these names at run time.
FILES_SOLIBSDEV = "${libdir}/libnnrt.so"
FILES:${PN} += "${libdir}/libneural_network_runtime.so ${libdir}/libneural_network_core.so"
INSANE_SKIP:${PN} += "dev-so"
