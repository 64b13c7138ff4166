#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rodeo/output/ensemble_reader.hpp"

#include "study.hpp"

namespace rodeo {

/// Rows of other campaigns (study.reuse) that members of a study would come to bit by bit: all that the
/// members compute from is the same, their points and their random numbers are, and this build made them.
class ReusedRows {
 public:
  /// The rank in the rows of members that were not run here.
  static constexpr std::int32_t no_rank = -1;

  ReusedRows() = default;

  /// Looks through the files. Throws DeckError where one has no row that could be taken, or with
  /// `as_far_as_there` leaves it out and says so.
  ReusedRows(Study& study, bool as_far_as_there);

  /// The row of a member of the study, whose candidate an adaptive plan must have been asked for; nothing if
  /// no file has it.
  std::optional<MemberRow> row_of(Study& study, std::uint64_t member);

 private:
  struct Entry {
    std::uint64_t hash = 0;  ///< of the numbers of its member
    std::uint32_t file = 0;
    std::uint64_t row = 0;
    bool operator<(const Entry& other) const { return hash < other.hash; }
  };
  void look_through(const Study& study, const std::string& path);

  struct File {
    std::unique_ptr<EnsembleReader> reader;
    std::vector<std::size_t>
        columns;  ///< in which it has the parameters of the study; those it lacks are constant
    std::vector<double> constants;  ///< of these parameters
    std::vector<MemberRow> read;    ///< the rows that were read last, where they have no trajectories
  };
  std::vector<double> point_in(const File& file, const MemberRow& row) const;
  static MemberRow read(File& file, std::uint64_t row);

  std::vector<File> files_;
  std::vector<Entry> entries_;  ///< by rising hash, and of equal ones as the files have them
};

}  // namespace rodeo
