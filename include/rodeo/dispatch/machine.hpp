#pragma once

#include <string>

#include <mpi.h>

#include "rodeo/input/deck.hpp"
#include "rodeo/output/agreement.hpp"
#include "rodeo/output/file_records.hpp"

namespace rodeo {

struct Ranks {
  int rank = 0;
  int size = 1;
  explicit Ranks(MPI_Comm communicator) {
    if (is_alone(communicator)) return;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
  }
};

/// Who runs, where, and since when; hosts on rank 0 only. Collective.
Provenance make_provenance(MPI_Comm communicator, const std::string& command_line);

/// Says so where this rank has more threads than cores that it may run on.
void warn_about_threads(MPI_Comm communicator);

/// Whether mpirun, srun or another launcher started this process, perhaps as one of several ranks. To stand
/// in the allocation of a batch system is not enough.
bool started_by_launcher();

/// Throws std::runtime_error where the launcher counts several ranks and MPI this one alone, as under the
/// mpirun of another MPI: each would run the whole campaign, into one file.
void require_the_ranks_of_the_launcher(MPI_Comm communicator);

/// Throws std::runtime_error on all ranks where some run other kernels than rank 0, as on a cluster of
/// several kinds of processors: results would depend on which rank runs which member. Collective.
void require_one_kernel_set(MPI_Comm communicator);

/// Threads a rank should use: its share of the cores that it may run on, unless OMP_NUM_THREADS says
/// otherwise.
int threads_of_rank(MPI_Comm communicator);

/// Number of a rank's `threads` that have work in the study of a deck on one of so many ranks: as many as
/// there are members, or all where members share their loops among threads. A thread without work makes
/// others wait for it wherever they meet, for as long as it takes to get a core.
int useful_threads(const Deck& deck, int ranks, int threads);

/// The MPI library's own version text, one line; it need not have been started.
std::string mpi_version();

}  // namespace rodeo
