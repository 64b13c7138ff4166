#pragma once

#include <cstdint>

#include "rodeo/math/vec3.hpp"

namespace rodeo {

/// What a member advances with (deck key model.kind).
enum class ModelKind {
  cosserat,  ///< explicit Cosserat rod (Gazzola et al. 2018)
  noop       ///< waits noop.seconds and reports nothing: measures dispatch and file system alone
};

/// What holds an end of the rod (deck keys boundary.first, boundary.last).
enum class EndCondition {
  free,             ///< nothing
  clamped,          ///< position and directors fixed
  pinned,           ///< position fixed, directors free
  pinned_sliding,   ///< position free along the rod's initial axis only, directors free
  clamped_sliding,  ///< the same with directors fixed
};

/// Which ends a prescribed motion drives (deck key boundary.driven).
enum class DrivenEnds { both, first, last };

/// Geometry and stiffness of a straight, uniform, circular rod at rest. SI units.
struct RodSpec {
  int elements = 0;
  double length = 0.0;              ///< m
  double radius = 0.0;              ///< m
  double density = 0.0;             ///< kg/m^3 (derived from rod.mass where that is given)
  double bend_stiffness = 0.0;      ///< B1 = B2 = E I, N m^2
  double twist_stiffness = 0.0;     ///< B3 = G I3, N m^2
  double shear_stiffness = 0.0;     ///< S1 = S2 = alpha_c G A, N, alpha_c = 4/3
  double stretch_stiffness = 0.0;   ///< S3 = E A, N
  double damping = 0.0;             ///< gamma of eqs 4.1 and 4.2, kg/(m s)
  double damping_decay_time = 0.0;  ///< gamma falls as exp(-t/this), s; 0: it does not
  double end_mass = 0.0;            ///< a point mass on the last node, kg
  Vec3 origin;                      ///< position of node 0, m
  Vec3 direction;                   ///< unit vector from node 0 to the last node; initial director d3
  Vec3 normal;                      ///< unit vector perpendicular to direction; initial director d1
};

struct BoundarySpec {
  EndCondition first = EndCondition::free;
  EndCondition last = EndCondition::free;
  double twist = 0.0;        ///< by which the last end is turned ahead of the first about the axis, rad
  double slack = 0.0;        ///< by which the ends are brought together along the axis, m
  double motion_time = 0.0;  ///< from t = 0, at constant rates; then the ends are held, s
  DrivenEnds driven = DrivenEnds::both;
};

struct LoadSpec {
  Vec3 end_force;             ///< on the last node, laboratory frame, N
  Vec3 end_couple;            ///< on the last element, laboratory frame, N m
  double axial_force = 0.0;   ///< on the last node, along the initial axis, positive compresses, N
  double perturbation = 0.0;  ///< a random force per node with norm uniform in [0, this], N
  double perturbation_duration =
      0.0;                 ///< perturbation and middle_force act while time is below this, s; may be infinite
  Vec3 gravity;            ///< acceleration, m/s^2
  double ramp_time = 0.0;  ///< end force, end couple and axial force grow linearly until then, s
  double couple_frequency = 0.0;  ///< f of end_couple sin(2 pi f t), 1/s; 0: the end couple is steady
  Vec3 middle_force;              ///< at mid-length while time is below perturbation_duration, N
};

struct TimeSpec {
  double step = 0.0;             ///< s
  std::int64_t steps = 0;        ///< number of steps to time.end (the last one ends at steps * step)
  std::int64_t slice_steps = 0;  ///< steps between two looks at a member's health and events
};

/// Everything one member needs, typed and validated; made from a deck once per member.
struct MemberSpec {
  ModelKind model = ModelKind::cosserat;
  double noop_seconds = 0.0;  ///< s
  RodSpec rod;
  BoundarySpec boundary;
  LoadSpec load;
  TimeSpec time;
  double buckling_energy = 0.0;  ///< the member stops when its bending energy exceeds this, J; 0: never
  int frames = 0;                ///< stored instants, evenly spread from t = 0 to time.end; 0: none
  std::uint64_t study_seed = 0;
};

}  // namespace rodeo
