#pragma once

#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

#include "rodeo/dispatch/stopping.hpp"
#include "rodeo/input/command_line.hpp"
#include "rodeo/input/deck.hpp"

namespace rodeo {

/// Exit codes of the program.
namespace exit_code {
enum : int { done = 0, bad_input = 1, failed = 2, done_with_losses = 3, stopped = 75 };
}

/// Runs a deck's study into an ensemble file to its end, until a stop signal, or until `end` is near;
/// collective. The communicator is MPI_COMM_NULL for a process that is alone, without MPI. Returns an exit
/// code. Throws DeckError and FileError, alike on every rank, before anything runs. Where ranks were lost on
/// the way the process ends in here, with the exit code: all that would follow is collective.
int run_campaign(MPI_Comm communicator, const Deck& deck, const std::string& output, OutputMode mode,
                 const std::string& command_line, std::optional<TimeBudget::Instant> end = std::nullopt);

/// Goes on with the campaign of a file, from the deck stored in it; collective.
int resume_campaign(MPI_Comm communicator, const std::string& output, const std::string& command_line,
                    std::optional<TimeBudget::Instant> end = std::nullopt);

/// Goes on with the campaign of a file from an extended_deck() of it, or from a deck_with_failed_again();
/// collective. The file is replaced by one with room for all that the deck asks for, once that holds all rows
/// that stand.
int extend_campaign(MPI_Comm communicator, const Deck& deck, const std::string& output, bool failed_again,
                    const std::string& command_line, std::optional<TimeBudget::Instant> end = std::nullopt);

/// Makes one campaign of the files of all its parts, whose whole_deck() this is, and of what it makes of
/// their results: tables, and the frames of its best members; collective.
int merge_campaign(MPI_Comm communicator, const Deck& deck, const std::vector<std::string>& parts,
                   const std::string& output, OutputMode mode, const std::string& command_line,
                   std::optional<TimeBudget::Instant> end = std::nullopt);

}  // namespace rodeo
