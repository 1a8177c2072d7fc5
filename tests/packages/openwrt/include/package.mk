# SPDX-License-Identifier: Apache-2.0
# What OpenWrt's package.mk does with a package that has nothing to download: the words of Build/, then those of each
# Package/. `BuildPackage` refuses one without what the package guide asks for.
PKG_BUILD_DIR := $(O)/build
PKG_INSTALL_DIR := $(PKG_BUILD_DIR)/ipkg-install
$(foreach name,NAME VERSION RELEASE LICENSE,$(if $(PKG_$(name)),,$(error PKG_$(name) is not set)))

define BuildPackage
$(foreach name,SECTION CATEGORY TITLE,$(if $(findstring $(name):=,$(value Package/$(1))),,$$(error $(1): no $(name))))
$(foreach part,Package/$(1)/description Package/$(1)/install,$(if $(value $(part)),,$$(error no $(part))))
all: $(O)/packages/$(1)
$(O)/packages/$(1): $(O)/.built
	mkdir -p $$@
	$$(call Package/$(1)/install,$$@)
endef

$(O)/.built:
	$(call Build/Prepare)
	$(call Build/Configure)
	$(call Build/Compile)
	mkdir -p $(O)/staging
	$(call Build/InstallDev,$(O)/staging)
	touch $@
