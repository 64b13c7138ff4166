#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/member/batch.hpp"
#include "rodeo/output/checkpoint_folder.hpp"

#include "study.hpp"

namespace rodeo {

/// Whether a campaign may be extended in a key; all other keys stay as they are.
bool can_grow(Key key);

/// Whether the result of a member depends on its number, which its random stream follows.
bool draws_numbers(const MemberSpec& spec);

/// Whether drifts and the energies of a member that was to take so many steps are counted from where those of
/// the longer one are.
bool counts_alike(const MemberSpec& longer, std::int64_t steps);

/// Whether a member that was to take so many steps, and has, is one that goes on as `longer` as if that had
/// been asked from the start: its frames are the first of the longer member's, and nothing that it has seen
/// was about its end.
bool goes_on_as(const MemberSpec& longer, std::int64_t steps, std::int64_t frames);

/// The whole states in which members of a campaign have ended (output.states), from which they go on where
/// the campaign is extended. They are found by what makes a member: the deck without what can grow, its point
/// and its repeat.
class EndedStates {
 public:
  EndedStates(const Study& study, const std::string& campaign_file);

  /// Whether the deck asks for them.
  bool kept() const { return kept_; }

  /// The number that a member's file has.
  std::uint64_t name_of(const Study& study, std::uint64_t member, const std::vector<double>& point,
                        const MemberSpec& spec) const;

  /// Throws WriteError.
  void write(std::uint64_t name, const MemberSpec& spec, std::vector<std::byte> state) const;

  /// A state with which the member goes on; nothing if there is none. Throws FileError for one that cannot be
  /// used.
  std::optional<std::vector<std::byte>> read(std::uint64_t name, const MemberSpec& spec) const;

 private:
  bool kept_;
  CheckpointFolder folder_;  ///< of no deck unless they are kept
  bool depends_on_end_;      ///< formulas of the deck name time.end
};

}  // namespace rodeo
