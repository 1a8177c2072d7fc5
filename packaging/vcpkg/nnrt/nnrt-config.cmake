# SPDX-License-Identifier: Apache-2.0
# nnrt::nnrt is the header; one source file of the program defines NNRT_IMPLEMENTATION.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
if(NOT TARGET nnrt::nnrt)
  get_filename_component(_nnrt_prefix "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
  add_library(nnrt::nnrt INTERFACE IMPORTED)
  set_target_properties(nnrt::nnrt PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_nnrt_prefix}/include"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;m;${CMAKE_DL_LIBS}")
endif()
