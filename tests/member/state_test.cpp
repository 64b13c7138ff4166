#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/input/deck.hpp"
#include "rodeo/models/models.hpp"

#include "member/few_slices.hpp"
#include "member/run_in_pieces.hpp"

namespace rodeo {
namespace {

bool same_bytes(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void expect_same(const MemberOutcome& a, const MemberOutcome& b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_TRUE(same_bytes(a.time, b.time));
  ASSERT_EQ(a.fields.size(), b.fields.size());
  for (std::size_t k = 0; k < a.fields.size(); ++k) EXPECT_TRUE(same_bytes(a.fields[k], b.fields[k])) << k;
  for (std::size_t k = 0; k < observables.size(); ++k) {
    EXPECT_TRUE(same_bytes({a.observables[k]}, {b.observables[k]}))
        << observables[k].name << " " << a.observables[k] << " " << b.observables[k];
  }
  EXPECT_TRUE(same_bytes(a.observables, b.observables));
}

MemberJob job_of(const std::string& deck, const std::vector<std::string>& overrides = {}) {
  return {make_member_spec(Deck::parse(deck, "test.ini", overrides)), 7};
}

// What a stepper keeps of a slice beside its state would be missing where another process goes on.
TEST(MemberState, EveryShippedDeckGoesOnBitwise) {
  int decks = 0;
  for (const char* folder : {"examples", "studies", "validation", "validation/faults"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(RODEO_SOURCE_DIR "/inputs") / folder)) {
      if (entry.path().extension() != ".ini") continue;
      const std::optional<MemberJob> job = few_slices(entry.path());
      if (!job) continue;
      SCOPED_TRACE(entry.path());
      expect_same(run_in_new_batches(*job), run_members({*job}).front());
      ++decks;
    }
  }
  EXPECT_GT(decks, 50);
}

TEST(MemberState, RodsInContactGoOnBitwise) {
  const MemberJob job = job_of(crossed_rods);
  const MemberOutcome whole = run_members({job}).front();
  EXPECT_EQ(whole.status, MemberStatus::done);
  EXPECT_GT(value(whole, "contact_depth_max"), 0.01);
  expect_same(run_in_pieces(job), whole);
}

TEST(MemberState, MotionsGoOnBitwise) {
  const std::string rod =
      "[rod]\nelements = 12\nlength = 1\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\n[gravity]\nacceleration = 0, 0, -9.81\n[output]\nframes = 5\n"
      "[motion]\nposition = middle : 0.01 * sin(60 * t), free, spline(t / 0.1, 0, 0.01, 0.03)\n"
      "position = start : 0, 0, 0 from 0.02 until 0.05\nrotation = end about 1 0 0 : 3 * t until 0.06\n"
      "rotation = element 3 about 0 1 0 : ramp(t, 0.04, 0.1) from 0.04\n"
      "[measure]\ndefine = work [J] : work_motions(rod 0)\ndefine = power [J] : integral(power_motions)\n";
  for (const char* model : {"[model]\nprecision = single\n[time]\nstep = 1e-4\n", "[time]\nstep = 1e-4\n",
                            "[model]\nkind = der\n[time]\nstep = 1e-3\n",
                            "[model]\nkind = der\n[time]\nstep = 1e-3\nscheme = sdirk2\n",
                            "[model]\nkind = der\n[time]\nstep = 1e-3\nscheme = midpoint\n",
                            "[model]\nkind = der\n[time]\nstep = 1e-3\nscheme = generalized_alpha\n"}) {
    const MemberJob job = job_of(rod + model + "end = 0.1\nslice_steps = 7\n");
    const MemberOutcome whole = run_members({job}).front();
    EXPECT_EQ(whole.status, MemberStatus::done);
    EXPECT_GT(value(whole, "total_energy"), 0.0);
    expect_same(run_in_pieces(job), whole);
  }
}

TEST(MemberState, BranchesOfWhatControlDrivesGoOnBitwise) {
  const std::string rod =
      "[rod]\nelements = 8\nlength = 0.2\nradius = 0.004\ndensity = 1100\nyoung_modulus = 2e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[load]\nend_force = 0, 0.0001, 0\n"
      "[branch]\nkey = load.end_force[1]\nfrom = 0.0001\nto = 0.0002\n[output]\nframes = 21\n[time]\n"
      "method = static\nstep = 0.01\nend = 0.1\nslice_steps = 1\n[control]\ninterval = 0.01\nhold = linear\n"
      "signal = tip [m] : z(end)\noutput = u : 0.1*t + 0.01*tip\n[measure]\ndefine = drive [m] : last(u)\n"
      "[motion]\nposition = start : 0, 0, u\nrotation = element 0 about 0 1 0 : 0\n"
      "[actuation]\ncurvature = d2 : 50*u\nforce = z, end : -0.01*u\n";
  for (const char* model : {"cosserat", "der"}) {
    const MemberJob job = job_of(rod, {std::string("model.kind=") + model});
    const MemberOutcome whole = run_members({job}).front();
    EXPECT_EQ(whole.status, MemberStatus::done) << model;
    expect_same(run_in_pieces(job), whole);
  }
}

TEST(MemberState, APlatenGoesOnBitwise) {
  const std::string rod =
      "[rod]\nelements = 12\nlength = 1\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\norigin = 0, 0, 0.02\nnormal = 0, 1, 0\n"
      "[gravity]\nacceleration = 0, 0, -9.81\n[output]\nframes = 5\n"
      "[ground]\nstiffness = 1e3\nstatic_friction = 1, 1, 1\nkinetic_friction = 1, 1, 1\n"
      "platen = 0, 0, 0, 0.1, 0, 1 : 0.05 * t, 0, spline(t / 0.1, 0, 0.01, 0.03)\n"
      "[measure]\ndefine = work [J] : work_platen(rod 0)\ndefine = power [J] : integral(power_platen)\n"
      "[motion]\nposition = middle : free, spline(t / 0.1, 0, 0.01, 0.03), free\n"
      "[time]\nend = 0.1\nslice_steps = 7\n";
  // The steps of the last are so long for so few iterations that they are halved.
  for (const std::vector<std::string>& model : std::vector<std::vector<std::string>>{
           {"time.step=1e-4"},
           {"time.step=1e-4", "ground.response=springs"},
           {"time.step=1e-4", "model.precision=single"},
           {"time.step=1e-4", "model.precision=single", "ground.response=springs"},
           {"time.step=1e-3", "model.kind=der"},
           {"time.step=2e-3", "model.kind=der", "newton.iterations=2"}}) {
    const MemberJob job = job_of(rod, model);
    const MemberOutcome whole = run_members({job}).front();
    EXPECT_EQ(whole.status, MemberStatus::done);
    EXPECT_GT(value(whole, "total_energy"), 0.0);
    EXPECT_NE(whole.observables[observables.size()], 0.0);  // the work
    expect_same(run_in_pieces(job), whole);
  }
}

TEST(MemberState, FrictionAndMusclesGoOnBitwise) {
  const MemberJob job =
      shipped("validation/snake_gait.ini", {"time.end=0.02", "muscle.period=0.01", "time.slice_steps=37"});
  const MemberOutcome whole = run_members({job}).front();
  EXPECT_EQ(whole.status, MemberStatus::done);
  EXPECT_NE(value(whole, "forward_speed"), 0.0);
  expect_same(run_in_pieces(job), whole);
}

TEST(MemberState, DrivenEndsGoOnBitwise) {
  const MemberJob job = shipped(
      "validation/plectoneme.ini",
      {"time.end=0.5", "boundary.motion_time=0.3", "rod.damping_decay_time=0.2", "time.slice_steps=37"});
  expect_same(run_in_pieces(job), run_members({job}).front());
}

TEST(MemberState, AllStoredFieldsGoOnBitwise) {
  const MemberJob job =
      job_of(crossed_rods, {"output.fields=velocity, curvature", "output.observables=end_z, writhe"});
  const MemberOutcome whole = run_members({job}).front();
  EXPECT_EQ(whole.fields.size(), 5);
  expect_same(run_in_pieces(job), whole);
}

TEST(MemberState, MeasuresGoOnBitwise) {
  const std::string deck =
      "[rod]\nelements = 12\nlength = 1\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 1, 0\n[boundary]\nfirst = clamped\n"
      "[gravity]\nacceleration = 0, 0, -9.81\n[time]\nstep = 1e-4\nend = 0.1\nslice_steps = 300\n"
      "[measure]\ninterval = 7e-3\n"
      "define = a [m] : mean(z(end)) + at(0.05, z(end)) * first_time(z(end) < -1e-3)\n"
      "define = b [N m] : max(max_along(couple_2)) - min(tension(start) over 0.02 to 0.07)\n"
      "define = c [J] : rms(total_energy) + integral(power_gravity)\n[output]\nframes = 5\n"
      "observables = a, c\n";
  for (const char* model : {"model.kind=cosserat", "model.kind=der"}) {
    const MemberJob job = job_of(deck, {model});
    const MemberOutcome whole = run_members({job}).front();
    EXPECT_EQ(whole.observables.size(), observables.size() + 3);
    EXPECT_TRUE(std::isfinite(whole.observables[observables.size()]));
    expect_same(run_in_pieces(job), whole);
  }
}

TEST(MemberState, ActuationGoesOnBitwise) {
  const std::string deck =
      "[rod]\nelements = 12\nlength = 1\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 1, 0\n[boundary]\nfirst = clamped\n"
      "[time]\nstep = 1e-4\nend = 0.1\nslice_steps = 90\n[actuation]\n"
      "force = z : 0.3 * sin(2*pi*(9*t - s))\ncouple = d3, end : 0.01 * t\n"
      "internal_couple = d1 : smooth(t - 0.05 * s, 0, 0.05) * 0.1\n"
      "curvature = d2 : sin(2*pi*(9*t - s))\nstretch = d3 : 1 + t * s\n"
      "[measure]\ndefine = a [J] : integral(power_actuation) + max(total_energy)\n"
      "[output]\nframes = 5\nobservables = bending_energy\n";
  for (const std::vector<std::string>& model :
       std::vector<std::vector<std::string>>{{"model.kind=cosserat"},
                                             {"model.precision=single"},
                                             {"model.kind=der"},
                                             {"model.kind=der", "time.scheme=sdirk2"}}) {
    const MemberJob job = job_of(deck, model);
    expect_same(run_in_pieces(job), run_members({job}).front());
  }
}

TEST(MemberState, ImplicitStepsGoOnBitwise) {
  const std::string deck =
      "[model]\nsection = rigid\n[rod]\nelements = 12\nlength = 1\nradius = 0.02\ndensity = 1000\n"
      "young_modulus = 1e6\npoisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 1, 0\ndamping = 1\n"
      "damping_decay_time = 0.1\n[boundary]\nfirst = clamped\nlast = clamped\nslack = 0.02\n"
      "motion_time = 0.07\n[gravity]\nacceleration = 0, 1, -9.81\n"
      "[actuation]\ncurvature = d2 : sin(2*pi*(9*t - s))\n[output]\nframes = 5\n"
      "[time]\nmethod = implicit\nstep = 2e-3\nend = 0.1\nslice_steps = 7\n";
  // The steps of the last ones are so long for so few iterations that they are halved.
  for (const std::vector<std::string>& scheme : std::vector<std::vector<std::string>>{
           {"time.scheme=generalized_alpha"},
           {"time.scheme=energy_momentum"},
           {"time.scheme=generalized_alpha", "newton.iterations=3", "time.step=4e-3", "time.slice_steps=2"},
           {"time.scheme=generalized_alpha", "time.tolerance=1e-5", "time.step=1e-2", "time.slice_steps=1"},
           {"time.scheme=energy_momentum", "newton.iterations=3", "time.step=4e-3", "time.slice_steps=2"}}) {
    const MemberJob job = job_of(deck, scheme);
    const MemberOutcome whole = run_members({job}).front();
    EXPECT_EQ(whole.status, MemberStatus::done);
    expect_same(run_in_pieces(job), whole);
  }
}

TEST(MemberState, WhatSettlesGoesOnBitwise) {
  const MemberJob job = job_of(
      "[rod]\nelements = 4\nlength = 0.5\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\ndamping = 1\n"
      "[muscle]\nperiod = 0.1\namplitudes = 1e-5, 1e-5\n"
      "[actuation]\nforce = x : 0.1 + 0.05 * sin(2 * pi * t / 0.1)\n"
      "[time]\nstep = 1e-4\nend = 4\nslice_steps = 370\n[observe]\nsettle = 1e-3\nsettle_in = mean\n"
      "[measure]\ninterval = 1e-2\ndefine = mean [m/s] : mean(vx(middle) over period)\n"
      "define = widest [m/s] : max(vx(middle) over period)\n"
      "define = fast [s] : first_time(sin(2 * pi * t / 0.1) > 0.9 over period)\n");
  const MemberOutcome whole = run_members({job}).front();
  EXPECT_EQ(whole.status, MemberStatus::settled);
  EXPECT_GT(value(whole, "periods_run"), 3.0);
  EXPECT_TRUE(std::isfinite(value(whole, "forward_speed")) && std::isfinite(value(whole, "gait_width")));
  expect_same(run_in_pieces(job), whole);
}

TEST(MemberState, DragGoesOnBitwise) {
  const MemberJob job =
      shipped("validation/swimmer_gait.ini", {"time.end=0.02", "muscle.period=0.015", "time.slice_steps=37"});
  expect_same(run_in_pieces(job), run_members({job}).front());
}

TEST(MemberState, NoiseAndBucklingGoOnBitwise) {
  const MemberJob job = shipped("studies/euler_buckling_alpha.ini",
                                {"study.kind=single", "load.axial_force=200", "rod.elements_per_length=20",
                                 "time.end=0.5", "time.slice_steps=37"});
  const MemberOutcome whole = run_members({job}).front();
  EXPECT_EQ(whole.status, MemberStatus::stopped_early);
  expect_same(run_in_pieces(job), whole);
}

TEST(MemberState, SinglePrecisionGoesOnBitwise) {
  const std::string single = "model.precision=single";
  for (const MemberJob& job :
       {job_of(crossed_rods, {single}),
        shipped("validation/snake_gait.ini",
                {single, "time.end=0.02", "muscle.period=0.01", "time.slice_steps=37"}),
        shipped("validation/swimmer_gait.ini",
                {single, "time.end=0.02", "muscle.period=0.015", "time.slice_steps=37"})}) {
    ASSERT_TRUE(job.spec.single_precision);
    const MemberOutcome whole = run_members({job}).front();
    EXPECT_EQ(whole.status, MemberStatus::done);
    expect_same(run_in_pieces(job), whole);
  }
}

TEST(MemberState, ImplicitRodsGoOnBitwise) {
  // Steps so long that they are halved, and grow back.
  const MemberJob job =
      shipped("validation/elastica_cantilever.ini", {"time.end=20", "time.step=2", "time.slice_steps=1"});
  const MemberOutcome whole = run_members({job}).front();
  EXPECT_EQ(whole.status, MemberStatus::done);
  expect_same(run_in_pieces(job), whole);
}

TEST(MemberState, ImplicitRodsInContactGoOnBitwise) {
  // A free rod on the middle of one that is held at both ends.
  const MemberJob job = job_of(
      "[model]\nkind = der\n[rod]\ncount = 2\nelements = 12\nlength = 1\nradius = 0.05\ndensity = 1000\n"
      "young_modulus = 1e7\npoisson_ratio = 0.5\ndamping = 0.2\n"
      "each = rod.origin[0] : list(0, 0.5)\neach = rod.origin[1] : list(0, 0.1005)\n"
      "each = rod.origin[2] : list(0, -0.45)\neach = rod.direction[0] : list(1, 0)\n"
      "each = rod.direction[2] : list(0, 1)\nnormal = 0, 1, 0\n"
      "each = boundary.first : list(clamped, free)\neach = boundary.last : list(clamped, free)\n"
      "[contact]\nkind = imc\ntolerance = 1e-3\nfriction = 0.2\nslip_tolerance = 1e-3\n"
      "[gravity]\nacceleration = 0, -9.81, 0\n"
      "[time]\nstep = 1e-3\nend = 0.1\nslice_steps = 7\n[output]\nframes = 5\n");
  const MemberOutcome whole = run_members({job}).front();
  EXPECT_EQ(whole.status, MemberStatus::done);
  EXPECT_GT(value(whole, "contact_steps"), 20.0);
  expect_same(run_in_pieces(job), whole);
}

TEST(MemberState, EquilibriaGoOnBitwise) {
  // With motions that begin and end, a platen and what moves by rounding, and then a branch.
  const MemberJob job = job_of(
      "[rod]\nelements = 12\nlength = 1\nradius = 0.02\ndensity = 1000\nyoung_modulus = 1e6\n"
      "poisson_ratio = 0.5\norigin = 0, 0, 0.03\ndirection = 1, 0, 0\nnormal = 0, 1, 0\n"
      "[gravity]\nacceleration = 0, 0, -9.81\n[ground]\nkind = plane\nnormal = 0, 0, 1\nstiffness = 300\n"
      "platen = 0, 0, 0.3, 0, 0, -1 : 0, 0, -0.27 * t\n[motion]\n"
      "position = start : 0, 0, 0\nposition = middle : 0, 0.05 * t, 0.2 * t until 0.5\n"
      "rotation = end about 0 0 1 : 0.5 * (t - 0.3) from 0.3\n"
      "[time]\nmethod = static\nstep = 0.1\nend = 1\nslice_steps = 1\n[branch]\nkey = load.end_force[1]\n"
      "to = 0.1\n[measure]\ninterval = 0.1\ndefine = f [N] : platen_force_z\n"
      "define = r [N m] : reaction_couple_z(element 11)\ndefine = w [J] : work_motions\n[output]\nframes = "
      "9\n");
  const MemberOutcome whole = run_members({job}).front();
  EXPECT_EQ(whole.status, MemberStatus::done);
  EXPECT_NE(value(whole, "bending_energy"), 0.0);
  expect_same(run_in_pieces(job), whole);
}

TEST(MemberState, EquilibriaOfARodInContactGoOnBitwise) {
  const MemberJob job = job_of(
      "[model]\nkind = der\n[rod]\nelements = 30\nlength = 1\nradius = 0.012\ndensity = 1000\n"
      "young_modulus = 1e7\npoisson_ratio = 0.5\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[boundary]\n"
      "first = clamped\nlast = clamped\ntwist = 25\nslack = 0.4\nmotion_time = 1\ndriven = last\n[load]\n"
      "middle_force = 0, 0, 0.01\nperturbation_duration = 0.5\n[contact]\nkind = imc\ntolerance = 1e-3\n"
      "[time]\nmethod = static\nstep = 0.1\nend = 1\nslice_steps = 1\n[output]\nframes = 6\n");
  const MemberOutcome whole = run_members({job}).front();
  EXPECT_EQ(whole.status, MemberStatus::done);
  EXPECT_GT(value(whole, "contact_count"), 0.0);
  expect_same(run_in_pieces(job), whole);
}

TEST(MemberState, RodsInAFluidOfStokesletsGoOnBitwise) {
  const MemberJob job = job_of(
      "[model]\nkind = der\n[rod]\ncount = 2\nelements = 12\nlength = 1\nradius = 0.01\ndensity = 1000\n"
      "young_modulus = 1e6\npoisson_ratio = 0.5\n"
      "each = rod.origin[1] : list(0, 0.1)\ndirection = 1, 0, 0\nnormal = 0, 1, 0\n"
      "[boundary]\nfirst = clamped\n[fluid]\nkind = stokeslets\nviscosity = 1\n"
      "[gravity]\nacceleration = 0, -9.81, 0\n"
      "[time]\nstep = 1e-3\nend = 0.1\nslice_steps = 7\n[output]\nframes = 5\n");
  const MemberOutcome whole = run_members({job}).front();
  EXPECT_EQ(whole.status, MemberStatus::done);
  EXPECT_GT(value(whole, "fluid_iterations_per_step"), 0.0);
  expect_same(run_in_pieces(job), whole);
}

TEST(MemberState, AWaitGoesOnWhereItWas) {
  const MemberJob job =
      job_of("[model]\nkind = function\n[function]\nname = sphere\nx = 2, 3\nseconds = 0.2\n");
  const MemberOutcome whole = run_members({job}).front();
  EXPECT_EQ(value(whole, "function_value"), 13.0);
  expect_same(run_in_pieces(job, 0), whole);  // members wait in turn
}

TEST(MemberState, AStateOfAnotherMemberIsRefused) {
  const MemberJob job = job_of(crossed_rods);
  const MemberJob longer = job_of(crossed_rods, {"rod.elements=13"});
  const auto batch = make_batch({&job, 1});
  batch->advance();
  std::vector<std::byte> state = saved_state(*batch, 0);
  const auto other = make_batch({&longer, 1});
  EXPECT_THROW(restore(*other, 0, state), StateError);
  state.resize(state.size() / 2);
  EXPECT_THROW(restore(*make_batch({&job, 1}), 0, state), StateError);
}

TEST(MemberState, AMemberThatTimesOutLeavesTheOthersAlone) {
  const MemberJob job = job_of(crossed_rods);
  const std::vector<MemberJob> jobs = {job, job};
  const auto batch = make_batch(jobs);
  batch->advance();
  batch->advance();
  batch->time_out(0);
  while (batch->advance()) {
  }
  EXPECT_EQ(batch->outcomes()[0].status, MemberStatus::timed_out);
  expect_same(batch->outcomes()[1], run_members({job}).front());
}

}  // namespace
}  // namespace rodeo
