#pragma once

#include <optional>
#include <type_traits>
#include <vector>

#include "rodeo/contact/build_contact.hpp"
#include "rodeo/contact/contact_potential.hpp"
#include "rodeo/contact/contact_view.hpp"
#include "rodeo/contact/friction.hpp"
#include "rodeo/contact/near_pairs.hpp"
#include "rodeo/contact/segment_distance.hpp"
#include "rodeo/contact/touch.hpp"
#include "rodeo/coupling/coupled_matrix.hpp"
#include "rodeo/coupling/passing_watch.hpp"
#include "rodeo/observe/sample.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::coupling {

/// Summary of the contacts of a state.
struct ContactState {
  int pairs = 0;                ///< in contact
  double smallest_gap = 0.0;    ///< between surfaces, over the mean radius, of those within reach
  double deepest = 0.0;         ///< overlap, m
  bool passed_through = false;  ///< elements have passed through each other so far
};

/// How friction changes with the slip in a derivative (contact::FrictionTangent): exactly, as the last
/// iteration has foreseen it, or the stiffest way.
enum class FrictionChange { exact, foreseen, stiffest };

/// Whether a derivative has the points of contact follow the elements' ends, or holds them where they are
/// on the elements. As rods lie nearly along each other points slip far, and the derivative is then often
/// not positive definite.
enum class ContactPoints { follow, held };

/// Contact of a member's rods, each with itself and with the others, in implicit steps (section 3 of Tong et
/// al. 2023). Which pairs of elements are looked at follows from a list that is made from the same cells as
/// that of the explicit model (contact/cells.hpp) and that holds for many steps. A Newton iteration is dear,
/// and wants the few active pairs.
///
/// Pairs are active within `tolerance` of touching, all with the stiffness k = 1e5 times the largest force on
/// a node of pairs that are near, at the first iteration of each step (authors' program).
class Contacts {
 public:
  /// `all` are the member's arrays, `first_dof` of each element's first node (-1: element between rods);
  /// those of its other node stand `stride` farther. Pairs that are left out, in rising order, never touch.
  Contacts(const MemberSpec& spec, const ConstRodView& all, std::vector<int> first_dof, int stride,
           std::vector<contact::ElementPair> left_out = {});

  /// Forgets the list: later results depend on the arrays alone.
  void forget() { listed_reach_ = -1.0; }

  /// Begins a step of so many seconds from `start`. The arrays, and `guess`, are the first iterate: driven
  /// ends have moved. With a barrier that may be impossible: then false.
  bool begin_step(const std::vector<double>& start, const std::vector<double>& guess, double step);

  /// Sets the stiffness from the forces without contact, once a step.
  void set_stiffness(const std::vector<double>& force);
  /// Stiffness that set_stiffness(force) would set, N; the other overload sets a given one.
  double stiffness_for(const std::vector<double>& force) const;
  void set_stiffness(double stiffness) { stiffness_ = stiffness; }

  /// Finds the active pairs at q and adds minus the forces on them.
  void add_residual(const std::vector<double>& q, std::vector<double>& force);

  /// Number of turns of each element that friction couples: those that stand behind its first node.
  int turns() const { return turns_; }

  /// Chooses how the derivative of the last add_residual() takes friction, from which later ones foresee it.
  /// Points of contact that are the nearest ones, as published, follow anyhow.
  void linearize(FrictionChange change, ContactPoints points = ContactPoints::follow);

  /// Calls add(nodes, block, product), which may change both, with the derivative of the last add_residual()
  /// for each pair, and with the part of it by which the normal force changes friction. It is exact unless
  /// linearize() has said otherwise.
  template <class Add>
  void for_each_jacobian(const Add& add) const {
    for (std::size_t k = 0; k < active_.size(); ++k) {
      contact::PairMatrix block(turns());
      contact::PairProduct product = set_jacobian(k, block);
      if constexpr (std::is_invocable_v<Add, const PairNodes&, contact::PairMatrix&, contact::PairProduct&>) {
        add(active_[k].pair.nodes, block, product);
      } else {
        add(active_[k].pair.nodes, block);
      }
    }
  }

  /// The largest part of the move p from q that may be taken: with a barrier, elements must not meet. No
  /// node goes farther than some radii from the guess, unless it moves in time and nothing that it passes is
  /// near.
  double bound(const std::vector<double>& q, const std::vector<double>& p);

  /// Whether no two elements have passed through each other on the straight way to q, nor overlap with the
  /// barrier.
  bool is_passable(const std::vector<double>& q);

  bool active() const { return !active_.empty(); }
  /// The smallest of an element, m.
  double radius() const { return radius_; }
  bool has_friction() const { return friction_.coefficient > 0.0; }

  /// Watch that is shown each state that steps take, and each that they go back to.
  PassingWatch& watch() { return watch_; }
  const PassingWatch& watch() const { return watch_; }

  /// Pairs that may become active soon.
  std::vector<PairNodes> near_pairs() const;

  /// Summary of the contacts at the last q.
  ContactState state() const;
  /// Energy that friction takes in a step to the last q, J.
  double friction_loss() const;
  /// Energy of the pairs at the start of the step, with their stiffness in the step, J.
  double energy_at_start() const;

  /// Pairs within `tolerance` of touching at the last q, by their elements in rising order, with the forces
  /// that the last add_residual() added.
  std::vector<contact::Touch> touches() const;

 private:
  struct Pair {
    contact::ElementPair elements;
    PairNodes nodes;
    double touch;       ///< sum of the radii, m
    double share;       ///< of it, the first element's
    double spread;      ///< m^2
    double listed_gap;  ///< when it was listed, m

    double radius() const { return 0.5 * touch; }
  };
  struct Active {
    Pair pair;
    contact::PairDistance distance;
    double normal_force;        ///< N
    double normal_force_slope;  ///< by the distance, N/m
  };

  template <class Move>
  double longest(const Move& move) const;
  Pair pair_of(const contact::ElementPair& elements) const;
  contact::PairDistance distance(const std::vector<double>& q, const Pair& pair) const;
  double gap_at_guess(const Pair& pair) const;
  void list(double reach);
  bool is_listed(double reach) const;
  double reach(const contact::ElementPair& elements) const;
  void choose_pairs();
  void cover(const std::vector<double>& q, const std::vector<double>& p, double part);
  std::vector<double> ways(const std::vector<double>& a, const std::vector<double>& b, double more) const;
  bool is_free_way(const std::vector<double>& q, const std::vector<double>& to);
  void go_on_from(const std::vector<double>& q);
  double move_since_listed() const;
  Active evaluate(const Pair& pair, const contact::PairDistance& distance) const;
  contact::PairProduct set_jacobian(std::size_t active, contact::PairMatrix& block) const;
  void note_earlier();
  contact::FrictionTangent tangent(const Active& active) const;
  contact::Slip slip(const Active& active) const;
  contact::Slip earlier_slip(const Active& active) const;
  template <class Rate>
  contact::Slip slip(const Active& active, const Vec3 (&velocity)[contact::pair_nodes],
                     const Rate& rate) const;

  ConstRodView all_;
  std::vector<int> first_dof_;  ///< [elements]
  int stride_;
  contact::NearPairs near_;
  PassingWatch watch_;
  contact::PotentialOfKind potential_;
  double tolerance_;       ///< m
  double radius_ = 0.0;    ///< smallest, m
  bool goes_far_ = false;  ///< where nothing is near
  contact::Friction friction_;
  int turns_;
  double spread_;  ///< of a pair's points over the product of its lengths; none without friction

  std::vector<Pair> listed_;
  std::vector<Vec3> listed_position_;  ///< [nodes]
  double listed_reach_ = -1.0;         ///< gap up to which pairs are listed, m; negative: none are
  std::vector<int> near_nodes_;        ///< first degrees of freedom of nodes of pairs that are near
  std::vector<double> covered_;  ///< [elements]: pairs_ has all that may touch where none moves farther, m
  std::vector<Pair> pairs_;      ///< pairs that are looked at in this step
  std::vector<Active> active_;
  /// Change of a pair's friction in the state that was linearized last.
  struct Tangent {
    contact::ElementPair elements;
    contact::FrictionTangent friction;
  };
  std::vector<Tangent> tangents_;  ///< of linearize()
  bool is_linearized_ = false;     ///< the present state is that of the tangents
  bool holds_points_ = false;      ///< in the derivative there
  double stiffness_ = 0.0;         ///< N; negative: not set yet
  double step_ = 0.0;              ///< s
  std::vector<double> start_;
  std::vector<double> guess_;
  bool went_far_ = false;              ///< in this step, where nothing was near: the guess is where that led
  std::vector<double> earlier_rates_;  ///< of nodes and turns in the last step, at their degrees of freedom
  std::vector<Directors> frames_;      ///< of elements at the start of the step, where they turn about these
  std::vector<double> present_;        ///< the last q
  double smallest_gap_ = 0.0;          ///< at the last q, over the radius
};

/// The contacts of a member, if it has any of this kind. `made` are its arrays at t = 0, which may be `all`.
std::optional<Contacts> make_contacts(const MemberSpec& spec, const RodView& made, const RodView& all,
                                      int stride);

/// Overlap of the rods of a member at t = 0, m, if contact.kind = imc or ipc and elements touch there. The
/// barrier of ipc is infinite then, and no step is possible.
std::optional<double> overlap_at_start(const MemberSpec& spec);

/// Whether rods press on each other at t = 0 by imc or ipc.
bool press_at_start(const MemberSpec& spec);

/// Counts the contacts of a step after so many iterations.
void count_contacts(const ContactState& contacts, bool converged, int iterations, ImplicitSample& counts);

}  // namespace rodeo::coupling
