# Whether a shared library, as the Python module is one, can be linked with the Kokkos that was found.
set(probe "${CMAKE_BINARY_DIR}/position_independent.cpp")
file(WRITE "${probe}" "namespace Kokkos { void finalize(); }\nvoid use_kokkos() { Kokkos::finalize(); }\n")
try_compile(RODEO_KOKKOS_IS_POSITION_INDEPENDENT "${CMAKE_BINARY_DIR}" "${probe}"
            COMPILE_DEFINITIONS -fPIC LINK_OPTIONS -shared LINK_LIBRARIES Kokkos::kokkos)
