# SPDX-License-Identifier: Apache-2.0
# find_package(nnrt) gives
#   nnrt::nnrt    the header; one source file of the program defines NNRT_IMPLEMENTATION
#   nnrt::static  the compiled library, and the header
#   nnrt::shared  the same as a shared library
# Found from where this file lies, so that the tree can be moved.
get_filename_component(_nnrt_lib "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
find_path(_nnrt_include nnrt.h HINTS "${_nnrt_lib}/../include" "${_nnrt_lib}/../../include" NO_DEFAULT_PATH NO_CACHE)
find_package(Threads REQUIRED)

if(NOT _nnrt_include)
  set(nnrt_FOUND FALSE)
  set(nnrt_NOT_FOUND_MESSAGE "nnrt.h is not in the include folder beside ${_nnrt_lib}")
elseif(NOT TARGET nnrt::nnrt)
  add_library(nnrt::nnrt INTERFACE IMPORTED)
  set_target_properties(nnrt::nnrt PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_nnrt_include}"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;m;${CMAKE_DL_LIBS}")
  add_library(nnrt::static STATIC IMPORTED)
  set_target_properties(nnrt::static PROPERTIES
    IMPORTED_LOCATION "${_nnrt_lib}/libnnrt.a"
    INTERFACE_LINK_LIBRARIES nnrt::nnrt)
  add_library(nnrt::shared SHARED IMPORTED)
  set_target_properties(nnrt::shared PROPERTIES
    IMPORTED_LOCATION "${_nnrt_lib}/libnnrt.so"
    INTERFACE_INCLUDE_DIRECTORIES "${_nnrt_include}")
endif()
