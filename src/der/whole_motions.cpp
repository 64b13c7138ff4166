#include "whole_motions.hpp"

#include "rodeo/math/vec3.hpp"

namespace rodeo::der {

WholeMotions::WholeMotions(const LoadedRods& rods) : inertia_(rods.solver().inertia()) {
  const ImplicitEuler& solver = rods.solver();
  coupling::Mechanisms mechanisms(rods.member().rods, rods.member().all, layout.stride);
  mechanisms.hold(solver.ties());
  if (solver.links()) solver.links()->hold(mechanisms);
  const auto set = [&](int number, const coupling::Mechanisms::Parts& parts, std::vector<double>& motion) {
    const RodStep& rod = solver.rods()[static_cast<std::size_t>(number)];
    double* const own = motion.data() + rod.first;
    const int n = rod.rod.elements;
    for (int i = 0; i <= n; ++i) {
      set_at(own + 4 * i, mechanisms.displacement(number, i, parts));
      if (i == n) break;
      const Vec3 along = rod.rod.vec3(field::position, i + 1) - rod.rod.vec3(field::position, i);
      own[4 * i + 3] = dot(mechanisms.turn(number, i, parts), along) / norm(along);
    }
  };
  const auto hold = [&](std::vector<double>& motion) { solver.constraints().hold(motion); };
  motions_ = mechanisms.motions(inertia_, set, hold, [](std::vector<double>&) {});
}

bool WholeMotions::hold(const std::vector<double>& displacement) const {
  constexpr double other_part = 1e-3;
  const auto inner = [&](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += inertia_[i] * a[i] * b[i];
    return sum;
  };
  std::vector<double> left = displacement;
  for (const std::vector<double>& motion : motions_) {
    const double part = inner(motion, left);
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= part * motion[i];
  }
  return inner(left, left) <= other_part * other_part * inner(displacement, displacement);
}

}  // namespace rodeo::der
