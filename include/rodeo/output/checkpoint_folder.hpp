#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rodeo/member/sealed_state.hpp"

namespace rodeo {

/// Origin of checkpoints: a deck and a build of the program.
struct CheckpointOrigin {
  std::string deck;   ///< resolved deck
  std::string build;  ///< build_identity()
};

/// Members whose states a folder holds.
enum class StatesOf {
  running,  ///< members in flight, by their numbers: CAMPAIGN.h5.checkpoints
  ended     ///< members that have come to their end, by numbers that their points make: CAMPAIGN.h5.states
};

/// The states of a campaign's members, one file each in a folder, which is there only while it holds any. A
/// file gets its name when it is whole and on disk, in place of the one before, and is a sealed() state.
/// Independent, on any rank of the campaign that holds the file's lock.
class CheckpointFolder {
 public:
  CheckpointFolder(const std::string& campaign_file, const CheckpointOrigin& origin,
                   StatesOf kind = StatesOf::running);

  /// The file of the campaign.
  const std::string& campaign_file() const { return campaign_file_; }

  bool exists() const;
  bool has(std::uint64_t member) const;

  /// Throws WriteError; the member's last checkpoint, if any, is still good then.
  void write(std::uint64_t member, std::span<const std::byte> state) const;

  /// The state of a member, or nothing if there is none. Throws FileError with one sentence for a file that
  /// cannot be used: truncated, damaged, of another deck or build.
  std::optional<std::vector<std::byte>> read(std::uint64_t member) const;

  void remove(std::uint64_t member) const;

  /// Removes the folder with all checkpoints and what killed processes left in it.
  void remove_all() const;

 private:
  std::string path_of(std::uint64_t member) const;
  StateOrigin origin_of(std::uint64_t member) const;

  std::string campaign_file_;
  std::string folder_;
  StateOrigin origin_;  ///< of member 0
};

/// Folder of the states of a campaign's members.
std::string checkpoint_folder(const std::string& campaign_file, StatesOf kind = StatesOf::running);

/// The members of a campaign that have a checkpoint, good or not, in ascending order.
std::vector<std::uint64_t> checkpointed_members(const std::string& campaign_file);

}  // namespace rodeo
