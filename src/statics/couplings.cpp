#include "couplings.hpp"

#include <algorithm>
#include <utility>

#include "rodeo/coupling/layout.hpp"
#include "rodeo/coupling/rigid_joints.hpp"
#include "rodeo/member/held_pairs.hpp"
#include "rodeo/tangent/rod_tangent.hpp"

namespace rodeo::statics {

namespace {

using connection::TurnLink;

constexpr int unknowns_of_pair = tangent::node_unknown(1);  ///< of a node and the element after it
constexpr double any_step = 1.0;  ///< s; only friction, which there is none, knows of it

}  // namespace

Couplings::Couplings(const MemberSpec& spec, const RodView& made, const MemberArrays& member,
                     connection::Parts parts)
    : member_(member),
      first_dof_(coupling::first_degrees_of_freedom(spec, unknowns_of_pair)),
      ties_(member.rods, parts, member.all, unknowns_of_pair),
      joints_(coupling::rigid_joints(member.rods)),
      rigid_(coupling::links_of_rigid_joints(joints_, member.all, first_dof_)) {
  if (spec.contact.kind == ContactKind::imc || spec.contact.kind == ContactKind::ipc) {
    contacts_.emplace(spec, member.all, first_dof_, unknowns_of_pair,
                      held_pairs(spec, made.as_const(), parts));
  }
  if (!parts.points.empty() || !parts.turns.empty()) links_.emplace(std::move(parts), member.all, first_dof_);
}

void Couplings::hold(coupling::Mechanisms& mechanisms) const {
  mechanisms.hold(ties_);
  mechanisms.hold(joints_);
  if (!links_) return;
  mechanisms.hold(links_->parts().points);
  mechanisms.hold(links_->parts().turns);
}

void Couplings::set_joint_couples() const {
  for (const RodData& rod : member_.rods) rod.joint.apply(OneThread{}, rod.part(member_.all));
}

void Couplings::add_gradient(std::vector<double>& gradient) const {
  for (const TurnLink& joint : joints_) {
    const connection::LinkLoad load = joint.load(member_.all);
    for (const int side : {0, 1}) {
      const int element = first_dof_[static_cast<std::size_t>(joint.elements[side])];
      double* const g = gradient.data() + element + tangent::element_unknown(0);
      g[0] -= load.couples[side].x;
      g[1] -= load.couples[side].y;
      g[2] -= load.couples[side].z;
    }
  }
}

void Couplings::forget_contact() {
  if (contacts_) contacts_->forget();
  stiffness_ = 0.0;
  renews_ = false;
}

void Couplings::read_places(std::size_t unknowns) {
  places_.assign(unknowns, 0.0);
  for (std::size_t i = 0; i < first_dof_.size(); ++i) {
    if (first_dof_[i] < 0) continue;
    for (const int k : {0, 1}) {
      const Vec3 x = member_.all.vec3(field::position, static_cast<int>(i) + k);
      double* const place = places_.data() + first_dof_[i] + unknowns_of_pair * k;
      place[0] = x.x;
      place[1] = x.y;
      place[2] = x.z;
    }
  }
}

std::vector<double> Couplings::node_places(std::size_t unknowns) {
  read_places(unknowns);
  return places_;
}

bool Couplings::is_clear_from(const std::vector<double>& places) {
  read_places(places.size());
  return contacts_->begin_step(places, places_, any_step) && contacts_->is_passable(places_);
}

/// Newton's iterations may begin with far too large forces, as turns of elements stretch them. So on the way
/// to an equilibrium the stiffness follows the forces only where it is far too low.
void Couplings::find_contact(const std::vector<double>& pull, std::vector<double>& gradient) {
  constexpr double far_too_low = 1e-3;
  gradient.assign(pull.size(), 0.0);
  force_ = pull;
  ties_.spread(force_);
  read_places(force_.size());
  contacts_->begin_step(places_, places_, any_step);
  const double asked = contacts_->stiffness_for(force_);
  if (renews_ || stiffness_ <= far_too_low * asked) stiffness_ = asked;
  renews_ = false;
  contacts_->set_stiffness(stiffness_);
  contacts_->add_residual(places_, gradient);
}

void Couplings::find_contact_again(std::vector<double>& gradient) {
  force_.resize(gradient.size());
  gradient.assign(gradient.size(), 0.0);
  read_places(force_.size());
  contacts_->begin_step(places_, places_, any_step);
  contacts_->set_stiffness(stiffness_);
  contacts_->add_residual(places_, gradient);
}

double Couplings::clear_part(const std::vector<double>& step, double most) {
  constexpr int most_halvings = 30;
  double part = std::min(most, contacts_->bound(places_, step));
  trial_.resize(step.size());
  for (int k = 0; k < most_halvings; ++k, part *= 0.5) {
    for (std::size_t i = 0; i < step.size(); ++i) trial_[i] = places_[i] + part * step[i];
    if (contacts_->is_passable(trial_)) return part;
  }
  return 0.0;
}

double Couplings::slope(const std::vector<double>& step, double part) {
  for (std::size_t i = 0; i < step.size(); ++i) trial_[i] = places_[i] + part * step[i];
  std::ranges::fill(force_, 0.0);
  contacts_->add_residual(trial_, force_);
  double slope = 0.0;
  for (std::size_t i = 0; i < step.size(); ++i) slope += force_[i] * step[i];
  return slope;
}

double Couplings::curvature(const std::vector<double>& step) {
  std::ranges::fill(force_, 0.0);
  contacts_->add_residual(places_, force_);
  double sum = 0.0;
  contacts_->for_each_jacobian([&](const coupling::PairNodes& nodes, const contact::PairMatrix& block) {
    const auto entry = [&](int i) {
      return step[static_cast<std::size_t>(nodes[static_cast<std::size_t>(i / 3)] + i % 3)];
    };
    for (int i = 0; i < contact::pair_size; ++i) {
      for (int j = 0; j < contact::pair_size; ++j) sum += entry(i) * block[i][j] * entry(j);
    }
  });
  return sum;
}

}  // namespace rodeo::statics
