#include "rods_in_lanes.hpp"

#include <limits>

#include "held_below.hpp"

namespace rodeo::statics {

using tangent::element_unknown;
using tangent::node_unknown;

RodsInLanes::RodsInLanes(const RestingRods& like)
    : ends_(like.rods_.front().ends),
      held_(like.rods_.front().held),
      rods_(like.rods_.front().rod.elements),
      predicted_(rods_.elements()),
      matrix_(tangent::unknowns(rods_.elements())),
      factors_(matrix_.size()),
      inertia_(like.unknowns()),
      is_held_(like.is_held_),
      loads_(like.unknowns()),
      diagonal_(like.unknowns()) {}

void RodsInLanes::load(int lane, const RestingRods& rods) {
  const CosseratRod& r = rods.rods_.front();
  members_[static_cast<std::size_t>(lane)] = &rods;
  rods_.load(lane, r.rod);
  predicted_.load(lane, r.predicted);
  for (std::size_t i = 0; i < inertia_.size(); ++i) inertia_[i].set(lane, rods.inertia_[i]);
  squared_length_.set(lane, r.length * r.length);
}

void RodsInLanes::load_loads(int lane, const RestingRods& rods) {
  const CosseratRod& r = rods.rods_.front();
  const auto set = [lane](DoublePack* packs, const Vec3& v) {
    packs[0].set(lane, v.x);
    packs[1].set(lane, v.y);
    packs[2].set(lane, v.z);
  };
  const int n = rods_.elements();
  for (int i = 0; i <= n; ++i) {
    set(loads_.data() + node_unknown(i), r.rod.vec3(field::external_force, i));
    if (i < n) set(loads_.data() + element_unknown(i), r.rod.vec3(field::external_couple, i));
  }
  if (r.data->actuation.count > 0) rods_.load_natural_strains(lane, r.rod);
}

void RodsInLanes::store(int lane, const RestingRods& rods) const {
  rods_.store(lane, rods.rods_.front().rod);
}

void RodsInLanes::store_stress(int lane, RestingRods& rods) const {
  predicted_.store(lane, rods.rods_.front().predicted);
}

void RodsInLanes::linearize(Vector& unbalanced, bool predicted) {
  unbalanced.resize(inertia_.size());
  tangent::elastic_hessian(rods_, ends_, unbalanced, matrix_, predicted ? &predicted_ : nullptr);
  for (int lane = 0; lane < lanes; ++lane) {
    const RestingRods& member = *members_[static_cast<std::size_t>(lane)];
    const CosseratRod& r = member.rods_.front();
    coupling::LaneMatrix matrix(matrix_, lane);
    r.load_tangent.add(r.rod, member.load_time_, member.load_part_, matrix);
    r.data->forces.add_hessian_of_nodes(r.rod, member.load_part_, matrix);
  }
  held_.hold(matrix_);
  for (std::size_t i = 0; i < unbalanced.size(); ++i) {
    unbalanced[i] = -(unbalanced[i] - loads_[i]);
    diagonal_[i] = matrix_.column(static_cast<int>(i))[0];
  }
  hold(unbalanced);
}

DoublePack RodsInLanes::rounding() const {
  DoublePack largest(0.0);
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    if (is_held_[i]) continue;
    const DoublePack rate = magnitude(diagonal_[i]) / inertia_[i];
    largest = select(largest < rate, rate, largest);
  }
  return DoublePack(std::numeric_limits<double>::epsilon()) * largest;
}

void RodsInLanes::add_inertia(const DoublePack& share) {
  for (std::size_t i = 0; i < diagonal_.size(); ++i)
    matrix_.column(static_cast<int>(i))[0] = diagonal_[i] + share * inertia_[i];
}

DoublePack RodsInLanes::factor(const DoublePack& share) {
  add_inertia(share);
  const DoublePack negative = factors_.factor(matrix_).negative;
  return negative - held_below(held_, matrix_.size(), share, inertia_.data(), diagonal_.data());
}

DoublePack RodsInLanes::solve(const DoublePack& share, const Vector& pull, Vector& step) {
  add_inertia(share);
  step = pull;
  const DoublePack negative = factors_.factor_and_forward(matrix_, step.data()).negative;
  factors_.back(step.data());
  hold(step);
  return negative;
}

void RodsInLanes::solve_again(Vector& vector) const {
  hold(vector);
  factors_.solve(vector.data());
  hold(vector);
}

void RodsInLanes::take(const Vector& step, const DoublePack& part) {
  tangent::predict_stress(rods_, ends_, step, part, predicted_);
  tangent::take_step(rods_, step, part);
}

coupling::LargestStep<DoublePack> RodsInLanes::turns(const Vector& step) const {
  coupling::LargestStep<DoublePack> largest;
  for (int i = 0; i < rods_.elements(); ++i) largest.add(step.data() + element_unknown(i));
  return largest;
}

coupling::LargestStep<DoublePack> RodsInLanes::shifts(const Vector& step) const {
  coupling::LargestStep<DoublePack> largest;
  for (int i = 0; i <= rods_.elements(); ++i) largest.add(step.data() + node_unknown(i), squared_length_);
  return largest;
}

}  // namespace rodeo::statics
