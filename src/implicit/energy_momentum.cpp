#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "rodeo/coupling/assembly.hpp"
#include "rodeo/linear/banded_matrix.hpp"
#include "rodeo/math/rotation.hpp"
#include "rodeo/math/vec3.hpp"
#include "rodeo/method/correction_criterion.hpp"

#include "conserved_rod.hpp"
#include "conserving_links.hpp"
#include "conserving_terms.hpp"
#include "scheme.hpp"

namespace rodeo::implicit {

namespace {

using tangent::element_unknown;
using tangent::node_unknown;

/// Tolerance of Newton's method relative to the change in a step: as small as the energy drift shall be.
constexpr double conserving_accuracy = 1e-10;
constexpr double most_conserving_turn = 1.0;  ///< of an element in an iteration, rad

void add_block(BandedMatrix& matrix, int row, int column, double factor, const Matrix3& block) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) matrix.at(row + i, column + j) += factor * block(i, j);
  }
}

/// An element, or a region, of a rod in the present state.
tangent::ShearStretch<double> present_element(const RodView& rod, const ConservedRod& own, int i) {
  return tangent::ShearStretch<double>::at(law::ShearStretch<double>::of(rod, i), own.frame(i), own.edge(i));
}
tangent::BendTwist<double> present_region(const RodView& rod, const ConservedRod& own, int i) {
  return tangent::BendTwist<double>::at(law::BendTwist<double>::of(rod, i), own.frame(i), own.frame(i + 1));
}

/// A step that conserves energy and momenta (conserving_terms.hpp) of rods on which nothing acts but gravity,
/// dead forces, laws that hold nodes and connections, and is symmetric in time:
///   m (v1 - v0)/h = forces,  x1 - x0 = h (v0 + v1)/2,
///   (R1 J W1 - R0 J W0)/h = couples,  R1 = R0 cay(h (W0 + W1)/2).
/// Loads are those at the middle of the step. The unknowns are x1 and R1, the matrix is unsymmetric. Tied
/// nodes have one momentum, and a closed rod one more region, across its seam: conservation holds for both.
class EnergyMomentum final : public Scheme {
 public:
  explicit EnergyMomentum(const MemberSpec& spec) : most_iterations_(spec.newton.iterations) {}

  SolveOutcome advance(MovingRods& rods, double end, double step) override {
    prepare(rods);
    rods.start();
    rods.update_fluid();
    rods.set_time(end - step);
    rods.read_rates(rates_);
    rods.hold(rates_);
    for (std::size_t k = 0; k < of_rods_.size(); ++k) begin(rods.rods()[k], of_rods_[k]);
    rods.set_time(end);
    rods.set_damping(end - 0.5 * step);
    rods.damp_regions(0.5 * step);
    for (std::size_t k = 0; k < of_rods_.size(); ++k) predict(rods.rods()[k], of_rods_[k]);
    Iteration iteration(*this, rods, end, step);
    method::CorrectionCriterion criterion(most_iterations_, conserving_accuracy, false);
    const bool solved = method::solve_by_newton(iteration, criterion);
    const double turn = turn_in(rods);
    const bool converged = solved && turn <= most_turn_of_step;
    if (converged) {
      finish(rods, end, step);
    } else {
      rods.restore();
    }
    return {converged, criterion.iterations(), 2.0 * turn <= most_turn_of_step};
  }

  double loss() const override { return 0.0; }

  void forget() override {
    if (coupled_) coupled_->forget();
  }

 private:
  /// Interface of a step to Newton's method.
  class Iteration {
   public:
    Iteration(EnergyMomentum& own, MovingRods& rods, double end, double step)
        : own_(own), rods_(rods), end_(end), step_(step) {}

    void evaluate() {
      own_.write_middle(rods_, step_);
      rods_.find_loads(end_ - 0.5 * step_, false);
      for_each_rod(
          [&](const CosseratRod& r, ConservedRod& of_rod) { own_.assemble(rods_, r, of_rod, step_); });
      if (rods_.links()) add_conserving_loads(rods_, *rods_.links(), step_, own_.pull_);
      rods_.gather(own_.pull_);
      rods_.hold(own_.pull_);
    }
    bool find_step(int /*iteration*/) {
      const bool regular = own_.coupled_ ? own_.solve_coupled(rods_, step_) : own_.solve_alone(rods_);
      rods_.hold(own_.pull_);
      return regular;
    }
    double largest_part() const {
      return size_.turn > most_conserving_turn ? most_conserving_turn / size_.turn : 1.0;
    }
    void take(double part) {
      for_each_rod([&](const CosseratRod& r, ConservedRod& of_rod) { own_.take(r, of_rod, part); });
    }

    double correction_size() {
      size_ = rods_.size(own_.pull_);
      return size_.largest();
    }
    double change_size() const { return own_.change_in(rods_).largest(); }
    bool is_lost() const { return own_.turn_in(rods_) > most_turn_on_the_way; }

   private:
    template <class Do>
    void for_each_rod(const Do& act) {
      for (std::size_t k = 0; k < own_.of_rods_.size(); ++k) act(rods_.rods()[k], own_.of_rods_[k]);
    }

    EnergyMomentum& own_;
    MovingRods& rods_;
    double end_;
    double step_;
    StepSize size_;  ///< of the correction
  };

  void prepare(const MovingRods& rods) {
    if (!of_rods_.empty()) return;
    for (const CosseratRod& r : rods.rods()) of_rods_.emplace_back(r);
    if (!rods.ties().followers().empty() || rods.links()) coupled_.emplace(rods.ties(), rods.inertia());
    pull_.resize(rods.unknowns());
    change_.resize(rods.unknowns());
  }

  /// Notes the stresses at the start.
  static void begin(const CosseratRod& r, ConservedRod& own) {
    for (int i = 0; i < r.rod.elements; ++i) {
      const auto k = static_cast<std::size_t>(i);
      own.start_stress[k] = tangent::ShearStretch<double>::of(r.rod, i).stress;
      own.predicted[k] = own.start_stress[k];
    }
    for (int i = first_region(r); i < end_of_regions(r); ++i)
      own.regions[static_cast<std::size_t>(i + 1)] = tangent::BendTwist<double>::of(r.rod, i);
  }

  /// Range of a rod's own frames: beyond a shared node an entry is an element of the other rod.
  static int first_own_frame(const CosseratRod& r) { return r.data->shares_first_node ? 0 : -1; }
  static int last_own_frame(const CosseratRod& r) { return r.rod.elements - (r.shares_last_node ? 1 : 0); }

  static int first_region(const CosseratRod& r) { return r.ends.first ? -1 : 0; }
  static int end_of_regions(const CosseratRod& r) { return r.rod.elements - (r.ends.last ? 0 : 1); }

  /// Predicts the state at the start, but for driven ends. Extrapolation by velocities is no better: those of
  /// fast motion, which is not damped, change sign from step to step.
  static void predict(const CosseratRod& r, ConservedRod& own) {
    for (int i = 0; i <= own.elements; ++i)
      own.position[static_cast<std::size_t>(i)] = r.rod.vec3(field::position, i);
    for (int i = -1; i <= own.elements; ++i) own.frame(i) = r.rod.quaternion(i);
  }

  /// Writes the state at the middle of the step to the arrays.
  void write_middle(MovingRods& rods, double step) const {
    for (std::size_t k = 0; k < of_rods_.size(); ++k) {
      const CosseratRod& r = rods.rods()[k];
      const ConservedRod& own = of_rods_[k];
      for (int i = 0; i <= own.elements; ++i) {
        const Vec3 start = rods.start_position(r, i);
        const Vec3& end = own.position[static_cast<std::size_t>(i)];
        r.rod.set_vec3(field::position, i, 0.5 * (start + end));
        r.rod.set_vec3(field::velocity, i, (1.0 / step) * (end - start));
      }
      for (int i = first_own_frame(r); i <= last_own_frame(r); ++i) {
        const Quaternion start = rods.start_orientation(r, i);
        r.rod.set_quaternion(i, middle_frame(start, own.frame(i)));
        if (i >= 0 && i < own.elements) {
          r.rod.set_vec3(field::angular_velocity, i, (1.0 / step) * cayley_vector(start, own.frame(i)));
        }
      }
    }
    rods.place_ties();
  }

  /// Sets the matrix and the residual force of a rod in the present state.
  void assemble(const MovingRods& rods, const CosseratRod& r, ConservedRod& own, double step) {
    double* const pull = r.of(pull_);
    std::fill_n(pull, r.unknowns(), 0.0);
    own.matrix.set_zero();
    add_inertia(rods, r, own, step, pull);
    add_resistance(r, own, step);
    add_node_laws(rods, r, own, pull);
    for (int i = 0; i < own.elements; ++i) add_element(rods, r, own, i, pull);
    for (int i = first_region(r); i < end_of_regions(r); ++i) add_region(rods, r, own, i, pull);
  }

  bool solve_alone(const MovingRods& rods) {
    bool regular = true;
    for (std::size_t k = 0; k < of_rods_.size(); ++k) {
      const CosseratRod& r = rods.rods()[k];
      r.held.hold(of_rods_[k].matrix);
      regular = of_rods_[k].matrix.factor() && regular;
      of_rods_[k].matrix.solve(r.part(pull_));
    }
    return regular;
  }

  /// Rods that are connected or share nodes, or are closed, by one matrix of blocks.
  bool solve_coupled(const MovingRods& rods, double step) {
    rods.begin(*coupled_);
    coupled_->expect_unsymmetric();
    for (std::size_t k = 0; k < of_rods_.size(); ++k) {
      const CosseratRod& r = rods.rods()[k];
      ConservedRod& own = of_rods_[k];
      const int offset = static_cast<int>(r.first);
      coupled_->add_band(offset, own.matrix);
      if (!r.seam) continue;
      const int first = offset + element_unknown(0);
      const int last = offset + element_unknown(own.elements - 1);
      coupled_->add(first, first, own.first_by_first);
      coupled_->add(last, first, own.last_by_first);
      coupled_->add(first, last, own.first_by_last);
    }
    if (rods.links()) add_conserving_matrix(rods, *rods.links(), step, *coupled_);
    coupled_->finish();
    if (!coupled_->factor()) return false;
    coupled_->solve(pull_);
    return true;
  }

  /// Adds inertia; the mass of tied nodes counts at the leading one.
  void add_inertia(const MovingRods& rods, const CosseratRod& r, ConservedRod& own, double step,
                   double* pull) const {
    const double* const rates = r.of(rates_);
    for (int i = 0; i <= own.elements; ++i) {
      const int n = node_unknown(i);
      const std::size_t unknown = r.first + static_cast<std::size_t>(n);
      const bool is_own = i >= r.first_own_node() && i < r.end_of_own_nodes();
      const Vec3 force = is_own ? MovingRods::force(r, i) : Vec3{};
      if (!rods.ties().leads(static_cast<int>(unknown))) {
        add_at(pull + n, force);
        continue;
      }
      const double mass = 2.0 * rods.inertia()[unknown] / (step * step);
      const Vec3 moved = own.position[static_cast<std::size_t>(i)] - rods.start_position(r, i);
      add_at(pull + n, force - mass * (moved - step * three_at(rates + n)));
      for (int c = 0; c < 3; ++c) own.matrix.at(n + c, n + c) += mass;
    }
    for (int i = 0; i < own.elements; ++i) {
      const int e = element_unknown(i);
      const Quaternion start = rods.start_orientation(r, i);
      const Vec3 inertia = r.rod.inertia(i);
      const Vec3 rate = three_at(rates + e);
      const ConservingSpin spin(directors(own.frame(i)), rate, cayley_vector(start, own.frame(i)), inertia,
                                step);
      const Vec3 before =
          directors(start).to_laboratory({inertia.x * rate.x, inertia.y * rate.y, inertia.z * rate.z});
      const Directors middle = directors(r.rod.quaternion(i));
      add_at(pull + e,
             middle.to_laboratory(MovingRods::couple(r, i)) - (1.0 / step) * (spin.momentum - before));
      add_block(own.matrix, e, e, 1.0 / step, spin.by_turn);
    }
  }

  /// Corrects the forces of laws on nodes at the middle of the step so that their work is the change of
  /// energy (Gonzalez 1996). The matrix has the derivatives of the uncorrected forces.
  static void add_node_laws(const MovingRods& rods, const CosseratRod& r, ConservedRod& own, double* pull) {
    r.data->forces.for_each_held_node(own.elements, [&](int node, const auto& law) {
      const Vec3 start = rods.start_position(r, node);
      const Vec3& end = own.position[static_cast<std::size_t>(node)];
      const Vec3 middle = r.rod.vec3(field::position, node);
      const Vec3 way = end - start;
      const double square = dot(way, way);
      const int n = node_unknown(node);
      if (square > 0.0) {
        const double missing = law.energy(start) - law.energy(end) - dot(law.force(middle), way);
        add_at(pull + n, (missing / square) * way);
      }
      add_block(own.matrix, n, n, -0.5, force_derivative(law, middle));
    });
  }

  static void add_resistance(const CosseratRod& r, ConservedRod& own, double step) {
    if (!r.damping.acts() && !r.in_fluid) return;
    for (int i = 0; i < r.end_of_own_nodes(); ++i) {
      const forces::NodeDrag node = MovingRods::node_resistance(r, i);
      Matrix3 block = outer(node.along * node.tangent, node.tangent);
      block.row1.x += node.all;
      block.row2.y += node.all;
      block.row3.z += node.all;
      add_block(own.matrix, node_unknown(i), node_unknown(i), 1.0 / step, block);
    }
    for (int i = 0; i < own.elements; ++i) {
      const Vec3 element = MovingRods::element_resistance(r, i);
      const Matrix3 middle = to_laboratory_matrix(directors(r.rod.quaternion(i)));
      const Vec3 rate = r.rod.vec3(field::angular_velocity, i);
      const Matrix3 turn = cayley_derivative(step * rate);
      const Matrix3 resisted = {element.x * turn.row1, element.y * turn.row2, element.z * turn.row3};
      add_block(own.matrix, element_unknown(i), element_unknown(i), 1.0 / step, middle * resisted);
    }
  }

  static void add_element(const MovingRods& rods, const CosseratRod& r, ConservedRod& own, int i,
                          double* pull) {
    const auto k = static_cast<std::size_t>(i);
    const Directors start = directors(rods.start_orientation(r, i));
    const Vec3 edge = own.edge(i);
    const Vec3 mean_edge = 0.5 * (edge + rods.start_position(r, i + 1) - rods.start_position(r, i));
    const ConservingElement element(start, own.start_stress[k], present_element(r.rod, own, i), mean_edge,
                                    own.predicted[k]);
    const int before = node_unknown(i);
    const int turn = element_unknown(i);
    const int after = node_unknown(i + 1);
    add_at(pull + after, -1.0 * element.force);
    add_at(pull + before, element.force);
    add_at(pull + turn, -1.0 * element.couple);
    for (const auto& [row, sign] : {std::pair{before, -1.0}, std::pair{after, 1.0}}) {
      add_block(own.matrix, row, before, -sign, element.force_edge);
      add_block(own.matrix, row, after, sign, element.force_edge);
      add_block(own.matrix, row, turn, sign, element.force_turn);
    }
    add_block(own.matrix, turn, before, -1.0, element.couple_edge);
    add_block(own.matrix, turn, after, 1.0, element.couple_edge);
    add_block(own.matrix, turn, turn, 1.0, element.couple_turn);
  }

  static void add_region(const MovingRods& rods, const CosseratRod& r, ConservedRod& own, int i,
                         double* pull) {
    const auto frame = [&](int k) { return FrameInStep(rods.start_orientation(r, k), own.frame(k)); };
    const ConservingRegion region(own.regions[static_cast<std::size_t>(i + 1)], present_region(r.rod, own, i),
                                  frame(i), frame(i + 1));
    if (r.seam && i + 1 == own.elements) return add_seam(r, own, region, pull);
    const bool moves_before = i >= 0;
    const bool moves_after = i + 1 < own.elements;
    const int before = element_unknown(i);
    const int after = element_unknown(i + 1);
    if (moves_before) {
      add_at(pull + before, region.couple);
      add_block(own.matrix, before, before, -1.0, region.by_before);
      if (moves_after) add_block(own.matrix, before, after, -1.0, region.by_after);
    }
    if (moves_after) {
      add_at(pull + after, -1.0 * region.couple);
      add_block(own.matrix, after, after, 1.0, region.by_after);
      if (moves_before) add_block(own.matrix, after, before, 1.0, region.by_before);
    }
  }

  /// A turn phi of element 0 turns its ghost beyond the seam by seam' phi.
  static void add_seam(const CosseratRod& r, ConservedRod& own, const ConservingRegion& region,
                       double* pull) {
    const Matrix3 by_first =
        region.by_after * transpose(to_laboratory_matrix(directors(r.data->closure.seam)));
    const int last = element_unknown(own.elements - 1);
    add_at(pull + last, region.couple);
    add_at(pull + element_unknown(0), -1.0 * region.couple);
    add_block(own.matrix, last, last, -1.0, region.by_before);
    own.last_by_first = Matrix3{} - by_first;
    own.first_by_first = by_first;
    own.first_by_last = region.by_before;
  }

  /// Distance of the present state from the start.
  StepSize change_in(const MovingRods& rods) {
    for (std::size_t k = 0; k < of_rods_.size(); ++k) {
      const CosseratRod& r = rods.rods()[k];
      const ConservedRod& own = of_rods_[k];
      double* const change = r.of(change_);
      std::fill_n(change, r.unknowns(), 0.0);
      for (int i = 0; i <= own.elements; ++i) {
        add_at(change + node_unknown(i),
               own.position[static_cast<std::size_t>(i)] - rods.start_position(r, i));
        if (i == own.elements) break;
        add_at(change + element_unknown(i), cayley_vector(rods.start_orientation(r, i), own.frame(i)));
      }
    }
    return rods.size(change_);
  }

  /// The largest turn of an element, rad. Cayley's vector is 2 tan(angle/2).
  double turn_in(const MovingRods& rods) { return 2.0 * std::atan(0.5 * change_in(rods).turn); }

  /// Applies `part` of the correction, and predicts the mean stresses after it.
  void take(const CosseratRod& r, ConservedRod& own, double part) const {
    const double* const step = r.of(pull_);
    for (int i = 0; i < own.elements; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const Vec3 edge_step = three_at(step + node_unknown(i + 1)) - three_at(step + node_unknown(i));
      const Vec3 predicted = ConservingElement::predicted(present_element(r.rod, own, i), own.start_stress[k],
                                                          edge_step, three_at(step + element_unknown(i)));
      own.predicted[k] = (1.0 - part) * own.predicted[k] + part * predicted;
    }
    for (int i = 0; i <= own.elements; ++i) {
      Vec3& position = own.position[static_cast<std::size_t>(i)];
      position = position + part * three_at(step + node_unknown(i));
      if (i == own.elements) break;
      const Quaternion q = own.frame(i) * rotation(part * three_at(step + element_unknown(i)));
      const double scale = 1.5 - 0.5 * squared_norm(q);  // Newton's step of 1/sqrt at 1
      own.frame(i) = {scale * q.w, scale * q.x, scale * q.y, scale * q.z};
    }
    if (r.seam) own.frame(own.elements) = own.frame(0) * r.data->closure.seam;
  }

  void finish(MovingRods& rods, double end, double step) {
    for (std::size_t k = 0; k < of_rods_.size(); ++k) {
      const CosseratRod& r = rods.rods()[k];
      const ConservedRod& own = of_rods_[k];
      const double* const rates = r.of(rates_);
      for (int i = 0; i <= own.elements; ++i) {
        const Vec3& position = own.position[static_cast<std::size_t>(i)];
        const Vec3 mean = (1.0 / step) * (position - rods.start_position(r, i));
        r.rod.set_vec3(field::position, i, position);
        r.rod.set_vec3(field::velocity, i, 2.0 * mean - three_at(rates + node_unknown(i)));
      }
      for (int i = first_own_frame(r); i <= last_own_frame(r); ++i) {
        r.rod.set_quaternion(i, own.frame(i));
        if (i < 0 || i == own.elements) continue;
        const Vec3 eta = cayley_vector(rods.start_orientation(r, i), own.frame(i));
        r.rod.set_vec3(field::angular_velocity, i, (2.0 / step) * eta - three_at(rates + element_unknown(i)));
      }
    }
    rods.hold_rates(end);
    rods.free_regions();
  }

  int most_iterations_;
  std::optional<coupling::Assembly> coupled_;  ///< of rods that are connected or share nodes, or are closed
  std::vector<ConservedRod> of_rods_;
  std::vector<double> rates_;  ///< at the start
  std::vector<double> change_;
  std::vector<double> pull_;
};

}  // namespace

std::unique_ptr<Scheme> make_energy_momentum(const MemberSpec& spec) {
  return std::make_unique<EnergyMomentum>(spec);
}

}  // namespace rodeo::implicit
