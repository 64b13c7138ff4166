#include "rodeo/coupling/contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rodeo/contact/segment_distance.hpp"
#include "rodeo/member/build_rod.hpp"
#include "rodeo/member/held_pairs.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo::coupling {

namespace {

using contact::pair_nodes;
using contact::PairDistance;

/// Contact stiffness over the largest force.
constexpr double stiffness_per_force = 1e5;

/// Spread of the points of contact of a pair over the product of its elements' lengths: those of elements
/// along each other move between their ends as these turn by 0.03.
constexpr double spread_per_square = 1e-3;

// Lengths over the smallest radius.
constexpr double near_gap = 2.0;        ///< of pairs whose nodes' forces count for the stiffness
constexpr double skin = 1.0;            ///< gap beyond the needed one, up to which pairs are listed
constexpr double least_covered = 0.05;  ///< moves that are always provided for
constexpr double largest_move = 4.0;    ///< of a node in a step

Vec3 node(const std::vector<double>& q, int dof) {
  const double* const x = q.data() + dof;
  return {x[0], x[1], x[2]};
}

struct Ends {
  Vec3 x[pair_nodes];

  Ends(const std::vector<double>& q, const PairNodes& nodes) {
    for (std::size_t k = 0; k < pair_nodes; ++k) x[k] = node(q, nodes[k]);
  }
  Ends(const std::vector<double>& to, const std::vector<double>& from, const PairNodes& nodes)
      : Ends(to, nodes) {
    for (std::size_t k = 0; k < pair_nodes; ++k) x[k] = x[k] - node(from, nodes[k]);
  }
};

}  // namespace

Contacts::Contacts(const MemberSpec& spec, const ConstRodView& all, std::vector<int> first_dof, int stride,
                   std::vector<contact::ElementPair> left_out)
    : all_(all),
      first_dof_(std::move(first_dof)),
      stride_(stride),
      near_(spec, all, std::move(left_out)),
      watch_(all, near_, 2.0 * smallest_radius(spec)),
      potential_(contact::potential_of(spec.contact.kind)),
      tolerance_(spec.contact.tolerance),
      radius_(smallest_radius(spec)),
      goes_far_(!spec.rests()),
      friction_{spec.contact.friction, spec.contact.slip_tolerance},
      turns_(has_friction() && !spec.published_laws ? stride - 3 : 0),
      spread_(turns_ > 0 && !potential_.infinite_at_touch ? spread_per_square : 0.0) {}

/// The longest move of a node.
template <class Move>
double Contacts::longest(const Move& move) const {
  double square = 0.0;
  int last = 0;
  for (const int dof : first_dof_) {
    if (dof < 0) continue;
    for (const int i : {dof, dof + stride_}) {
      if (i == last) continue;
      const Vec3 p = move(i);
      square = std::max(square, dot(p, p));
      last = i;
    }
  }
  return std::sqrt(square);
}

bool Contacts::begin_step(const std::vector<double>& start, const std::vector<double>& guess, double step) {
  start_ = start;
  guess_ = guess;
  step_ = step;
  if (has_friction()) note_earlier();
  stiffness_ = -1.0;
  went_far_ = false;
  active_.clear();
  tangents_.clear();
  double widest = 0.0;
  bool is_driven = false;
  covered_.assign(first_dof_.size(), 0.0);
  for (std::size_t i = 0; i < first_dof_.size(); ++i) {
    if (first_dof_[i] < 0) continue;
    double way = least_covered * radius_;
    for (int k = 0; k < 2; ++k) {
      const int dof = first_dof_[i] + stride_ * k;
      const Vec3 flight = step * all_.vec3(field::velocity, static_cast<int>(i) + k);
      const double driven = norm(node(guess, dof) - node(start, dof));
      is_driven = is_driven || driven > 0.0;
      way = std::max({way, 2.0 * norm(flight), driven});
    }
    covered_[i] = way;
    widest = std::max(widest, way);
  }
  const double reach = tolerance_ + 2.0 * widest;
  if (!is_listed(reach)) list(std::max(reach, near_gap * radius_) + skin * radius_);
  choose_pairs();
  if (!potential_.infinite_at_touch || !is_driven) return true;
  return std::ranges::all_of(pairs_, [&](const Pair& pair) {
    return contact::collision_free_part(Ends(start, pair.nodes).x, Ends(guess, start, pair.nodes).x,
                                        pair.touch) == 1.0;
  });
}

/// Notes the rates and frames at the start of the step, which friction reads.
void Contacts::note_earlier() {
  earlier_rates_.resize(start_.size());
  const bool has_frames = turns() == 3;
  if (has_frames) frames_.resize(static_cast<std::size_t>(all_.elements));
  const auto note = [&](int dof, const Vec3& rate) {
    double* const entries = earlier_rates_.data() + dof;
    entries[0] = rate.x;
    entries[1] = rate.y;
    entries[2] = rate.z;
  };
  for (int i = 0; i < all_.elements; ++i) {
    const int first = first_dof_[static_cast<std::size_t>(i)];
    if (first < 0) continue;
    for (const int k : {0, 1}) note(first + stride_ * k, all_.vec3(field::velocity, i + k));
    const Vec3 turn = all_.vec3(field::angular_velocity, i);
    if (has_frames) {
      note(first + 3, turn);
      frames_[static_cast<std::size_t>(i)] = directors(all_.quaternion(i));
    } else if (turns() == 1) {
      earlier_rates_[static_cast<std::size_t>(first + 3)] = turn.z;
    }
  }
}

/// Makes a pair with the gap at the guess.
Contacts::Pair Contacts::pair_of(const contact::ElementPair& elements) const {
  const auto [i, j] = elements;
  const int first = first_dof_[static_cast<std::size_t>(i)];
  const int second = first_dof_[static_cast<std::size_t>(j)];
  const double radius = near_.radius(i);
  const double touch = radius + near_.radius(j);
  const double* const length = all_.array(field::rest_length);
  const double spread = spread_ * length[i] * length[j];
  Pair pair{elements, {first, first + stride_, second, second + stride_}, touch, radius / touch, spread, 0.0};
  pair.listed_gap = gap_at_guess(pair);
  return pair;
}

PairDistance Contacts::distance(const std::vector<double>& q, const Pair& pair) const {
  return PairDistance(Ends(q, pair.nodes).x, pair.spread);
}

double Contacts::gap_at_guess(const Pair& pair) const { return distance(guess_, pair).value() - pair.touch; }

/// Lists all pairs with a gap up to `reach` at the guess.
void Contacts::list(double reach) {
  listed_.clear();
  near_nodes_.clear();
  for (const contact::ElementPair& elements : near_.find(reach)) {
    const Pair pair = pair_of(elements);
    if (pair.listed_gap > reach) continue;
    listed_.push_back(pair);
    if (pair.listed_gap <= near_gap * radius_)
      near_nodes_.insert(near_nodes_.end(), pair.nodes.begin(), pair.nodes.end());
  }
  std::ranges::sort(near_nodes_);
  near_nodes_.erase(std::unique(near_nodes_.begin(), near_nodes_.end()), near_nodes_.end());
  listed_reach_ = reach;
  listed_position_.clear();
  for (int i = 0; i <= all_.elements; ++i) listed_position_.push_back(all_.vec3(field::position, i));
}

double Contacts::move_since_listed() const {
  double square = 0.0;
  for (int i = 0; i <= all_.elements; ++i) {
    const Vec3 move = all_.vec3(field::position, i) - listed_position_[static_cast<std::size_t>(i)];
    square = std::max(square, dot(move, move));
  }
  return std::sqrt(square);
}

/// Whether the list has all pairs with a gap up to `reach` at the guess.
bool Contacts::is_listed(double reach) const {
  return listed_reach_ >= 0.0 && listed_reach_ >= reach + 2.0 * move_since_listed();
}

/// Gap at the guess that two elements may close on the moves that are covered.
double Contacts::reach(const contact::ElementPair& elements) const {
  return tolerance_ + covered_[static_cast<std::size_t>(elements.first)] +
         covered_[static_cast<std::size_t>(elements.second)];
}

/// Takes from the list the pairs that may touch on the moves that are covered.
void Contacts::choose_pairs() {
  const double moved = move_since_listed();
  pairs_.clear();
  for (const Pair& pair : listed_) {
    const double most = reach(pair.elements);
    if (pair.listed_gap - 2.0 * moved <= most && gap_at_guess(pair) <= most) pairs_.push_back(pair);
  }
}

/// Covers the moves from the guess to q and on to q + p. A few nodes that a poor step throws far do not make
/// all the others look far.
void Contacts::cover(const std::vector<double>& q, const std::vector<double>& p, double part) {
  bool is_covered = true;
  for (std::size_t i = 0; i < first_dof_.size(); ++i) {
    if (first_dof_[i] < 0) continue;
    double way = 0.0;
    for (const int dof : {first_dof_[i], first_dof_[i] + stride_}) {
      const Vec3 gone = node(q, dof) - node(guess_, dof);
      way = std::max({way, norm(gone), norm(gone + part * node(p, dof))});
    }
    if (way <= covered_[i]) continue;
    covered_[i] = 2.0 * way;
    is_covered = false;
  }
  if (is_covered) return;
  if (is_listed(tolerance_ + 2.0 * std::ranges::max(covered_))) return choose_pairs();
  pairs_.clear();
  for (const contact::ElementPair& elements : near_.find(tolerance_, covered_)) {
    const Pair pair = pair_of(elements);
    if (pair.listed_gap <= reach(elements)) pairs_.push_back(pair);
  }
}

void Contacts::set_stiffness(const std::vector<double>& force) {
  if (stiffness_ < 0.0) stiffness_ = stiffness_for(force);
}

double Contacts::stiffness_for(const std::vector<double>& force) const {
  double square = 0.0;
  for (const int i : near_nodes_) square = std::max(square, dot(node(force, i), node(force, i)));
  return stiffness_per_force * std::sqrt(square);
}

Contacts::Active Contacts::evaluate(const Pair& pair, const PairDistance& distance) const {
  const double x = (distance.value() - pair.touch) / pair.radius();
  const auto [slope, curvature] = potential_.derivatives(x, tolerance_ / pair.radius());
  return {pair, distance, -stiffness_ * slope, -stiffness_ / pair.radius() * curvature};
}

/// Slip of a pair; `rate` gives the rate of a degree of freedom.
template <class Rate>
contact::Slip Contacts::slip(const Active& active, const Vec3 (&velocity)[pair_nodes],
                             const Rate& rate) const {
  const Pair& pair = active.pair;
  const auto turning = [&](int side) {
    if (turns() == 0) return contact::Turning();
    const double share = side == 0 ? pair.share : 1.0 - pair.share;
    const int turn = pair.nodes[static_cast<std::size_t>(2 * side)] + 3;
    if (turns() == 1) {
      return contact::Turning::of_edge(share, active.distance.edge(side),
                                       velocity[2 * side + 1] - velocity[2 * side], rate(turn));
    }
    const int element = side == 0 ? pair.elements.first : pair.elements.second;
    return contact::Turning::of_frame(share, frames_[static_cast<std::size_t>(element)],
                                      {rate(turn), rate(turn + 1), rate(turn + 2)});
  };
  return {active.distance, velocity, {turning(0), turning(1)}};
}

contact::Slip Contacts::slip(const Active& active) const {
  Ends velocity(present_, start_, active.pair.nodes);
  for (Vec3& v : velocity.x) v = (1.0 / step_) * v;
  return slip(active, velocity.x, [&](int dof) {
    const auto i = static_cast<std::size_t>(dof);
    return (present_[i] - start_[i]) / step_;
  });
}

contact::Slip Contacts::earlier_slip(const Active& active) const {
  return slip(active, Ends(earlier_rates_, active.pair.nodes).x,
              [&](int dof) { return earlier_rates_[static_cast<std::size_t>(dof)]; });
}

void Contacts::add_residual(const std::vector<double>& q, std::vector<double>& force) {
  present_ = q;
  active_.clear();
  is_linearized_ = false;
  smallest_gap_ = std::numeric_limits<double>::infinity();
  const auto subtract = [&](int dof, const Vec3& load) {
    double* const f = force.data() + dof;
    f[0] -= load.x;
    f[1] -= load.y;
    f[2] -= load.z;
  };
  for (const Pair& pair : pairs_) {
    const PairDistance apart = distance(q, pair);
    const double gap = apart.value() - pair.touch;
    if (gap >= tolerance_) continue;  // such pairs are here by how far the iterations went
    smallest_gap_ = std::min(smallest_gap_, gap / pair.radius());
    const Active& active = active_.emplace_back(evaluate(pair, apart));
    Vec3 on_second = active.normal_force * apart.normal();
    if (!has_friction()) {
      for (int k = 0; k < pair_nodes; ++k)
        subtract(pair.nodes[static_cast<std::size_t>(k)], apart.weight(k) * on_second);
      continue;
    }
    const contact::Slip slipping = slip(active);
    const Vec3 rubbing = active.normal_force * friction_.force(slipping.value());
    on_second = on_second + rubbing;
    contact::PairLoad load(apart, on_second);
    load.add_couples(slipping, rubbing);
    for (int k = 0; k < pair_nodes; ++k) subtract(pair.nodes[static_cast<std::size_t>(k)], load.on_end[k]);
    for (int side = 0; side < 2; ++side) {
      const int turn = pair.nodes[static_cast<std::size_t>(2 * side)] + 3;
      for (int j = 0; j < turns(); ++j) force[static_cast<std::size_t>(turn + j)] -= load.on_turn[side][j];
    }
  }
}

/// Relies on pairs in rising order, those of the last time too.
void Contacts::linearize(FrictionChange change, ContactPoints points) {
  if (!has_friction()) return;
  holds_points_ = points == ContactPoints::held && spread_ > 0.0;
  std::vector<Tangent> next;
  next.reserve(active_.size());
  auto last = tangents_.begin();
  for (const Active& active : active_) {
    const contact::ElementPair elements = active.pair.elements;
    contact::FrictionTangent friction = tangent(active);
    while (last != tangents_.end() && last->elements < elements) ++last;
    if (change == FrictionChange::stiffest) {
      friction.force = {};
    } else if (change == FrictionChange::foreseen && last != tangents_.end() && last->elements == elements) {
      friction.force = last->friction.foreseen(friction.slip);
    }
    next.push_back({elements, friction});
  }
  tangents_ = std::move(next);
  is_linearized_ = true;
}

contact::FrictionTangent Contacts::tangent(const Active& active) const {
  return {friction_, slip(active).value(), norm(earlier_slip(active).value())};
}

contact::PairProduct Contacts::set_jacobian(std::size_t k, contact::PairMatrix& block) const {
  const Active& active = active_[k];
  PairDistance distance = active.distance;
  if (!(is_linearized_ && holds_points_)) distance.differentiate_parameters();
  contact::add_gradient_square(distance, -active.normal_force_slope, block);
  contact::add_distance_hessian(distance, -active.normal_force, block);
  if (!has_friction()) return {};
  Active with_parameters = active;
  with_parameters.distance = distance;
  return contact::add_friction_gradient(friction_, distance, slip(with_parameters),
                                        is_linearized_ ? tangents_[k].friction : tangent(active),
                                        active.normal_force, active.normal_force_slope, step_, -1.0, block);
}

/// How far elements that move by so much more have been from where the arrays have them, at either of two
/// states, m.
std::vector<double> Contacts::ways(const std::vector<double>& a, const std::vector<double>& b,
                                   double more) const {
  std::vector<double> ways(first_dof_.size(), 0.0);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (first_dof_[i] < 0) continue;
    for (int k = 0; k < 2; ++k) {
      const Vec3 here = all_.vec3(field::position, static_cast<int>(i) + k);
      const int dof = first_dof_[i] + stride_ * k;
      ways[i] = std::max({ways[i], norm(node(a, dof) - here), norm(node(b, dof) - here)});
    }
    ways[i] += more;
  }
  return ways;
}

/// Whether all pairs stay far apart on the way from q to `to`: no bound on moves is needed where rods swing
/// or fly as if they were alone. A search for equilibria is bounded all the same: of several it would leap to
/// one to which no small steps lead.
bool Contacts::is_free_way(const std::vector<double>& q, const std::vector<double>& to) {
  const double near = std::max(tolerance_, near_gap * radius_);
  const auto is_free = [&](const Pair& pair) {
    return distance(q, pair).value() > pair.touch + near &&
           contact::collision_free_part(Ends(q, pair.nodes).x, Ends(to, q, pair.nodes).x,
                                        pair.touch + near) == 1.0;
  };
  return std::ranges::all_of(pairs_, is_free) &&
         std::ranges::all_of(near_.find(near, ways(q, to, 0.0)), [&](const contact::ElementPair& elements) {
           return is_free(pair_of(elements));
         });
}

/// Goes on from q as from a guess, on a free way to which nodes have come. All pairs are looked at that may
/// touch in a state of that way, or after the longest moves from there.
void Contacts::go_on_from(const std::vector<double>& q) {
  guess_ = q;
  went_far_ = true;
  covered_.assign(first_dof_.size(), (largest_move + 0.5 * near_gap) * radius_);
  pairs_.clear();
  for (const contact::ElementPair& elements : near_.find(tolerance_, ways(q, q, covered_.front()))) {
    const Pair pair = pair_of(elements);
    if (pair.listed_gap <= reach(elements)) pairs_.push_back(pair);
  }
}

double Contacts::bound(const std::vector<double>& q, const std::vector<double>& p) {
  const double most = largest_move * radius_;
  double gone = longest([&](int i) { return node(q, i) - node(guess_, i); });
  if (went_far_ && gone > most) {  // only a part of the way was taken
    go_on_from(q);
    gone = 0.0;
  }
  const double longest_step = longest([&](int i) { return node(p, i); });
  double part = 1.0;
  if (!(longest_step <= most - gone)) {
    std::vector<double> to = q;
    for (std::size_t i = 0; i < p.size(); ++i) to[i] += p[i];
    if (goes_far_ && std::isfinite(longest_step) && is_free_way(q, to)) {
      go_on_from(to);
    } else {
      part = std::max(most - gone, 0.0) / longest_step;
    }
  }
  if (!(part > 0.0)) return 0.0;
  if (!went_far_) cover(q, p, part);
  if (!potential_.infinite_at_touch) return part;
  constexpr double share = 0.95;  // of the way to a collision
  std::vector<double> move(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) move[i] = part * p[i];
  double free = 1.0;
  for (const Pair& pair : pairs_) {
    free = std::min(
        free, contact::collision_free_part(Ends(q, pair.nodes).x, Ends(move, pair.nodes).x, pair.touch));
  }
  return free < 1.0 ? share * free * part : part;
}

bool Contacts::is_passable(const std::vector<double>& q) {
  const auto passes_from = [&](const std::vector<double>& from, const Pair& pair) {
    return contact::collision_free_part(Ends(from, pair.nodes).x, Ends(q, from, pair.nodes).x, 0.0) == 1.0;
  };
  const auto passes = [&](const Pair& pair) {
    if (potential_.infinite_at_touch && distance(q, pair).value() <= pair.touch) return false;
    return passes_from(start_, pair) && (!went_far_ || passes_from(guess_, pair));
  };
  if (!went_far_) return std::ranges::all_of(pairs_, passes);
  return std::ranges::all_of(near_.find(0.0, ways(guess_, q, 0.0)),
                             [&](const contact::ElementPair& elements) { return passes(pair_of(elements)); });
}

std::vector<PairNodes> Contacts::near_pairs() const {
  std::vector<PairNodes> nodes;
  for (const Pair& pair : pairs_) nodes.push_back(pair.nodes);
  return nodes;
}

ContactState Contacts::state() const {
  ContactState state{static_cast<int>(active_.size()), smallest_gap_, 0.0, watch_.has_passed()};
  for (const Active& active : active_)
    state.deepest = std::max(state.deepest, active.pair.touch - active.distance.value());
  return state;
}

double Contacts::friction_loss() const {
  double loss = 0.0;
  if (!has_friction()) return loss;
  for (const Active& active : active_) {
    const Vec3 slipped = slip(active).value();
    loss += step_ * active.normal_force * dot(friction_.force(slipped), slipped);
  }
  return loss;
}

double Contacts::energy_at_start() const {
  if (stiffness_ < 0.0) return 0.0;
  double energy = 0.0;
  for (const Pair& pair : pairs_) {
    const double x = (distance(start_, pair).value() - pair.touch) / pair.radius();
    energy += stiffness_ * pair.radius() * potential_.energy(x, tolerance_ / pair.radius());
  }
  return energy;
}

std::vector<contact::Touch> Contacts::touches() const {
  std::vector<contact::Touch> touches;
  for (const Active& active : active_) {
    const auto [earlier, later] = active.pair.elements;
    const double friction = has_friction() ? norm(friction_.force(slip(active).value())) : 0.0;
    touches.push_back({earlier, later, active.normal_force, friction * active.normal_force});
  }
  return touches;
}

std::optional<Contacts> make_contacts(const MemberSpec& spec, const RodView& made, const RodView& all,
                                      int stride) {
  if (spec.contact.kind != ContactKind::imc && spec.contact.kind != ContactKind::ipc) return std::nullopt;
  const connection::Parts parts = connection::build_connections(spec, made);
  return Contacts(spec, all, first_degrees_of_freedom(spec, stride), stride,
                  held_pairs(spec, made.as_const(), parts));
}

namespace {

/// Summary of the contacts at t = 0; nothing of a member without contact of implicit steps.
std::optional<ContactState> state_at_start(const MemberSpec& spec) {
  if (spec.contact.kind != ContactKind::imc && spec.contact.kind != ContactKind::ipc) return std::nullopt;
  std::vector<double> storage(rod_size(array_elements(spec), spec.has_circular_sections()));
  const RodView all(storage.data(), array_elements(spec), spec.sections_shrink, spec.has_circular_sections());
  build_rods(spec, all);
  std::vector<double> q;
  for (const RodPlace& rod : rod_places(spec)) {
    for (int i = rod.first; i <= rod.first + rod.elements; ++i) {
      const Vec3 x = all.vec3(field::position, i);
      q.insert(q.end(), {x.x, x.y, x.z});
    }
  }
  std::optional<Contacts> contacts = make_contacts(spec, all, all, 3);
  contacts->begin_step(q, q, spec.time.step);
  std::vector<double> force(q.size());
  contacts->add_residual(q, force);
  return contacts->state();
}

}  // namespace

std::optional<double> overlap_at_start(const MemberSpec& spec) {
  const std::optional<ContactState> state = state_at_start(spec);
  if (!state || state->smallest_gap > 0.0) return std::nullopt;
  return state->deepest;
}

bool press_at_start(const MemberSpec& spec) {
  const std::optional<ContactState> state = state_at_start(spec);
  return state && state->pairs > 0;
}

void count_contacts(const ContactState& contacts, bool converged, int iterations, ImplicitSample& counts) {
  counts.in_contact = contacts.pairs > 0 || iterations == 0;  // or driven ends are in the way
  counts.passed_through = counts.passed_through || contacts.passed_through;
  if (!converged) return;
  counts.contact_pairs = contacts.pairs;
  counts.smallest_gap = std::min(counts.smallest_gap, contacts.smallest_gap);
  counts.deepest_overlap = std::max(counts.deepest_overlap, contacts.deepest);
  if (contacts.pairs == 0) return;
  ++counts.contact_steps;
  counts.contact_iterations += iterations;
}

}  // namespace rodeo::coupling
