#pragma once

namespace rodeo {

/// Progress of the running members of a campaign, whose rows say nothing before they end.
struct RunningNote {
  double written = 0.0;           ///< s since 1970
  double members = 0.0;           ///< that run
  double steps = 0.0;             ///< that these took since the program started
  double steps_per_second = 0.0;  ///< of all members since then
  double share_done = 0.0;        ///< of the campaign's predicted work, 0 to 1
  double seconds_left = 0.0;      ///< predicted, to the end of the campaign; 0: not known
};

}  // namespace rodeo
