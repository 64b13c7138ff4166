#pragma once

#include <exception>
#include <optional>
#include <string>

#include <mpi.h>

#include "rodeo/output/file_records.hpp"

namespace rodeo {

/// Stands for the communicator of a process that no launcher started. It is alone, and MPI is not
/// initialised: that takes longer than a small run.
inline bool is_alone(MPI_Comm communicator) { return communicator == MPI_COMM_NULL; }

/// The complaint of the first rank that has one, on all ranks; collective.
std::optional<std::string> agree(MPI_Comm communicator, const std::optional<std::string>& complaint);

/// Gives all ranks rank 0's text; collective.
void broadcast(MPI_Comm communicator, std::string& text);

/// Gives all ranks rank 0's number; collective.
void broadcast(MPI_Comm communicator, int& number);

/// Runs `action` where `here` is true. If it throws anything anywhere, all ranks throw `Error` with the same
/// text: a rank that left alone would leave the others waiting for it. Collective.
template <class Error, class Action>
void together(MPI_Comm communicator, bool here, const Action& action) {
  std::optional<std::string> complaint;
  try {
    if (here) action();
  } catch (const std::exception& error) {
    complaint = words_of(error);
  }
  complaint = agree(communicator, complaint);
  if (complaint) throw Error(*complaint);
}

}  // namespace rodeo
