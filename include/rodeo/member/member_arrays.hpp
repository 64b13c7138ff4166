#pragma once

#include "rodeo/boundary/motion.hpp"
#include "rodeo/member/member_data.hpp"
#include "rodeo/member/rods.hpp"

namespace rodeo {

/// Arrays and laws of a member of Cosserat rods, for host code that advances it by other steps.
struct MemberArrays {
  RodView all;  ///< arrays of all its rods
  Rods rods;
  MemberData data;
  boundary::Motions motions = {};

  /// Muscles of a rod, its own where those of the rods differ.
  const forces::Muscle& muscle_of(const RodData& rod) const {
    return data.muscles_differ ? rod.muscle : data.muscle;
  }
};

}  // namespace rodeo
