#pragma once

#include <optional>
#include <vector>

#include "rodeo/coupling/blocks.hpp"
#include "rodeo/coupling/contacts.hpp"
#include "rodeo/coupling/links.hpp"
#include "rodeo/coupling/mechanisms.hpp"
#include "rodeo/coupling/ties.hpp"
#include "rodeo/math/matrix3.hpp"
#include "rodeo/member/member_arrays.hpp"

namespace rodeo::statics {

/// Interactions between the rods of a member at rest: connections, rigid joints of nodes, and contact without
/// friction, with the second derivatives of their energy.
///
/// The stiffness of contact follows from the forces that press on each other (coupling::Contacts). It is kept
/// while Newton's iterations have far to go, and set anew by each near their end, until it is that of the
/// equilibrium.
class Couplings {
 public:
  /// `made` holds the rods of the spec at t = 0; the member's arrays have as many.
  Couplings(const MemberSpec& spec, const RodView& made, const MemberArrays& member)
      : Couplings(spec, made, member, connection::build_connections(spec, made)) {}

  const coupling::Ties& ties() const { return ties_; }
  std::optional<coupling::Links>& links() { return links_; }
  const std::optional<coupling::Links>& links() const { return links_; }
  const std::optional<coupling::Contacts>& contacts() const { return contacts_; }

  /// True if rods act on each other or on themselves, or nodes are tied.
  bool exist() const { return links_ || !joints_.empty() || contacts_ || !ties_.followers().empty(); }

  /// Adds the loads of connections in the present state to the external loads in the arrays.
  void add_loads() {
    if (links_) links_->add_loads();
  }

  /// Removes the mechanisms that joints and connections resist.
  void hold(coupling::Mechanisms& mechanisms) const;

  /// Sets the couples of the regions of rigid joints, which observables read.
  void set_joint_couples() const;

  /// Adds the gradient of the energy of rigid joints.
  void add_gradient(std::vector<double>& gradient) const;

  /// Positions of the nodes in the present state, at their unknowns, in a vector of `unknowns` entries.
  std::vector<double> node_places(std::size_t unknowns);

  /// With contact: true if rods come straight from such places of nodes to the present state without passing
  /// through each other, nor meet there if they must not.
  bool is_clear_from(const std::vector<double>& places);

  /// Show coupling::PassingWatch the present state, as one that rods have come to or gone back to.
  void look() {
    if (contacts_) contacts_->watch().look();
  }
  void stand() {
    if (contacts_) contacts_->watch().stand();
  }

  /// Forgets the state of contact, so that later results depend on the arrays alone.
  void forget_contact();
  /// Sets minus the forces of contact in the present state. `pull`: the unbalanced forces without contact.
  void find_contact(const std::vector<double>& pull, std::vector<double>& gradient);
  /// Sets minus the forces of contact with the present stiffness.
  void find_contact_again(std::vector<double>& gradient);

  /// Has the next find_contact() set the stiffness from the forces.
  void renew_contact() { renews_ = true; }

  /// Largest part, at most `most`, of a step of nodes from the state of the last find_contact() in which rods
  /// neither meet, if they must not, nor pass through each other.
  double clear_part(const std::vector<double>& step, double most);
  /// First derivative of the energy of contact along a step after a part of it, and second derivative at its
  /// start, J.
  double slope(const std::vector<double>& step, double part);
  double curvature(const std::vector<double>& step);

  /// Calls add(row, column, block) with the blocks of second derivatives, by first unknowns, on both sides of
  /// the diagonal. Contact is that of the last find_contact().
  template <class Add>
  void for_each_block(const Add& add) const {
    for (const coupling::Links* const links : {links_ ? &*links_ : nullptr, rigid_ ? &*rigid_ : nullptr}) {
      if (links != nullptr) coupling::for_each_block(*links, 0.0, add);
    }
    if (!contacts_) return;
    contacts_->for_each_jacobian([&](const coupling::PairNodes& nodes, const contact::PairMatrix& block) {
      coupling::for_each_block(nodes, block, add);
    });
  }

 private:
  Couplings(const MemberSpec& spec, const RodView& made, const MemberArrays& member, connection::Parts parts);
  void read_places(std::size_t unknowns);

  MemberArrays member_;
  std::vector<int> first_dof_;  ///< of each element's first node
  coupling::Ties ties_;
  std::optional<coupling::Links> links_;
  std::vector<connection::TurnLink> joints_;  ///< rigid joints of nodes
  std::optional<coupling::Links> rigid_;      ///< the same, for their matrices
  std::optional<coupling::Contacts> contacts_;
  double stiffness_ = 0.0;      ///< of contact, N; 0: not known
  bool renews_ = false;         ///< the stiffness, when contact is found next
  std::vector<double> places_;  ///< of nodes, when contact was found last
  std::vector<double> trial_;
  std::vector<double> force_;
};

}  // namespace rodeo::statics
