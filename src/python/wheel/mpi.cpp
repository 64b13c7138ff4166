/// Stands for MPICH's library in a program that is given away: it is opened where a launcher has started the
/// program, and not needed elsewhere. Each function of it that rodeo or HDF5 calls is a jump to where its
/// address is kept. MPICH and all that have its binary interface will do.

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <vector>

#include <mpi.h>

// NOLINTBEGIN(bugprone-reserved-identifier, cppcoreguidelines-macro-usage): names that the linker gives
#define RODEO_MPI_FUNCTIONS(of)                                                                             \
  of(Abort) of(Allgather) of(Allgatherv) of(Allreduce) of(Barrier) of(Bcast) of(Comm_compare)               \
      of(Comm_create_keyval) of(Comm_dup) of(Comm_free) of(Comm_free_keyval) of(Comm_get_errhandler)        \
          of(Comm_rank) of(Comm_set_attr) of(Comm_set_errhandler) of(Comm_size) of(Comm_split_type)         \
              of(Errhandler_free) of(Error_string) of(File_close) of(File_get_atomicity) of(File_get_size)  \
                  of(File_open) of(File_read_at) of(File_read_at_all) of(File_set_atomicity)                \
                      of(File_set_size) of(File_set_view) of(File_sync) of(File_write_at)                   \
                          of(File_write_at_all) of(Finalize) of(Finalized) of(Gather) of(Gatherv)           \
                              of(Get_count) of(Get_elements_x) of(Get_library_version)                      \
                                  of(Get_processor_name) of(Ibarrier) of(Imrecv) of(Info_dup) of(Info_free) \
                                      of(Info_get) of(Info_get_nkeys) of(Info_get_nthkey) of(Initialized)   \
                                          of(Iprobe) of(Isend) of(Mprobe) of(Recv) of(Scatterv) of(Test)    \
                                              of(Type_commit) of(Type_contiguous) of(Type_create_hindexed)  \
                                                  of(Type_create_hindexed_block) of(Type_create_hvector)    \
                                                      of(Type_create_resized) of(Type_create_struct)        \
                                                          of(Type_dup) of(Type_free) of(Type_get_extent)    \
                                                              of(Type_size_x) of(Type_vector) of(Wait)      \
                                                                  of(Waitall)

#define RODEO_MPI_JUMP(name)                                                             \
  extern "C" [[gnu::visibility("hidden")]] void* rodeo_mpi_##name;                       \
  asm(".text\n.balign 16\n.globl MPI_" #name "\n.hidden MPI_" #name "\n.type MPI_" #name \
      ", @function\nMPI_" #name ": jmp *rodeo_mpi_" #name "(%rip)\n.size MPI_" #name ", .-MPI_" #name);
RODEO_MPI_FUNCTIONS(RODEO_MPI_JUMP)
#undef RODEO_MPI_JUMP

namespace {

[[noreturn]] void fail(const std::string& reason) {
  constexpr int failed = 2;  // exit_code::failed
  std::fprintf(stderr, "rodeo: error: %s\n", reason.c_str());
  std::fflush(nullptr);
  std::_Exit(failed);
}

void call_without_mpi() { fail("a function of MPI is called by a process that no launcher started"); }

int say_no(int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}

/// Version text of a library that is not open yet.
int say_when(char* text, int* length) {
  *length = std::snprintf(text, MPI_MAX_LIBRARY_VERSION_STRING,
                          "opened where a launcher starts the program (MPICH)");
  return MPI_SUCCESS;
}

/// lib of the environment whose lib/pythonX.Y/site-packages/softrods this library stands in.
std::filesystem::path library_folder() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&library_folder), &here) == 0) return {};  // NOLINT
  std::error_code error;
  const auto self = std::filesystem::absolute(here.dli_fname, error).lexically_normal();
  return self.parent_path().parent_path().parent_path().parent_path();
}

void* open_library() {
  std::vector<std::string> names;
  const char* const given = std::getenv("RODEO_LIBMPI");
  if (given != nullptr) {
    names = {given};
  } else {
    names = {library_folder() / "libmpi.so.12", "libmpi.so.12", "libmpich.so.12"};
  }
  for (const std::string& name : names) {
    if (void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
  }
  if (given != nullptr) fail(std::string("RODEO_LIBMPI: ") + dlerror());
  fail(
      "a launcher started this process, but there is no MPI library that fits: pip install mpich, and start "
      "ranks "
      "with the mpiexec that it brings; or name another MPICH's libmpi.so.12 by the variable RODEO_LIBMPI");
}

template <class Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);  // NOLINT: as the loader gives addresses
}

}  // namespace

#define RODEO_MPI_ADDRESS(name) void* rodeo_mpi_##name = nullptr;
RODEO_MPI_FUNCTIONS(RODEO_MPI_ADDRESS)
#undef RODEO_MPI_ADDRESS

/// Streams that HDF5 finds in place of the C library's variables (libraries.cmake).
[[gnu::visibility("hidden")]] std::FILE* rodeo_stderr = nullptr;
[[gnu::visibility("hidden")]] std::FILE* rodeo_stdout = nullptr;

namespace {

/// Before variables are constructed that may open files.
[[gnu::constructor(102)]] void begin() {
  rodeo_stderr = stderr;
  rodeo_stdout = stdout;
#define RODEO_MPI_CLOSED(name) rodeo_mpi_##name = address_of(call_without_mpi);
  RODEO_MPI_FUNCTIONS(RODEO_MPI_CLOSED)
#undef RODEO_MPI_CLOSED
  rodeo_mpi_Initialized = address_of(say_no);
  rodeo_mpi_Finalized = address_of(say_no);
  rodeo_mpi_Get_library_version = address_of(say_when);
}

}  // namespace

extern "C" int MPI_Init(int* argc, char*** argv) {
  void* const library = open_library();
#define RODEO_MPI_FIND(name)                       \
  rodeo_mpi_##name = dlsym(library, "MPI_" #name); \
  if (rodeo_mpi_##name == nullptr) fail("the MPI library has no MPI_" #name);
  RODEO_MPI_FUNCTIONS(RODEO_MPI_FIND)
#undef RODEO_MPI_FIND
  using Init = int(int*, char***);
  auto* const init = reinterpret_cast<Init*>(dlsym(library, "MPI_Init"));  // NOLINT
  if (init == nullptr) fail("the MPI library has no MPI_Init");
  return init(argc, argv);
}
// NOLINTEND(bugprone-reserved-identifier, cppcoreguidelines-macro-usage)
