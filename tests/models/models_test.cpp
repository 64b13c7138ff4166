#include "rodeo/models/models.hpp"

#include <cmath>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/keys.hpp"

#include "cosserat/test_rod.hpp"

namespace rodeo {
namespace {

/// Two rods side by side, that overlap and stand in the ground.
MemberSpec crowded(ModelKind model, ContactKind contact) {
  MemberSpec spec = cosserat::soft_rod(6);
  spec.model = model;
  spec.contact = {contact, 1e4, 0.0, 1e-3};
  RodSetup second = spec;
  second.rod.origin = spec.rod.origin + 0.5 * spec.rod.radius * spec.rod.normal;
  spec.further_rods = {second};
  spec.ground.has_plane = true;
  spec.ground.normal = {0.0, 1.0, 0.0};
  spec.ground.origin = {0.0, 10.0, 0.0};
  spec.ground.stiffness = 1.0;
  return spec;
}

TEST(Models, GiveModelKindItsWordsAndItsText) {
  std::set<std::string_view> names;
  for (const Model& model : model_table) {
    EXPECT_EQ(names.insert(model.name).second, is_default(model)) << model.name;
    MemberSpec spec;
    spec.model = model.kind;
    spec.method = model.method;
    spec.scheme = model.scheme.value_or(spec.scheme);
    EXPECT_EQ(&model_of(spec), &model) << model.name;
    EXPECT_NE(key_info("model.kind"_key).text.find(model.text), std::string_view::npos) << model.name;
  }
  EXPECT_EQ(key_info("model.kind"_key).choices, "cosserat|der|rigid|noop|function");
  EXPECT_EQ(words<ModelKind>[1].text, "der");
  EXPECT_EQ(words<ModelKind>[1].value, ModelKind::der);
}

TEST(Models, WithoutRodsHaveNoFeatures) {
  for (const Model& model : model_table) {
    for (std::size_t place = 0; place < model_features.size(); ++place) {
      EXPECT_TRUE(model.has_rods || !model.has(place)) << model.name << ' ' << model_features[place].name;
    }
    EXPECT_EQ(model.has(feature("several rods")), model.has_rods) << model.name;
  }
  EXPECT_TRUE(model_of(ModelKind::cosserat).has(feature("shear")));
  EXPECT_FALSE(model_of(ModelKind::der).has(feature("shear")));
}

TEST(Models, CheckTheStartEachInItsWay) {
  const MemberSpec cosserat = crowded(ModelKind::cosserat, ContactKind::penalty);
  ASSERT_TRUE(failure_at_start(cosserat));
  EXPECT_EQ(failure_at_start(cosserat)->key, "contact.kind");
  EXPECT_FALSE(refusal_at_start(cosserat));
  EXPECT_FALSE(warnings_at_start(cosserat).empty());
  const MemberSpec der = crowded(ModelKind::der, ContactKind::ipc);
  ASSERT_TRUE(refusal_at_start(der));
  EXPECT_NE(refusal_at_start(der)->text.find("overlap"), std::string::npos);
  EXPECT_FALSE(failure_at_start(der));
  EXPECT_FALSE(warnings_at_start(der).empty());
  MemberSpec noop;
  noop.model = ModelKind::noop;
  EXPECT_FALSE(failure_at_start(noop) || refusal_at_start(noop) || !warnings_at_start(noop).empty());
}

TEST(Models, SayThatThereIsNoRestToBeginFromWhereTheyHaveNoEquilibria) {
  for (const Model& model : model_table) {
    if (!model.has_rods || model.method == TimeMethod::equilibrium) continue;
    MemberSpec spec = cosserat::soft_rod(6);
    spec.sections_shrink = 0.0;
    spec.model = model.kind;
    spec.method = model.method;
    spec.scheme = model.scheme.value_or(spec.scheme);
    spec.time.from_equilibrium = true;
    const std::optional<StartProblem> problem = refusal_at_start(spec);
    ASSERT_EQ(problem.has_value(), model.kind == ModelKind::rigid) << model.name;
    if (!problem) continue;
    EXPECT_EQ(problem->key, "time.from");
    EXPECT_NE(problem->text.find("model.kind = rigid"), std::string::npos) << problem->text;
  }
}

TEST(Models, RefuseRodsThatOverlapByMoreThanTheShellOfImcWhereTheyWouldFlyApart) {
  for (const auto& [kind, method] : {std::pair(ModelKind::der, TimeMethod::dynamic),
                                     std::pair(ModelKind::cosserat, TimeMethod::implicit)}) {
    MemberSpec spec = crowded(kind, ContactKind::imc);
    spec.method = method;
    if (method == TimeMethod::implicit) spec.scheme = TimeScheme::generalized_alpha;
    const double overlap = 1.5 * spec.rod.radius;
    spec.contact.tolerance = 0.99 * overlap;
    ASSERT_TRUE(refusal_at_start(spec));
    EXPECT_NE(refusal_at_start(spec)->text.find("contact.tolerance"), std::string::npos);
    spec.contact.tolerance = 1.01 * overlap;
    EXPECT_FALSE(refusal_at_start(spec));
    spec.contact.tolerance = 0.5 * overlap;
    spec.method = TimeMethod::equilibrium;
    EXPECT_FALSE(refusal_at_start(spec)) << "what has no motion is parted";
  }
}

TEST(Models, WarnOfRodsInTheGroundWhateverTakesTheSteps) {
  for (const Model& model : model_table) {
    if (!model.has_rods || !model.has(feature("ground"))) continue;
    MemberSpec spec = crowded(model.kind, ContactKind::none);
    spec.method = model.method;
    spec.scheme = model.scheme.value_or(spec.scheme);
    spec.time.steps = 1;
    EXPECT_FALSE(warnings_at_start(spec).empty()) << variant(model);
    spec.ground.origin = {0.0, -10.0, 0.0};
    EXPECT_TRUE(warnings_at_start(spec).empty()) << variant(model);
  }
}

TEST(Models, BoundTheStepWhereTheyAreExplicit) {
  const MemberSpec spec = crowded(ModelKind::cosserat, ContactKind::penalty);
  const StepBounds bounds = step_bounds(spec);
  EXPECT_LE(bounds.all.step, bounds.internal.step);
  EXPECT_EQ(bounds.ground.by, "ground.stiffness");
  EXPECT_TRUE(std::isinf(step_bounds(crowded(ModelKind::der, ContactKind::ipc)).all.step));
}

TEST(Models, PredictCostAndMemoryOfTheirMembers) {
  for (const Model& row : model_table) EXPECT_EQ(row.memory != nullptr, row.has_rods) << row.name;
  MemberSpec spec = crowded(ModelKind::cosserat, ContactKind::none);
  spec.time.steps = 100;
  EXPECT_EQ(predicted_cost(spec), 10.0 * 12 * 100);
  const std::size_t memory = model_of(spec).memory(spec);
  EXPECT_GT(memory, 12 * sizeof(double));
  spec.contact.kind = ContactKind::penalty;
  EXPECT_EQ(predicted_cost(spec), 40.0 * 12 * 100);
  EXPECT_GT(model_of(spec).memory(spec), memory);
  spec.contact.kind = ContactKind::none;
  spec.model = ModelKind::der;
  EXPECT_EQ(predicted_cost(spec), 1e3 * 12 * 100);
  EXPECT_GT(model_of(spec).memory(spec), memory) << "matrices besides";
  spec.scheme = TimeScheme::sdirk2;
  EXPECT_EQ(predicted_cost(spec), 2e3 * 12 * 100) << "two solves a step";
  spec.model = ModelKind::noop;
  spec.noop_seconds = 2.0;
  EXPECT_EQ(predicted_cost(spec), 2e9 + 1e3);
}

/// A rod of 1 m between clamps of which the last turns by 13 rad in `duration` seconds.
MemberSpec twisted(int elements, double duration) {
  MemberSpec spec = cosserat::soft_rod(elements);
  spec.boundary = {EndCondition::clamped, EndCondition::clamped, 13.0, 0.0, duration};
  spec.time.step = duration / static_cast<double>(spec.time.steps);
  return spec;
}

TEST(Models, RefuseTwistOfHalfATurnAnElementWhateverTakesTheSteps) {
  for (const Model& model : model_table) {
    if (!model.has_rods) continue;
    MemberSpec spec = twisted(4, 1e3);
    spec.model = model.kind;
    spec.method = model.method;
    spec.scheme = model.scheme.value_or(spec.scheme);
    const std::optional<StartProblem> problem = refusal_at_start(spec);
    ASSERT_TRUE(problem) << model.name;
    EXPECT_EQ(problem->key, "boundary.twist");
    EXPECT_NE(problem->text.find("by 3.25 rad"), std::string::npos) << problem->text;
    EXPECT_NE(problem->text.find("rod.elements = 5 has less"), std::string::npos) << problem->text;
    spec = twisted(5, 1e3);
    spec.model = model.kind;
    spec.method = model.method;
    spec.scheme = model.scheme.value_or(spec.scheme);
    EXPECT_FALSE(refusal_at_start(spec));
  }
}

TEST(Models, CountTheTwistOfATaperedRodAlikeFromEitherEnd) {
  const auto refusal = [](const std::string& ends) {
    const std::string deck =
        "[rod]\nelements = 6\nlength = 0.08\ndensity = 1900\nyoung_modulus = 2e6\npoisson_ratio = 0.3\n"
        "direction = 1, 0, 0\n[boundary]\nfirst = clamped\nlast = clamped\ntwist = 4\nmotion_time = 1e-3\n"
        "[time]\nstep = 1e-6\nend = 1e-3\n[rod]\n";
    return refusal_at_start(make_member_spec(Deck::parse(deck + ends, "deck.ini")));
  };
  const std::optional<StartProblem> thick_first = refusal("radius = 8e-4\nend_radius = 3e-4\n");
  ASSERT_TRUE(thick_first);
  EXPECT_EQ(thick_first->text, refusal("radius = 3e-4\nend_radius = 8e-4\n")->text);
}

/// A rod of 1 m whose natural shape is such a curvature and twist.
MemberSpec curved(int elements, const Vec3& natural) {
  MemberSpec spec = cosserat::soft_rod(elements);
  spec.rod.intrinsic_curvature = natural;
  return spec;
}

TEST(Models, RefuseNaturalTurnsOfHalfATurnAnElement) {
  const std::optional<StartProblem> twist = refusal_at_start(curved(4, {0.0, 0.0, 14.0}));
  ASSERT_TRUE(twist);
  EXPECT_EQ(twist->key, "rod.intrinsic_twist");
  EXPECT_NE(twist->text.find("by 3.5 rad"), std::string::npos) << twist->text;
  EXPECT_NE(twist->text.find("rod.elements = 5 turns by less"), std::string::npos) << twist->text;
  EXPECT_FALSE(refusal_at_start(curved(5, {0.0, 0.0, 14.0})));
  const std::optional<StartProblem> bend = refusal_at_start(curved(4, {9.0, -10.0, 0.0}));
  ASSERT_TRUE(bend);
  EXPECT_EQ(bend->key, "rod.intrinsic_curvature");
  EXPECT_FALSE(refusal_at_start(curved(4, {8.0, -8.0, 4.0})));
  MemberSpec spec = curved(4, {0.0, 0.0, -14.0});
  spec.model = ModelKind::der;
  EXPECT_TRUE(refusal_at_start(spec));
}

/// Formulas that add to natural strains are looked at all the while.
TEST(Models, RefuseDrivenNaturalTurnsOfHalfATurnAnElement) {
  const auto refusal = [](const std::string& lines, const std::vector<std::string>& changed = {}) {
    const std::string deck =
        "[rod]\nelements = 4\nlength = 0.2\nradius = 0.004\ndensity = 1100\nyoung_modulus = 2e6\n"
        "poisson_ratio = 0.5\ndirection = 1, 0, 0\n[boundary]\nfirst = clamped\n"
        "[time]\nstep = 1e-5\nend = 1\n";
    return refusal_at_start(make_member_spec(Deck::parse(deck + lines, "deck.ini", changed)));
  };
  const std::string twist = "[actuation]\ntwist = d3 : 70*ramp(t, 0, 0.5)\n";
  ASSERT_TRUE(refusal(twist));
  EXPECT_EQ(refusal(twist)->key, "actuation.twist");
  EXPECT_NE(refusal(twist)->text.find("by 3.5 rad"), std::string::npos) << refusal(twist)->text;
  EXPECT_FALSE(refusal(twist, {"rod.elements=5"}));
  EXPECT_FALSE(refusal(twist, {"time.end=0.4"}));
  EXPECT_TRUE(refusal(twist, {"time.end=0.4", "rod.intrinsic_twist=7"}));
  EXPECT_FALSE(refusal(twist, {"rod.intrinsic_twist=-60"})) << "60 rad/m at first, 10 the other way then";
  const std::string bend = "[actuation]\ncurvature = d2 : 200*(s > 0.9)*sin(2*pi*t)\n";
  EXPECT_FALSE(refusal("[actuation]\ncurvature = d2 : 50*sin(2*pi*t)*s\n"));
  EXPECT_FALSE(refusal(bend)) << "nothing holds the last end, and no region is there";
  ASSERT_TRUE(refusal(bend, {"boundary.last=clamped"}));
  EXPECT_EQ(refusal(bend, {"boundary.last=clamped"})->key, "actuation.curvature");
}

/// Where elements are uneven, one between two nodes may turn by more than the mean.
TEST(Models, RefuseATotalTwistThatTheLongestElementsCannotTell) {
  MemberSpec spec = cosserat::soft_rod(4);
  spec.rod.shape = RodShape::file;
  spec.rod.shape_nodes = {{0, 0, 0}, {0, 0, 0.05}, {0, 0, 0.1}, {0, 0, 0.55}, {0, 0, 1}};
  spec.rod.total_twist = 6.0;
  EXPECT_FALSE(refusal_at_start(spec));
  spec.rod.total_twist = 8.0;  // 3.6 rad from the fourth element to the last
  ASSERT_TRUE(refusal_at_start(spec));
  EXPECT_EQ(refusal_at_start(spec)->key, "rod.total_twist");
}

/// A wave of torsion runs at c = sqrt(B3/(2 rho I)) here, and behind it the rod is twisted by rate/c.
TEST(Models, RefuseATwistThatIsSteeperThanElementsTell) {
  const double area = M_PI * cosserat::soft_radius * cosserat::soft_radius;
  const double second_moment = area * area / (4.0 * M_PI);
  const double speed = std::sqrt(0.5 / (2.0 * 1000.0 * second_moment));
  const int elements = 100;
  const double fastest = (M_PI - 13.0 / elements) * speed * elements;  // rad/s
  EXPECT_TRUE(refusal_at_start(twisted(elements, 0.99 * 13.0 / fastest)));
  EXPECT_FALSE(refusal_at_start(twisted(elements, 1.01 * 13.0 / fastest)));
}

}  // namespace
}  // namespace rodeo
