#pragma once

#include <string>
#include <string_view>

namespace rodeo {

/// The set of kernels that members of this process are computed with: "v3" for the processors of x86-64-v3,
/// the newest that this one can run or the one that RODEO_KERNELS names; of a program that is compiled for
/// one processor "native", or "generic". Results have the same bits on all processors that run the same set.
std::string_view kernel_set();

/// Throws std::runtime_error, with a sentence, if RODEO_KERNELS names a set that this program does not have
/// or that this processor cannot run. Functions of no set run before.
void require_kernel_set();

/// Has the libraries that members are computed with take the functions of the same processors, where they
/// choose by the processor themselves: OpenBLAS, unless OPENBLAS_CORETYPE names some, and the C library, for
/// which the program may start again with the same arguments. At the start of a program.
void choose_functions_of_libraries(char** arguments);

}  // namespace rodeo
