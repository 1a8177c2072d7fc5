# SPDX-License-Identifier: Apache-2.0
# The tree that this port is a part of, as one header: vcpkg install nnrt --overlay-ports=FOLDER_OF_NNRT/packaging/vcpkg
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(VCPKG_BUILD_TYPE release) # there is nothing compiled

vcpkg_find_acquire_program(PYTHON3)
vcpkg_execute_required_process(
  COMMAND "${PYTHON3}" amalgamate.py -o "${CURRENT_PACKAGES_DIR}/include/nnrt.h"
  WORKING_DIRECTORY "${SOURCE_PATH}"
  LOGNAME "amalgamate-${TARGET_TRIPLET}")
file(INSTALL "${SOURCE_PATH}/nnrt.hpp" DESTINATION "${CURRENT_PACKAGES_DIR}/include")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/nnrt-config.cmake" "${CMAKE_CURRENT_LIST_DIR}/usage"
  DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
