#include "rodeo/coupling/cosserat_rod.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "rodeo/math/vec3.hpp"
#include "rodeo/member/held_ends.hpp"
#include "rodeo/member/held_motions.hpp"
#include "rodeo/member/implicit_sample.hpp"
#include "rodeo/tangent/internal_loads.hpp"

namespace rodeo::coupling {

using tangent::element_unknown;
using tangent::node_unknown;

CosseratRod::CosseratRod(const RodData& rod_data, const forces::Muscle& muscle, const RodView& view,
                         std::size_t first_unknown)
    : data(&rod_data),
      rod(view),
      first(first_unknown),
      length(rest_length()),
      predicted(view.elements),
      matrix(unknowns()),
      factors(unknowns()),
      load_tangent(rod_data, muscle) {
  if (data->closure.closed) seam.emplace(rod, data->closure.seam);
  find_held({}, 0, 0);
}

double CosseratRod::rest_length() const {
  const double* const lengths = rod.array(field::rest_length);
  return std::accumulate(lengths, lengths + rod.elements, 0.0);
}

void CosseratRod::find_held(const boundary::Motions& motions, std::int64_t steps, std::size_t number) {
  held = held_ends(*data, rod.as_const());
  ends = seam ? tangent::Seam::ends : tangent::ClampedEnds{data->clamp.first, data->clamp.last};
  hold_motions(motions, steps, static_cast<int>(number), ends, held);
}

void CosseratRod::constrain(const tangent::RodStress* stress, double across) {
  if (seam) seam->cut(matrix, stress);
  if (mixed_matrix) {
    held.hold(*mixed_matrix, across);
  } else {
    held.hold(matrix);
  }
  if (!seam) return;
  for (const int unknown : held.unknowns()) seam->hold(unknown);
}

int CosseratRod::factor(std::span<const double> added, double* vector, LdltSweep sweep) {
  if (mixed_matrix) {
    const int negative = mixed_factors->factor(*mixed_matrix);
    if (vector != nullptr) mixed_factors->solve(vector);
    return negative;
  }
  if (seam && !held_at_seam) {
    const double negative = factors.factor(matrix).negative + seam->factor(factors, added).negative;
    if (vector != nullptr) seam->solve(factors, std::span(vector, size()));
    return static_cast<int>(negative);
  }
  const double negative = factors.factor_and_forward(matrix, vector, sweep).negative;
  if (vector != nullptr && (sweep == LdltSweep::whole || negative == 0.0)) factors.back(vector);
  return static_cast<int>(negative);
}

template <class Number>
void CosseratRod::solve(std::span<Number> vector) const {
  if (mixed_matrix) return mixed_factors->solve(vector.data());
  if (seam && !held_at_seam) return seam->solve(factors, vector);
  factors.solve(vector.data());
}
template void CosseratRod::solve(std::span<double>) const;
template void CosseratRod::solve(std::span<DoublePack>) const;

CosseratRods::CosseratRods(const MemberSpec& spec, const MemberArrays& member) : member_(member) {
  std::size_t unknowns = 0;
  for (const RodData& data : member_.rods) {
    if (data.shares_first_node) rods_.back().shares_last_node = true;
    rods_.emplace_back(data, member_.muscle_of(data), data.part(member_.all), unknowns);
    unknowns += rods_.back().size();
  }
  connect(spec, member_.all);
  set_inertia();
}

void CosseratRods::connect(const MemberSpec& spec, const RodView& made) {
  connection::Parts parts = connection::build_connections(spec, made);
  std::vector<connection::TurnLink> joints = rigid_joints(member_.rods);
  ties_ = Ties(member_.rods, parts, member_.all, cosserat_stride);
  const std::optional<Links> before = std::move(links_);
  links_.reset();
  if (spec.connections.empty() && joints.empty()) return;
  links_.emplace(std::move(parts), std::move(joints), member_.all,
                 first_degrees_of_freedom(spec, cosserat_stride));
  for (std::size_t k = 0; before && k < links_->points().size(); ++k)
    links_->points()[k].broken = before->points()[k].broken;
}

void CosseratRods::set_inertia() {
  inertia_.clear();
  for (const CosseratRod& r : rods_) {
    for (int i = 0; i <= r.rod.elements; ++i) {
      inertia_.insert(inertia_.end(), 3, r.rod.array(field::mass)[i]);
      if (i == r.rod.elements) break;
      const Vec3 inertia = r.rod.inertia(i);
      inertia_.insert(inertia_.end(), {inertia.x, inertia.y, inertia.z});
    }
  }
  ties_.gather_entries(inertia_);
}

bool CosseratRods::go_beside(const CosseratRods& others) const {
  return std::ranges::equal(rods_, others.rods_, [](const CosseratRod& r, const CosseratRod& other) {
    return r.rod.elements == other.rod.elements && r.ends.first == other.ends.first &&
           r.ends.last == other.ends.last && r.held == other.held;
  });
}

void CosseratRods::read_positions(std::vector<double>& positions) const {
  for (const CosseratRod& r : rods_) {
    for (int i = 0; i <= r.rod.elements; ++i)
      set_at(r.of(positions) + node_unknown(i), r.rod.vec3(field::position, i));
  }
}

StepSize CosseratRods::size(std::span<const double> step) const {
  LargestStep<double> turn;
  LargestStep<double> shift;
  for (const CosseratRod& r : rods_) {
    const double* const own = step.data() + r.first;
    for (int i = 0; i <= r.rod.elements; ++i) {
      shift.add(own + node_unknown(i), r.length * r.length);
      if (i < r.rod.elements) turn.add(own + element_unknown(i));
    }
  }
  return {turn.size(), shift.size()};
}

void CosseratRods::find_held(std::int64_t steps) {
  held_step_ = steps;
  for (std::size_t k = 0; k < rods_.size(); ++k) rods_[k].find_held(member_.motions, steps, k);
}

void CosseratRods::set_motions(double time) const {
  for_each_motion([&](int k, const boundary::Motion& motion) {
    boundary::Motions::set(motion, member_.motions.states[k], member_.all,
                           motion.at(time, member_.motions.tables).value);
  });
}

void CosseratRods::predict_stress(std::vector<double> step, double part) {
  ties_.spread(step);
  for (CosseratRod& r : rods_) tangent::predict_stress(r.rod, r.ends, r.way(step), part, r.predicted);
}

void CosseratRods::move(std::span<const double> step, double part) {
  std::vector<double> ways(step.begin(), step.end());
  predict_stress(ways, part);
  ties_.spread(ways);
  for (CosseratRod& r : rods_) {
    if (r.data->shares_first_node) std::fill_n(r.of(ways), 3, 0.0);
    tangent::take_step(r.rod, r.way(ways), part);
    if (r.seam) r.data->closure.fill_ghosts(r.rod);
  }
}

void CosseratRods::begin(Assembly& matrix) const {
  std::vector<Assembly::Held> held;
  for (const CosseratRod& r : rods_)
    held.push_back({&r.held, static_cast<int>(r.first), r.unknowns(), r.seam.has_value()});
  matrix.begin(held);
}

void CosseratRods::add_to(Assembly& matrix, double rate, bool predicted) const {
  int element = 0;  // the first of the rod among all
  for (const CosseratRod& r : rods_) {
    const int first = static_cast<int>(r.first);
    if (r.mixed_matrix) {
      matrix.add_mixed(first, element, *r.mixed_matrix);
    } else {
      matrix.add_band(first, r.matrix);
    }
    element += r.rod.elements;
    if (!r.seam) continue;
    const tangent::Seam::Blocks blocks = r.seam->blocks(predicted ? &r.predicted : nullptr);
    const int turn = first + element_unknown(0);
    const int last = first + element_unknown(r.rod.elements - 1);
    matrix.add(turn, turn, blocks.of_first);
    matrix.add(last, turn, blocks.last_first);
    matrix.add(turn, last, transpose(blocks.last_first));
  }
  if (!links_) return;
  links_->for_each_block(rate,
                         [&](int row, int column, const Matrix3& block) { matrix.add(row, column, block); });
}

Sample CosseratRods::sums(bool with_loads) const {
  for (const CosseratRod& r : rods_) {
    if (!with_loads) break;
    tangent::set_internal_loads(r.rod, r.ends);
    const forces::DecayingDamping& damping = r.data->damping;
    if (damping.retardation_time > 0.0) damping.add_couples(OneThread{}, r.rod, r.data->closure);
    if (r.seam) r.data->closure.fill_ghost_loads(r.rod);
    r.data->joint.apply(OneThread{}, r.rod);
  }
  Sample sample = implicit_sample(member_);
  if (links_) {
    sample.connection_energy = links_->energy();
    sample.broken_bonds = links_->broken();
  }
  return sample;
}

}  // namespace rodeo::coupling
