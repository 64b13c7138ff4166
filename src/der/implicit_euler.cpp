#include "rodeo/der/implicit_euler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rodeo/der/elastic_energy.hpp"

#include "edge_loads.hpp"
#include "end_entries.hpp"

namespace rodeo::der {

namespace {

/// In so many iterations of a solve friction has all of its slope; later contact::later_slope_share, with
/// which stacks of 30 to 100 rods take 0.2 to 0.75 times as many. Two rods mostly converge within the first
/// two.
constexpr int exact_iterations = 2;

int total_size(const std::vector<RodStep>& rods) {
  int size = 0;
  for (const RodStep& rod : rods) size += degrees_of_freedom(rod.rod.elements);
  return size;
}

Vec3 get(const double* q, int i) { return {q[4 * i], q[4 * i + 1], q[4 * i + 2]}; }

void add(double* q, int i, const Vec3& v) {
  q[4 * i] += v.x;
  q[4 * i + 1] += v.y;
  q[4 * i + 2] += v.z;
}

void set(double* q, int i, const Vec3& v) {
  q[4 * i] = v.x;
  q[4 * i + 1] = v.y;
  q[4 * i + 2] = v.z;
}

TurnedEdge edge_at(const RodStep& rod, const double* q, int i) {
  return turned_edge(rod.rod.quaternion(i), get(q, i + 1) - get(q, i), q[4 * i + 3]);
}

/// The angle by which an element that has not turned yet turns to a frame along its edge.
double angle_to(const RodStep& rod, const double* q, int element, const Quaternion& frame) {
  const Quaternion carried = turned_frame(rod.rod.quaternion(element), edge_at(rod, q, element));
  const Quaternion turn = conjugate(carried) * frame;
  return std::remainder(2.0 * std::atan2(turn.z, turn.w), 2.0 * M_PI);
}

/// The resistance of an element to turning in a step of so many seconds.
TurnDrag turn_drag(const RodStep& rod, int i, double step) {
  const double* const start = rod.start.data();
  return {rod.damping.rotational * rod.rod.array(field::rest_length)[i], step,
          get(start, i + 1) - get(start, i), rod.edge[static_cast<std::size_t>(i)]};
}

/// Damping of a node, kg/s; there is no length beyond the ends.
double node_drag(const RodStep& rod, const forces::DampingLaw& damping, int i) {
  const double* const length = rod.rod.array(field::rest_length);
  return damping.of_node(length[i - 1] + length[i], rod.rod.array(field::mass)[i]);
}

/// Damping of an element's turning about its tangent, kg m^2/s.
double twist_drag(const RodStep& rod, const forces::DampingLaw& damping, int i) {
  const double inertia = rod.rod.inertia(i).z;
  return damping.of_element(rod.rod.array(field::rest_length)[i], inertia,
                            rod.rod.array(field::contact_radius)[i]);
}

/// Resistance of a fluid to the motion of a node: drag (I - t t'/2).
struct FluidDrag {
  double drag;  ///< kg/s
  Vec3 tangent;

  Vec3 times(const Vec3& v) const { return drag * (v - (0.5 * dot(tangent, v)) * tangent); }
};

/// That of a node, which has the halves of the elements next to it.
FluidDrag fluid_drag(const RodStep& rod, int i) {
  const double* const weight = rod.rod.array(field::half_drag);
  Vec3 edges;
  double drag = 0.0;
  for (const int element : {i - 1, i}) {
    if (element < 0 || element == rod.rod.elements) continue;
    const Vec3& edge = rod.edge[static_cast<std::size_t>(element)];
    edges = edges + weight[element] * edge;
    drag += weight[element] * norm(edge);
  }
  constexpr double folded = 1e-200;  // two elements that lie on each other have no direction, and no NaN
  return {drag, (1.0 / std::sqrt(dot(edges, edges) + folded)) * edges};
}

std::vector<int> first_entries(const std::vector<RodStep>& rods) {
  std::vector<int> first;
  first.reserve(rods.size());
  for (const RodStep& rod : rods) first.push_back(rod.first);
  return first;
}

/// What links couple: their places, and where nodes may be tied the nodes on both sides of each, with which
/// these may be.
std::vector<coupling::SpanPair> coupled_spans(const std::vector<RodStep>& rods,
                                              const std::optional<LinkForces>& links, bool ties) {
  std::vector<coupling::SpanPair> spans = links ? links->spans() : std::vector<coupling::SpanPair>{};
  if (!ties) return spans;
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

/// Subtracts the derivative of a force on an edge by the edge: of the force on its last node, which is the
/// force, and of that on its first, which is minus the force (`node` is the first one's first row).
void subtract_edge_gradient(BandedMatrix& jacobian, int node, const double (&g)[3][3]) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      jacobian.at(node + i, node + j) -= g[i][j];
      jacobian.at(node + 4 + i, node + 4 + j) -= g[i][j];
      jacobian.at(node + i, node + 4 + j) += g[i][j];
      jacobian.at(node + 4 + i, node + j) += g[i][j];
    }
  }
}

bool is_zero(const Vec3& v) { return dot(v, v) == 0.0; }

void add_load_answer(const RodStep& rod, const double* q, double* force) {
  rod.load_answer->for_each([&](int i, int j, double entry) {
    force[i] += entry * (q[j] - rod.start[static_cast<std::size_t>(j)]);
  });
}

}  // namespace

std::vector<double> present(const ConstRodView& rod) {
  std::vector<double> q(static_cast<std::size_t>(degrees_of_freedom(rod.elements)), 0.0);
  for (int i = 0; i <= rod.elements; ++i) set(q.data(), i, rod.vec3(field::position, i));
  return q;
}

void RodStep::start_from_arrays() {
  start = present(rod);
  for (int i = 0; i < rod.elements; ++i) {
    edge[static_cast<std::size_t>(i)] = get(start.data(), i + 1) - get(start.data(), i);
  }
}

ImplicitEuler::ImplicitEuler(std::vector<RodStep> rods, std::optional<coupling::Contacts> contacts,
                             const NewtonLimits& limits, std::optional<LinkForces> links, bool ties)
    : rods_(std::move(rods)),
      contacts_(std::move(contacts)),
      links_(std::move(links)),
      limits_(limits),
      jacobian_(layout, first_entries(rods_), total_size(rods_), coupled_spans(rods_, links_, ties), ties,
                contacts_ ? contacts_->turns() : 0),
      q_(static_cast<std::size_t>(jacobian_.size())),
      start_(q_.size()),
      constraints_(jacobian_.size()) {
  for (const RodStep& rod : rods_) constraints_.bind_ends(rod.first, rod.rod.elements, rod.ends);
  constraints_.hold({}, {});
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
  method::SolveOutcome outcome = newton_.solve(*this, q_, limits_.iterations);
  if (contacts_ && !contacts_->is_passable(q_)) outcome.converged = false;
  if (outcome.converged) accept();
  return outcome;
}

void ImplicitEuler::accept() {
  if (constraints_.moves()) find_reactions();
  if (ground_) ground_->look(q_);
  if (ground_ && !at_rest_) ground_->accept(q_);
  for (const RodStep& rod : rods_) accept(rod, q_.data() + rod.first);
  if (contacts_) contacts_->watch().look();
}

void ImplicitEuler::find_what_holds() {
  if (!begin()) return;
  std::vector<double> unbalanced;
  residual(q_, unbalanced);  // which makes contact as stiff as it asks
  if (constraints_.moves()) find_reactions();
  if (ground_) ground_->accept(q_);
}

std::optional<int> ImplicitEuler::linearize(double step, std::vector<double>& unbalanced,
                                            std::span<const coupling::AlongElement> masses) {
  step_ = step;
  if (!begin()) return std::nullopt;
  residual(q_, unbalanced);
  assemble(q_, 1.0, masses);
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
  residual(q_, force);  // so that contacts are those of the state that is taken
  if (passes) accept();
  return size;
}

std::vector<double> ImplicitEuler::inertia() const {
  std::vector<double> inertia(q_.size());
  for (const RodStep& rod : rods_) {
    double* const own = inertia.data() + rod.first;
    for (int i = 0; i <= rod.rod.elements; ++i) {
      std::fill_n(own + 4 * i, 3, rod.rod.array(field::mass)[i]);
      if (i < rod.rod.elements) own[4 * i + 3] = rod.rod.inertia(i).z;
    }
  }
  return inertia;
}

/// The first iterate: the state at the start of the step, with the ends where they are held.
bool ImplicitEuler::begin() {
  double external = 0.0;
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
      q[end_entries(n, end).angle] = angle_to(rod, q, element, rod.rod.quaternion(end == 0 ? -1 : n));
    }
    for (int i = 0; i <= n; ++i) {
      const Vec3 f = rod.rod.vec3(field::external_force, i);
      external += dot(f, f);
    }
  }
  for (const HeldElement& held : constraints_.held_elements()) {
    const RodStep& rod = rods_[held.rod];
    double* const q = q_.data() + rod.first;
    q[4 * held.element + 3] = angle_to(rod, q, held.element, held.frame);
  }
  constraints_.set_ties();
  const double of_dashpots = at_rest_ ? std::numeric_limits<double>::infinity() : step_;
  if (ground_) {
    std::vector<coupling::GroundContact::Strand> strands;
    for (const RodStep& rod : rods_) strands.push_back({rod.rod, rod.first, rod.start.data()});
    ground_->begin_step(strands, of_dashpots);
  }
  external_norm_ = std::sqrt(external);
  if (links_) links_->begin_step(start_, of_dashpots);
  if (!contacts_) return true;
  if (at_rest_) contacts_->forget();  // their stiffness is to follow from the state alone
  return contacts_->begin_step(start_, q_, step_);
}

/// All but those of contact.
void ImplicitEuler::add_forces(const std::vector<double>& q, std::vector<double>& force) const {
  for (const RodStep& rod : rods_) {
    const double* const own = q.data() + rod.first;
    double* const f = force.data() + rod.first;
    add_elastic_gradient(rod.rod, rod.hinges, own, f);
    add_inertia(rod, own, f);
    add_edge_loads(rod, own, f);
    if (rod.load_answer) add_load_answer(rod, own, f);
    if (rod.in_fluid) add_fluid_drag(rod, own, f);
  }
  if (links_) links_->add_residual(q, force);
  if (ground_) ground_->add_residual(q, force);
}

void ImplicitEuler::find_reactions() {
  reactions_.assign(q_.size(), 0.0);
  add_forces(q_, reactions_);
  if (contacts_) contacts_->add_residual(q_, reactions_);
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

bool ImplicitEuler::factor(const std::vector<double>& q, int iteration) {
  const bool slides = iteration > exact_iterations && contacts_ && contacts_->has_friction();
  return factor_with(q, slides ? contact::later_slope_share : 1.0);
}

/// First with all of the slope of friction, then with none.
bool ImplicitEuler::factor_anew(const std::vector<double>& q) {
  if (!contacts_ || !contacts_->has_friction() || slope_share_ == 0.0) return false;
  return factor_with(q, slope_share_ == 1.0 ? 0.0 : 1.0);
}

/// Contact is that of the last residual: Newton's method evaluates it where it factors.
bool ImplicitEuler::factor_with(const std::vector<double>& q, double slope_share) {
  slope_share_ = slope_share;
  assemble(q, slope_share);
  return jacobian_.factor(is_symmetric());
}

void ImplicitEuler::assemble(const std::vector<double>& q, double slope_share,
                             std::span<const coupling::AlongElement> masses) {
  jacobian_.set_zero();
  for (const RodStep& rod : rods_) {
    add_elastic_hessian(rod.rod, rod.hinges, q.data() + rod.first, jacobian_.band(), rod.first);
    add_inertia_jacobian(rod);
    add_edge_load_jacobian(rod, q.data() + rod.first);
    if (rod.load_answer) add_load_answer_jacobian(rod);
    if (rod.in_fluid) add_fluid_drag_jacobian(rod);
  }
  for (const coupling::AlongElement& mass : masses) {
    const double part = mass.sixth / (step_ * step_);
    for (int c = 0; c < 3; ++c) {
      const int first = mass.first + c;
      const int last = mass.last + c;
      jacobian_.band().at(first, first) -= part;
      jacobian_.band().at(last, last) -= part;
      jacobian_.band().at(first, last) += part;
      jacobian_.band().at(last, first) += part;
    }
  }
  if (ground_) ground_->add_jacobian(q, jacobian_.band());
  constraints_.constrain(jacobian_.band());
  for (std::size_t k = 0; links_ && k < links_->spans().size(); ++k) {
    coupling::SpanMatrix block = {};
    set_link_jacobian(k, q, block);
    jacobian_.add(k, block);
  }
  if (contacts_) {
    jacobian_.expect(contacts_->near_pairs());
    const auto add = [this](const coupling::PairNodes& nodes, contact::PairMatrix& block) {
      constraints_.constrain(nodes, block);
      jacobian_.add(nodes, block);
    };
    contacts_->for_each_jacobian(add, slope_share);
  }
}

bool ImplicitEuler::rubs() const {
  return (contacts_ && contacts_->has_friction()) || (ground_ && !ground_->is_symmetric());
}

/// Neither friction nor couples that keep their direction have a potential. The answer of loads is that at
/// the start of the step, where alone it makes their couples' derivatives symmetric.
bool ImplicitEuler::is_symmetric() const {
  return !rubs() && std::ranges::all_of(rods_, [](const RodStep& rod) {
    return !rod.load_answer && std::ranges::all_of(rod.couple, is_zero);
  });
}

bool ImplicitEuler::have_energy() const {
  return !rubs() && std::ranges::all_of(rods_, &RodStep::loads_have_energy);
}

/// A drop by limits.relative is enough where it leaves less than a hundredth of the external forces.
double ImplicitEuler::tolerance(double first_norm) const {
  constexpr double external_share = 0.01;
  return std::max(limits_.force, std::min(limits_.relative * first_norm, external_share * external_norm_));
}

/// Forces of contact are so stiff that places which differ by rounding leave more than the tolerance: of
/// friction the more the shorter a step is, as it divides ways by that.
bool ImplicitEuler::is_rounding(const std::vector<double>& step, const std::vector<double>& way) const {
  constexpr double of_way = 1e-8;
  constexpr double of_radius = 1e-10;
  return must_fall() && length(step) <= of_way * length(way) + of_radius * contacts_->radius();
}

double ImplicitEuler::bound(const std::vector<double>& q, const std::vector<double>& step) {
  const double part = contacts_ ? contacts_->bound(q, step) : 1.0;
  return ground_ ? std::min(part, ground_->bound(q, step)) : part;
}

/// With contact on one node of a tie alone the Jacobian is not exact: it leaves out what the other node
/// feels of it, and the step is brought back to where ties let nodes go.
void ImplicitEuler::solve(std::vector<double>& vector) const {
  jacobian_.solve(vector);
  if (constraints_.have_ties()) constraints_.constrain(vector);
}

/// The derivative of a link among what CoupledMatrix has room for: P A P.
void ImplicitEuler::set_link_jacobian(std::size_t link, const std::vector<double>& q,
                                      coupling::SpanMatrix& block) const {
  LinkMatrix own = {};
  links_->set_jacobian(link, q, own);
  const coupling::SpanPair& spans = jacobian_.links()[link];
  int at[2 * link_size];
  for (int side = 0; side < 2; ++side) {
    const int offset = links_->spans()[link][static_cast<std::size_t>(side)].first -
                       spans[static_cast<std::size_t>(side)].first;
    for (int i = 0; i < link_size; ++i) at[link_size * side + i] = coupling::span_size * side + offset + i;
  }
  for (int i = 0; i < 2 * link_size; ++i) {
    for (int j = 0; j < 2 * link_size; ++j) block[at[i]][at[j]] = own[i][j];
  }
  for (int side = 0; side < 2; ++side)
    constraints_.constrain(spans[static_cast<std::size_t>(side)], coupling::span_size * side, block);
}

/// Inertia, the damping of nodes and of the elements' twist, and external forces.
void ImplicitEuler::add_inertia(const RodStep& rod, const double* q, double* force) const {
  const double* const mass = rod.rod.array(field::mass);
  const double* const spin = rod.rod.array(field::angular_velocity, 2);
  const double rate = 1.0 / step_;
  const int n = rod.rod.elements;
  for (int i = 0; i <= n; ++i) {
    const double drag = node_drag(rod, rod.damping, i);
    const Vec3 velocity = rate * (get(q, i) - get(rod.start.data(), i));
    add(force, i,
        (mass[i] * rate) * (velocity - rod.rod.vec3(field::velocity, i)) + drag * velocity -
            rod.rod.vec3(field::external_force, i));
  }
  for (int i = 0; i < n; ++i) {
    const double now = rate * q[4 * i + 3];
    force[4 * i + 3] += rod.rod.inertia(i).z * rate * (now - spin[i]) + twist_drag(rod, rod.damping, i) * now;
  }
}

void ImplicitEuler::add_inertia_jacobian(const RodStep& rod) {
  const double* const mass = rod.rod.array(field::mass);
  const double rate = 1.0 / step_;
  const int n = rod.rod.elements;
  for (int i = 0; i <= n; ++i) {
    const double drag = node_drag(rod, rod.damping, i);
    for (int c = 0; c < 3; ++c) {
      const int row = rod.first + 4 * i + c;
      jacobian_.band().at(row, row) += (mass[i] * rate + drag) * rate;
    }
    if (i == n) break;
    const int row = rod.first + 4 * i + 3;
    jacobian_.band().at(row, row) += (rod.rod.inertia(i).z * rate + twist_drag(rod, rod.damping, i)) * rate;
  }
}

void ImplicitEuler::add_fluid_drag(const RodStep& rod, const double* q, double* force) const {
  for (int i = 0; i <= rod.rod.elements; ++i) {
    const Vec3 velocity = (1.0 / step_) * (get(q, i) - get(rod.start.data(), i));
    add(force, i, fluid_drag(rod, i).times(velocity));
  }
}

void ImplicitEuler::add_fluid_drag_jacobian(const RodStep& rod) {
  constexpr Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i <= rod.rod.elements; ++i) {
    const FluidDrag drag = fluid_drag(rod, i);
    const int node = rod.first + 4 * i;
    for (int c = 0; c < 3; ++c) {
      const Vec3 column = (1.0 / step_) * drag.times(axes[c]);
      jacobian_.band().at(node, node + c) += column.x;
      jacobian_.band().at(node + 1, node + c) += column.y;
      jacobian_.band().at(node + 2, node + c) += column.z;
    }
  }
}

/// An element's turning about directions across it, (t x change of the edge)/|e|, is resisted besides.
void ImplicitEuler::add_damping(const RodStep& rod, const forces::DampingLaw& damping, const double* velocity,
                                double* force) {
  for (int i = 0; i <= rod.rod.elements; ++i) {
    add(force, i, node_drag(rod, damping, i) * get(velocity, i));
    if (i == rod.rod.elements) break;
    force[4 * i + 3] += twist_drag(rod, damping, i) * velocity[4 * i + 3];
    if (damping.rotational == 0.0) continue;
    const Vec3 edge = rod.rod.vec3(field::position, i + 1) - rod.rod.vec3(field::position, i);
    const TurnDrag drag{damping.rotational * rod.rod.array(field::rest_length)[i], 1.0, {}, edge};
    const Vec3 f = drag.force(get(velocity, i + 1) - get(velocity, i));
    add(force, i, f);
    add(force, i + 1, -1.0 * f);
  }
}

/// Couples on elements, and the damping of their turning.
void ImplicitEuler::add_edge_loads(const RodStep& rod, const double* q, double* force) const {
  for (int i = 0; i < rod.rod.elements; ++i) {
    if (rod.damping.rotational > 0.0) {
      const Vec3 f = turn_drag(rod, i, step_).force(get(q, i + 1) - get(q, i));
      add(force, i, f);
      add(force, i + 1, -1.0 * f);
    }
    const SteadyCouple load{rod.couple[static_cast<std::size_t>(i)]};
    if (is_zero(load.couple)) continue;
    const TurnedEdge edge = edge_at(rod, q, i);
    add(force, i, load.force(edge));
    add(force, i + 1, -1.0 * load.force(edge));
    force[4 * i + 3] -= load.moment(edge);
  }
}

void ImplicitEuler::add_edge_load_jacobian(const RodStep& rod, const double* q) {
  for (int i = 0; i < rod.rod.elements; ++i) {
    const int node = rod.first + 4 * i;
    if (rod.damping.rotational > 0.0) {
      double g[3][3];
      turn_drag(rod, i, step_).gradient(g);
      subtract_edge_gradient(jacobian_.band(), node, g);
    }
    const SteadyCouple load{rod.couple[static_cast<std::size_t>(i)]};
    if (is_zero(load.couple)) continue;
    Vec3 columns[3];
    Vec3 by_edge;
    load.gradients(edge_at(rod, q, i), columns, by_edge);
    const double g[3][3] = {{columns[0].x, columns[1].x, columns[2].x},
                            {columns[0].y, columns[1].y, columns[2].y},
                            {columns[0].z, columns[1].z, columns[2].z}};
    subtract_edge_gradient(jacobian_.band(), node, g);
    const double moment[3] = {by_edge.x, by_edge.y, by_edge.z};
    for (int j = 0; j < 3; ++j) {
      jacobian_.band().at(node + 3, node + 4 + j) -= moment[j];
      jacobian_.band().at(node + 3, node + j) += moment[j];
    }
  }
}

void ImplicitEuler::add_load_answer_jacobian(const RodStep& rod) {
  rod.load_answer->for_each(
      [&](int i, int j, double entry) { jacobian_.band().at(rod.first + i, rod.first + j) += entry; });
}

void ImplicitEuler::accept(const RodStep& rod, const double* q) const {
  const RodView& arrays = rod.rod;
  for (int i = 0; i <= arrays.elements; ++i) {
    arrays.set_vec3(field::velocity, i, (1.0 / step_) * (get(q, i) - get(rod.start.data(), i)));
    arrays.set_vec3(field::position, i, get(q, i));
  }
  for (int i = 0; i < arrays.elements; ++i) {
    arrays.set_quaternion(i, turned_frame(arrays.quaternion(i), edge_at(rod, q, i)));
    arrays.set_vec3(field::angular_velocity, i, {0.0, 0.0, q[4 * i + 3] / step_});
  }
}

/// Moments count as forces over the length of the rod.
double ImplicitEuler::norm(const std::vector<double>& force) const {
  double sum = 0.0;
  for (const RodStep& rod : rods_) {
    const int n = rod.rod.elements;
    const double length = n * rod.rod.array(field::rest_length)[0];
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
