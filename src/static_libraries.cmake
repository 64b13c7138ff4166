# Static libraries in place of shared ones, where the machine has them. What a program takes of a shared library is looked up by
# name as it starts, and OpenBLAS alone looks up 13,000 names of its own: half the time of a run of one short member.

# The static library beside a shared one, where there is one: libz.a beside libz.so.1.
function(rodeo_static_beside result)
  set(found "")
  foreach(library IN LISTS ARGN)
    string(REGEX REPLACE "[.]so([.][0-9.]+)?$" ".a" static "${library}")
    if(EXISTS "${static}")
      list(APPEND found "${static}")
    else()
      list(APPEND found "${library}")
    endif()
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# Sets `variable` to `libraries` if a program that calls these functions of C can be linked with them.
function(rodeo_link_if_possible variable functions)
  set(probe "${CMAKE_BINARY_DIR}/${variable}")
  string(REGEX REPLACE "([^;]+);?" "void \\1(void);\n" declared "${functions}")
  string(REGEX REPLACE "([^;]+);?" "  \\1();\n" called "${functions}")
  file(WRITE "${probe}.c" "${declared}int main(void) {\n${called}  return 0;\n}\n")
  try_compile(${variable}_ARE_STATIC "${probe}" "${probe}.c" LINK_OPTIONS -fopenmp LINK_LIBRARIES ${ARGN} m)
  if(${variable}_ARE_STATIC)
    set(${variable} ${ARGN} PARENT_SCOPE)
  endif()
endfunction()

# SuiteSparse with all that it is made of, and METIS, of which Debian has no static one and newer SuiteSparses have their own.
find_library(RODEO_STATIC_OPENBLAS libopenblas.a PATH_SUFFIXES openblas-serial)
find_library(RODEO_METIS NAMES metis libmetis.so.5)
if(RODEO_STATIC_OPENBLAS)
  get_filename_component(folder "${RODEO_CHOLMOD}" DIRECTORY)
  set(parts klu umfpack cholmod amd colamd ccolamd camd btf suitesparseconfig)
  list(TRANSFORM parts REPLACE "(.+)" "${folder}/lib\\1.a")
  if(RODEO_METIS)
    list(APPEND parts "${RODEO_METIS}")
  endif()
  set(functions klu_analyze klu_factor cholmod_analyze cholmod_factorize umfpack_di_symbolic umfpack_di_numeric)
  rodeo_link_if_possible(RODEO_SUITESPARSE "${functions}" ${parts} "${RODEO_STATIC_OPENBLAS}")
endif()

get_target_property(program_options Boost::program_options IMPORTED_LOCATION_RELEASE)
rodeo_static_beside(program_options "${program_options}")
if(program_options)
  set_target_properties(Boost::program_options PROPERTIES IMPORTED_LOCATION_RELEASE "${program_options}")
endif()

# What HDF5 compresses with.
set(compression ${RODEO_HDF5_LIBRARIES})
list(FILTER compression INCLUDE REGEX "/lib(sz|z)[.]so")
if(compression AND RODEO_HDF5_IS_STATIC)
  set(others ${RODEO_HDF5_LIBRARIES})
  list(REMOVE_ITEM others ${compression})
  rodeo_static_beside(compression ${compression})
  find_library(RODEO_STATIC_AEC libaec.a)
  if(RODEO_STATIC_AEC)
    list(APPEND compression "${RODEO_STATIC_AEC}")  # libsz.a is made of it
  endif()
  rodeo_link_if_possible(RODEO_HDF5_LIBRARIES H5open ${others} ${compression} ${RODEO_MPI})
endif()

# The compiler's own, of the program alone, where all that is shared is of C.
set(RODEO_STATIC_COMPILER_LIBRARIES "")
get_target_property(kokkos Kokkos::kokkoscore TYPE)
if(kokkos STREQUAL STATIC_LIBRARY AND program_options MATCHES "[.]a$")
  set(probe "${CMAKE_BINARY_DIR}/static_compiler_libraries")
  file(WRITE "${probe}.cpp" "#include <iostream>\nint main() { std::cout << 1; }\n")
  try_compile(RODEO_COMPILER_LIBRARIES_ARE_STATIC "${probe}" "${probe}.cpp" LINK_OPTIONS -static-libstdc++ -static-libgcc)
  if(RODEO_COMPILER_LIBRARIES_ARE_STATIC)
    set(RODEO_STATIC_COMPILER_LIBRARIES -static-libstdc++ -static-libgcc)
  endif()
endif()
