#include <chrono>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include <benchmark/benchmark.h>

#include "rodeo/contact/build_contact.hpp"
#include "rodeo/cosserat/stable_step.hpp"
#include "rodeo/member/build_rod.hpp"
#include "rodeo/member/team.hpp"

#include "cosserat/kernels.hpp"
#include "member/rod_precision.hpp"
#include "operations.hpp"

namespace {

using namespace rodeo;
using namespace rodeo::cosserat;

constexpr double element_length = 0.01;  // m, that of Figure 9

/// The rod of Figure 9, as long as its elements make it.
MemberSpec figure_9_rod(int elements) {
  MemberSpec spec;
  spec.rod.elements = elements;
  spec.rod.length = element_length * elements;
  spec.rod.radius = 0.025;
  spec.rod.density = 1.0 / (M_PI * 0.025 * 0.025);
  const double area = M_PI * 0.025 * 0.025;
  const double second_moment = area * area / (4 * M_PI);
  spec.rod.bend_stiffness = 1e6 * second_moment;
  spec.rod.twist_stiffness = 2e6 / 3 * 2 * second_moment;
  spec.rod.shear_stiffness = 4.0 / 3 * 2e6 / 3 * area;
  spec.rod.stretch_stiffness = 1e6 * area;
  spec.rod.damping = 20.0;
  spec.rod.direction = {0, 0, 1};
  spec.rod.normal = {1, 0, 0};
  spec.contact = {ContactKind::penalty, 1e4, 10.0};
  spec.time.step = 0.3 * stable_step(spec.rod);
  return spec;
}

/// Winds the rod into a coil whose turns stand `pitch` metres apart.
void wind(const RodView& rod, double pitch) {
  constexpr double coil_radius = 0.032;
  const double rise = pitch / (2 * M_PI);
  const double angle = element_length / std::sqrt(coil_radius * coil_radius + rise * rise);
  for (int i = 0; i < rod.nodes(); ++i) {
    const double a = angle * i;
    rod.set_vec3(field::position, i, {coil_radius * std::cos(a), coil_radius * std::sin(a), rise * a});
  }
  for (int i = 0; i < rod.elements; ++i) {
    const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
    const double a = angle * (i + 0.5);
    const Vec3 inward = {-std::cos(a), -std::sin(a), 0.0};
    rod.set_quaternion(i, orientation(normalized(edge), inward));
    rod.array(field::rest_length)[i] = norm(edge);
    rod.array(field::inverse_rest_length)[i] = 1.0 / norm(edge);
  }
}

/// Makes the present curvature that of the rod at rest.
void rest_here(const RodView& rod) {
  for (int i = 0; i + 1 < rod.elements; ++i) {
    const Vec3 turn = rotation_vector(conjugate(rod.quaternion(i)) * rod.quaternion(i + 1));
    rod.set_vec3(field::rest_curvature, i, rod.array(field::inverse_rest_voronoi)[i] * turn);
  }
}

/// A coil that would rest with its turns closer than a diameter: elasticity presses them on each other for
/// good.
void coil(const RodView& rod) {
  wind(rod, 0.9 * 0.05);
  rest_here(rod);
  wind(rod, 0.05);
}

/// Lays the one entry of a list of the execution space.
template <class T>
void copy_to(const Kokkos::View<T*>& list, const T& entry) {
  const auto host = Kokkos::create_mirror_view(list);
  host(0) = entry;
  Kokkos::deep_copy(list, host);
}

/// A rod with self-contact switched on: straight, where nothing touches, or a coil of touching turns.
template <class Real>
void self_contact(benchmark::State& state, int elements, bool coiled) {
  MemberSpec spec = figure_9_rod(elements);
  spec.single_precision = std::is_same_v<Real, float>;
  const contact::ContactSize size = contact::contact_size(spec);
  BasicBatchViews<Real> batch;
  batch.storage = Kokkos::View<Real*>("rod", rod_size<Real>(elements));
  batch.contact_reals = Kokkos::View<double*>("contact", size.reals);
  batch.contact_integers = Kokkos::View<int*>("contact", size.integers);
  const contact::PairRooms::Size room = {contact::pairs_at_start(spec), false};
  const contact::PairRooms rooms(std::span(&room, 1));
  batch.contact_rooms = rooms.data();
  batch.members = Kokkos::View<MemberData*>("member", 1);
  batch.rods = Kokkos::View<RodData*>("rod", 1);
  batch.tasks = Kokkos::View<SliceTask*>("task", 1);
  batch.samples = Kokkos::View<Sample*>("sample", 1);
  std::vector<double> arrays(rod_size(elements));
  const RodView rod(arrays.data(), elements, 1.0);
  build_rods(spec, rod);
  if (coiled) coil(rod);
  const auto storage = Kokkos::create_mirror_view(batch.storage);
  const BasicRodView<Real> rounded(storage.data(), elements, 1.0);
  round_rods(rod, rounded);
  clear_work(rounded.work, rounded.work_pitch);
  Kokkos::deep_copy(batch.storage, storage);
  const MemberData member = make_member_data(spec, 1, 0);
  copy_to(batch.members, member);
  copy_to(batch.rods, make_rod_data(spec).front());
  const auto reals = Kokkos::create_mirror_view(batch.contact_reals);
  const auto integers = Kokkos::create_mirror_view(batch.contact_integers);
  contact::ContactView view = member.forces.contact().view;
  view.reals = reals.data();
  view.integers = integers.data();
  contact::build_contact(spec, view);
  Kokkos::deep_copy(batch.contact_reals, reals);
  Kokkos::deep_copy(batch.contact_integers, integers);
  const std::int64_t steps = 200000 / elements;
  copy_to(batch.tasks, SliceTask{0, 0, steps});
  const auto start = std::chrono::steady_clock::now();
  for (auto iteration : state) {
    static_cast<void>(iteration);
    advance_slice(batch, 0, 1, team_size());
  }
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  const double element_steps =
      static_cast<double>(elements) * static_cast<double>(steps) * static_cast<double>(state.iterations());
  using namespace benchmarks;
  Kokkos::deep_copy(integers, batch.contact_integers);
  const int pairs = view.list(contact::list_entry::pairs);
  const auto samples = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), batch.samples);
  const contact::ContactSample& sample = samples(0).contact;
  report(state, taken.count() / element_steps,
         internal_mechanics + kick_forced + contact_of_element +
             contact_of_pair * (static_cast<double>(pairs) / elements) +
             contact_of_touching * (sample.touching / elements),
         sizeof(Real));
  state.counters["touching_pairs"] = sample.touching;
  state.counters["depth_over_radius"] = sample.deepest / spec.rod.radius;
  state.counters["pairs"] = pairs;
  state.counters["steps_per_list"] =
      static_cast<double>(steps * static_cast<std::int64_t>(state.iterations())) /
      view.list(contact::list_entry::builds);
}

const int contact_registered = [] {
  const auto add = [](const std::string& name, int elements, bool coiled) {
    benchmark::RegisterBenchmark(name.c_str(), self_contact<double>, elements, coiled)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark((name + "/single").c_str(), self_contact<float>, elements, coiled)
        ->Unit(benchmark::kMillisecond);
  };
  add("coil/100", 100, true);
  add("coil/400", 400, true);
  add("coil/1600", 1600, true);
  add("coil/6400", 6400, true);
  add("contact_straight/100", 100, false);
  return 0;
}();

}  // namespace
