#include "rodeo/der/implicit_euler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rodeo/method/newton.hpp"
#include "rodeo/method/residual_criterion.hpp"

#include "end_entries.hpp"
#include "node_entries.hpp"
#include "rod_forces.hpp"

namespace rodeo::der {

namespace {

using coupling::FrictionChange;

int total_size(const std::vector<RodStep>& rods) {
  int size = 0;
  for (const RodStep& rod : rods) size += degrees_of_freedom(rod.rod.elements);
  return size;
}

double nominal_length(const RodStep& rod) { return rod.rod.elements * rod.rod.array(field::rest_length)[0]; }

std::vector<int> first_entries(const std::vector<RodStep>& rods) {
  std::vector<int> first;
  first.reserve(rods.size());
  for (const RodStep& rod : rods) first.push_back(rod.first);
  return first;
}

std::vector<std::size_t> closed_ones(const std::vector<RodStep>& rods) {
  std::vector<std::size_t> closed;
  for (std::size_t k = 0; k < rods.size(); ++k) {
    if (rods[k].closure.closed) closed.push_back(k);
  }
  return closed;
}

/// Spans that links couple, and those of the seams of closed rods: the last element and the first.
std::vector<coupling::SpanPair> spans_between(const std::vector<RodStep>& rods,
                                              const std::optional<LinkForces>& links) {
  std::vector<coupling::SpanPair> spans = links ? links->spans() : std::vector<coupling::SpanPair>{};
  for (const std::size_t k : closed_ones(rods)) {
    const int first = rods[k].first;
    spans.push_back({{{first + 4 * (rods[k].rod.elements - 1), element_size}, {first, element_size}}});
  }
  return spans;
}

/// Spans widened by the nodes on both sides of each, with which an element that is held couples them.
std::vector<coupling::SpanPair> widened(std::vector<coupling::SpanPair> spans,
                                        const std::vector<RodStep>& rods) {
  for (coupling::SpanPair& pair : spans) {
    for (coupling::Span& span : pair) {
      const auto rod = std::ranges::find_if(rods, [&](const RodStep& r) {
        return span.first >= r.first && span.first < r.first + degrees_of_freedom(r.rod.elements);
      });
      const int end =
          std::min(span.first + span.size + 4, rod->first + degrees_of_freedom(rod->rod.elements));
      span.first = std::max(span.first - 4, rod->first);
      span.size = end - span.first;
    }
  }
  return spans;
}

}  // namespace

/// Newton's system of a step, F(q) = 0 (eq. 7).
class ImplicitEuler::Iteration {
 public:
  explicit Iteration(ImplicitEuler& own) : own_(own), q_(own.q_), v_(own.iterates_) { v_.first = q_; }

  void evaluate() { own_.residual(q_, v_.residual); }
  bool find_step(int /*iteration*/) { return own_.factor_after(part_, q_) && solve(); }
  bool find_other_step() { return own_.factor_anew(q_) && solve(); }
  double largest_part() { return own_.bound(q_, v_.step); }
  void take(double part) {
    part_ = part;
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] += part * v_.step[i];
  }
  void note_state() { v_.before = q_; }
  void go_back() { q_ = v_.before; }

  double norm() const { return own_.norm(v_.residual); }
  double tolerance(double first_norm) const { return own_.tolerance(first_norm); }
  double rounding_norm() const { return own_.limits().rounding; }
  double no_length() const { return 1e-9 * own_.limits().length; }
  double step_length() const { return own_.length(v_.step); }
  double next_length() {
    v_.other = v_.residual;
    own_.solve(v_.other);
    return own_.length(v_.other);
  }
  bool is_rounding() {
    v_.other = q_;
    for (std::size_t i = 0; i < q_.size(); ++i) v_.other[i] -= v_.first[i];
    return own_.is_rounding(v_.step, v_.other);
  }
  bool must_fall() const { return own_.must_fall(); }
  bool moves() const { return !own_.at_rest_; }
  void note_best() { v_.best = q_; }
  void go_to_best() { q_ = v_.best; }

 private:
  bool solve() {
    v_.step = v_.residual;
    own_.solve(v_.step);
    for (double& entry : v_.step) entry = -entry;
    return true;
  }

  ImplicitEuler& own_;
  std::vector<double>& q_;
  Iterates& v_;
  double part_ = 1.0;  ///< of the last step, that was taken
};

ImplicitEuler::ImplicitEuler(std::vector<RodStep> rods, std::optional<coupling::Contacts> contacts,
                             const NewtonLimits& limits, std::optional<LinkForces> links, coupling::Ties ties,
                             bool holds_elements)
    : rods_(std::move(rods)),
      contacts_(std::move(contacts)),
      links_(std::move(links)),
      ties_(std::move(ties)),
      closed_(closed_ones(rods_)),
      spans_(spans_between(rods_, links_)),
      limits_(limits),
      jacobian_({.layout = layout,
                 .rod_starts = first_entries(rods_),
                 .size = total_size(rods_),
                 .links = holds_elements ? widened(spans_, rods_) : spans_,
                 .ties = ties_,
                 .holds_elements = holds_elements,
                 .pair_turns = contacts_ ? contacts_->turns() : 0}),
      q_(static_cast<std::size_t>(jacobian_.size())),
      start_(q_.size()),
      constraints_(jacobian_.size(), ties_) {
  for (const RodStep& rod : rods_) constraints_.bind_ends(rod.first, rod.rod.elements, rod.ends);
  constraints_.hold({}, {});
}

/// The force that counts as none is never below what rounding leaves. Where this is more than a small part of
/// the scale of the forces, it does not count as converged (residual_criterion.hpp).
NewtonLimits NewtonLimits::of_step(double step) const {
  const double rate = 1.0 / std::min(step, shortest_step);
  NewtonLimits limits = *this;
  limits.rounding = rounding_by_rate[0] + rate * (rounding_by_rate[1] + rate * rounding_by_rate[2]);
  if (limits.rounding <= most_rounding) limits.force = std::max(force, limits.rounding);
  return limits;
}

void ImplicitEuler::forget() {
  jacobian_.forget();
  if (!contacts_) return;
  contacts_->forget();
  contacts_->watch().stand();
}

method::SolveOutcome ImplicitEuler::advance(double step) {
  step_ = step;
  if (!begin()) return {};
  Iteration iteration(*this);
  method::ResidualCriterion criterion(limits().iterations);
  bool converged = method::solve_by_newton(iteration, criterion);
  if (contacts_ && !contacts_->is_passable(q_)) converged = false;
  if (converged) accept();
  return {converged, criterion.iterations()};
}

void ImplicitEuler::accept() {
  if (constraints_.moves()) find_reactions();
  if (ground_) ground_->look(q_);
  if (ground_ && !at_rest_) ground_->accept(q_);
  for (const RodStep& rod : rods_) rod.accept(q_.data() + rod.first, step_);
  if (contacts_) contacts_->watch().look();
}

bool ImplicitEuler::find_unbalanced(std::vector<double>& force) {
  if (!begin()) return false;
  residual(q_, force);
  return true;
}

void ImplicitEuler::take(std::span<const double> step, double part) {
  begin();
  for (std::size_t i = 0; i < q_.size(); ++i) q_[i] += part * step[i];
  accept();
}

void ImplicitEuler::find_what_holds() {
  std::vector<double> unbalanced;
  if (!find_unbalanced(unbalanced)) return;  // sets the stiffness of contact, too
  if (constraints_.moves()) find_reactions();
  if (ground_) ground_->accept(q_);
}

std::optional<int> ImplicitEuler::linearize(double share, std::vector<double>& unbalanced,
                                            std::span<const coupling::AlongElement> masses) {
  step_ = 1.0 / std::sqrt(std::abs(share));
  if (!find_unbalanced(unbalanced)) return std::nullopt;
  for (RodStep& rod : rods_) rod.inertia_part = std::copysign(1.0, share);
  assemble(q_, masses);
  for (RodStep& rod : rods_) rod.inertia_part = 1.0;
  const std::vector<double> diagonal = jacobian_.diagonal();
  std::vector<double> free(q_.size(), 1.0);
  constraints_.constrain(free);
  const std::vector<double> resting = inertia();
  double largest = 0.0;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    if (free[i] != 0.0) largest = std::max(largest, diagonal[i] / resting[i]);
  }
  rounding_ = std::numeric_limits<double>::epsilon() * largest;
  if (have_energy()) return jacobian_.factor_and_count();
  return jacobian_.factor(false) ? std::optional(0) : std::nullopt;
}

double ImplicitEuler::refine(const std::vector<double>& unbalanced, double longest) {
  std::vector<double> step = unbalanced;
  solve(step);
  for (double& entry : step) entry = -entry;
  const double size = length(step);
  if (!(size < longest) || bound(q_, step) < 1.0) return size;
  const std::vector<double> before = q_;
  for (std::size_t i = 0; i < q_.size(); ++i) q_[i] += step[i];
  const bool passes = !contacts_ || contacts_->is_passable(q_);
  if (!passes) q_ = before;
  std::vector<double> force;
  residual(q_, force);  // evaluates contacts in the state that is taken
  if (passes) accept();
  return size;
}

std::vector<double> ImplicitEuler::inertia() const {
  std::vector<double> inertia(q_.size());
  for (const RodStep& rod : rods_) {
    double* const own = inertia.data() + rod.first;
    for (int i = rod.first_own_node(); i < rod.end_of_own_nodes(); ++i)
      std::fill_n(own + 4 * i, 3, rod.rod.array(field::mass)[i]);
    for (int i = 0; i < rod.rod.elements; ++i) own[4 * i + 3] = rod.rod.inertia(i).z;
  }
  ties_.gather(inertia);
  return inertia;
}

/// The first iterate: the state at the start of the step, with the ends where they are held.
bool ImplicitEuler::begin() {
  double external = 0.0;
  double couples = 0.0;
  for (const RodStep& rod : rods_) {
    double* const q = q_.data() + rod.first;
    std::ranges::copy(rod.start, q);
    std::ranges::copy(rod.start, start_.begin() + rod.first);
    const int n = rod.rod.elements;
    for (const int i : {0, 1, n - 1, n}) set(q, i, rod.rod.vec3(field::position, i));
    if (constraints_.moves()) std::ranges::copy(present(rod.rod), q);
    for (int end = 0; end < 2; ++end) {
      if (!rod.ends[end].element_held) continue;
      const int element = end == 0 ? 0 : n - 1;
      q[end_entries(n, end).angle] = rod.angle_to(q, element, rod.rod.quaternion(end == 0 ? -1 : n));
    }
    for (int i = rod.first_own_node(); i < rod.end_of_own_nodes(); ++i) {
      const Vec3 f = rod.rod.vec3(field::external_force, i);
      external += dot(f, f);
    }
    const double length = nominal_length(rod);
    for (const Vec3& couple : rod.couple) couples += dot(couple, couple) / (length * length);
  }
  for (const HeldElement& held : constraints_.held_elements()) {
    const RodStep& rod = rods_[held.rod];
    double* const q = q_.data() + rod.first;
    q[4 * held.element + 3] = rod.angle_to(q, held.element, held.frame);
  }
  constraints_.set_edges();
  const double of_dashpots = at_rest_ ? std::numeric_limits<double>::infinity() : step_;
  if (ground_) {
    std::vector<coupling::GroundContact::Strand> strands;
    for (const RodStep& rod : rods_) strands.push_back({rod.rod, rod.first, rod.start.data()});
    ground_->begin_step(strands, of_dashpots);
  }
  external_norm_ = std::sqrt(external);
  load_norm_ = std::sqrt(external + couples);
  if (links_) links_->begin_step(start_, of_dashpots);
  if (!contacts_) return true;
  if (at_rest_) contacts_->forget();  // their stiffness is to follow from the state alone
  return contacts_->begin_step(start_, q_, step_);
}

/// Adds all forces but those of contact.
void ImplicitEuler::add_forces(const std::vector<double>& q, std::vector<double>& force) const {
  for (const RodStep& rod : rods_)
    der::add_forces(rod, q.data() + rod.first, step_, force.data() + rod.first);
  if (links_) links_->add_residual(q, force);
  if (ground_) ground_->add_residual(q, force);
}

void ImplicitEuler::find_reactions() {
  reactions_.assign(q_.size(), 0.0);
  add_forces(q_, reactions_);
  if (contacts_) contacts_->add_residual(q_, reactions_);
  ties_.gather(reactions_);
  ties_.spread(reactions_);
}

void ImplicitEuler::residual(const std::vector<double>& q, std::vector<double>& force) {
  force.assign(q.size(), 0.0);
  add_forces(q, force);
  constraints_.constrain(force);
  if (!contacts_) return;
  contacts_->set_stiffness(force);
  contacts_->add_residual(q, force);
  constraints_.constrain(force);
}

bool ImplicitEuler::factor(const std::vector<double>& q) { return factor_with(q, FrictionChange::foreseen); }

/// Factors with the stiffest friction where little of a step could be taken, as it changed unforeseen.
bool ImplicitEuler::factor_after(double part, const std::vector<double>& q) {
  constexpr double little = 0.3;
  return factor_with(q, part < little ? FrictionChange::stiffest : FrictionChange::foreseen);
}

/// Factors with the exact derivative of friction, then with the stiffest.
bool ImplicitEuler::factor_anew(const std::vector<double>& q) {
  if (!contacts_ || !contacts_->has_friction() || friction_change_ == FrictionChange::stiffest) return false;
  return factor_with(
      q, friction_change_ == FrictionChange::exact ? FrictionChange::stiffest : FrictionChange::exact);
}

/// Contact is that of the last residual: Newton's method evaluates it where it factors.
bool ImplicitEuler::factor_with(const std::vector<double>& q, FrictionChange change) {
  friction_change_ = change;
  const bool symmetric = is_symmetric(q);
  const bool exactly = symmetric || at_rest_;
  if (contacts_) {
    contacts_->linearize(change, !exactly && jacobian_.iterates() ? coupling::ContactPoints::held
                                                                  : coupling::ContactPoints::follow);
  }
  assemble(q, {}, !symmetric);
  if (exactly) return jacobian_.factor(symmetric);
  return jacobian_.factor_for_few_digits();
}

void ImplicitEuler::assemble(const std::vector<double>& q, std::span<const coupling::AlongElement> masses,
                             bool spins) {
  jacobian_.set_zero();
  for (const RodStep& rod : rods_) add_jacobian(rod, q.data() + rod.first, step_, spins, jacobian_.band());
  for (const coupling::AlongElement& mass : masses) {
    const double part = rods_.front().inertia_part * mass.sixth / (step_ * step_);
    for (int c = 0; c < 3; ++c) {
      const int first = mass.first + c;
      const int last = mass.last + c;
      jacobian_.band().at(first, first) -= part;
      jacobian_.band().at(last, last) -= part;
      jacobian_.band().at(first, last) += part;
      jacobian_.band().at(last, first) += part;
    }
  }
  if (ground_) {
    ground_->add_jacobian(q, jacobian_.band(), [this](int row, int column, double entry) {
      if (constraints_.is_free(row) && constraints_.is_free(column))
        jacobian_.note_unsymmetric(row, column, entry);
    });
  }
  constraints_.constrain(jacobian_.band());
  for (std::size_t k = 0; k < spans_.size(); ++k) {
    coupling::SpanMatrix block = {};
    set_jacobian_between(k, q, block);
    jacobian_.add(k, block);
  }
  if (contacts_) {
    jacobian_.expect(contacts_->near_pairs());
    const auto add = [this](const coupling::PairNodes& nodes, contact::PairMatrix& block,
                            contact::PairProduct& by_load) {
      constraints_.constrain(nodes, block);
      constraints_.leave_out({nodes, block.turns()}, by_load);
      jacobian_.add(nodes, block, by_load);
    };
    contacts_->for_each_jacobian(add);
  }
}

bool ImplicitEuler::rubs() const {
  return (contacts_ && contacts_->has_friction()) || (stands_on_ground() && !ground_->is_symmetric());
}

/// Neither friction, couples that keep their direction nor spins have a potential. Derivatives of loads are
/// those at the start of the step, where alone they make their couples' derivatives symmetric.
bool ImplicitEuler::is_symmetric(const std::vector<double>& q) const {
  return !rubs() && std::ranges::none_of(rods_, [&](const RodStep& rod) {
    return has_unsymmetric_loads(rod, q.data() + rod.first, step_);
  });
}

bool ImplicitEuler::have_energy() const {
  return !rubs() && std::ranges::all_of(rods_, &RodStep::loads_have_energy);
}

/// A drop by limits.relative is enough where it leaves less than a hundredth of the external forces.
double ImplicitEuler::tolerance(double first_norm) const {
  constexpr double external_share = 0.01;
  return std::max(no_force(), std::min(limits().relative * first_norm, external_share * external_norm_));
}

/// The scale of the loads may be far below that of the stiffness, and an unbalanced part of them takes a rod
/// as far as nothing, or something soft, holds it. Friction that yields in a step is known only by a solve
/// after the one that found it too large, and of a stiff rod the excess may be small beside its stiffness.
double ImplicitEuler::no_force() const {
  constexpr double of_what_yields = 1e-3;
  const NewtonLimits limits = this->limits();
  if (load_norm_ == 0.0 || is_rounded() || !(at_rest_ || stands_on_ground() || contacts_))
    return limits.force;
  const double share = at_rest_ ? limits.of_loads : of_what_yields;
  return std::min(limits.force, std::max(share * load_norm_, limits.rounding));
}

/// Forces of contact are so stiff that places which differ by rounding leave more than the tolerance; with
/// friction the more, the shorter the step by which it divides displacements.
bool ImplicitEuler::is_rounding(const std::vector<double>& step, const std::vector<double>& way) const {
  constexpr double of_way = 1e-8;
  constexpr double of_radius = 1e-10;
  return must_fall() && length(step) <= of_way * length(way) + of_radius * contacts_->radius();
}

double ImplicitEuler::bound(const std::vector<double>& q, const std::vector<double>& step) {
  const double part = contacts_ ? contacts_->bound(q, step) : 1.0;
  return ground_ ? std::min(part, ground_->bound(q, step)) : part;
}

/// With contact on one node of a held edge alone the Jacobian is not exact: it leaves out the effect on the
/// other node, and the step is projected back on what edges allow.
void ImplicitEuler::solve(std::vector<double>& vector) const {
  jacobian_.solve(vector);
  if (constraints_.hold_edges()) constraints_.constrain(vector);
  ties_.spread(vector);
}

/// Sets P A P of a link, or of a seam, in the spans that CoupledMatrix has room for.
void ImplicitEuler::set_jacobian_between(std::size_t place, const std::vector<double>& q,
                                         coupling::SpanMatrix& block) const {
  LinkMatrix own = {};
  const std::size_t links = spans_.size() - closed_.size();
  if (place < links) {
    links_->set_jacobian(place, q, own);
  } else {
    const RodStep& rod = rods_[closed_[place - links]];
    set_seam_hessian(rod.rod, rod.hinges, q.data() + rod.first, own);
  }
  const coupling::SpanPair& spans = jacobian_.links()[place];
  int at[2 * link_size];
  for (int side = 0; side < 2; ++side) {
    const int offset =
        spans_[place][static_cast<std::size_t>(side)].first - spans[static_cast<std::size_t>(side)].first;
    for (int i = 0; i < link_size; ++i) at[link_size * side + i] = coupling::span_size * side + offset + i;
  }
  for (int i = 0; i < 2 * link_size; ++i) {
    for (int j = 0; j < 2 * link_size; ++j) block[at[i]][at[j]] = own[i][j];
  }
  for (int side = 0; side < 2; ++side)
    constraints_.constrain(spans[static_cast<std::size_t>(side)], coupling::span_size * side, block);
}

/// Moments count as forces over the length of the rod.
double ImplicitEuler::norm(const std::vector<double>& force) const {
  double sum = 0.0;
  for (const RodStep& rod : rods_) {
    const int n = rod.rod.elements;
    const double length = nominal_length(rod);
    const double* const f = force.data() + rod.first;
    for (int i = 0; i <= n; ++i) {
      const double moment = i < n ? f[4 * i + 3] / length : 0.0;
      sum += dot(get(f, i), get(f, i)) + moment * moment;
    }
  }
  return std::sqrt(sum);
}

/// Angles count as moves of an element's end.
double ImplicitEuler::length(const std::vector<double>& step) const {
  double sum = 0.0;
  for (const RodStep& rod : rods_) {
    const int n = rod.rod.elements;
    const double* const p = step.data() + rod.first;
    for (int i = 0; i <= n; ++i) {
      const double arc = i < n ? p[4 * i + 3] * rod.rod.array(field::rest_length)[i] : 0.0;
      sum += dot(get(p, i), get(p, i)) + arc * arc;
    }
  }
  return std::sqrt(sum);
}

}  // namespace rodeo::der
