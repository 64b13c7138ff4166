#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

MemberSpec rod_alone(const MemberSpec& spec, int k) {
  MemberSpec one;
  static_cast<SharedSpec&>(one) = spec;
  static_cast<RodSetup&>(one) = k == 0 ? spec : spec.further_rods[static_cast<std::size_t>(k) - 1];
  return one;
}

}  // namespace rodeo
