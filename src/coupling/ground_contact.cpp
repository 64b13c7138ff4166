#include "rodeo/coupling/ground_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/rod/rod_places.hpp"

namespace rodeo::coupling {

namespace {

Vec3 at(const double* q, int i) { return {q[i], q[i + 1], q[i + 2]}; }

std::size_t surface_count(const GroundSpec& ground) {
  return (ground.has_plane ? 1U : 0U) + static_cast<std::size_t>(ground.solid_count) + ground.planes.size() +
         (ground.platen.exists() ? 1U : 0U);
}

bool is_none(const FrictionCoefficients& c) {
  return c.forward == 0.0 && c.backward == 0.0 && c.rolling == 0.0;
}

/// Half of what an element and the thinnest solid measure across: no step may take it through.
double longest_way(const GroundSpec& ground, double radius) {
  double least = std::numeric_limits<double>::infinity();
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
      rubs_(!is_none(spec.ground.static_friction) || !is_none(spec.ground.kinetic_friction)),
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

forces::SurfacePoint GroundContact::nearest(const Surface& surface, const Vec3& point) {
  return std::visit([&](const auto& s) { return s.nearest(point, {}); }, surface);
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
Vec3 GroundContact::middle_of(const double* q) const { return 0.5 * (at(q, 0) + at(q, stride_)); }

/// Directions as forces::Wall has them: along the element in the surface's tangent plane, and across. The
/// point of contact, a radius below the axis, goes sideways with the element's middle and as it rolls about
/// the first of these. An angle turns it about its tangent alone: where it does not lie flat it rolls by the
/// turning of this too.
void GroundContact::set_courses(Meeting& meeting, const Quaternion& frame, const Vec3& edge,
                                const Vec3& up) const {
  const double length = norm(edge);
  const Vec3 flat = edge - dot(up, edge) * up;
  constexpr double upright = 1e-12;  // its part along the surface: it has no direction there
  if (!(norm(flat) > upright * length)) return;
  const Vec3 axial = normalized(flat);
  const Vec3 lateral = cross(axial, up);
  meeting.axial = {0.5 * axial, {}, 0.5 * axial};
  if (stride_ == 6) {
    meeting.lateral = {0.5 * lateral, -meeting.radius * directors(frame).to_body(axial), 0.5 * lateral};
    return;
  }
  const double rise = meeting.radius * dot(up, edge) / (length * length);
  const double rolls = -meeting.radius * norm(flat) / length;
  meeting.lateral = {(0.5 + rise) * lateral, {rolls, 0.0, 0.0}, (0.5 - rise) * lateral};
}

void GroundContact::begin_step(const std::vector<Strand>& strands, double step) {
  step_ = step;
  strands_ = strands;
  meetings_.clear();
  for (std::size_t surface = 0; surface < surfaces_.size(); ++surface) {
    const Surface& before = is_platen(surface) ? platen_before_ : surfaces_[surface];
    for (std::size_t k = 0; k < strands.size(); ++k) {
      const Strand& strand = strands[k];
      for (int i = 0; i < strand.rod.elements; ++i) {
        const double* const start = strand.start + stride_ * i;
        const double radius =
            strand.rod.array(field::contact_radius)[i] / std::sqrt(strand.rod.array(field::rest_length)[i]);
        const forces::SurfacePoint point = nearest(before, middle_of(start));
        Meeting& meeting = meetings_.emplace_back(Meeting{strand.first + stride_ * i,
                                                          first_elements_[k] + i,
                                                          start,
                                                          surface,
                                                          radius,
                                                          std::max(radius - point.height, 0.0),
                                                          {},
                                                          {}});
        if (rubs_) set_courses(meeting, strand.rod.quaternion(i), edge_of(start), point.normal);
      }
    }
  }
}

/// The dashpot resists the change of the depth alone, so that nothing jumps where contact begins.
GroundContact::Touch GroundContact::touch(const Meeting& meeting, const double* q) const {
  Touch touch{nearest(surfaces_[meeting.surface], middle_of(q))};
  const double depth = meeting.radius - touch.point.height;
  if (depth <= 0.0) return touch;
  const double dashpot = ground_.wall.damping / step_;
  const double load = ground_.wall.stiffness * depth + dashpot * (depth - meeting.start_depth);
  if (load <= 0.0) return touch;
  touch.load = load;
  touch.load_slope = ground_.wall.stiffness + dashpot;
  return touch;
}

double GroundContact::slip(const Meeting& meeting, const Course& course, const double* q) const {
  const double* const start = meeting.start;
  Entries weights;
  set(weights, course);
  double way = 0.0;
  for (int i = 0; i < entries(); ++i) way += weights[i] * (q[i] - start[i]);
  return is_platen(meeting.surface) ? way - dot(course.first + course.last, platen_way_) : way;
}

GroundContact::Friction GroundContact::friction(const forces::Coulomb& law, const Hold& hold, double slip,
                                                double load) const {
  const double spring = ground_.wall.stiffness;
  const double dashpot = ground_.wall.damping / step_;
  const double held = -(spring * (hold.stretch + slip) + dashpot * slip);
  const double force = law.friction(held, hold.slipping, load);
  if (force == held) return {force, -(spring + dashpot), 0.0, false};
  return {force, 0.0, force / load, true};
}

/// Friction is kinetic while an element slips, at the speeds of forces::Wall.
GroundContact::Hold GroundContact::next(const forces::Coulomb& law, const Hold& hold, double slip,
                                        double load) const {
  const Friction now = friction(law, hold, slip, load);
  if (!now.yields) return {hold.stretch + slip, 0.0};
  const double speed = std::abs(slip) / step_;
  return {-now.force / ground_.wall.stiffness,
          std::clamp(2.0 * speed * ground_.wall.inverse_threshold - 2.0, 0.0, 1.0)};
}

void GroundContact::add_residual(const std::vector<double>& q, std::vector<double>& force) const {
  for (std::size_t k = 0; k < meetings_.size(); ++k) {
    const Meeting& meeting = meetings_[k];
    const double* const own = q.data() + meeting.dof;
    const Touch touched = touch(meeting, own);
    if (touched.load == 0.0) continue;
    double* const f = force.data() + meeting.dof;
    const auto add = [&](double size, const Course& course) {
      Entries weights;
      set(weights, course);
      for (int i = 0; i < entries(); ++i) f[i] -= size * weights[i];
    };
    const Vec3 half = 0.5 * touched.point.normal;
    add(touched.load, {half, {}, half});
    if (!rubs_) continue;
    const forces::Wall& wall = ground_.wall;
    const Grip& grip = grips_[k];
    add(friction(wall.axial_friction, grip.axial, slip(meeting, meeting.axial, own), touched.load).force,
        meeting.axial);
    add(friction(wall.rolling_friction, grip.lateral, slip(meeting, meeting.lateral, own), touched.load)
            .force,
        meeting.lateral);
  }
}

/// Derivative of the force out of the surface by the middle of an element: the load grows with depth, and on
/// a round surface the normal turns.
void GroundContact::add_normal_gradient(const Meeting& meeting, const Touch& touched,
                                        double (&gradient)[3][3]) const {
  const Vec3& up = touched.point.normal;
  const double n[3] = {up.x, up.y, up.z};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) gradient[i][j] -= touched.load_slope * n[i] * n[j];
  }
  const auto* const solid = std::get_if<forces::RoundSurface>(&surfaces_[meeting.surface]);
  if (solid == nullptr) return;
  const double distance = solid->radius + solid->side * touched.point.height;  // from its centre or axis
  const double turning = touched.load * solid->side / distance;
  const double a[3] = {solid->axis.x, solid->axis.y, solid->axis.z};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      gradient[i][j] += turning * ((i == j ? 1.0 : 0.0) - a[i] * a[j] - n[i] * n[j]);
  }
}

void GroundContact::add_jacobian(const std::vector<double>& q, BandedMatrix& jacobian) const {
  for (std::size_t k = 0; k < meetings_.size(); ++k) {
    const Meeting& meeting = meetings_[k];
    const double* const own = q.data() + meeting.dof;
    const Touch touched = touch(meeting, own);
    if (touched.load == 0.0) continue;
    const auto entry = [&](int i, int j) -> double& { return jacobian.at(meeting.dof + i, meeting.dof + j); };
    double gradient[3][3] = {};
    add_normal_gradient(meeting, touched, gradient);
    for (const int row : {0, stride_}) {
      for (const int column : {0, stride_}) {
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) entry(row + i, column + j) -= 0.25 * gradient[i][j];
        }
      }
    }
    if (!rubs_) continue;
    const Vec3 half = (-0.5 * touched.load_slope) * touched.point.normal;
    Entries by_load;
    set(by_load, {half, {}, half});
    const auto add = [&](const forces::Coulomb& law, const Hold& hold, const Course& course) {
      const Friction now = friction(law, hold, slip(meeting, course, own), touched.load);
      Entries weights;
      set(weights, course);
      for (int i = 0; i < entries(); ++i) {
        for (int j = 0; j < entries(); ++j)
          entry(i, j) -= weights[i] * (now.by_slip * weights[j] + now.by_load * by_load[j]);
      }
    };
    add(ground_.wall.axial_friction, grips_[k].axial, meeting.axial);
    add(ground_.wall.rolling_friction, grips_[k].lateral, meeting.lateral);
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

void GroundContact::accept(const std::vector<double>& q) {
  if (!rubs_ && !has_platen()) return;
  const forces::Wall& wall = ground_.wall;
  for (std::size_t k = 0; k < meetings_.size(); ++k) {
    const Meeting& meeting = meetings_[k];
    const bool on_platen = is_platen(meeting.surface);
    if (!rubs_ && !on_platen) continue;
    const double* const own = q.data() + meeting.dof;
    const Touch touched = touch(meeting, own);
    Vec3 force = touched.load * touched.point.normal;
    Grip& grip = grips_[k];
    if (touched.load == 0.0) {
      grip = {};
    } else if (rubs_) {
      const auto take = [&](const forces::Coulomb& law, Hold& hold, const Course& course) {
        const double way = slip(meeting, course, own);
        if (on_platen) {
          force = force + friction(law, hold, way, touched.load).force * (course.first + course.last);
        }
        hold = next(law, hold, way, touched.load);
      };
      take(wall.axial_friction, grip.axial, meeting.axial);
      take(wall.rolling_friction, grip.lateral, meeting.lateral);
    }
    if (on_platen) record(meeting, force);
  }
}

double GroundContact::energy(const RodView& all, double time) const {
  double squares = 0.0;
  for (const Grip& grip : grips_)
    squares += grip.axial.stretch * grip.axial.stretch + grip.lateral.stretch * grip.lateral.stretch;
  const auto add = [&](const forces::Plane& plane) {
    for (int i = 0; i < all.elements; ++i) {
      const double radius =
          all.array(field::contact_radius)[i] * std::sqrt(all.array(field::inverse_rest_length)[i]);
      const Vec3 middle = 0.5 * (all.vec3(field::position, i) + all.vec3(field::position, i + 1));
      const double depth = radius > 0.0 ? radius - plane.nearest(middle, Vec3{}).height : 0.0;
      squares += depth > 0.0 ? depth * depth : 0.0;
    }
  };
  for (int k = 0; k < further_.still_count; ++k) add(further_.still[k]);
  if (has_platen()) add(further_.platen(time, tables_.data()));
  return ground_.energy(OneThread{}, all) + 0.5 * ground_.wall.stiffness * squares;
}

}  // namespace rodeo::coupling
