#include "rodeo/coupling/ground_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/forces/ground_reach.hpp"
#include "rodeo/forces/surface_springs.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo::coupling {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Vec3 at(const double* q, int i) { return {q[i], q[i + 1], q[i + 2]}; }

std::size_t surface_count(const GroundSpec& ground) {
  return (ground.has_plane ? 1U : 0U) + static_cast<std::size_t>(ground.solid_count) + ground.planes.size() +
         (ground.platen.exists() ? 1U : 0U);
}

/// Mass of an element: its share of those of its nodes.
double mass_of(const ConstRodView& rod, int i) {
  const double* const share = rod.array(field::force_share);
  const double* const mass = rod.array(field::mass);
  return share[i] * mass[i] + share[i + 1] * mass[i + 1];
}

double radius_at_rest(const ConstRodView& rod, int i) {
  return rod.array(field::contact_radius)[i] / std::sqrt(rod.array(field::rest_length)[i]);
}

/// Longest way of a node in a step, m: half the sum of the radii of an element and the thinnest solid.
double longest_way(const GroundSpec& ground, double radius) {
  double least = infinity;
  for (int k = 0; k < ground.solid_count; ++k) {
    const double solid = ground.solids[static_cast<std::size_t>(k)].radius;
    if (solid > 0.0) least = std::min(least, 0.5 * (solid + radius));
  }
  return least;
}

}  // namespace

std::size_t GroundContact::memory(const MemberSpec& spec) {
  return surface_count(spec.ground) * static_cast<std::size_t>(rod_elements(spec)) *
         (sizeof(Grip) + sizeof(Meeting));
}

GroundContact::GroundContact(const MemberSpec& spec, int stride)
    : stride_(stride),
      ground_(forces::Ground::surfaces_of(spec)),
      further_(forces::FurtherGround::of(spec, tables_)),
      longest_way_(longest_way(spec.ground, smallest_radius(spec))),
      friction_{ground_.wall.axial_friction, ground_.wall.rolling_friction},
      rubs_(spec.ground.rubs()),
      grips_(surface_count(spec.ground) * static_cast<std::size_t>(rod_elements(spec))) {
  for (const RodPlace& rod : rod_places(spec)) first_elements_.push_back(rod.first);
  if (ground_.has_plane) surfaces_.emplace_back(ground_.plane);
  for (int k = 0; k < ground_.solid_count; ++k) surfaces_.emplace_back(ground_.solids[k]);
  for (int k = 0; k < further_.still_count; ++k) surfaces_.emplace_back(further_.still[k]);
  if (!has_platen()) return;
  surfaces_.emplace_back(further_.platen(0.0, tables_.data()));
  record_.resize(static_cast<std::size_t>(forces::platen_array::count) *
                 static_cast<std::size_t>(array_elements(spec)));
}

void GroundContact::place_platen(double begin, double end) {
  if (!has_platen()) return;
  const double* const tables = tables_.data();
  platen_before_ = further_.platen(begin, tables);
  surfaces_.back() = further_.platen(end, tables);
  platen_way_ = further_.at(end, tables).displacement - further_.at(begin, tables).displacement;
}

void GroundContact::set(Entries& entries, const Course& course) const {
  const double turn[3] = {course.turn.x, course.turn.y, course.turn.z};
  const double ends[6] = {course.first.x, course.first.y, course.first.z,
                          course.last.x,  course.last.y,  course.last.z};
  std::copy(ends, ends + 3, entries);
  std::copy(turn, turn + stride_ - 3, entries + 3);
  std::copy(ends + 3, ends + 6, entries + stride_);
}

Vec3 GroundContact::edge_of(const double* q) const { return at(q, stride_) - at(q, 0); }
tangent::Capsule GroundContact::capsule(const double* q, double radius, double half_taper) const {
  return tangent::Capsule::tapered(at(q, 0), at(q, stride_), radius, half_taper);
}

/// Directions are along the element in the surface's tangent plane, and across. The point of contact, a
/// radius below the axis, goes with the place where the element touches and as the element turns. An angle
/// turns it about its tangent alone: else it turns as its edge does.
void GroundContact::set_courses(Meeting& meeting, const Quaternion& frame, const Vec3& edge,
                                const tangent::Touch& touch) const {
  const Directors own = directors(frame);
  const Vec3 axial = meeting.gear * tangent::along_surface(edge, own.d1, touch.up);
  const Vec3 lateral = cross(axial, touch.up);
  const double length = norm(edge);
  // Course along `direction` of a slip to which turning about `axis` adds radius times turn.
  const auto course = [&](const Vec3& direction, const Vec3& axis) -> Course {
    const Vec3 first = (1.0 - touch.weight) * direction;
    const Vec3 last = touch.weight * direction;
    if (stride_ == 6) return {first, meeting.radius * own.to_body(axis), last};
    const Vec3 turning = (meeting.radius / (length * length)) * cross(axis, edge);
    return {first - turning, {meeting.radius * dot(axis, edge) / length, 0.0, 0.0}, last + turning};
  };
  meeting.axial = course(axial, lateral);
  meeting.lateral = course(lateral, -1.0 * axial);
}

void GroundContact::begin_step(const std::vector<Strand>& strands, double step) {
  constexpr double safety = 2.0;  // on the way that nodes go at the velocities which they have
  step_ = step;
  strands_ = strands;
  balls_.resize(strands.size());
  frames_.clear();
  rounding_ = 0.0;
  const double size = forces::largest_size(surfaces_);
  double square = 0.0;
  for (std::size_t k = 0; k < strands_.size(); ++k) {
    const Strand& strand = strands_[k];
    const ConstRodView& rod = strand.rod;
    forces::set_balls(
        rod.elements, [&](int i) { return at(strand.start, stride_ * i); },
        [&](int i) { return forces::thick_at_rest(rod, i); }, balls_[k]);
    for (const forces::ElementBall& ball : balls_[k]) rounding_ = std::max(rounding_, ball.rounding(size));
    for (int i = 0; i <= rod.elements; ++i) {
      const Vec3 velocity = rod.vec3(field::velocity, i);
      square = std::max(square, dot(velocity, velocity));
    }
    for (int i = 0; rubs_ && i < rod.elements; ++i) frames_.push_back(rod.quaternion(i));
  }
  meet(std::isfinite(step) ? safety * step * std::sqrt(square) : 0.0);
}

/// Height above a surface by measure(surface), the lower of those at both ends of the step, m.
template <class Measure>
double GroundContact::above(std::size_t surface, const Measure& measure) const {
  const double after = std::visit(measure, surfaces_[surface]);
  return is_platen(surface) ? std::min(after, std::visit(measure, platen_before_)) : after;
}

/// Whether an element has no spring along a surface, and a platen has recorded no force of it: then nothing
/// changes as long as it does not touch.
bool GroundContact::is_idle(std::size_t surface, std::size_t grip, int element) const {
  const Grip& own = grips_[grip];
  if (own.stretch.axial != 0.0 || own.stretch.lateral != 0.0 || own.slipping != 0.0) return false;
  if (!is_platen(surface)) return true;
  const std::size_t elements = record_.size() / forces::platen_array::count;
  const double* const force = record_.data() + element;
  return force[0] == 0.0 && force[elements] == 0.0 && force[2 * elements] == 0.0;
}

GroundContact::Meeting GroundContact::met(std::size_t surface, std::size_t k, int i, std::size_t grip) const {
  const Strand& strand = strands_[k];
  const double* const start = strand.start + stride_ * i;
  const double radius = radius_at_rest(strand.rod, i);
  const double half_taper = strand.rod.array(field::half_taper)[i];
  const tangent::Capsule element = capsule(start, radius, half_taper);
  Meeting meeting = {strand.first + stride_ * i,
                     first_elements_[k] + i,
                     start,
                     surface,
                     grip,
                     above(surface, [&](const auto& s) { return tangent::gap(s, element); }),
                     radius,
                     half_taper,
                     mass_of(strand.rod, i),
                     0.0,
                     0.0,
                     {},
                     {}};
  if (!is_idle(surface, grip, meeting.element)) meeting.gap = -infinity;
  return meeting;
}

/// Notes the depth of an element, and its courses, at the start of the step.
void GroundContact::note_start(Meeting& meeting) const {
  const Surface& before = is_platen(meeting.surface) ? platen_before_ : surfaces_[meeting.surface];
  const tangent::Capsule element = capsule(meeting.start, meeting.radius, meeting.half_taper);
  const tangent::Touch touch = std::visit([&](const auto& s) { return tangent::touch(s, element); }, before);
  meeting.start_depth = std::sqrt(touch.square);
  meeting.gear = std::sqrt(touch.share);
  if (!rubs_) return;
  const Quaternion& frame = frames_[meeting.grip % (grips_.size() / surfaces_.size())];
  set_courses(meeting, frame, edge_of(meeting.start), touch);
}

/// Least way that the elements of a ball may go before one of them touches a surface, m; no more than `most`.
double GroundContact::room_above(std::size_t surface, const forces::ElementBall& ball, double most) const {
  const double inside = ball.radius + rounding_;
  return above(surface, [&](const auto& s) {
    return s.is_below(ball.centre, inside + most) ? most : s.nearest(ball.centre, {}).height - inside;
  });
}

/// Lists elements with the surfaces that they may feel if no node goes farther than `way`.
void GroundContact::meet(double way) const {
  constexpr double further = 10.0;  // than elements are from the middle of their ball nobody looks
  meetings_.clear();
  room_ = infinity;
  std::size_t grip = 0;
  for (std::size_t surface = 0; surface < surfaces_.size(); ++surface) {
    const bool may_hold = rubs_ || is_platen(surface);
    for (std::size_t k = 0; k < strands_.size(); ++k) {
      for (const forces::ElementBall& ball : balls_[k]) {
        const double room = room_above(surface, ball, further * ball.radius + way);
        const bool is_far = room > way;
        if (is_far) room_ = std::min(room_, room);
        for (int i = ball.first; i < ball.end && (may_hold || !is_far); ++i) {
          const std::size_t own = grip + static_cast<std::size_t>(i - ball.first);
          if (is_far && is_idle(surface, own, first_elements_[k] + i)) continue;
          Meeting meeting = met(surface, k, i, own);
          if (meeting.gap > way) {
            room_ = std::min(room_, meeting.gap);
          } else {
            note_start(meeting);
            meetings_.push_back(meeting);
          }
        }
        grip += static_cast<std::size_t>(ball.end - ball.first);
      }
    }
  }
}

/// Largest way of a node from the start of the step to q, m, and somewhat more for rounding.
double GroundContact::way_to(const std::vector<double>& q) const {
  double square = 0.0;
  for (const Strand& strand : strands_) {
    for (int i = 0; i <= strand.rod.elements; ++i) {
      const Vec3 way = at(q.data() + strand.first, stride_ * i) - at(strand.start, stride_ * i);
      square = std::max(square, dot(way, way));
    }
  }
  return std::sqrt(square) + rounding_;
}

bool GroundContact::is_reached_by(const std::vector<double>& q) const {
  return is_in_reach() || !(way_to(q) < room_);
}

/// Lists elements with what they may feel on the way to q, and returns how far that is.
double GroundContact::meet_on_way_to(const std::vector<double>& q) const {
  constexpr double further = 2.0;
  const double way = way_to(q);
  if (!(way < room_)) meet(further * way);
  return way;
}

/// The load k_w d + gamma_w d' is that of a spring and a dashpot along the depth d, and forces on the nodes
/// are its parts by the gradient of d, which is `touch` over d. The dashpot resists the change of the depth
/// alone, so that nothing jumps where contact begins.
GroundContact::Press GroundContact::press(const Meeting& meeting, const double* q) const {
  Press press;
  press.touch = std::visit(
      [&](const auto& s) { return tangent::touch(s, capsule(q, meeting.radius, meeting.half_taper)); },
      surfaces_[meeting.surface]);
  if (!(press.touch.square > 0.0)) return press;
  const double depth = std::sqrt(press.touch.square);
  const double dashpot = ground_.wall.damping / step_;
  const double load = ground_.wall.stiffness * depth + dashpot * (depth - meeting.start_depth);
  if (load <= 0.0) return press;
  press.rate = load / depth;
  press.slope = (ground_.wall.stiffness + dashpot - press.rate) / press.touch.square;
  return press;
}

double GroundContact::way(const Meeting& meeting, const Course& course, const double* q) const {
  const double* const start = meeting.start;
  Entries weights;
  set(weights, course);
  double way = 0.0;
  for (int i = 0; i < entries(); ++i) way += weights[i] * (q[i] - start[i]);
  return is_platen(meeting.surface) ? way - dot(course.first + course.last, platen_way_) : way;
}

GroundContact::Pair GroundContact::slip(const Meeting& meeting, const double* q) const {
  return {way(meeting, meeting.axial, q), way(meeting, meeting.lateral, q)};
}

forces::OrthotropicFriction::Answer GroundContact::friction(const Grip& grip, const Pair& slip,
                                                            double load) const {
  constexpr int rounds = 8;
  const double spring = ground_.wall.stiffness;
  const double dashpot = ground_.wall.damping / step_;
  const auto held = [&](double stretch, double way) { return -(spring * (stretch + way) + dashpot * way); };
  return friction_.answer<rounds>(
      {held(grip.stretch.axial, slip.axial), held(grip.stretch.lateral, slip.lateral)}, grip.slipping, load);
}

/// Where friction yields, its force is L t with the limits L and (L + e) t = T of what would hold, T, |t|
/// = 1. So t changes by c u (u . dT), u across t and c = 1/((L_a + e) t_l^2 + (L_l + e) t_a^2).
GroundContact::Change GroundContact::change(const forces::OrthotropicFriction::Answer& now,
                                            double load) const {
  const double spring = ground_.wall.stiffness + ground_.wall.damping / step_;
  if (!now.yields) return {{{-spring, 0.0}, {0.0, -spring}}, {}, {}};
  const double u[2] = {-now.direction.lateral, now.direction.axial};
  const double across =
      1.0 / ((now.limit.axial + now.excess) * u[0] * u[0] + (now.limit.lateral + now.excess) * u[1] * u[1]);
  const double turned[2] = {across * now.limit.axial * u[0], across * now.limit.lateral * u[1]};
  const double along_u = turned[0] * u[0] + turned[1] * u[1];
  const double pulled = u[0] * now.force.axial + u[1] * now.force.lateral;
  Change change;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      change.by_slip[i][j] = -spring * along_u * u[i] * u[j];
      change.rest[i][j] = -spring * (turned[i] - along_u * u[i]) * u[j];
    }
  }
  change.by_load = {(now.force.axial - pulled * turned[0]) / load,
                    (now.force.lateral - pulled * turned[1]) / load};
  return change;
}

/// Friction is kinetic while an element slips, at the speeds of forces::SurfaceSprings.
GroundContact::Grip GroundContact::next(const Meeting& meeting, const Grip& grip, const Pair& slip,
                                        const forces::OrthotropicFriction::Answer& now) const {
  const Pair& before = grip.stretch;
  if (!now.yields) return {{before.axial + slip.axial, before.lateral + slip.lateral}, 0.0};
  const forces::Wall& wall = ground_.wall;
  const auto yielded = [&](double stretch, double force) {
    return forces::SurfaceSprings::yielded(stretch, force, wall.stiffness, wall.damping / step_);
  };
  return {{yielded(before.axial, now.force.axial), yielded(before.lateral, now.force.lateral)},
          forces::SurfaceSprings::slipping(wall.inverse_threshold, slip.size() / step_, now.force.size(),
                                           std::sqrt(wall.stiffness * meeting.mass))};
}

void GroundContact::add_residual(const std::vector<double>& q, std::vector<double>& force) const {
  const double gone = meet_on_way_to(q);
  for (const Meeting& meeting : meetings_) {
    if (meeting.gap > gone) continue;
    const double* const own = q.data() + meeting.dof;
    const Press pressed = press(meeting, own);
    if (pressed.rate == 0.0) continue;
    double* const f = force.data() + meeting.dof;
    const auto add = [&](double size, const Course& course) {
      Entries weights;
      set(weights, course);
      for (int i = 0; i < entries(); ++i) f[i] -= size * weights[i];
    };
    add(pressed.rate, {pressed.touch.first, {}, pressed.touch.last});
    if (!rubs_) continue;
    const Pair rubbed =
        friction(grips_[meeting.grip], slip(meeting, own), pressed.load() / meeting.gear).force;
    add(rubbed.axial, meeting.axial);
    add(rubbed.lateral, meeting.lateral);
  }
}

void GroundContact::add_jacobian(const std::vector<double>& q, BandedMatrix& jacobian,
                                 const std::function<void(int, int, double)>& unsymmetric) const {
  const double gone = meet_on_way_to(q);
  for (const Meeting& meeting : meetings_) {
    if (meeting.gap > gone) continue;
    const double* const own = q.data() + meeting.dof;
    const Press pressed = press(meeting, own);
    if (pressed.rate == 0.0) continue;
    const tangent::SoftTouch soft = std::visit(
        [&](const auto& s) {
          return tangent::soft_touch(s, capsule(own, meeting.radius, meeting.half_taper));
        },
        surfaces_[meeting.surface]);
    const auto entry = [&](int i, int j) -> double& { return jacobian.at(meeting.dof + i, meeting.dof + j); };
    const auto add_block = [&](int row, int column, const Matrix3& block) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) entry(row + i, column + j) += block(i, j);
      }
    };
    const Vec3& first = soft.touch.first;
    const Vec3& last = soft.touch.last;
    const Matrix3 last_first = pressed.rate * soft.hessian.last_first + pressed.slope * outer(last, first);
    add_block(0, 0, pressed.rate * soft.hessian.first_first + pressed.slope * outer(first, first));
    add_block(stride_, 0, last_first);
    add_block(0, stride_, transpose(last_first));
    add_block(stride_, stride_, pressed.rate * soft.hessian.last_last + pressed.slope * outer(last, last));
    if (!rubs_) continue;
    const auto load_by = [&](const Vec3& by_overlap, const Vec3& by_depth) {
      return (1.0 / meeting.gear) *
             (pressed.rate * by_overlap - (pressed.slope * soft.touch.overlap) * by_depth);
    };
    Entries by_load;
    set(by_load, {load_by(soft.overlap_by_first, first), {}, load_by(soft.overlap_by_last, last)});
    const double load = pressed.load() / meeting.gear;
    const Change by = change(friction(grips_[meeting.grip], slip(meeting, own), load), load);
    Entries along;
    set(along, meeting.axial);
    Entries across;
    set(across, meeting.lateral);
    for (int i = 0; i < entries(); ++i) {
      const auto weigh = [&](const double(&by_slip)[2][2], int j) {
        return along[i] * (by_slip[0][0] * along[j] + by_slip[0][1] * across[j]) +
               across[i] * (by_slip[1][0] * along[j] + by_slip[1][1] * across[j]);
      };
      const double load_weight = along[i] * by.by_load.axial + across[i] * by.by_load.lateral;
      for (int j = 0; j < entries(); ++j) {
        const double rest = weigh(by.rest, j) + load_weight * by_load[j];
        entry(i, j) -= weigh(by.by_slip, j) + rest;
        if (rest != 0.0) unsymmetric(meeting.dof + i, meeting.dof + j, -rest);
      }
    }
  }
}

double GroundContact::bound(const std::vector<double>& q, const std::vector<double>& p) const {
  if (std::isinf(longest_way_)) return 1.0;
  double part = 1.0;
  for (const Strand& strand : strands_) {
    for (int i = 0; i <= strand.rod.elements; ++i) {
      const double left =
          longest_way_ - norm(at(q.data() + strand.first, stride_ * i) - at(strand.start, stride_ * i));
      const double step = norm(at(p.data() + strand.first, stride_ * i));
      if (step > left) part = std::min(part, std::max(left, 0.0) / step);
    }
  }
  return part;
}

void GroundContact::look(const std::vector<double>& q) {
  const double gone = meet_on_way_to(q);
  for (const Meeting& meeting : meetings_) {
    if (meeting.gap > gone) continue;
    const auto* const solid = std::get_if<forces::RoundSurface>(&surfaces_[meeting.surface]);
    if (solid == nullptr) continue;
    const tangent::Capsule before = capsule(meeting.start, meeting.radius, meeting.half_taper);
    const tangent::Capsule after = capsule(q.data() + meeting.dof, meeting.radius, meeting.half_taper);
    const double part = solid->nearest_part(after.first, after.last);
    const double depth =
        solid->depth_on_way(after.at(part), after.at(part) - before.at(part), meeting.radius);
    has_passed_ = has_passed_ || depth > forces::passing_depth;
  }
}

/// Work is done over the way of the step by forces of its end; from an equilibrium to the next, which takes
/// no time, by the mean of those at both.
void GroundContact::record(const Meeting& meeting, const Vec3& force) {
  const std::size_t elements = record_.size() / forces::platen_array::count;
  double* const own = record_.data() + meeting.element;
  const Vec3 before = std::isinf(step_) ? Vec3{-own[0], -own[elements], -own[2 * elements]} : force;
  own[0] = -force.x;
  own[elements] = -force.y;
  own[2 * elements] = -force.z;
  own[3 * elements] += dot(0.5 * (before + force), platen_way_);
}

/// Work of the load less the energy kept by the spring. The load is that in the middle of the step, so that a
/// spring alone takes nothing.
double GroundContact::lost_in_depth(const Meeting& meeting, double depth) const {
  const double change = depth - meeting.start_depth;
  const double spring = 0.5 * ground_.wall.stiffness * (depth + meeting.start_depth);
  return (std::max(spring + ground_.wall.damping / step_ * change, 0.0) - spring) * change;
}

/// Work of friction on the slip that the springs do not follow, and of their dashpots where they do.
double GroundContact::lost_along(const Grip& before, const Grip& after, const Pair& slip,
                                 const Pair& force) const {
  const Pair change = {after.stretch.axial - before.stretch.axial,
                       after.stretch.lateral - before.stretch.lateral};
  return ground_.wall.damping / step_ * change.square() - force.axial * (slip.axial - change.axial) -
         force.lateral * (slip.lateral - change.lateral);
}

void GroundContact::accept(const std::vector<double>& q) {
  const bool loses = std::isfinite(step_);
  if (!loses && !rubs_ && !has_platen()) return;
  const double gone = meet_on_way_to(q);
  for (const Meeting& meeting : meetings_) {
    if (meeting.gap > gone) continue;
    const bool on_platen = is_platen(meeting.surface);
    if (!loses && !rubs_ && !on_platen) continue;
    const double* const own = q.data() + meeting.dof;
    const Press pressed = press(meeting, own);
    Vec3 force = pressed.rate * (pressed.touch.first + pressed.touch.last);
    if (loses) loss_ += lost_in_depth(meeting, std::sqrt(pressed.touch.square));
    Grip& grip = grips_[meeting.grip];
    if (pressed.rate == 0.0) {
      if (loses) loss_ += 0.5 * ground_.wall.stiffness * grip.stretch.square();
      grip = {};
    } else if (rubs_) {
      const Pair way = slip(meeting, own);
      const auto now = friction(grip, way, pressed.load() / meeting.gear);
      force = force + now.force.axial * (meeting.axial.first + meeting.axial.last) +
              now.force.lateral * (meeting.lateral.first + meeting.lateral.last);
      const Grip after = next(meeting, grip, way, now);
      if (loses) loss_ += lost_along(grip, after, way, now.force);
      grip = after;
    }
    if (on_platen) record(meeting, force);
  }
}

double GroundContact::energy(const RodView& all, double time) const {
  const forces::Plane platen = has_platen() ? further_.platen(time, tables_.data()) : forces::Plane{};
  const forces::GroundReach& reach = reach_.look_at(all, ground_, &further_, platen);
  double squares = 0.0;
  if (rubs_) {
    for (const Grip& grip : grips_) squares += grip.stretch.square();
  }
  const auto add = [&](const forces::Plane& plane) {
    for (int i = 0; i < all.elements; ++i) {
      const double radius =
          all.array(field::contact_radius)[i] * std::sqrt(all.array(field::inverse_rest_length)[i]);
      const auto element =
          tangent::Capsule::tapered(all.vec3(field::position, i), all.vec3(field::position, i + 1), radius,
                                    all.array(field::half_taper)[i]);
      squares += tangent::touch(plane, element).square;
    }
  };
  for (int k = 0; k < further_.still_count; ++k) {
    if (reach.has(forces::surface_bit::still + k)) add(further_.still[k]);
  }
  if (reach.has(forces::surface_bit::platen)) add(platen);
  return ground_.energy(OneThread{}, all, reach) + 0.5 * ground_.wall.stiffness * squares;
}

}  // namespace rodeo::coupling
