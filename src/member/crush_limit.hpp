#pragma once

#include <cstdint>

#include "observer.hpp"

namespace rodeo {

/// Ends a member with an element pressed to nothing. Implicit steps and equilibria check this themselves,
/// each time. Explicit steps with an element pressed to half are looked at before it may be crushed.
class CrushLimit {
 public:
  void start(const MemberJob& job, MemberOutcome&);
  void become(const MemberSpec& spec);
  std::int64_t next_look(std::int64_t steps) const;
  MemberStatus slice(const Look& look);
  void finish(const Look&, Observation&) const {}
  void visit(StateArchive& archive);

 private:
  double safe_energy_ = 0.0;  ///< of shear and stretch, J: with less no element is pressed far
  bool steps_explicitly_ = true;
  std::int64_t due_ = 0;  ///< the step at which it has to look next; not after the present one: none
};

}  // namespace rodeo
