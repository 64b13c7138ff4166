#pragma once

#include <cstddef>
#include <vector>

#include "rodeo/contact/segment_distance.hpp"
#include "rodeo/coupling/coupled_matrix.hpp"
#include "rodeo/coupling/ties.hpp"
#include "rodeo/linear/banded_matrix.hpp"
#include "rodeo/math/rotation.hpp"
#include "rodeo/math/vec3.hpp"

namespace rodeo::der {

/// How an end may move.
struct EndFreedom {
  bool held = false;          ///< the node's position is given
  bool slides = false;        ///< the node moves along the axis only
  Vec3 axis;                  ///< unit vector
  bool element_held = false;  ///< so are the element's other node and its frame (orientation, entry -1 or n)
};

/// A node of which a motion holds components.
struct HeldNode {
  int dof;  ///< first degree of freedom of the node among all
  bool held[3];
};

/// An element whose frame a motion holds: its nodes lie along it, at any distance.
struct HeldElement {
  std::size_t rod;
  int element;
  Quaternion frame;  ///< at the end of the step
};

/// The degrees of freedom of a member's rods that are not free: those of held ends, and those that motions
/// hold. If P projects on what is free, a system A x = b becomes (P A P + 1 - P) x = P b. Tied nodes are all
/// held as one of them is.
class Constraints {
 public:
  /// The ties have to stay where they are.
  explicit Constraints(int degrees_of_freedom, const coupling::Ties& ties);

  /// Adds the ends of the next rod; `first` is its first degree of freedom among all.
  void bind_ends(int first, int elements, const EndFreedom (&ends)[2]);

  /// Sets what motions hold besides the ends from now on: two held elements have no node in common. The
  /// arrays have the positions of all their nodes at the end of a step.
  void hold(const std::vector<HeldNode>& nodes, std::vector<HeldElement> elements);
  std::vector<HeldElement>& held_elements() { return held_elements_; }
  const std::vector<HeldElement>& held_elements() const { return held_elements_; }
  /// Whether the node that begins there is not free.
  bool holds_node(int dof) const { return bond_of(dof) != nullptr; }

  /// Whether nothing holds a degree of freedom.
  bool is_free(int dof) const { return is_free_[static_cast<std::size_t>(dof)]; }

  /// Whether all is free.
  bool hold_nothing() const { return bonds_.empty() && edges_.empty(); }

  /// Whether motions hold anything.
  bool moves() const { return moves_; }
  bool hold_edges() const { return !edges_.empty(); }

  /// Takes the frames of held elements as they are now.
  void set_edges();

  /// Adds the forces on nodes that follow others to those on the nodes that lead, and projects all on what is
  /// free.
  void constrain(std::vector<double>& force) const;

  /// Projects a displacement on what is free.
  void hold(std::vector<double>& displacement) const;

  /// P A P + 1 - P for the band, where nodes that follow others are still on their own.
  void constrain(BandedMatrix& matrix) const;
  /// P A P for a pair of elements in contact.
  void constrain(const coupling::PairNodes& nodes, contact::PairMatrix& block) const;
  /// Zeroes the entries of a pair's product that are not free.
  void leave_out(const coupling::PairPlaces& places, contact::PairProduct& product) const;
  /// P A P for one of the two places of a link, whose rows and columns begin at `begin`.
  void constrain(const coupling::Span& span, int begin, coupling::SpanMatrix& block) const;

 private:
  /// A node that is not free: it feels P f of a force.
  struct Bond {
    int dof;         ///< first degree of freedom of the node among all
    double p[3][3];  ///< 0, a a' for what slides along a, or the components that are free
  };
  /// Two nodes next to each other that are not free of each other, and feel P f of the forces on both.
  struct Edge {
    int dof;  ///< of the first
    double p[6][6];
  };

  const Bond* bond_of(int dof) const;
  Bond& bond_for(int dof);
  void bind_ties();
  static void constrain(const Edge& edge, int node, int first, contact::PairMatrix& block);

  const coupling::Ties& ties_;
  std::vector<int> first_;            ///< degree of freedom of each rod
  std::vector<Bond> end_bonds_;       ///< of nodes at ends
  std::vector<int> end_held_angles_;  ///< degrees of freedom
  std::vector<HeldElement> held_elements_;
  std::vector<Bond> bonds_;   ///< of all nodes
  std::vector<int> bond_at_;  ///< of each degree of freedom: the first bond that begins there, or -1
  std::vector<Edge> edges_;
  bool moves_ = false;
  std::vector<int> held_angles_;
  std::vector<bool> is_free_;  ///< of each degree of freedom
};

}  // namespace rodeo::der
