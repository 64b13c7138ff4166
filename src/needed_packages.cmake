# What is missing is named as this system calls it, all of it in one message. Nothing is fetched.

set(RODEO_SYSTEM debian)
set(RODEO_INSTALL "apt-get install")
if(EXISTS /etc/os-release)
  file(STRINGS /etc/os-release RODEO_SYSTEM_ID REGEX "^(ID|ID_LIKE|VERSION_ID)=")
endif()
if(DEFINED ENV{CONDA_PREFIX})
  set(RODEO_SYSTEM conda)
  set(RODEO_INSTALL "conda install -c conda-forge")
elseif(DEFINED ENV{SPACK_ENV})
  set(RODEO_SYSTEM spack)
  set(RODEO_INSTALL "spack add")
elseif(RODEO_SYSTEM_ID MATCHES "fedora|rhel")
  set(RODEO_SYSTEM fedora)
  set(RODEO_INSTALL "dnf install")
endif()
set(RODEO_MISSING "")           # names
set(RODEO_MISSING_PACKAGES "")  # with them

# rodeo_needs(NAME DEBIAN FEDORA CONDA SPACK CONDITION ...): what is called so, and its packages in Debian and Ubuntu, in Fedora, in
# conda-forge and in Spack, is there if the condition holds. The recipes of src/packages and scripts/install_dependencies have the
# same (tests/packages_test.py).
macro(rodeo_needs name debian fedora conda spack)
  if(NOT (${ARGN}))
    list(APPEND RODEO_MISSING "${name}")
    if(RODEO_SYSTEM STREQUAL conda)
      list(APPEND RODEO_MISSING_PACKAGES ${conda})
    elseif(RODEO_SYSTEM STREQUAL spack)
      list(APPEND RODEO_MISSING_PACKAGES ${spack})
    elseif(RODEO_SYSTEM STREQUAL fedora)
      list(APPEND RODEO_MISSING_PACKAGES ${fedora})
    else()
      list(APPEND RODEO_MISSING_PACKAGES ${debian})
    endif()
  endif()
endmacro()

# Ends the configuration where something is missing.
function(rodeo_check_needs)
  if(NOT RODEO_MISSING)
    return()
  endif()
  list(JOIN RODEO_MISSING ", " missing)
  list(JOIN RODEO_MISSING_PACKAGES " " packages)
  if(packages)
    set(packages "\n  ${RODEO_INSTALL} ${packages}")
  endif()
  set(hint "")
  if(RODEO_SYSTEM STREQUAL debian)
    # Debian's Kokkos, a part of Trilinos, has no OpenMP.
    set(hint "\nOn Debian 12 and 13 scripts/install_dependencies installs all, and builds Kokkos. Elsewhere build Kokkos 3.4 or later "
             "with -D Kokkos_ENABLE_OPENMP=ON, and set Kokkos_ROOT.")
    string(CONCAT hint ${hint})
  endif()
  message(FATAL_ERROR "rodeo is built with what is not found here: ${missing}.${packages}${hint}\n"
                      "What stands elsewhere is found by CMAKE_PREFIX_PATH (src/manual/clusters/build.md).")
endfunction()
