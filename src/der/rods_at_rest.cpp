#include "rods_at_rest.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rodeo/member/held_motions.hpp"
#include "rodeo/member/stability.hpp"

#include "node_entries.hpp"
#include "whole_motions.hpp"

namespace rodeo::der {

namespace {

double product(const std::vector<double>& a, const std::vector<double>& weight,
               const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * weight[i] * b[i];
  return sum;
}

double rest_length(const RodStep& rod, int element) { return rod.rod.array(field::rest_length)[element]; }

double length_of(const RodStep& rod) {
  const double* const lengths = rod.rod.array(field::rest_length);
  return std::accumulate(lengths, lengths + rod.rod.elements, 0.0);
}

}  // namespace

RodsAtRest::RodsAtRest(const MemberSpec& spec, const MemberArrays& arrays, double shortest_step)
    : member_(arrays), shortest_step_(shortest_step), ground_(spec) {
  loaded_ = std::make_unique<LoadedRods>(spec, member_, shortest_step_);
  inertia_ = solver().inertia();
}

void RodsAtRest::become(const MemberSpec& spec, double time) {
  changed_.become(spec, held_step_, time, member_);
  for (const RodData& data : member_.rods) {
    const tangent::ClampedEnds ends = {data.clamp.first || data.held_elements.first,
                                       data.clamp.last || data.held_elements.last};
    changed_.put_ends(data, data.part(member_.all), ends, time);
  }
  has_crossed_ = has_crossed();
  const std::unique_ptr<LoadedRods> before = std::move(loaded_);
  loaded_ = std::make_unique<LoadedRods>(spec, member_, changed_.made(), shortest_step_);
  solver().take_factors(before->solver());
  if (platen_record() != nullptr) platen_record()->swap(*before->platen_record());
  for (std::size_t k = 0; links() != nullptr && k < links()->points().size(); ++k)
    links()->points()[k].broken = before->links()->points()[k].broken;
  if (loaded_->ground()) loaded_->ground()->place_platen(time, time);
  ground_ = coupling::RestingGround(spec);
  ground_.set_time(time);
  loaded_->begin_motions(held_step_);
  inertia_ = solver().inertia();
  if (solver().constraints().held_elements().empty()) return;
  set_loads();
  solver().find_unbalanced(unbalanced_);  // sets the directions in which held elements may go
}

double RodsAtRest::mass() const {
  double mass = 0.0;
  for (const RodStep& rod : rods()) {
    for (int i = rod.first_own_node(); i < rod.end_of_own_nodes(); ++i) mass += rod.rod.array(field::mass)[i];
  }
  return mass;
}

bool RodsAtRest::begin_motions(std::int64_t steps) {
  held_step_ = steps;
  return loaded_->begin_motions(steps);
}

bool RodsAtRest::are_driven_too_far(double from, double to) const {
  return contacts() != nullptr && driven_turn(member_, held_step_, from, to) > most_driven_turn;
}

void RodsAtRest::set_loads(double time, double part) {
  load_time_ = time;
  load_part_ = part;
  for (RodStep& rod : solver().rods()) rod.tensions.clear();
  loaded_->start();
  loaded_->place_ends(time);
  loaded_->set_loads_at_rest(time, part);
  have_energy_ = solver().have_energy();
}

void RodsAtRest::balance(std::vector<double>& pull) {
  solver().find_unbalanced(pull);
  for (double& load : pull) load = -load;
}

void RodsAtRest::linearize(std::vector<double>& pull, bool predicted) {
  balance(pull);
  for (std::size_t k = 0; predicted && k < rods().size(); ++k) solver().rods()[k].tensions = predicted_[k];
}

std::optional<int> RodsAtRest::factor(double share) { return solver().linearize(share, unbalanced_); }

void RodsAtRest::solve(double share, const std::vector<double>& pull, std::vector<double>& step) {
  if (!factor(share)) return step.assign(unknowns(), std::nan(""));
  step = pull;
  solve_again(step);
  leave_out_free_motions(step);
}

void RodsAtRest::solve_again(std::vector<double>& vector) {
  solver().constraints().constrain(vector);
  solver().solve(vector);
}

void RodsAtRest::take(std::span<const double> step, double part) {
  predicted_.resize(rods().size());
  for (std::size_t k = 0; k < rods().size(); ++k)
    predict_tensions(rods()[k].rod, step.data() + rods()[k].first, part, predicted_[k]);
  loaded_->start();
  solver().take(step, part);
}

double RodsAtRest::find_free_motions(double share, double no_sign, std::vector<double>& mode) {
  constexpr double few_digits = 1e-2;  // relative
  free_motions_.clear();
  const WholeMotions whole(*loaded_);
  mode = any_mode();
  double least = nearest_mode(share, few_digits, mode);
  while (std::abs(least) <= no_sign && free_motions_.size() < whole.count()) {
    nearest_mode(share, few_digits, mode);  // once more, so that nothing of the others is left out with it
    if (!whole.hold(mode)) break;
    free_motions_.push_back(mode);
    mode = any_mode();
    least = nearest_mode(share, few_digits, mode);
  }
  return least;
}

std::vector<double> RodsAtRest::any_mode() const {
  std::vector<double> mode(unknowns());
  const double rate = 1.0 + 0.37 * static_cast<double>(free_motions_.size());
  for (std::size_t i = 0; i < mode.size(); ++i) {
    if (inertia_[i] > 0.0) mode[i] = std::sin(1.0 + rate * static_cast<double>(i)) / std::sqrt(inertia_[i]);
  }
  solver().constraints().constrain(mode);
  return mode;
}

double RodsAtRest::nearest_mode(double share, double digits, std::vector<double>& mode) {
  const auto solve = [this](std::vector<double>& vector) { solve_again(vector); };
  const auto leave_out = [this](std::vector<double>& vector) { leave_out_free_motions(vector); };
  return nearest_eigenvalue(inertia_, {share, digits, solver().rounding()}, solve, leave_out, mode);
}

bool RodsAtRest::are_moved_freely(const std::vector<double>& pull) const {
  // Share of the loads, were they all along the motion; a smaller part along it may be rounding alone.
  constexpr double unbalanced_part = 1e-3;
  double of_loads = 0.0;  // squares, couples over the rod's length and turns times it
  for (const RodStep& rod : rods()) {
    const double length = length_of(rod);
    for (int i = 0; i <= rod.rod.elements; ++i) {
      const Vec3 force = rod.rod.vec3(field::external_force, i);
      of_loads += dot(force, force);
    }
    for (const Vec3& couple : rod.couple) of_loads += dot(couple, couple) / (length * length);
  }
  return std::ranges::any_of(free_motions_, [&](const std::vector<double>& motion) {
    double work = 0.0;
    double of_motion = 0.0;
    for (const RodStep& rod : rods()) {
      const double length = length_of(rod);
      for (int k = 0; k < degrees_of_freedom(rod.rod.elements); ++k) {
        const auto at = static_cast<std::size_t>(rod.first + k);
        const double way = motion[at] * (k % 4 == 3 ? length : 1.0);
        work += motion[at] * pull[at];
        of_motion += way * way;
      }
    }
    const double most = std::sqrt(of_loads * of_motion);
    return most > 0.0 && std::abs(work) > unbalanced_part * most;
  });
}

int RodsAtRest::negative_free_motions() {
  int negative = 0;
  for (const std::vector<double>& motion : free_motions_) {
    std::vector<double> answer = motion;
    for (std::size_t k = 0; k < answer.size(); ++k) answer[k] *= inertia_[k];
    solve_again(answer);
    if (product(motion, inertia_, answer) < 0.0) ++negative;
  }
  return negative;
}

void RodsAtRest::leave_out_free_motions(std::vector<double>& vector) const {
  for (const std::vector<double>& motion : free_motions_) {
    const double part = product(motion, inertia_, vector);
    for (std::size_t k = 0; k < vector.size(); ++k) vector[k] -= part * motion[k];
  }
}

double RodsAtRest::length_product(const std::vector<double>& a, const std::vector<double>& b) const {
  double sum = 0.0;
  double nodes = 0.0;
  for (const RodStep& rod : rods()) {
    const double* const u = a.data() + rod.first;
    const double* const v = b.data() + rod.first;
    const double length = length_of(rod);
    for (int i = 0; i <= rod.rod.elements; ++i) {
      sum += dot(get(u, i), get(v, i)) / (length * length);
      if (i == rod.rod.elements) break;
      const double size = rest_length(rod, i);
      const Vec3 turn = get(u, i + 1) - get(u, i);
      const Vec3 other = get(v, i + 1) - get(v, i);
      sum += dot(turn, other) / (size * size) + u[4 * i + 3] * v[4 * i + 3];
    }
    nodes += rod.rod.nodes();
  }
  return sum / nodes;
}

coupling::StepSize RodsAtRest::size(std::span<const double> step) const {
  coupling::LargestStep<double> turn;
  coupling::LargestStep<double> shift;
  for (const RodStep& rod : rods()) {
    const double* const own = step.data() + rod.first;
    const double length = length_of(rod);
    for (int i = 0; i <= rod.rod.elements; ++i) {
      shift.add(own + 4 * i, length * length);
      if (i == rod.rod.elements) break;
      const Vec3 edge = (1.0 / rest_length(rod, i)) * (get(own, i + 1) - get(own, i));
      turn.add_squared(dot(edge, edge) + own[4 * i + 3] * own[4 * i + 3]);
    }
  }
  return {turn.size(), shift.size()};
}

std::vector<ConstRodView> RodsAtRest::views() const {
  std::vector<ConstRodView> views;
  for (const RodStep& rod : rods()) views.push_back(rod.rod);
  return views;
}

/// The ground knows displacements of nodes as those of tangent/rod_tangent.hpp.
double RodsAtRest::rate_of_touching(const std::vector<bool>& since, std::span<const double> way) const {
  std::vector<double> ways;
  for (const RodStep& rod : rods()) {
    for (int i = 0; i <= rod.rod.elements; ++i) {
      const Vec3 node = get(way.data() + rod.first, i);
      ways.insert(ways.end(), {node.x, node.y, node.z});
      if (i < rod.rod.elements) ways.insert(ways.end(), 3, 0.0);
    }
  }
  return ground_.rate_of_touching(views(), since, ways);
}

void RodsAtRest::restore(const std::vector<Placement>& state) {
  rodeo::place(state, member_.all);
  stand();
}

double RodsAtRest::distance(const std::vector<Placement>& from) const {
  double squares = 0.0;
  double nodes = 0.0;
  auto data = member_.rods.begin();
  for (const RodStep& rod : rods()) {
    const double length = length_of(rod);
    const auto first = static_cast<std::size_t>((data++)->first + 1);
    for (int i = 0; i <= rod.rod.elements; ++i) {
      const Vec3& before = from[first + static_cast<std::size_t>(i)].position;
      const Vec3 way = rod.rod.vec3(field::position, i) - before;
      squares += dot(way, way) / (length * length);
      ++nodes;
    }
  }
  return std::sqrt(squares / nodes);
}

void RodsAtRest::note(double from) {
  if (loaded_->ground()) loaded_->ground()->place_platen(from, load_time_);
  set_loads();
  loaded_->note_at_rest(from);
}

bool RodsAtRest::has_crossed() const {
  return has_crossed_ || (solver().ground() && solver().ground()->has_passed());
}

}  // namespace rodeo::der
