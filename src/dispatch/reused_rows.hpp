#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rodeo/output/ensemble_reader.hpp"

#include "study.hpp"

namespace rodeo {

/// Whether random numbers tell members of a study apart that have the same point. Throws DeckError if the
/// point makes no valid member.
bool may_draw(Study& study, const std::vector<double>& point);

/// Turns a row into that of another member, which comes to the same and was not run.
void become(MemberRow& row, std::uint64_t member, const Study::Origin& origin, std::int32_t rank);

/// Members of a search that come to the same, bit by bit: they have the same numbers, and nothing random
/// tells them apart. A search over whole numbers or words asks for such ones again and again, and one of them
/// runs.
class EqualMembers {
 public:
  explicit EqualMembers(Study& study) : study_(study) {}

  /// The first member that was asked for with the numbers of this one; nothing if that is this one itself, or
  /// if what is random in members, or whether they can be made, tells them apart. To be called for each
  /// member that a search asks for, in order.
  std::optional<std::uint64_t> first_like(std::uint64_t member);

  /// Has a member wait for the first one like it; false if that has ended.
  bool wait(std::uint64_t first, std::uint64_t member);

  /// Notes that a member has ended; returns those that waited for it.
  std::vector<std::uint64_t> end(std::uint64_t member);

 private:
  using Place = std::pair<std::uint32_t, std::vector<std::uint64_t>>;  ///< repeat, and the bits of numbers
  std::optional<Place> place_of(std::uint64_t member);

  Study& study_;
  std::map<Place, std::uint64_t> first_;
  std::map<std::uint64_t, std::vector<std::uint64_t>> waiting_;
  std::set<std::uint64_t> ended_;
};

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
