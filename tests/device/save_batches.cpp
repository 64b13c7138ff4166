// Saves batches of rods for check_batches: as they start, and as the host has them after some steps.
//
// save_batches FILE

#include <cmath>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <Kokkos_Core.hpp>

#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/member/rod_arrays.hpp"

#include "batch_file.hpp"
#include "cosserat/figure_rods.hpp"
#include "cosserat/kernels.hpp"

namespace {

using namespace rodeo;
using namespace rodeo::cosserat::device;

constexpr double pi = 3.141592653589793;
constexpr int member_count = 8;

/// How rods move at the start, so that no term is zero.
std::shared_ptr<const RodStart> moving(int elements) {
  RodStart start;
  for (int i = 0; i <= elements; ++i) {
    const double s = static_cast<double>(i) / elements;
    start.velocities.push_back({0.01 * s, 0.02 * s * s, 0.0});
    if (i < elements) start.angular_velocities.push_back({0.01, -0.02, 0.3 * s});
  }
  return std::make_shared<const RodStart>(start);
}

/// The free rod of Figure 14, softened by a factor, of so many elements.
MemberSpec free_rod_of(int elements, double stiffness) {
  MemberSpec spec = cosserat::figure_14_rod(elements);
  for (double* const resistance : {&spec.rod.bend_stiffness, &spec.rod.twist_stiffness,
                                   &spec.rod.shear_stiffness, &spec.rod.stretch_stiffness})
    *resistance *= stiffness;
  spec.rod.start = moving(elements);
  spec.time.step = 0.3 * cosserat::stable_step(spec.rod);
  return spec;
}

MemberSpec free_rod(double stiffness) { return free_rod_of(50, stiffness); }
// Each of these has a kernel of its own, but for the full one, whose arrays have no padding.
MemberSpec short_rod(double stiffness) { return free_rod_of(20, stiffness); }
MemberSpec full_rod(double stiffness) { return free_rod_of(55, stiffness); }
MemberSpec long_rod(double stiffness) { return free_rod_of(100, stiffness); }
MemberSpec longest_rod(double stiffness) { return free_rod_of(300, stiffness); }

/// A rod that bends under gravity, clamped at its first end.
MemberSpec clamped_rod(double factor) {
  MemberSpec spec;
  const double area = pi * 0.004 * 0.004;
  const double second_moment = area * area / (4 * pi);
  const double young = 1e6 * factor;
  spec.rod.elements = 50;
  spec.rod.length = 0.2;
  spec.rod.radius = 0.004;
  spec.rod.density = 1100.0;
  spec.rod.bend_stiffness = young * second_moment;
  spec.rod.twist_stiffness = 2.0 / 3.0 * young * second_moment;
  spec.rod.shear_stiffness = 4.0 / 3.0 * young / 3.0 * area;
  spec.rod.stretch_stiffness = young * area;
  spec.rod.damping = 1.0;
  spec.rod.direction = {1, 0, 0};
  spec.rod.normal = {0, 0, 1};
  spec.boundary.first = EndCondition::clamped;
  spec.load.gravity = {0, 0, -9.81};
  spec.time.step = 1e-5;
  return spec;
}

MemberSpec swimmer(double factor) {
  MemberSpec spec = cosserat::figure_11_swimmer();
  spec.rod.start = moving(spec.rod.elements);
  spec.muscle.amplitudes.fill(50.0 * factor);
  return spec;
}

MemberSpec snake(double factor) {
  MemberSpec spec = cosserat::figure_10_snake();
  spec.rod.start = moving(spec.rod.elements);
  spec.muscle.amplitudes[0] *= factor;
  return spec;
}

/// A rod whose clamped ends are turned and brought together, with damping that fades: what plain members have
/// none of.
MemberSpec twisted_rod(double factor) {
  MemberSpec spec = clamped_rod(factor);
  spec.boundary.last = EndCondition::clamped;
  spec.boundary.twist = 3.0;
  spec.boundary.slack = 0.01;
  spec.boundary.motion_time = 0.004;
  spec.rod.damping_decay_time = 0.02;
  return spec;
}

/// A clamped rod that a tether holds at its end, and that a force which turns with it and a magnetic field
/// bend.
MemberSpec tethered_rod(double factor) {
  MemberSpec spec = clamped_rod(factor);
  spec.load.tether_point = {0.2, 0.05, 0.02};
  spec.load.tether_stiffness = 2.0;
  spec.load.tether_hardening = 100.0;
  spec.load.tether_length = 0.01;
  spec.load.follower_force = {0.0, 0.01, 0.0};
  spec.load.magnetization = 1e4;
  spec.load.magnetic_flux_density = {0.0, 0.02, 0.0};
  return spec;
}

/// Three rods, of which two are joined, whose muscles pull.
MemberSpec joined_rods(double factor) {
  MemberSpec spec = clamped_rod(factor);
  spec.rod.elements = 16;
  spec.muscle.kind = MuscleKind::force;
  spec.muscle.amplitudes.fill(1e-3);
  spec.muscle.amplitude_count = 4;
  spec.muscle.period = 0.1;
  spec.muscle.wave_number = 10.0;
  spec.muscle.axis = {0, 0, 1};
  RodSetup second{spec.rod, {}, spec.load, JointKind::rigid, spec.muscle};
  second.rod.origin = {0.2, 0, 0};
  second.rod.direction = {0, 1, 0};
  RodSetup third = second;
  third.joint = JointKind::none;
  third.rod.origin = {0, 0, 1};
  spec.further_rods = {second, third};
  return spec;
}

/// A ring that swings, with the energy of sections.
MemberSpec swinging_ring(double factor) {
  MemberSpec spec = free_rod(factor);
  spec.rod.elements = 40;
  spec.rod.start = {};
  spec.rod.shape = RodShape::ring;
  spec.rod.closed = true;
  spec.rod.total_twist = 1.0;
  spec.rod.rests_straight = true;
  spec.load.perturbation = 0.01;
  spec.load.perturbation_duration = 0.01;
  spec.sections_have_energy = true;
  spec.time.step = 0.2 * cosserat::stable_step(spec.rod);
  return spec;
}

template <class View>
auto list_of(const View& view) {
  using Value = typename View::non_const_value_type;
  return std::vector<Value>(view.data(), view.data() + view.size());
}

/// A batch by name, and what makes its members by a factor near 1.
struct Case {
  std::string name;
  MemberSpec (*make)(double factor);
};

/// The batch with what the host makes of it.
SavedBatch save(const Case& batch_case) {
  std::vector<MemberJob> jobs;
  for (int k = 0; k < member_count; ++k)
    jobs.push_back({batch_case.make(1.0 + 0.02 * k), static_cast<std::uint64_t>(k + 1)});
  const RodArrays<double> arrays(jobs);
  const BatchViews& batch = arrays.views();
  SavedBatch saved{batch_case.name,        list_of(batch.members), list_of(batch.rods),
                   list_of(batch.storage), {1, 10, 100, 1000},     {}};
  if (batch.are_general()) throw std::runtime_error(batch_case.name + " has what devices do not take");
  std::int64_t taken = 0;
  for (const std::int64_t steps : saved.steps) {
    for (int k = 0; k < member_count; ++k) batch.tasks(k) = {k, taken, steps - taken};
    cosserat::advance_slice(batch, 0, member_count, 1);
    taken = steps;
    saved.afterwards.push_back(list_of(batch.storage));
  }
  const Sample& sample = batch.samples(0);
  std::cout << batch_case.name << ": " << saved.members[0].elements << " elements, kinetic energy "
            << sample.translational_energy + sample.rotational_energy << " J at the end\n";
  return saved;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: save_batches FILE\n";
    return 1;
  }
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const std::vector<Case> cases = {
      {"free", free_rod},       {"clamped", clamped_rod},   {"snake", snake},        {"swimmer", swimmer},
      {"short", short_rod},     {"full", full_rod},         {"long", long_rod},      {"longest", longest_rod},
      {"twisted", twisted_rod}, {"tethered", tethered_rod}, {"joined", joined_rods}, {"ring", swinging_ring}};
  std::vector<SavedBatch> batches;
  for (const Case& batch : cases) batches.push_back(save(batch));
  write_batches(argv[1], batches);
}
