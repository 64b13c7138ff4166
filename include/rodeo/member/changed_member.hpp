#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/member/member_arrays.hpp"
#include "rodeo/spec/member_spec.hpp"
#include "rodeo/tangent/rod_tangent.hpp"

namespace rodeo {

/// Turns a member into another one with as many elements and the same supports, and holds its new data.
class ChangedMember {
 public:
  /// Gives the arrays the numbers of such a member in its step `held_step`, counted from 0. Its rods stay
  /// where they are; motions that begin at t = 0 begin from where those of the spec stand then. Live numbers
  /// stay as they are, and natural shapes are those at `time`.
  void become(const MemberSpec& spec, std::int64_t held_step, double time, MemberArrays& member);

  /// Puts held ends of a rod where those of the new spec are at a time, and sliding ones on their axes, after
  /// become(). `ends`: ends whose directors are held.
  void put_ends(const RodData& data, const RodView& rod, const tangent::ClampedEnds& ends, double time) const;

  /// Rods of the spec at rest.
  const RodView& made() const { return *made_; }

 private:
  void take_motions(const MemberSpec& spec, std::int64_t held_step, const std::vector<double>& live,
                    MemberArrays& member);
  void renew_natural_strains(double time);

  std::vector<double> arrays_;
  std::optional<RodView> made_;
  std::vector<RodData> data_;
  std::optional<forces::ActuationTable> actuation_;
  std::vector<boundary::Motion> motions_;
  std::vector<double> tables_;  ///< of their courses; they begin with the live numbers
};

}  // namespace rodeo
