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

/// What acts between the rods of a member at rest: connections, rigid joints of nodes, and contact without
/// friction, with the second derivatives of its energy. All of it has one.
///
/// Contact is as stiff as the forces that press on each other ask (coupling::Contacts). The stiffness stays
/// while Newton's iterations have far to go; near their end it is set anew by each, until it is that of the
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

  /// Whether rods act on each other or on themselves, or nodes are one.
  bool exist() const { return links_ || !joints_.empty() || contacts_ || !ties_.followers().empty(); }

  /// Adds what connections do in the present state to the external loads in the arrays.
  void add_loads() {
    if (links_) links_->add_loads();
  }

  /// Takes from mechanisms of the rods those that joints and connections resist.
  void hold(coupling::Mechanisms& mechanisms) const;

  /// Sets the couples of the regions of rigid joints, which observables read.
  void set_joint_couples() const;

  /// Adds what holds rigid joints as they are.
  void add_gradient(std::vector<double>& gradient) const;

  /// Where nodes are in the present state, at their unknowns, of which there are so many.
  std::vector<double> node_places(std::size_t unknowns);

  /// With contact: whether rods pass through none on the straight way from such places of nodes to the
  /// present state, nor meet there if they must not.
  bool is_clear_from(const std::vector<double>& places);

  /// Shows contact the present state, as one that rods have come to or gone back to (coupling::PassingWatch).
  void look() {
    if (contacts_) contacts_->watch().look();
  }
  void stand() {
    if (contacts_) contacts_->watch().stand();
  }

  /// Forgets what contact knows, so that what follows depends on the arrays alone.
  void forget_contact();
  /// Sets minus the forces of contact in the present state. `pull` is what pulls the rods without it.
  void find_contact(const std::vector<double>& pull, std::vector<double>& gradient);
  /// The same with the stiffness there is.
  void find_contact_again(std::vector<double>& gradient);

  /// When contact is found next, it is as stiff as the forces ask.
  void renew_contact() { renews_ = true; }

  /// Of a step of nodes from the state of the last find_contact(): the largest part, at most `most`, in which
  /// rods neither meet, if they must not, nor pass through each other.
  double clear_part(const std::vector<double>& step, double most);
  /// Derivative of the energy of contact along a step after such a part of it, and at its start the second
  /// one, J.
  double slope(const std::vector<double>& step, double part);
  double curvature(const std::vector<double>& step);

  /// Calls add(row, column, block) with blocks of second derivatives, by first unknowns; both of two that are
  /// each other's transpose. Contact is that of the last find_contact().
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
