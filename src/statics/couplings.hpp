#pragma once

#include <utility>
#include <vector>

#include "rodeo/coupling/blocks.hpp"
#include "rodeo/coupling/contacts.hpp"

namespace rodeo::statics {

/// Contact of the rods of a member at rest, without friction, with the second derivatives of its energy.
///
/// Its stiffness follows from the forces that press on each other (coupling::Contacts). It is kept while
/// Newton's iterations have far to go, and set anew by each near their end, until it is that of the
/// equilibrium.
class RestingContact {
 public:
  explicit RestingContact(coupling::Contacts contacts) : contacts_(std::move(contacts)) {}

  const coupling::Contacts& contacts() const { return contacts_; }

  /// With places of nodes at their unknowns: true if rods come straight from some to others without passing
  /// through each other, nor meet there if they must not.
  bool is_clear(const std::vector<double>& from, const std::vector<double>& to);

  /// Show coupling::PassingWatch the present state, as one that rods have come to or gone back to.
  void look() { contacts_.watch().look(); }
  void stand() { contacts_.watch().stand(); }

  /// Forgets the state of contact, so that later results depend on the arrays alone.
  void forget();
  /// Sets minus the forces of contact at the places of the arrays. `pull`: the unbalanced forces without
  /// contact, those of tied nodes on each of them.
  void find(const std::vector<double>& places, const std::vector<double>& pull,
            std::vector<double>& gradient);
  /// Sets minus the forces of contact with the present stiffness.
  void find_again(const std::vector<double>& places, std::vector<double>& gradient);

  /// Has the next find() set the stiffness from the forces.
  void renew() { renews_ = true; }

  /// Largest part, at most `most`, of a step of nodes from the state of the last find() in which rods neither
  /// meet, if they must not, nor pass through each other.
  double clear_part(const std::vector<double>& step, double most);
  /// First derivative of the energy of contact along a step after a part of it, and second derivative at its
  /// start, J.
  double slope(const std::vector<double>& step, double part);
  double curvature(const std::vector<double>& step);

  /// Calls add(row, column, block) with the blocks of second derivatives at the last find(), by first
  /// unknowns.
  template <class Add>
  void for_each_block(const Add& add) const {
    contacts_.for_each_jacobian([&](const coupling::PairNodes& nodes, const contact::PairMatrix& block) {
      coupling::for_each_block(nodes, block, add);
    });
  }

 private:
  coupling::Contacts contacts_;
  double stiffness_ = 0.0;      ///< N; 0: not known
  bool renews_ = false;         ///< the stiffness, when contact is found next
  std::vector<double> places_;  ///< of nodes, when contact was found last
  std::vector<double> trial_;
  std::vector<double> force_;
};

}  // namespace rodeo::statics
