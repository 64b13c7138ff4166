#pragma once

#include "rodeo/spec/member_spec.hpp"

namespace rodeo {

/// Whether observers may see a member after each of its steps, while a slice goes on: those of implicit
/// methods and of equilibria are few and long, and a slice of them may be the whole motion.
inline bool are_steps_seen(const MemberSpec& spec) {
  return !spec.steps_explicitly() && spec.model != ModelKind::rigid;
}

}  // namespace rodeo
