#pragma once

#include <Kokkos_Core.hpp>

namespace rodeo::math {

// Device-callable functions, which moved out of Kokkos::Experimental with Kokkos 3.7.
#if KOKKOS_VERSION >= 30700
using Kokkos::cos;
using Kokkos::exp;
using Kokkos::log;
using Kokkos::sin;
using Kokkos::sqrt;
#else
using Kokkos::Experimental::cos;
using Kokkos::Experimental::exp;
using Kokkos::Experimental::log;
using Kokkos::Experimental::sin;
using Kokkos::Experimental::sqrt;
#endif

}  // namespace rodeo::math
