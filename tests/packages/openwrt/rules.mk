# SPDX-License-Identifier: Apache-2.0
# What OpenWrt's rules.mk gives a package. TOPDIR is this folder, O where all goes.
all:
INCLUDE_DIR := $(TOPDIR)/include
TARGET_CC := arm-linux-gnueabihf-gcc
TARGET_AR := arm-linux-gnueabihf-gcc-ar
TARGET_CFLAGS := -O0 -DNNRT_NO_CPU
TARGET_LDFLAGS := -Wl,-z,relro
HOSTCC := gcc
INSTALL_DIR := install -d -m0755
INSTALL_BIN := install -m0755
CP := cp -fpR
