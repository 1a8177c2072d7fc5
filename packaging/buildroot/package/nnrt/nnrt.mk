################################################################################
#
# nnrt
#
################################################################################

# SPDX-License-Identifier: Apache-2.0
# The tree that this folder is a part of.
NNRT_VERSION = 0.1.0
NNRT_SITE = $(abspath $(BR2_EXTERNAL_NNRT_PATH)/../..)
NNRT_SITE_METHOD = local
NNRT_OVERRIDE_SRCDIR_RSYNC_EXCLUSIONS = --exclude /build
NNRT_LICENSE = Apache-2.0
NNRT_LICENSE_FILES = LICENSE
NNRT_INSTALL_STAGING = YES
NNRT_DEPENDENCIES = $(BR2_PYTHON3_HOST_DEPENDENCY)

# `make install` compiles: once, into a folder from which both are filled.
define NNRT_BUILD_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) -C $(@D) install PREFIX=/usr DESTDIR=$(@D)/build/image \
		CC="$(TARGET_CC)" AR="$(TARGET_AR)" HOST_CC="$(HOSTCC)" \
		INSTALLED_FLAGS="$(TARGET_CFLAGS) $(TARGET_LDFLAGS)"
endef

define NNRT_INSTALL_STAGING_CMDS
	cp -a $(@D)/build/image/usr/. $(STAGING_DIR)/usr/
endef

define NNRT_INSTALL_TARGET_CMDS
	mkdir -p $(TARGET_DIR)/usr/lib
	cp -a $(@D)/build/image/usr/lib/lib*.so* $(TARGET_DIR)/usr/lib/
endef

ifeq ($(BR2_PACKAGE_NNRT_TOOL),y)
define NNRT_INSTALL_TOOL
	$(INSTALL) -D -m 0755 $(@D)/build/image/usr/bin/nnrt $(TARGET_DIR)/usr/bin/nnrt
endef
NNRT_POST_INSTALL_TARGET_HOOKS += NNRT_INSTALL_TOOL
endif

ifeq ($(BR2_PACKAGE_PYTHON3),y)
NNRT_DEPENDENCIES += python3
define NNRT_INSTALL_PYTHON
	$(INSTALL) -D -m 0644 $(@D)/build/image/usr/share/nnrt/nnrt.py \
		$(TARGET_DIR)/usr/lib/python$(PYTHON3_VERSION_MAJOR)/site-packages/nnrt.py
endef
NNRT_POST_INSTALL_TARGET_HOOKS += NNRT_INSTALL_PYTHON
endif

$(eval $(generic-package))
