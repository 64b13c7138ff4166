#pragma once

#include <any>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "rodeo/math/rotation.hpp"
#include "rodeo/math/scalars.hpp"
#include "rodeo/math/vec3.hpp"
#include "rodeo/spec/control_spec.hpp"
#include "rodeo/spec/drives_and_connections.hpp"
#include "rodeo/spec/measure_spec.hpp"
#include "rodeo/spec/method.hpp"
#include "rodeo/spec/words.hpp"

namespace rodeo {

/// Laws of one's own (rodeo_add_law) with the numbers that a deck gives them: the fields that their keys
/// fill.
class GivenLaws {
 public:
  /// A law with the numbers of the deck, or with its defaults where the deck gives none.
  template <class L>
  L get() const {
    for (const std::any& given : laws_) {
      if (const L* const law = std::any_cast<L>(&given)) return *law;
    }
    return {};
  }

  /// The law to fill, with its defaults where the deck has said nothing yet.
  template <class L>
  L& change() {
    for (std::any& given : laws_) {
      if (L* const law = std::any_cast<L>(&given)) return *law;
    }
    return laws_.emplace_back().template emplace<L>();
  }

 private:
  std::vector<std::any> laws_;
};

/// Condition of an end of the rod (deck keys boundary.first, boundary.last).
enum class EndCondition {
  free,             ///< nothing
  clamped,          ///< position and directors fixed
  pinned,           ///< position fixed, directors free
  pinned_sliding,   ///< position free along the rod's initial axis only, directors free
  clamped_sliding,  ///< position free along that axis only, directors fixed
  clamped_element,  ///< the element at the end fixed, with both its nodes and its directors (der only)
};
template <>
inline constexpr auto words<EndCondition> = [] {
  using enum EndCondition;
  return std::to_array<Word<EndCondition>>({{"free", free},
                                            {"clamped", clamped},
                                            {"pinned", pinned},
                                            {"pinned_sliding", pinned_sliding},
                                            {"clamped_sliding", clamped_sliding},
                                            {"clamped_element", clamped_element}});
}();

/// A closed form that a member's profile is compared to at its end (deck key convergence.reference): the list
/// is analytic_profiles in src/profile/profiles.hpp.
enum class AnalyticReference {
  none,            ///< the deck compares with the finest level, or with nothing
  hanging,         ///< at rest under its own weight
  timoshenko,      ///< cantilever under an end force (eq. 3.14)
  helix_envelope,  ///< twisted rod whose ends come together (eqs 3.10, 3.11)
  twist_wave,      ///< stretched rod under an oscillating end couple (eq. F5)
};
template <>
inline constexpr auto words<AnalyticReference> = [] {
  using enum AnalyticReference;
  return std::to_array<Word<AnalyticReference>>({{"finest", none},
                                                 {"hanging", hanging},
                                                 {"timoshenko", timoshenko},
                                                 {"helix_envelope", helix_envelope},
                                                 {"twist_wave", twist_wave}});
}();

/// Ends that a prescribed motion drives (deck key boundary.driven).
enum class DrivenEnds { both, first, last };
template <>
inline constexpr auto words<DrivenEnds> = [] {
  using enum DrivenEnds;
  return std::to_array<Word<DrivenEnds>>({{"both", both}, {"first", first}, {"last", last}});
}();

/// The centre line a rod starts with (deck key rod.shape).
enum class RodShape { straight, ring, helix, file };
template <>
inline constexpr auto words<RodShape> = [] {
  using enum RodShape;
  return std::to_array<Word<RodShape>>(
      {{"straight", straight}, {"ring", ring}, {"helix", helix}, {"file", file}});
}();

/// A point mass on the node nearest to a place along the rod.
struct PointMass {
  double mass = 0.0;        ///< kg
  double arc_length = 0.0;  ///< rest length from node 0, m
};

/// State of the nodes and elements of a rod at t = 0, where it differs from its shape at rest (deck keys
/// rod.state, rod.start_velocity and rod.start_spin). Each list is empty where it does not differ.
struct RodStart {
  std::vector<Vec3> positions;           ///< of nodes, m
  std::vector<Quaternion> orientations;  ///< of elements
  std::vector<Vec3> velocities;          ///< of nodes, m/s
  std::vector<Vec3> angular_velocities;  ///< of elements, along d1, d2, d3, rad/s
  std::vector<Quaternion> ends;          ///< directors of both ends, where motions hold them from the start
};

/// The section of a rod (deck key rod.section).
enum class SectionShape { circle, ellipse, rectangle };
template <>
inline constexpr auto words<SectionShape> = [] {
  using enum SectionShape;
  return std::to_array<Word<SectionShape>>(
      {{"circle", circle}, {"ellipse", ellipse}, {"rectangle", rectangle}});
}();

/// Geometry and stiffness of a rod, the widths of whose section go linearly from one end to the other, all by
/// the same ratio. SI units.
struct RodSpec {
  int elements = 0;
  RodShape shape = RodShape::straight;
  bool closed = false;               ///< the last node is the first
  double helix_radius = 0.0;         ///< m
  double helix_pitch = 0.0;          ///< m; negative: left-handed
  std::vector<Vec3> shape_nodes;     ///< of RodShape::file, relative to origin, m; closed: each once
  std::vector<double> rest_lengths;  ///< of RodShape::file by element, m; empty: as long as at the start
  double total_twist = 0.0;          ///< of the last section ahead of the first, at the start, rad
  bool rests_straight = false;       ///< the initial curvature is strain; else it is the rod's own
  Vec3 intrinsic_curvature;          ///< natural curvature and twist besides, along d1, d2, d3, 1/m
  double length = 0.0;               ///< at rest, m
  SectionShape section = SectionShape::circle;
  double width = 0.0;               ///< of other sections along d1 at node 0, m
  double thickness = 0.0;           ///< and along d2, m
  double radius = 0.0;              ///< of the circle of the section's area at node 0, m
  double end_radius_ratio = 1.0;    ///< radius at the last node over that at node 0
  double density = 0.0;             ///< kg/m^3 (derived from rod.mass where that is given)
  double bend_stiffness = 0.0;      ///< B1 = E I1, N m^2; as all stiffnesses for the section at node 0
  double twist_stiffness = 0.0;     ///< B3 = G I3, I3 the torsion constant, N m^2
  double shear_stiffness = 0.0;     ///< S1 = alpha_c G A, N, alpha_c = 4/3 of a circle
  double stretch_stiffness = 0.0;   ///< S3 = E A, N
  double damping = 0.0;             ///< force over velocity of nodes, per rest length, kg/(m s)
  double damping_rate = 0.0;        ///< at which velocities and angular velocities fade besides, 1/s
  double damping_decay_time = 0.0;  ///< all damping falls as exp(-t/this), s; 0: it does not
  /// Couple over angular velocity of elements, per rest length, kg m/s; if not set, rotation decays at the
  /// rate at which `damping` lets translation decay.
  std::optional<double> rotational_damping;
  double retardation_time = 0.0;  ///< tau of Kelvin-Voigt damping of bend and twist, s
  std::vector<PointMass> point_masses;
  Vec3 origin;                 ///< of the shape: node 0 of a straight rod, m
  Vec3 direction;              ///< unit vector: a straight rod from node 0 on, the axis of a ring or helix
  Vec3 normal;                 ///< unit vector perpendicular to direction: d1 of a straight rod at the start
  double inertia_ratio = 1.0;  ///< moments of inertia over those of the homogeneous rod
  bool circular = true;        ///< the section is alike about d1 and d2, and the next four numbers are 1
  double second_bend_ratio = 1.0;   ///< B2/B1
  double second_shear_ratio = 1.0;  ///< S2/S1
  double first_moment = 1.0;   ///< second moment of area about d1 over that of the circle of the same area
  double second_moment = 1.0;  ///< and about d2
  Vec3 velocity;               ///< of the whole rod at t = 0, m/s
  std::shared_ptr<const RodStart> start;  ///< null: it stands as its shape and moves by `velocity`

  /// The smaller one of B1 and B2, N m^2.
  double weaker_bend_stiffness() const {
    return second_bend_ratio < 1.0 ? second_bend_ratio * bend_stiffness : bend_stiffness;
  }
};

/// Contact law that keeps a rod from passing through itself (deck key contact.kind).
enum class ContactKind {
  none,     ///< nothing
  penalty,  ///< forces that grow with the overlap (eq. 4.7)
  imc,      ///< the same, implicit and rounded at touch (eq. 9 of Tong et al. 2023)
  ipc       ///< an implicit barrier that they cannot cross (eq. 8 of Tong et al. 2023)
};
template <>
inline constexpr auto words<ContactKind> = [] {
  using enum ContactKind;
  return std::to_array<Word<ContactKind>>({{"none", none}, {"penalty", penalty}, {"imc", imc}, {"ipc", ipc}});
}();

struct ContactSpec {
  ContactKind kind = ContactKind::none;
  double stiffness = 0.0;             ///< k_sc of eq. 4.7, N/m
  double damping = 0.0;               ///< gamma_sc of eq. 4.7, kg/s
  double tolerance = 0.0;             ///< delta of eqs 8 and 9: gap below which a pair is active, m
  double friction = 0.0;              ///< mu, of eq. 18 of Tong et al. 2023 and of SpringFriction
  double tangential_stiffness = 0.0;  ///< of the springs that hold elements by friction, N/m
  double slip_tolerance = 0.0;        ///< nu of eq. 17: slower than this is rest, m/s
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
  /// Perturbation and middle_force act while time is below this, s.
  double perturbation_duration = std::numeric_limits<double>::infinity();
  Vec3 gravity;                   ///< acceleration, m/s^2
  Vec3 distributed_force;         ///< spread evenly over the length, laboratory frame, N
  Vec3 distributed_couple;        ///< spread evenly over the length, laboratory frame, N m
  Vec3 follower_force;            ///< spread evenly over the length, along d1, d2, d3, N
  double magnetization = 0.0;     ///< along d3, A/m
  Vec3 magnetic_flux_density;     ///< laboratory frame, T
  double ramp_time = 0.0;         ///< end, axial and distributed loads grow linearly until then, s
  double frequency = 0.0;         ///< f of sin(2 pi f t) by which the same are multiplied, 1/s; 0: steady
  Vec3 middle_force;              ///< at mid-length while time is below perturbation_duration, N
  Vec3 tether_point;              ///< to which a spring holds a node, laboratory frame, m
  double tether_stiffness = 0.0;  ///< N/m
  double tether_hardening = 0.0;  ///< N/m^3
  double tether_length = 0.0;     ///< up to which it is slack, m
  double tether_place = 1.0;      ///< of the node, over the length of the rod
  GivenLaws own;                  ///< laws that are not the tree's
};

/// Joint of a rod's first node with the last node of the rod before it (deck key joint.kind).
enum class JointKind {
  none,  ///< nothing
  ball,  ///< one node for both: they meet at any angle
  rigid  ///< a ball joint whose angle springs back to what it is at the start
};
template <>
inline constexpr auto words<JointKind> = [] {
  using enum JointKind;
  return std::to_array<Word<JointKind>>({{"none", none}, {"ball", ball}, {"rigid", rigid}});
}();

/// Coefficients of Coulomb friction between rod and ground, by the direction of the motion they resist.
struct FrictionCoefficients {
  double forward = 0.0;   ///< along the rod, from the first node to the last
  double backward = 0.0;  ///< along the rod, the other way
  double rolling = 0.0;   ///< across the rod: of the slip between its surface and the ground

  bool acts() const { return forward > 0.0 || backward > 0.0 || rolling > 0.0; }
};

/// A sphere or an endless cylinder.
struct SolidSpec {
  Vec3 centre;          ///< of the sphere, or a point of the cylinder's axis, m
  Vec3 axis;            ///< unit vector along the cylinder; zero: a sphere
  double radius = 0.0;  ///< m; negative: hollow, with the rod inside
};

/// A plane.
struct PlaneSpec {
  Vec3 point;   ///< of it, m
  Vec3 normal;  ///< unit vector out of its solid
};

/// Most further planes, spheres and cylinders together.
inline constexpr int most_solids = 8;

/// Response of the ground to rods (deck key ground.response).
enum class GroundResponse {
  net_force,  ///< all force on an element that touches, sections 4.1.3 and 4.1.4 of Gazzola et al. 2018
  springs     ///< springs and dashpots out of the surface and along it (Cundall and Strack 1979)
};
template <>
inline constexpr auto words<GroundResponse> = [] {
  using enum GroundResponse;
  return std::to_array<Word<GroundResponse>>({{"net_force", net_force}, {"springs", springs}});
}();

/// Ground and solids that the rod meets.
struct GroundSpec {
  bool has_plane = false;
  Vec3 origin;                    ///< a point of the plane, m
  Vec3 normal;                    ///< unit vector out of the plane's solid
  std::vector<PlaneSpec> planes;  ///< besides
  std::array<SolidSpec, most_solids> solids{};
  int solid_count = 0;
  PlatenSpec platen;
  GroundResponse response = GroundResponse::net_force;
  double stiffness = 0.0;  ///< k_w of an element, N/m
  double damping = 0.0;    ///< gamma_w of an element, kg/s
  FrictionCoefficients static_friction;
  FrictionCoefficients kinetic_friction;
  double velocity_threshold = 0.0;  ///< v_eps, m/s: static friction below, kinetic above 1.5 times this

  bool exists() const { return has_plane || solid_count > 0 || !planes.empty() || platen.exists(); }
  /// True if any friction acts on it.
  bool rubs() const { return static_friction.acts() || kinetic_friction.acts(); }
};

/// Load that the muscles exert (deck key muscle.kind).
enum class MuscleKind { none, couple, force };
template <>
inline constexpr auto words<MuscleKind> = [] {
  using enum MuscleKind;
  return std::to_array<Word<MuscleKind>>({{"couple", couple}, {"force", force}});
}();

/// Most inner control values of the muscles' profile.
inline constexpr int most_muscle_amplitudes = 32;

/// The travelling wave of muscular activity, eq. 4.3.
struct MuscleSpec {
  MuscleKind kind = MuscleKind::none;
  std::array<double, most_muscle_amplitudes> amplitudes{};  ///< inner control values of the profile, N m or N
  int amplitude_count = 0;
  double period = 0.0;         ///< s; 0: none given
  double wave_number = 0.0;    ///< 2 pi/lambda, rad/m; positive: from the last node to node 0
  double phase = 0.0;          ///< rad
  bool in_laboratory = false;  ///< frame of `axis`: the laboratory's or each element's directors
  Vec3 axis;                   ///< unit vector along which the couples or forces act
};

/// Law of a viscous fluid's action on rods (deck key fluid.kind).
enum class FluidKind {
  slender_body,  ///< drag of each node by its own velocity (eq. 4.13 of Gazzola et al. 2018)
  stokeslets     ///< regularised Stokeslet segments: all rods move the fluid around all (Cortez 2018)
};
template <>
inline constexpr auto words<FluidKind> = [] {
  using enum FluidKind;
  return std::to_array<Word<FluidKind>>({{"slender_body", slender_body}, {"stokeslets", stokeslets}});
}();

/// Matrix that is solved for the forces of regularised Stokeslets (deck key fluid.mobility).
enum class MobilityKind {
  full,           ///< the mobility
  lower_triangle  ///< its lower triangle, taken as symmetric, as the program of Tong et al. (2023) does
};
template <>
inline constexpr auto words<MobilityKind> = [] {
  using enum MobilityKind;
  return std::to_array<Word<MobilityKind>>({{"full", full}, {"lower_triangle", lower_triangle}});
}();

/// A viscous fluid at rest around the rods.
struct FluidSpec {
  FluidKind kind = FluidKind::slender_body;
  double viscosity = 0.0;  ///< dynamic viscosity mu, Pa s; 0: no fluid
  MobilityKind mobility = MobilityKind::full;
  double regularization = 0.0;  ///< length eps of the Stokeslets, m; 0: by each element's radius
  double tolerance = 1e-6;      ///< of the Stokeslets' velocities, relative

  bool acts_by(FluidKind law) const { return viscosity > 0.0 && kind == law; }
};

struct TimeSpec {
  double step = 0.0;  ///< s
  /// Number of steps to time.end (the last one ends at steps * step), and then of the points of a branch.
  std::int64_t steps = 0;
  std::int64_t slice_steps = 0;   ///< steps between two looks at a member's health and events
  double tolerance = 0.0;         ///< error of an implicit step, rad or of the rod's length; 0: any
  double spectral_radius = 0.0;   ///< of generalized_alpha: what a step keeps of the fastest motion
  bool from_equilibrium = false;  ///< motion begins where the rods are at rest under the loads of t = 0
};

/// A test function of optimisers (deck key function.name); minimum 0 but for noise.
enum class FunctionKind {
  sphere,
  ellipsoid,
  rosenbrock,
  rastrigin,
  cigar,
  tablet,
  noise  ///< uniform in [0, 1), whatever the point
};
template <>
inline constexpr auto words<FunctionKind> = [] {
  using enum FunctionKind;
  return std::to_array<Word<FunctionKind>>({{"sphere", sphere},
                                            {"ellipsoid", ellipsoid},
                                            {"rosenbrock", rosenbrock},
                                            {"rastrigin", rastrigin},
                                            {"cigar", cigar},
                                            {"tablet", tablet},
                                            {"noise", noise}});
}();

/// A member of model.kind = function.
struct FunctionSpec {
  FunctionKind kind = FunctionKind::sphere;
  std::vector<double> x;
  double deviation = 0.0;  ///< standard deviation of the noise that is added to the value
  double seconds = 0.0;    ///< shortest wait, s
  double slowest = 1.0;    ///< longest wait over the shortest
};

/// Settings of an implicit model's solver.
struct NewtonSpec {
  double tolerance = 0.0;  ///< norm of the residual force over B1/L^2
  int iterations = 0;      ///< most linear solves of a step
  int halvings = 0;        ///< how often a step is halved, at most, where its iteration does not converge
  double relative_tolerance = 0.0;  ///< residual over that of the first iterate that is enough too
};

/// Settings that each rod of a member has for itself. A joined end is held and loaded by its joint alone: its
/// boundary condition and end load are ignored.
struct RodSetup {
  RodSpec rod;
  BoundarySpec boundary;
  LoadSpec load;  ///< gravity and random perturbation are those of the first rod for all
  JointKind joint = JointKind::none;
  MuscleSpec muscle = {};
  std::vector<ActuationSpec> actuation = {};
};

/// Condition under which a member ends as settled (deck keys observe.settle and its like).
struct SettleSpec {
  double tolerance = 0.0;         ///< relative change over these periods; 0: the member runs to its end
  double periods = 0.0;           ///< whole quarters
  std::int64_t period_steps = 0;  ///< of a period
  std::size_t observable = 0;     ///< in the study's list of observables

  bool acts() const { return tolerance > 0.0; }
  std::int64_t quarters() const { return static_cast<std::int64_t>(4.0 * periods); }
};

/// Settings that a member has once for all its rods.
struct SharedSpec {
  ModelKind model = ModelKind::cosserat;
  TimeMethod method = TimeMethod::dynamic;
  TimeScheme scheme = TimeScheme::backward_euler;  ///< of models that have several
  bool single_precision = false;                   ///< of the arithmetic of steps; the state is double
  bool on_device = false;                          ///< explicit steps are taken by a GPU
  bool shears = true;                              ///< as the model has it
  bool published_laws = false;        ///< of bending, friction and its points, as in Tong et al. (2023)
  double sections_shrink = 1.0;       ///< 1: an element's volume stays as it stretches; 0: its section does
  bool sections_have_energy = false;  ///< where they shrink: forces are all of the derivative of an energy
  double noop_seconds = 0.0;          ///< s
  FunctionSpec function;
  GroundSpec ground;
  FluidSpec fluid;
  ContactSpec contact;
  std::vector<MotionSpec> motions;  ///< in the order in which they begin
  ControlSpec control;
  TimeSpec time;
  NewtonSpec newton;
  int modes = 0;                 ///< vibrations about its last equilibrium that it reports
  double buckling_energy = 0.0;  ///< the member stops when its bending energy exceeds this, J; 0: never
  double buckling_translational_energy = 0.0;  ///< the same for its translational energy
  /// Growth of its energy without work, over the largest so far, above which the member ends.
  double energy_tolerance = std::numeric_limits<double>::infinity();
  int frames = 0;                         ///< stored instants, evenly spread from t = 0 to time.end; 0: none
  std::vector<std::size_t> fields = {0};  ///< what a frame holds: places in trajectory_fields
  std::vector<std::size_t> frame_observables;  ///< and places in the study's list of observables
  std::vector<ConnectionSpec> connections;
  std::vector<MeasureSpec> measures;
  std::int64_t measure_steps = 0;  ///< between two samples of the measures
  SettleSpec settle;
  BranchSpec branch;                         ///< that begins after time.steps, less its points
  std::shared_ptr<const MeasuredData> data;  ///< that the rods are compared with; null: none
  AnalyticReference reference = AnalyticReference::none;
  std::uint64_t study_seed = 0;

  /// Whether its rods take explicit steps.
  bool steps_explicitly() const { return model == ModelKind::cosserat && method == TimeMethod::dynamic; }
  /// Whether its rods go from equilibrium to equilibrium and have no velocities.
  bool rests() const { return method == TimeMethod::equilibrium; }
};

/// Everything one member needs, typed and validated; made from a deck once per member. Its own RodSetup is
/// the first rod's.
struct MemberSpec : SharedSpec, RodSetup {
  std::vector<RodSetup> further_rods;  ///< the others of a member with several, in order
  std::vector<int> frame_rods;         ///< that frames hold, in ascending order; empty: all

  int rod_count() const { return 1 + static_cast<int>(further_rods.size()); }

  /// Setup of the k-th rod, from 0.
  const RodSetup& setup(int k) const {
    return k == 0 ? static_cast<const RodSetup&>(*this) : further_rods[static_cast<std::size_t>(k) - 1];
  }

  /// Whether the sections of all rods are alike about d1 and d2.
  bool has_circular_sections() const {
    for (const RodSetup& other : further_rods) {
      if (!other.rod.circular) return false;
    }
    return rod.circular;
  }

  /// Whether rods may meet each other or something else.
  bool has_impacts() const { return contact.kind != ContactKind::none || ground.exists(); }
};

/// A member as if its k-th rod (from 0) were its only one: what is built and observed rod by rod sees this.
MemberSpec rod_alone(const MemberSpec& spec, int k);

/// Members that differ in one number of their deck.
class MemberFamily {
 public:
  virtual ~MemberFamily() = default;

  /// The member with this value; nothing if decks do not allow it.
  virtual std::optional<MemberSpec> at(double value) const = 0;
};

/// Course of loads in time: they grow linearly to their values, and are multiplied by sin(2 pi f t).
struct LoadCourse {
  double ramp_time = 0.0;  ///< s; 0: in full from the start
  double frequency = 0.0;  ///< f, 1/s; 0: steady

  static LoadCourse of(const LoadSpec& load) { return {load.ramp_time, load.frequency}; }

  /// Part of the load that acts at `time`, in [-1, 1].
  KOKKOS_INLINE_FUNCTION double at(double time) const {
    const double ramp = time < ramp_time ? time / ramp_time : 1.0;
    return frequency > 0.0 ? ramp * math::sin(6.283185307179586 * frequency * time) : ramp;
  }

  /// Law::does_work() of a force and a couple in fixed directions: only a steady force has a potential.
  bool does_work(const Vec3& force, const Vec3& couple) const {
    return norm(couple) > 0.0 || (norm(force) > 0.0 && frequency > 0.0);
  }
};

}  // namespace rodeo
