#include "rodeo/processor/kernel_set.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>
#include <unistd.h>
#include <vector>

#ifdef RODEO_KERNEL_SETS

// NOLINTBEGIN(bugprone-reserved-identifier): names that the linker gives
// Symbols of src/kernel_sets.cmake: functions and tables of virtual functions of each set in the same order,
// those that others use, and constructors of the static variables of a set.
extern "C" {
using RodeoFunction = void (*)();
using RodeoStart = void (*)(int, char**, char**);
extern RodeoFunction rodeo_functions[];
extern const std::size_t rodeo_function_count;
struct RodeoTable {
  void* address;
  std::size_t bytes;
};
extern const RodeoTable rodeo_tables[];
extern const std::size_t rodeo_table_count;
#define RODEO_SET(set)                                \
  extern const RodeoFunction rodeo_functions_##set[]; \
  extern const void* const rodeo_tables_##set[];      \
  extern const RodeoStart __start_rodeo_init_##set[]; \
  extern const RodeoStart __stop_rodeo_init_##set[];
RODEO_KERNEL_SETS
#undef RODEO_SET
}
// NOLINTEND(bugprone-reserved-identifier)

#endif

/// Defined only where the BLAS is an OpenBLAS that chooses by the processor.
extern "C" [[gnu::weak]] void gotoblas_dynamic_quit();
extern "C" [[gnu::weak]] void gotoblas_dynamic_init();

namespace rodeo {

namespace {

struct KernelSet {
  std::string_view name;
  const char* of_openblas;
  bool runs_here;
#ifdef RODEO_KERNEL_SETS
  const RodeoFunction* functions;
  const void* const* tables;
  std::span<const RodeoStart> starts;  ///< what constructs its static variables
#endif
};

#ifdef RODEO_KERNEL_SETS

/// Names of OpenBLAS's kernels for the first processors that can run a set.
constexpr const char* openblas_v2 = "Nehalem";
constexpr const char* openblas_v3 = "Haswell";
constexpr const char* openblas_v4 = "SkylakeX";

/// All sets, from the least that a processor needs to the most.
std::vector<KernelSet> sets() {
  __builtin_cpu_init();
#define RODEO_SET(set)                          \
  {#set,                                        \
   openblas_##set,                              \
   __builtin_cpu_supports("x86-64-" #set) != 0, \
   rodeo_functions_##set,                       \
   rodeo_tables_##set,                          \
   {__start_rodeo_init_##set, __stop_rodeo_init_##set}},
  return {RODEO_KERNEL_SETS};
#undef RODEO_SET
}

#else

std::vector<KernelSet> sets() { return {{RODEO_ONLY_KERNELS, nullptr, true}}; }

#endif

std::string asked_set() {
  const char* const asked = std::getenv("RODEO_KERNELS");
  return asked == nullptr ? "" : asked;
}

/// The newest that runs here, unless RODEO_KERNELS names another that does.
KernelSet chosen_set() {
  const auto all = sets();
  const std::string asked = asked_set();
  KernelSet chosen = all.front();
  for (const KernelSet& set : all) {
    if (set.runs_here) chosen = set;
    if (set.runs_here && set.name == asked) break;
  }
  return chosen;
}

const KernelSet& chosen() {
  static const KernelSet set = chosen_set();
  return set;
}

/// The C library's mathematical functions are others on processors that fuse products and sums, as all of v3
/// and v4 do and none that has no more than v2. What it takes is settled before a program begins.
void enter_libm_of_set([[maybe_unused]] char** arguments) {
#ifdef RODEO_KERNEL_SETS
  const bool fuses = __builtin_cpu_supports("fma") != 0 || __builtin_cpu_supports("fma4") != 0;
  if (kernel_set() != "v2" || !fuses) return;
  const char* const name = "GLIBC_TUNABLES";
  const std::string unfused = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4";
  std::string tunables;
  if (const char* const given = std::getenv(name)) tunables = std::string(given) + ":";
  if (tunables.find(unfused) != std::string::npos) return;
  setenv(name, (tunables + unfused).c_str(), 1);
  std::array<char, 4096> program{};
  if (readlink("/proc/self/exe", program.data(), program.size() - 1) > 0) execv(program.data(), arguments);
  throw std::runtime_error("cannot start again with the C library's functions of the kernels v2");
#endif
}

}  // namespace

#ifdef RODEO_KERNEL_SETS

/// Runs before all other static variables are constructed, which may call functions of a set.
extern "C" [[gnu::constructor(101)]] void rodeo_enter_set(int argc, char** argv, char** environment) {
  const KernelSet& set = chosen();
  if (!set.runs_here) {
    std::fputs("rodeo: error: this processor is older than all that this program has kernels for\n", stderr);
    std::_Exit(EXIT_FAILURE);
  }
  std::copy_n(set.functions, rodeo_function_count, rodeo_functions);
  for (std::size_t i = 0; i < rodeo_table_count; ++i)
    std::memcpy(rodeo_tables[i].address, set.tables[i], rodeo_tables[i].bytes);
  for (const RodeoStart start : set.starts) start(argc, argv, environment);
}

#endif

std::string_view kernel_set() { return chosen().name; }

void require_kernel_set() {
  const std::string asked = asked_set();
  if (asked.empty() || asked == kernel_set()) return;
  std::string known;
  std::string running;
  bool is_known = false;
  for (const KernelSet& set : sets()) {
    known.append(known.empty() ? "" : ", ").append(set.name);
    if (set.runs_here) running.append(running.empty() ? "" : ", ").append(set.name);
    if (asked == set.name) is_known = true;
  }
  throw std::runtime_error("RODEO_KERNELS=" + asked + ": " +
                           (is_known ? "this processor cannot run that set of kernels; it runs " + running
                                     : "not one of this program's sets of kernels (" + known + ")"));
}

void choose_functions_of_libraries(char** arguments) {
  enter_libm_of_set(arguments);

  // OpenBLAS has chosen by the processor when it was loaded.
  const char* const name = "OPENBLAS_CORETYPE";
  const char* const kernels = chosen().of_openblas;
  const bool chooses = gotoblas_dynamic_quit != nullptr && gotoblas_dynamic_init != nullptr;
  if (kernels == nullptr || !chooses || std::getenv(name) != nullptr) return;
  setenv(name, kernels, 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv(name);  // programs that this one starts choose theirs
}

}  // namespace rodeo
