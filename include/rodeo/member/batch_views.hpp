#pragma once

#include <cstddef>

#include <Kokkos_Core.hpp>

#include "rodeo/boundary/motion.hpp"
#include "rodeo/connection/connections.hpp"
#include "rodeo/forces/actuation.hpp"
#include "rodeo/forces/further_ground.hpp"
#include "rodeo/member/member_data.hpp"
#include "rodeo/member/rod_parts.hpp"
#include "rodeo/member/rods.hpp"
#include "rodeo/observe/sample.hpp"

namespace rodeo {

/// Parts that only some members have, so that the kernels of others go without: motions, planes besides the
/// first, and a ground on springs.
struct FurtherParts : boundary::Motions {
  forces::FurtherGroundOfMember ground;

  /// Restriction to a part of a member, which has no motions.
  KOKKOS_INLINE_FUNCTION FurtherParts of(const RodsPart& part) const { return {{}, ground.from(part.first)}; }
};
struct NoFurtherParts : boundary::NoMotions {
  struct NoFurtherGround {
    KOKKOS_FORCEINLINE_FUNCTION static constexpr bool act() { return false; }
    template <class... Arguments>
    KOKKOS_FORCEINLINE_FUNCTION void answer(const Arguments&...) const {}
  };
  NoFurtherGround ground;

  KOKKOS_INLINE_FUNCTION NoFurtherParts of(const RodsPart&) const { return {}; }
};

/// The motions of all members, one after the other, and their further ground if any has some, in the memory
/// of the execution space. Addresses, whose copies cost kernels nothing; RodArrays has the memory.
struct BatchMotions {
  boundary::Motion* data = nullptr;
  boundary::MotionState* states = nullptr;  ///< as many
  double* tables = nullptr;                 ///< of their formulas
  std::size_t count = 0;
  std::size_t numbers = 0;                                ///< in the tables
  const forces::FurtherGround* further_ground = nullptr;  ///< null: no member has any
  double* ground_records = nullptr;

  KOKKOS_INLINE_FUNCTION bool any() const { return count > 0 || further_ground != nullptr; }

  /// Further parts of the member with that number.
  KOKKOS_INLINE_FUNCTION FurtherParts of(const MemberData& member, int number) const {
    FurtherParts parts = {{data + member.first_motion, states + member.first_motion,
                           tables + member.first_motion_table, member.motions},
                          {}};
    if (further_ground == nullptr) return parts;
    const forces::FurtherGround& own = further_ground[number];
    parts.ground = {&own, tables + own.first_number, ground_records + own.first_record, member.elements};
    return parts;
  }
};

/// The actuation of all members, one after the other, to which their rods point. RodArrays has the memory.
struct BatchActuation {
  const forces::Actuator* actuators = nullptr;
  std::size_t count = 0;
  double* numbers = nullptr;
  std::size_t number_count = 0;
};

/// The connections of the members, where any has some. ConnectionArrays has the memory.
struct BatchConnections {
  connection::Connections* data = nullptr;  ///< [members]
  std::size_t count = 0;                    ///< of members; 0: none has any

  KOKKOS_INLINE_FUNCTION connection::Connections of(int member) const {
    return count > 0 ? data[member] : connection::Connections{};
  }
};

/// A batch of members in the memory of the execution space, whose steps compute with Real.
template <class Real>
struct BasicBatchViews {
  Kokkos::View<Real*> storage;                 ///< all members' arrays, one after the other
  Kokkos::View<Real*> work;                    ///< work arrays that do not follow a member's others
  Kokkos::View<double*> contact_reals;         ///< the contact arrays of those that have any
  Kokkos::View<int*> contact_integers;         ///< and their lists
  contact::PairRoom* contact_rooms = nullptr;  ///< [members] for their pairs; RodArrays has the memory
  Kokkos::View<MemberData*> members;           ///< [members]
  Kokkos::View<RodData*> rods;                 ///< all members' rods, one after the other
  Kokkos::View<RodsPart*> parts;               ///< and their parts
  Kokkos::View<SliceTask*> tasks;              ///< [members]; the first `count` are this slice's
  Kokkos::View<Sample*> samples;               ///< [members]; samples[k] belongs to tasks[k]
  /// Bytes of a team's scratch memory, in which a slice takes its steps; 0: where the arrays stand.
  std::size_t scratch = 0;

  BatchMotions motions;
  BatchActuation actuation;
  BatchConnections connections;
  bool circular = true;  ///< so are the sections of all rods (BasicRodView); if not, kernels of their own

  /// Whether members have motions, connections or a further ground, for which there are kernels of their own.
  bool are_general() const { return motions.any() || connections.count > 0; }
};
using BatchViews = BasicBatchViews<double>;

}  // namespace rodeo
