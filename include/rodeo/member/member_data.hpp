#pragma once

#include <cstddef>
#include <cstdint>

#include "rodeo/forces/forces.hpp"
#include "rodeo/forces/muscle.hpp"
#include "rodeo/rod/rod_fields.hpp"

namespace rodeo {

/// Data that kernels need of one member besides its arrays: plain, copied to the device once.
template <class Laws>
struct BasicMemberData {
  std::size_t offset = 0;        ///< of the member's arrays in the batch's storage, numbers
  WorkPlaces work;               ///< in the batch's work arrays
  contact::ContactSize contact;  ///< offsets of its contact arrays
  int elements = 0;              ///< of its arrays, those between its rods included
  int first_rod = 0;             ///< of its rods among the batch's
  int rods = 1;                  ///< how many it has
  int first_part = 0;            ///< of its parts among the batch's
  int parts = 0;                 ///< how many it has; 0: its rods are taken as a whole
  int first_motion = 0;          ///< of its motions among the batch's
  int motions = 0;               ///< how many it has
  int first_motion_table = 0;    ///< of the numbers of their formulas
  double step = 0.0;             ///< s
  double sections_shrink = 1.0;  ///< RodView::shrink
  bool sections_have_energy = false;
  bool circular = true;   ///< RodView::circular
  bool actuated = false;  ///< formulas drive some of its rods
  Laws forces;
  forces::Muscle muscle;  ///< of all rods, if theirs differ in no more than phase, wave number and amplitudes
  bool muscles_differ = false;  ///< in more: each rod has its own
};
using MemberData = BasicMemberData<Forces>;

/// One member's share of a slice.
struct SliceTask {
  int member = 0;               ///< index in the batch
  std::int64_t first_step = 0;  ///< steps taken before
  std::int64_t steps = 0;       ///< steps to take
  bool sampled = true;          ///< a sample of the member is taken after them
};

}  // namespace rodeo
