#include "rodeo/spec/member_spec.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "rodeo/forces/further_ground.hpp"
#include "rodeo/input/deck.hpp"
#include "rodeo/input/need.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/placement.hpp"
#include "rodeo/member/rod_parts.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/rod/initial_shape.hpp"
#include "rodeo/rod/rod_properties.hpp"

#include "deck_checks.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

/// The turn that a rigid joint keeps must have one axis.
void check_joint_angle(const Deck& deck, const InitialShape& before, const InitialShape& after) {
  constexpr double largest = 3.0;  // rad
  const Quaternion turn = conjugate(before.frames[before.frames.size() - 2]) * after.frames[1];
  if (norm(rotation_vector(turn)) <= largest) return;
  throw deck.error("joint.kind"_key,
                   "= rigid cannot join rods whose directors are turned by more than 3 rad; give the later "
                   "one another rod.normal or rod.direction");
}

/// Rod k > 0, joined to the rod before it if the deck says so.
RodSetup make_further_rod(const Deck& deck, const RodSpec& before) {
  RodSetup setup;
  setup.rod = make_rod_spec(deck);
  setup.boundary = make_boundary_spec(deck, setup.rod.length);
  check_held_ends(deck, setup.rod, setup.boundary);
  set_damping(deck, setup.boundary, setup.rod);
  setup.load = make_load_spec(deck, setup.rod);
  setup.muscle = make_muscle_spec(deck);
  deck.fill(setup);
  if (setup.rod.closed) check_closed_rod(deck, setup.boundary, setup.load);
  check_direction_of_file(deck, setup.rod, setup.boundary, setup.load);
  if (setup.joint == JointKind::none) return setup;
  if (setup.rod.closed || before.closed) {
    throw deck.error("joint.kind"_key,
                     "needs two ends, and a closed rod has none (" + deck.place("rod.shape"_key) + ")");
  }
  const InitialShape shape_before = initial_shape(before);
  const InitialShape shape = initial_shape(setup.rod);
  setup.rod.origin = setup.rod.origin + (shape_before.nodes.back() - shape.nodes.front());
  if (setup.joint == JointKind::rigid) check_joint_angle(deck, shape_before, shape);
  if (setup.rod.damping_decay_time > 0.0) {
    throw deck.error("rod.damping_decay_time"_key, "is not possible for joined rods (joint.kind)");
  }
  if (deck.has_value("rod.damping_ratio"_key)) {
    throw deck.error("rod.damping_ratio"_key,
                     "is that of a rod with two ends of its own, not of joined ones (joint.kind, " +
                         deck.place("joint.kind"_key) + "); give rod.relaxation_time");
  }
  return setup;
}

/// Puts the rods of a member on the corners of a polygon with such sides.
void place_on_polygon(const Deck& deck, MemberSpec& spec) {
  const double side = deck.number("rod.polygon_side"_key);
  const int count = spec.rod_count();
  if (side == 0.0 || count == 1) return;
  const double corner = side / (2.0 * std::sin(std::numbers::pi / count));
  const Vec3 first = corner * spec.rod.normal;
  const Vec3 second = corner * cross(spec.rod.direction, spec.rod.normal);
  for (int k = 0; k < count; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / count;
    if (k > 0 && spec.further_rods[static_cast<std::size_t>(k) - 1].joint != JointKind::none) {
      throw deck.error("rod.polygon_side"_key, "would part rods that joint.kind joins");
    }
    Vec3& origin = (k == 0 ? spec.rod : spec.further_rods[static_cast<std::size_t>(k) - 1].rod).origin;
    origin = origin + std::cos(angle) * first + std::sin(angle) * second;
  }
}

/// Throws if a Reynolds number, which is that of one length and one period, meets rods that differ in them.
void check_reynolds(const Deck& deck, const MemberSpec& spec, int rod) {
  if (!deck.has_value("fluid.reynolds"_key)) return;
  const RodSetup& own = spec.setup(rod);
  const bool same_length = std::abs(own.rod.length - spec.rod.length) <= 1e-9 * spec.rod.length;
  if (same_length && own.muscle.period == spec.muscle.period) return;
  throw deck.error("fluid.reynolds"_key, "is that of one rod.length and one muscle.period, and rods 0 and " +
                                             std::to_string(rod) + " differ in " +
                                             (same_length ? "muscle.period" : "rod.length") +
                                             "; give fluid.viscosity");
}

/// Rods 1, 2, … of a member with several. All together stay within the elements that one may have.
void add_further_rods(const Deck& deck, RodDecks& decks, MemberSpec& spec) {
  const int count = decks.count();
  const double most_elements = key_info("rod.elements"_key).maximum;
  double elements = spec.rod.elements;
  for (int k = 1; k < count; ++k) {
    const Deck& own = decks.of(k);
    const RodSpec& before = k == 1 ? spec.rod : spec.further_rods.back().rod;
    spec.further_rods.push_back(make_further_rod(own, before));
    if (spec.fluid.viscosity > 0.0) check_slenderness(own, spec.further_rods.back().rod);
    check_reynolds(own, spec, k);
    elements += spec.further_rods.back().rod.elements;
    if (elements <= most_elements) continue;
    throw deck.error(count_key(deck),
                     "gives more than " + format_real(most_elements) + " elements of all rods together");
  }
  if (count > 1 && spec.reference != AnalyticReference::none) {
    throw deck.error("convergence.reference"_key, "is a solution for one rod; rod.count is " +
                                                      std::to_string(count) + " (" +
                                                      deck.place(count_key(deck)) + ")");
  }
}

int frame_count(const Deck& deck) {
  const std::int64_t frames = deck.integer("output.frames"_key);
  if (frames == 1) {
    throw deck.error("output.frames"_key, "1 is not allowed: 0 stores no frames, 2 the start and the end");
  }
  return static_cast<int>(frames);
}

/// Throws if the numbers of a rod are out of the range of single precision.
void check_single_precision(const Deck& deck, const MemberSpec& spec) {
  constexpr double smallest =
      1e-30;  // kg m^2; a float begins at 1e-38, and products of it must be floats too
  for (int k = 0; k < spec.rod_count(); ++k) {
    const RodSpec rod = rod_alone(spec, k).rod;
    const double inertia = std::ranges::min(rod_properties(rod, initial_shape(rod)).bend_inertias);
    if (inertia >= smallest) continue;
    throw deck.error("model.precision"_key,
                     "= single cannot compute with the moment of inertia of an element of " +
                         format_real(inertia) + " kg m^2; it takes >= " + format_real(smallest));
  }
}

/// Throws if a member has what steps on a device have not.
void check_device(const Deck& deck, const MemberSpec& spec) {
  struct Lack {
    bool is_asked;
    std::string_view what;
  };
  bool has_formulas = false;
  for (int k = 0; k < spec.rod_count() && !has_formulas; ++k) has_formulas = !spec.setup(k).actuation.empty();
  const Lack lacks[] = {{spec.single_precision, "single precision (model.precision)"},
                        {!spec.has_circular_sections(), "sections with two bend stiffnesses (rod.section)"},
                        {spec.contact.kind != ContactKind::none, "contact between rods (contact.kind)"},
                        {!spec.motions.empty(), "motions (motion.position, motion.rotation)"},
                        {!spec.connections.empty(), "connections (connection.spring and its like)"},
                        {has_formulas, "formulas of time (actuation.force and its like)"},
                        {forces::FurtherGround::is_in(spec.ground),
                         "ground on springs, further planes, platens, or balls and cylinders that rods are "
                         "outside of (ground.response, ground.planes, ground.platen, ground.spheres, "
                         "ground.cylinders)"},
                        {may_have_parts(spec), "members of so many elements (rod.elements, rod.count)"}};
  for (const Lack& lack : lacks) {
    if (lack.is_asked)
      throw deck.error("model.device"_key, "= gpu has no " + std::string(lack.what) + "; host has them");
  }
}

/// Throws if no model has such a method or such a scheme.
void check_method(const Deck& deck, const MemberSpec& spec) {
  if (find_model(spec) != nullptr) return;
  const std::string kind =
      "model.kind = " + std::string(word_of(spec.model)) + " (" + deck.place("model.kind"_key) + ")";
  const std::string method = "= " + std::string(word_of(spec.method));
  if (find_model(spec.model, spec.method) == nullptr) {
    throw deck.error("time.method"_key, method + " is not for " + kind + "; cosserat has it");
  }
  const bool is_default = find_model(spec.model, spec.method) == &model_of(spec.model);
  throw deck.error(
      "time.scheme"_key,
      "= " + std::string(word_of(spec.scheme)) + " is not for " +
          (is_default ? kind : "time.method " + method + " (" + deck.place("time.method"_key) + ")") +
          ", which has " + schemes_of(spec.model, spec.method));
}

/// The first rod.
void set_first_rod(const Deck& deck, MemberSpec& spec) {
  spec.rod = make_rod_spec(deck);
  spec.boundary = make_boundary_spec(deck, spec.rod.length);
  check_held_ends(deck, spec.rod, spec.boundary);
  set_damping(deck, spec.boundary, spec.rod);
  spec.load = make_load_spec(deck, spec.rod);
  if (spec.rod.closed) check_closed_rod(deck, spec.boundary, spec.load);
  check_direction_of_file(deck, spec.rod, spec.boundary, spec.load);
}

void set_frames(const Deck& deck, MemberSpec& spec) {
  spec.frames = frame_count(deck);
  for (const std::size_t field : further_fields(deck)) spec.fields.push_back(field);
  spec.frame_observables = frame_observables(deck);
}

/// The member, whatever branch it may follow.
MemberSpec make_own_spec(const Deck& deck) {
  MemberSpec spec;
  deck.fill<SharedSpec>(spec);
  if (!deck.has_value("time.scheme"_key)) spec.scheme = model_in(deck).scheme.value_or(spec.scheme);
  spec.study_seed = deck.seed();
  check_method(deck, spec);
  const Model& model = model_of(spec);
  check_features(deck, model);
  if (!model.needed_key.empty())
    require(deck, find_key(model.needed_key), "model.kind = " + std::string(model.name) + " needs it");
  if (deck.has_value("function.x"_key)) deck.fill(spec.function);
  if (!model.has_rods) {
    set_measures(deck, spec);
    return spec;
  }
  spec.shears = model.has(feature("shear"));
  const std::string_view section = deck.choice("model.section"_key);
  spec.sections_shrink = section == "rigid" ? 0.0 : 1.0;
  spec.sections_have_energy = section == "incompressible";
  RodDecks rods(deck);
  // Parts that do not need each other, so that the faults of all of them are said.
  DeckFaults faults;
  faults.pass([&] { set_first_rod(rods.of(0), spec); });
  faults.pass([&] { spec.muscle = make_muscle_spec(rods.of(0)); });
  faults.pass([&] { spec.ground = make_ground_spec(deck); });
  faults.pass([&] { spec.contact = make_contact_spec(deck); });
  faults.pass([&] { set_frames(deck, spec); });
  faults.pass([&] { deck.fill(spec.newton); });
  faults.report();
  spec.fluid = make_fluid_spec(rods.of(0), spec.rod, spec.muscle);
  add_further_rods(deck, rods, spec);
  place_on_polygon(deck, spec);
  spec.time = make_time_spec(deck, spec);
  faults.pass([&] { set_control(deck, spec); });
  faults.pass([&] { set_motions(deck, spec); });
  faults.pass([&] { set_platen(deck, spec); });
  faults.report();
  for (int k = 0; k < spec.rod_count(); ++k) {
    const Deck& own = rods.of(k);
    if (own.has_value("rod.damping_ratio"_key)) take_motions_for_supports(own, k, spec);
  }
  faults.pass([&] { spec.frame_rods = frame_rods(deck, spec.rod_count()); });
  faults.pass([&] { set_actuation(deck, rods, spec); });
  faults.pass([&] { set_connections(deck, spec); });
  faults.report();
  faults.pass([&] { set_measures(deck, spec); });
  faults.pass([&] { set_settling(deck, spec); });
  faults.report();
  set_data(deck, spec);
  check_fluid(deck, spec);
  check_sections(deck, spec);
  check_material_damping(deck, spec);
  if (spec.single_precision) check_single_precision(deck, spec);
  if (spec.on_device) check_device(deck, spec);
  return spec;
}

/// The members of a deck by the number that changes along its branch.
class DeckFamily final : public MemberFamily {
 public:
  explicit DeckFamily(const Deck& deck) : deck_(deck), address_(deck.branch_address()) {}

  std::optional<MemberSpec> at(double value) const override {
    try {
      return checked_at(value);
    } catch (const DeckError&) {
      return std::nullopt;
    }
  }

  MemberSpec checked_at(double value) const {
    Deck own = deck_;
    own.set(address_, value);
    return make_own_spec(own);
  }

 private:
  Deck deck_;
  ParameterAddress address_;
};

/// The member at the beginning of its branch.
MemberSpec make_branch_spec(const Deck& deck) {
  const auto family = std::make_shared<DeckFamily>(deck);
  require(deck, "branch.to"_key, "branch.key needs it");
  const MemberSpec end = family->checked_at(deck.number("branch.to"_key));
  MemberSpec spec = family->checked_at(deck.number("branch.from"_key));
  set_branch(deck, end, spec);
  spec.branch.family = family;
  spec.time.steps += spec.branch.points;
  return spec;
}

}  // namespace

MemberSpec make_member_spec(const Deck& deck) {
  const bool rests = chosen<TimeMethod>(deck, "time.method"_key) == TimeMethod::equilibrium;
  return rests && deck.is_given("branch.key"_key) ? make_branch_spec(deck) : make_own_spec(deck);
}

}  // namespace rodeo
