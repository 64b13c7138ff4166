#include "rodeo/member/steady.hpp"

#include <algorithm>
#include <limits>

#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/forces/end_load.hpp"
#include "rodeo/forces/forces.hpp"

namespace rodeo {

namespace {

/// Time at which a motion has ended or, where it only holds its place for good, has begun, s.
double steady_from(const MotionSpec& motion, double step) {
  if (motion.last_step != MotionSpec::forever) return static_cast<double>(motion.last_step) * step;
  const bool moves = std::ranges::any_of(motion.course, &Formula::depends_on_time);
  return moves ? std::numeric_limits<double>::infinity() : static_cast<double>(motion.first_step) * step;
}

}  // namespace

std::optional<double> steady_from(const MemberSpec& spec) {
  double time = Forces::of(spec, 0).steady_from();
  for (int k = 0; k < spec.rod_count(); ++k) {
    const MemberSpec rod = rod_alone(spec, k);
    time = std::max({time, RodForces::of(rod).steady_from(), forces::EndLoad::of(rod).steady_from(),
                     rod.boundary.motion_time});
    for (const ActuationSpec& one : rod.actuation) time = std::max(time, forces::steady_from(one));
  }
  for (const MotionSpec& motion : spec.motions) time = std::max(time, steady_from(motion, spec.time.step));
  const auto moves = [](const Formula& course) { return course.depends_on_time(); };
  if (std::ranges::any_of(spec.ground.platen.course, moves)) return std::nullopt;
  if (time < static_cast<double>(spec.time.steps) * spec.time.step) return time;
  return std::nullopt;
}

}  // namespace rodeo
