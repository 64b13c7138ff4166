#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "rodeo/math/rotation.hpp"
#include "rodeo/math/vec3.hpp"
#include "rodeo/member/host_stepper.hpp"
#include "rodeo/method/alpha_numbers.hpp"
#include "rodeo/method/correction_criterion.hpp"

#include "contact_jumps.hpp"
#include "iteration_lanes.hpp"
#include "rod_terms.hpp"
#include "scheme.hpp"
#include "step_matrix.hpp"

namespace rodeo::implicit {

namespace {

using coupling::FrictionChange;
using method::AlphaNumbers;
using tangent::element_unknown;
using tangent::node_unknown;

/// Tolerance of Newton's method relative to the change in a step.
constexpr double alpha_accuracy = 1e-8;
constexpr double most_turn = 1.0;  ///< of an element in an iteration, rad

/// Generalised alpha on R^3 and SO(3) (Arnold and Brüls 2007, Multibody Syst. Dyn. 18, 185; Brüls, Cardona
/// and Arnold 2012, Mech. Mach. Theory 48, 121). With rates v (of elements in their bodies), their
/// derivatives v' of the equations of motion, and the acceleration-like a:
///   q1 = q0 exp(D), D = h v0 + h^2 ((1/2 - beta) a0 + beta a1),  v1 = v0 + h ((1 - gamma) a0 + gamma a1),
///   (1 - alpha_m) a1 + alpha_m a0 = (1 - alpha_f) v1' + alpha_f v0'.
/// The unknown is D. Its matrix is that of the forces with the inertia on its diagonal; its unsymmetric
/// parts, the turn of D by itself and gyroscopic couples, are small where steps resolve the turning, and left
/// out.
///
/// Where a load, a natural strain or a constraint jumps between two steps, a and v' jump by the response of a
/// backward Euler step to the force that v' leaves over: (M + h C + h^2 K) a' = F - M v'. So nothing changes
/// where nothing jumps, and motion that steps resolve is pushed at once. At the start all loads jump from
/// zero, and a and v' with them. They are right to first order, which leaves the scheme second-order.
/// M a' = F would give the accelerations of the stiffest strains, and a step that does not resolve these
/// would turn negligible strains into fast motion. Where constraints have changed, the lead or lag of a over
/// v' is dropped: it belongs to other rods, whose forces would not add up to zero on these.
///
/// Rotation vectors wrap at pi: a step in which an element turns by more than most_turn_of_step is not taken.
class GeneralizedAlpha final : public Scheme {
 public:
  GeneralizedAlpha(const MemberSpec& spec, const AlphaNumbers& numbers, bool remembers)
      : numbers_(numbers),
        c_(numbers),
        remembers_(remembers),
        most_iterations_(spec.newton.iterations),
        tolerance_(spec.time.tolerance) {}

  SolveOutcome advance(MovingRods& rods, double end, double step) override {
    start(rods, end, step);
    return go_on(rods, end, step);
  }

  bool goes_with(const MovingRods& rods, const Scheme& other, const MovingRods& of_other) const override {
    const auto* const that = dynamic_cast<const GeneralizedAlpha*>(&other);
    return that != nullptr && fits_in_lanes(rods) && that->fits_in_lanes(of_other) &&
           rods.go_beside(of_other);
  }

  /// Members that are near the ground go alone.
  void advance_together(std::span<method::SystemStep<MovingRods>> steps) override {
    std::vector<Lane> all;
    std::vector<SolveOutcome*> outcomes;
    for (method::SystemStep<MovingRods>& step : steps) {
      auto& own = static_cast<GeneralizedAlpha&>(*step.scheme);
      own.start(*step.system, step.end, step.length);
      if (step.system->pressing().may_act()) {
        step.outcome = own.go_on(*step.system, step.end, step.length);
      } else {
        all.emplace_back(step);
        outcomes.push_back(&step.outcome);
      }
    }
    if (all.size() < HostMember::fewest_together) {
      for (std::size_t k = 0; k < all.size(); ++k)
        *outcomes[k] = all[k].own.go_on(all[k].rods, all[k].end, all[k].step);
      return;
    }
    IterationLanes lanes(all.front().rods);
    add_pushes(all, lanes);
    for (Lane& lane : all)
      lane.is_well = lane.runs = lane.is_well && lane.own.begin(lane.rods, lane.end, lane.step);
    iterate(all, lanes);
    for (std::size_t k = 0; k < all.size(); ++k) *outcomes[k] = all[k].outcome();
  }

  double work_of_ground() const override { return -contact_.work(); }

  void begin_anew() override { begins_anew_ = true; }
  void hold_anew() override {
    begins_anew_ = true;
    smooth_ = acceleration_;
  }

  double loss() const override { return loss_; }

  void forget() override {
    if (matrix_) matrix_->forget();
  }

  void visit_state(StateArchive& archive) override {
    archive.visit(last_step_);
    archive.visit(begins_anew_);
    for (std::vector<double>* const kept : {&smooth_, &acceleration_, &earlier_}) archive.visit_list(*kept);
    contact_.visit_state(archive);
  }

 private:
  /// Interface of a step to Newton's method. Where no part of a correction is accepted, friction between rods
  /// is taken stiffer than it is along its slip.
  class Iteration {
   public:
    Iteration(GeneralizedAlpha& own, MovingRods& rods, double end, double step)
        : own_(own), rods_(rods), end_(end), step_(step) {}

    void evaluate() { own_.find_residual(rods_, end_, step_); }

    bool find_step(int /*iteration*/) { return find_step_with(FrictionChange::foreseen); }
    bool find_other_step() {
      if (!rods_.pressing().rubs() || change_ == FrictionChange::stiffest) return false;
      return find_step_with(FrictionChange::stiffest);
    }

    double largest_part() {
      const double part = size_.turn > most_turn ? most_turn / size_.turn : 1.0;
      return rods_.pressing().may_act() ? std::min(part, rods_.pressing().bound(own_.correction_)) : part;
    }
    void take(double part) { own_.take(rods_, part); }
    void note_state() {
      own_.before_ = {rods_.state(), own_.change_, {}};
      for (const CosseratRod& r : rods_.rods()) own_.before_.stress.push_back(r.predicted);
    }
    void go_back() {
      rods_.set_state(own_.before_.places);
      own_.change_ = own_.before_.change;
      for (std::size_t k = 0; k < rods_.rods().size(); ++k)
        rods_.rods()[k].predicted = own_.before_.stress[k];
    }

    double correction_size() {
      size_ = rods_.size(own_.correction_);
      return size_.largest();
    }
    double change_size() const { return rods_.size(own_.change_).largest(); }
    double next_size() {
      own_.next_correction_ = own_.pull_;
      own_.matrix_->solve_again(rods_, own_.next_correction_);
      return rods_.size(own_.next_correction_).largest();
    }
    bool is_lost() const { return own_.turn_ > most_turn_on_the_way; }

   private:
    bool find_step_with(FrictionChange change) {
      change_ = change;
      rods_.pressing().take_change(change);
      return own_.solve(rods_, step_);
    }

    GeneralizedAlpha& own_;
    MovingRods& rods_;
    double end_;
    double step_;
    FrictionChange change_ = FrictionChange::exact;
    StepSize size_;  ///< of the correction
  };

  /// One of several side-by-side steps.
  struct Lane {
    GeneralizedAlpha& own;
    MovingRods& rods;
    double end;
    double step;
    bool runs = false;
    bool is_well = true;  ///< nothing has failed so far
    Iteration iteration;
    method::CorrectionCriterion criterion;

    explicit Lane(const method::SystemStep<MovingRods>& taken)
        : own(static_cast<GeneralizedAlpha&>(*taken.scheme)),
          rods(*taken.system),
          end(taken.end),
          step(taken.length),
          iteration(own, rods, end, step),
          criterion(own.criterion(rods)) {}

    CosseratRod& rod() const { return rods.rods().front(); }
    /// Time at which the iteration has its loads.
    double time() const { return own.takes_push_ ? end - step : end; }

    void judge(method::Verdict verdict) {
      runs = verdict == method::Verdict::goes_on;
      is_well = verdict != method::Verdict::failed;
    }

    SolveOutcome outcome() const {
      own.iterations_ += criterion.iterations();
      return is_well ? own.end_step(rods, end, step, true) : own.give_up(rods);
    }
  };

  bool fits_in_lanes(const MovingRods& rods) const { return tolerance_ == 0.0 && rods.fit_in_lanes(); }

  void start(MovingRods& rods, double end, double step) {
    prepare(rods);
    rods.start();
    rods.update_fluid();
    rods.read_rates(rates_);
    contact_.start(has_moved(), rates_);
    rods.hold(rates_);
    iterations_ = 0;
    if (rods.pressing().exists()) contact_.begin(rods, end, step, has_moved());
  }

  SolveOutcome go_on(MovingRods& rods, double end, double step) {
    if (is_pushed() && !add_push(rods, end, step)) return give_up(rods);
    return take_step(rods, end, step);
  }

  SolveOutcome take_step(MovingRods& rods, double end, double step) {
    if (!begin(rods, end, step)) return give_up(rods);
    if (rods.pressing().may_act()) {
      if (!contact_.begin_iteration(rods, change_, step)) return give_up(rods);
      if (remembers_ && !has_moved()) contact_.press_from_start(rods, pull_, step, rates_);
    }
    return end_step(rods, end, step, iterate(rods, end, step));
  }

  SolveOutcome give_up(MovingRods& rods) const {
    rods.restore();
    return {false, iterations_};
  }

  SolveOutcome end_step(MovingRods& rods, double end, double step, bool has_converged) {
    bool converged = has_converged && turn_ <= most_turn_of_step;
    if (converged && contact_.reach_ground(rods, change_)) {
      rods.restore();
      return take_step(rods, end, step);
    }
    if (converged && rods.pressing().may_act()) contact_.part(rods, pull_, step, change_);
    double error = 0.0;
    if (converged && tolerance_ > 0.0) {
      error = error_of(rods, step);
      converged = error <= tolerance_;
    }
    if (converged && rods.pressing().may_act()) converged = rods.pressing().accept(contact_.places());
    if (converged) {
      if (rods.pressing().may_act()) contact_.accept(remembers_);
      finish(rods, end, step);
    } else {
      rods.restore();
    }
    constexpr double growth = 8.0;  // of the error of a step that is twice as long
    const bool may_grow = growth * error <= tolerance_ && 2.0 * turn_ <= most_turn_of_step;
    return {converged, iterations_, may_grow};
  }

  method::CorrectionCriterion criterion(const MovingRods& rods) const {
    return {most_iterations_, alpha_accuracy, rods.pressing().may_act()};
  }

  bool iterate(MovingRods& rods, double end, double step) {
    Iteration iteration(*this, rods, end, step);
    method::CorrectionCriterion criterion = this->criterion(rods);
    const bool converged = method::solve_by_newton(iteration, criterion);
    iterations_ += criterion.iterations();
    return converged;
  }

  /// Iterates steps of several members side by side as long as enough of them go on, and then the rest alone.
  static void iterate(std::vector<Lane>& all, IterationLanes& lanes) {
    load(all, lanes);
    while (std::ranges::count_if(all, &Lane::runs) >= static_cast<int>(HostMember::fewest_together)) {
      find_corrections(all, lanes);
      std::array<double, IterationLanes::count> parts = {};
      for (std::size_t k = 0; k < all.size(); ++k) {
        if (!all[k].runs) continue;
        all[k].judge(all[k].criterion.at_step(all[k].iteration, true));
        if (all[k].runs) parts[k] = all[k].iteration.largest_part();
      }
      lanes.take(parts);
      for (std::size_t k = 0; k < all.size(); ++k) {
        if (parts[k] == 0.0) continue;
        lanes.store(k, all[k].rod());
        all[k].own.note_change(all[k].rods, parts[k]);
        all[k].judge(all[k].criterion.after_step(all[k].iteration, parts[k]));
      }
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (!all[k].runs) continue;
      lanes.store_stress(k, all[k].rod().predicted);
      all[k].is_well = method::solve_by_newton(all[k].iteration, all[k].criterion);
    }
  }

  /// Loads a member into each lane. Lanes that no member takes repeat the first one.
  static void load(const std::vector<Lane>& all, IterationLanes& lanes) {
    for (std::size_t k = 0; k < IterationLanes::count; ++k) {
      const Lane& lane = all[k < all.size() ? k : 0];
      lanes.load(k, lane.rod());
    }
  }

  static void find_corrections(const std::vector<Lane>& all, IterationLanes& lanes) {
    for (const Lane& lane : all) {
      if (lane.runs) lane.own.find_loads(lane.rods, lane.time(), lane.step);
    }
    lanes.linearize();
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (!all[k].runs) continue;
      GeneralizedAlpha& own = all[k].own;
      lanes.read(k, own.pull_);
      own.add_loads(all[k].rod(), lanes.matrix(k));
      own.add_inertia(all[k].rods, all[k].step);
      own.add_rates(all[k].rods, all[k].rod(), all[k].step, lanes.matrix(k));
      lanes.write(k, own.pull_);
    }
    lanes.solve();
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (all[k].runs) lanes.read(k, all[k].own.correction_);
    }
  }

  void prepare(const MovingRods& rods) {
    if (matrix_) return;
    matrix_.emplace(rods);
    change_.resize(rods.unknowns());
    pull_.resize(rods.unknowns());
    correction_.resize(rods.unknowns());
    next_.resize(rods.unknowns());
    missing_.assign(rods.unknowns(), 0.0);
  }

  /// True once a step has been taken.
  bool has_moved() const { return last_step_ != 0.0; }

  /// True if loads have jumped since the accelerations were found, as at the start.
  bool is_pushed() const { return remembers_ && (begins_anew_ || !has_moved()); }

  /// Adds the jump of accelerations that follows a jump of loads; false if the solve fails.
  bool add_push(MovingRods& rods, double end, double step) {
    begin_push(rods, end - step, step);
    find_residual(rods, end - step, step);
    const bool regular = solve(rods, step);
    return end_push(rods, step) && regular;
  }

  /// Adds the jumps of accelerations of all pushed members side by side.
  static void add_pushes(std::vector<Lane>& all, IterationLanes& lanes) {
    for (Lane& lane : all) {
      lane.runs = lane.own.is_pushed();
      if (lane.runs) lane.own.begin_push(lane.rods, lane.end - lane.step, lane.step);
    }
    if (std::ranges::none_of(all, &Lane::runs)) return;
    load(all, lanes);
    find_corrections(all, lanes);
    for (Lane& lane : all) {
      if (lane.runs) lane.is_well = lane.own.end_push(lane.rods, lane.step);
    }
  }

  /// Prepares a backward Euler step from the start of the step.
  void begin_push(MovingRods& rods, double start, double step) {
    if (!has_moved()) {
      smooth_.assign(rods.unknowns(), 0.0);
      acceleration_.assign(rods.unknowns(), 0.0);
    }
    c_ = AlphaNumbers::of_backward_euler();
    takes_push_ = true;
    rods.pressing().leave_out(true);
    std::ranges::fill(change_, 0.0);
    rods.set_time(start);
    rods.set_damping(start);
    if (rods.are_viscous()) rods.damp_regions(step, times(-step, rates_), rates_);
    rods.note_stress();
  }

  bool end_push(MovingRods& rods, double step) {
    ++iterations_;
    const StepSize size = rods.size(correction_);
    const double part = method::part_of_push(size.turn);
    for (std::size_t i = 0; i < correction_.size(); ++i) {
      const double jump = part * correction_[i] / (step * step);
      missing_[i] = pull_[i] / rods.inertia()[i] - jump;
      acceleration_[i] += jump;
      smooth_[i] += jump;
    }
    rods.hold(missing_);
    rods.hold(acceleration_);
    rods.hold(smooth_);
    end_push(rods);
    return std::isfinite(size.largest());
  }

  void end_push(MovingRods& rods) {
    rods.pressing().leave_out(false);
    takes_push_ = false;
    c_ = numbers_;
    rods.restore();
  }

  bool begin(MovingRods& rods, double end, double step) {
    if (!remembers_) {
      smooth_.assign(rods.unknowns(), 0.0);
      acceleration_.assign(rods.unknowns(), 0.0);
      if (begins_anew_ || !has_moved()) find_first_accelerations(rods, end - step, step);
    } else if (last_step_ != step) {
      smooth_ = acceleration_;
    }
    return predict(rods, end, step);
  }

  /// Finds the accelerations that the loads at the start of a backward Euler step give the rods after a jump.
  void find_first_accelerations(MovingRods& rods, double start, double step) {
    begin_push(rods, start, step);
    find_residual(rods, start, step);
    earlier_ = pull_;
    for (std::size_t i = 0; i < earlier_.size(); ++i) earlier_[i] /= rods.inertia()[i];
    rods.hold(earlier_);
    end_push(rods);
  }

  /// Predicts the end of the step from the rates at its start; rods that may touch stay where they are, since
  /// they might pass through each other. False if an element would turn too far.
  bool predict(MovingRods& rods, double end, double step) {
    std::ranges::fill(change_, 0.0);
    turn_ = 0.0;
    rods.note_stress();
    rods.set_time(end);
    rods.set_damping(end);
    if (rods.are_viscous()) damp_regions(rods, step);
    if (rods.pressing().may_act()) return true;
    for (std::size_t i = 0; i < change_.size(); ++i) change_[i] = step * rates_[i];
    turn_ = rods.size(change_).turn;
    if (!(turn_ <= most_turn_on_the_way)) return false;
    for (const CosseratRod& r : rods.rods()) {
      double* const own = r.of(change_);
      for (int i = r.first_own_node(); i <= r.rod.elements; ++i)
        r.rod.set_vec3(field::position, i, r.rod.vec3(field::position, i) + three_at(own + node_unknown(i)));
      for (int i = 0; i < r.rod.elements; ++i)
        r.rod.set_quaternion(i, r.rod.quaternion(i) * rotation(three_at(own + element_unknown(i))));
    }
    rods.place_ties();
    return true;
  }

  static std::vector<double> times(double factor, std::vector<double> vector) {
    for (double& entry : vector) entry *= factor;
    return vector;
  }

  /// Damps regions at the rates at the end, which would be zero for some D. Where the step begins, D is zero.
  void damp_regions(MovingRods& rods, double step) {
    const double seconds = 1.0 / by_rate(step);
    std::vector<double> back(change_.size());
    std::vector<double> expected(change_.size());
    for (std::size_t i = 0; i < back.size(); ++i) {
      back[i] = -seconds * rate_after(i, step);
      expected[i] = rates_[i] + step * smooth_[i];
    }
    rods.damp_regions(seconds, back, expected);
  }

  /// Value of a1 for the present change.
  double smooth_after(std::size_t i, double step) const {
    return (change_[i] - step * rates_[i]) / (c_.position * step * step) -
           (0.5 - c_.position) / c_.position * smooth_[i];
  }
  double rate_after(std::size_t i, double step) const {
    if (takes_push_) return rates_[i];
    return rates_[i] + step * ((1.0 - c_.velocity) * smooth_[i] + c_.velocity * smooth_after(i, step));
  }
  double acceleration_after(std::size_t i, double step) const {
    if (takes_push_) return acceleration_[i];
    return ((1.0 - c_.mass) * smooth_after(i, step) + c_.mass * smooth_[i] - c_.force * acceleration_[i]) /
           (1.0 - c_.force);
  }

  /// Sets the loads other than elastic ones in the present state.
  void find_loads(MovingRods& rods, double end, double step) {
    for (std::size_t i = 0; i < next_.size(); ++i) next_[i] = rate_after(i, step);
    rods.write_rates(next_);
    rods.hold_rates(end);
    rods.find_loads(end);
  }

  /// Turns an elastic gradient into the total force on the rod, without inertia.
  void add_loads(const CosseratRod& r, MatrixEntries matrix) {
    r.data->forces.add_hessian_of_nodes(r.rod, 1.0, matrix);
    subtract_from_loads(r, r.of(next_), r.part(pull_));
  }

  void add_inertia(const MovingRods& rods, double step) {
    rods.gather(pull_);
    for (std::size_t i = 0; i < pull_.size(); ++i)
      pull_[i] -= rods.inertia()[i] * acceleration_after(i, step);
    rods.hold(pull_);
  }

  /// Adds inertia and damping to the matrix of a rod.
  void add_rates(const MovingRods& rods, const CosseratRod& r, double step,
                 const MatrixEntries& matrix) const {
    const double by_inertia = (1.0 - c_.mass) / ((1.0 - c_.force) * c_.position * step * step);
    for (int i = 0; i < r.unknowns(); ++i) {
      const std::size_t unknown = r.first + static_cast<std::size_t>(i);
      if (rods.ties().leads(static_cast<int>(unknown - unknown % 3)))
        matrix.at(i, i) += by_inertia * rods.inertia()[unknown];
    }
    if (r.damping.acts() || r.in_fluid) add_resistance(r, by_rate(step), matrix);
  }

  void note_change(const MovingRods& rods, double part) {
    double square = 0.0;
    for (const CosseratRod& r : rods.rods()) {
      const std::span<const double> correction = r.part(std::as_const(correction_));
      double* const change = r.of(change_);
      for (int i = 0; i <= r.rod.elements; ++i) {
        const int n = node_unknown(i);
        for (int c = n; c < n + 3; ++c) change[c] += part * correction[static_cast<std::size_t>(c)];
        if (i == r.rod.elements) break;
        const Vec3 turn = rotation_vector(conjugate(rods.start_orientation(r, i)) * r.rod.quaternion(i));
        double* const v = change + element_unknown(i);
        v[0] = turn.x;
        v[1] = turn.y;
        v[2] = turn.z;
        square = std::max(square, dot(turn, turn));
      }
    }
    turn_ = std::sqrt(square);
  }

  double by_rate(double step) const { return c_.velocity / (c_.position * step); }

  /// Sets the residual force in the present state, and the matrix.
  void find_residual(MovingRods& rods, double end, double step) {
    find_loads(rods, end, step);
    for (CosseratRod& r : rods.rods()) {
      tangent::elastic_hessian(r.rod, r.ends, r.part(pull_), r.matrix, &r.predicted);
      add_loads(r, MatrixEntries(r.matrix));
    }
    add_inertia(rods, step);
    if (rods.pressing().may_act()) contact_.subtract(rods, change_, c_.share_of_forces(), pull_);
  }

  /// Solves for the correction; false if the matrix is singular.
  bool solve(MovingRods& rods, double step) {
    for (CosseratRod& r : rods.rods()) add_rates(rods, r, step, MatrixEntries(r.matrix));
    correction_ = pull_;
    return matrix_->solve(rods, by_rate(step), c_.share_of_forces(), correction_);
  }

  /// Applies `part` of the correction.
  void take(MovingRods& rods, double part) {
    rods.take(correction_, part);
    note_change(rods, part);
  }

  /// Error of a step: the deviation of the rods' move by the change of acceleration from Taylor's series
  /// (Zienkiewicz and Xie 1991), filtered by the matrix of the step. It thus ignores fast motion that the
  /// step damps out.
  double error_of(MovingRods& rods, double step) {
    const double by_inertia = (1.0 - c_.mass) / ((1.0 - c_.force) * c_.position * step * step);
    const double share = step * step * (c_.position - 1.0 / 6.0) * by_inertia;
    for (std::size_t i = 0; i < pull_.size(); ++i)
      pull_[i] = share * rods.inertia()[i] * (smooth_after(i, step) - smooth_[i]);
    rods.hold(pull_);
    matrix_->solve_again(rods, pull_);
    return rods.size(pull_).largest();
  }

  void finish(MovingRods& rods, double end, double step) {
    loss_ = 0.0;
    for (std::size_t i = 0; i < next_.size(); ++i) {
      next_[i] = rate_after(i, step);
      const double smooth = smooth_after(i, step);
      const double acceleration = acceleration_after(i, step);
      if (rods.ties().leads(static_cast<int>(i - i % 3))) {
        double gained = step * ((1.0 - c_.velocity) * smooth_[i] + c_.velocity * smooth);
        double force = 0.5 * ((remembers_ ? acceleration_[i] + missing_[i] : earlier_[i]) + acceleration);
        double before = rates_[i];
        double way = change_[i];
        if (rods.pressing().may_act()) {
          const ContactJumps::Change of_contact = contact_.change(i);
          force += 0.5 * (of_contact.last_jump / (has_moved() ? last_step_ : step) + of_contact.jump / step);
          before += of_contact.last_offset;
          gained += of_contact.jump + of_contact.offset - of_contact.last_offset;
          way += step * of_contact.jump;
        }
        loss_ += rods.inertia()[i] * (force * way - (before + 0.5 * gained) * gained);
      }
      acceleration_[i] = acceleration;
      smooth_[i] = smooth;
      missing_[i] = 0.0;
    }
    rods.hold(smooth_);
    rods.hold(acceleration_);
    if (!remembers_) earlier_ = acceleration_;
    contact_.add_to_rates(next_);
    rods.write_rates(next_);
    rods.hold_rates(end);
    last_step_ = step;
    begins_anew_ = false;
    if (rods.has_motions()) note_reactions(rods, end, step);
    rods.free_regions();
  }

  void note_reactions(MovingRods& rods, double end, double step) {
    rods.find_loads(end);
    rods.read_rates(next_);
    for (const CosseratRod& r : rods.rods()) {
      tangent::elastic_gradient(r.rod, r.ends, r.part(pull_));
      subtract_from_loads(r, r.of(next_), r.part(pull_));
    }
    rods.gather(pull_);
    if (rods.pressing().may_act()) contact_.subtract_from_reactions(pull_);
    rods.note_reactions(end, step, pull_);
  }

  AlphaNumbers numbers_;
  AlphaNumbers c_;  ///< at present
  bool remembers_;  ///< accelerations; a step of backward Euler is one that does not
  int most_iterations_;
  double tolerance_;
  // State kept from step to step.
  double last_step_ = 0.0;            ///< s; 0: none was taken
  bool begins_anew_ = false;          ///< loads or constraints have jumped since
  std::vector<double> smooth_;        ///< a
  std::vector<double> acceleration_;  ///< v'
  std::vector<double> earlier_;       ///< v' of the last step, where steps do not remember it
  ContactJumps contact_;
  // Data of the current step.
  std::optional<StepMatrix> matrix_;
  std::vector<double> rates_;    ///< at the start
  std::vector<double> change_;   ///< D
  std::vector<double> next_;     ///< rates at the end
  std::vector<double> missing_;  ///< of v' at the start: by what the forces of a jump would make it more
  std::vector<double> pull_;
  std::vector<double> correction_;
  int iterations_ = 0;
  bool takes_push_ = false;  ///< solves for the change of a push
  /// Energy lost in the last step, J: work of all forces (trapezoidal rule) less kinetic energy gained.
  double loss_ = 0.0;
  double turn_ = 0.0;  ///< the largest of an element since the start, rad
  // State before a correction that may be applied in part.
  struct Before {
    std::vector<Placement> places;
    std::vector<double> change;
    std::vector<tangent::RodStress> stress;
  };
  Before before_;
  std::vector<double> next_correction_;
};

}  // namespace

std::unique_ptr<Scheme> make_generalized_alpha(const MemberSpec& spec) {
  return std::make_unique<GeneralizedAlpha>(spec, AlphaNumbers(spec.time.spectral_radius), true);
}

std::unique_ptr<Scheme> make_backward_euler(const MemberSpec& spec) {
  return std::make_unique<GeneralizedAlpha>(spec, AlphaNumbers::of_backward_euler(), false);
}

}  // namespace rodeo::implicit
