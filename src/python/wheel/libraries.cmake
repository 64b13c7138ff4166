# Libraries of a wheel.

# OpenBLAS has all of LAPACK: one library instead of three.
find_library(RODEO_OPENBLAS libopenblas.so.0 PATH_SUFFIXES openblas-serial REQUIRED)
list(APPEND RODEO_SUITESPARSE "${RODEO_OPENBLAS}")

# MPI is MPICH's, by its headers alone: mpi.cpp stands for its library and opens it when the program runs.
add_library(rodeo_mpi STATIC src/python/wheel/mpi.cpp)
target_include_directories(rodeo_mpi SYSTEM PUBLIC ${MPI_C_INCLUDE_DIRS})
target_compile_definitions(rodeo_mpi PUBLIC MPICH_SKIP_MPICXX)
target_link_libraries(rodeo_mpi PRIVATE rodeo_options PUBLIC ${CMAKE_DL_LIBS})
set(RODEO_MPI rodeo_mpi)
if(NOT RODEO_HDF5_IS_STATIC)
  message(FATAL_ERROR "a wheel needs the static library of HDF5 (Debian: libhdf5-mpich-dev), this is ${HDF5_C_LIBRARIES}")
endif()
# It is compiled for programs, which have copies of the C library's variables. A shared library has none: mpi.cpp has others.
set(hdf5 "${RODEO_HDF5_LIBRARIES}")
list(FILTER hdf5 INCLUDE REGEX "/libhdf5[.]a$")
list(GET hdf5 0 hdf5)
set(ours "${CMAKE_BINARY_DIR}/hdf5/libhdf5.a")
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/hdf5")
execute_process(COMMAND "${CMAKE_OBJCOPY}" --redefine-sym stderr=rodeo_stderr --redefine-sym stdout=rodeo_stdout "${hdf5}" "${ours}"
                COMMAND_ERROR_IS_FATAL ANY)
list(TRANSFORM RODEO_HDF5_LIBRARIES REPLACE "^${hdf5}$" "${ours}")
