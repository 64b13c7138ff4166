#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "rodeo/tangent/rod_pack.hpp"
#include "rodeo/tangent/rod_tangent.hpp"

namespace {

using namespace rodeo;
using namespace rodeo::tangent;

constexpr ClampedEnds clamped = {true, true};

/// A rod along a helix, bent, twisted and sheared so that no term is zero.
std::vector<double> helix(int elements) {
  std::vector<double> arrays(rod_size(elements));
  const RodView rod(arrays.data(), elements, 0.0);
  const double length = 1.0 / elements;
  Quaternion frame = rotation({0.2, 0.1, 0.0});
  Vec3 place;
  rod.set_quaternion(-1, frame);
  for (int i = 0; i <= elements; ++i) {
    frame = frame * rotation(length * Vec3{3.0, 1.0, 2.0});
    rod.set_quaternion(i, frame);
    rod.set_vec3(field::position, i, place);
    place = place + length * directors(frame).to_laboratory({0.01, 0.02, 0.99});
  }
  for (int i = 0; i < elements; ++i) {
    rod.array(field::rest_length)[i] = length;
    rod.array(field::inverse_rest_length)[i] = 1.0 / length;
    rod.array(field::shear_stiffness)[i] = 200.0;
    rod.array(field::stretch_stiffness)[i] = 500.0;
    rod.array(field::natural_stretch)[i] = 1.0;
  }
  for (int i = -1; i < elements; ++i) {
    const bool half = i < 0 || i + 1 == elements;
    rod.array(field::inverse_rest_voronoi)[i] = (half ? 2.0 : 1.0) / length;
    rod.array(field::bend_stiffness)[i] = 1.0;
    rod.array(field::twist_stiffness)[i] = 0.7;
  }
  return arrays;
}

/// Reports the time of an element of a member.
void time_of(benchmark::State& state, int elements, int members, const std::function<void()>& body) {
  double least = 1e300;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    const auto start = std::chrono::steady_clock::now();
    body();
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count());
  }
  state.counters["ns_per_element"] = least / elements / members;
}

struct Rod {
  std::vector<double> arrays;
  ConstRodView view;
  std::vector<double> vector;
  RodMatrix matrix;
  RodFactors factors;
  RodStress stress;

  explicit Rod(int n)
      : arrays(helix(n)),
        view(RodView(arrays.data(), n, 0.0)),
        vector(static_cast<std::size_t>(unknowns(n))),
        matrix(unknowns(n)),
        factors(unknowns(n)),
        stress(n) {}
};

void gradient(benchmark::State& state, int n) {
  Rod rod(n);
  time_of(state, n, 1, [&] { benchmark::DoNotOptimize(elastic_gradient(rod.view, clamped, rod.vector)); });
}

void gradient_and_hessian(benchmark::State& state, int n) {
  Rod rod(n);
  time_of(state, n, 1,
          [&] { benchmark::DoNotOptimize(elastic_hessian(rod.view, clamped, rod.vector, rod.matrix)); });
}

void factor_and_solve(benchmark::State& state, int n) {
  Rod rod(n);
  elastic_hessian(rod.view, clamped, rod.vector, rod.matrix);
  for (int c = 0; c < 3; ++c) rod.matrix.hold(c);
  const std::vector<double> right = rod.vector;
  time_of(state, n, 1, [&] {
    std::copy(right.begin(), right.end(), rod.vector.begin());
    benchmark::DoNotOptimize(rod.factors.factor_and_forward(rod.matrix, rod.vector.data()));
    rod.factors.back(rod.vector.data());
  });
}

/// All of an iteration of Newton's method with mixed stress, but for loads.
void iteration(benchmark::State& state, int n) {
  Rod rod(n);
  const RodView moved(rod.arrays.data(), n, 0.0);
  const std::vector<double> none(rod.vector.size());
  predict_stress(rod.view, clamped, none, 1.0, rod.stress);
  time_of(state, n, 1, [&] {
    elastic_hessian(rod.view, clamped, rod.vector, rod.matrix, &rod.stress);
    for (int c = 0; c < 3; ++c) rod.matrix.hold(c);
    rod.factors.factor_and_forward(rod.matrix, rod.vector.data());
    rod.factors.back(rod.vector.data());
    predict_stress(rod.view, clamped, rod.vector, 1e-14, rod.stress);  // so that the rod stays as it is
    take_step(moved, rod.vector, 1e-14);
  });
}

struct EightRods {
  RodPack rods;
  std::vector<DoublePack> vector;
  RodPackMatrix matrix;
  RodPackFactors factors;
  RodPackStress stress;

  explicit EightRods(int n)
      : rods(n),
        vector(static_cast<std::size_t>(unknowns(n))),
        matrix(unknowns(n)),
        factors(unknowns(n)),
        stress(n) {
    const Rod rod(n);
    for (int lane = 0; lane < RodPack::lanes; ++lane) rods.load(lane, rod.view);
  }
};

void gradient_of_eight(benchmark::State& state, int n) {
  EightRods eight(n);
  time_of(state, n, RodPack::lanes,
          [&] { benchmark::DoNotOptimize(elastic_gradient(eight.rods, clamped, eight.vector)); });
}

void gradient_and_hessian_of_eight(benchmark::State& state, int n) {
  EightRods eight(n);
  time_of(state, n, RodPack::lanes, [&] {
    benchmark::DoNotOptimize(elastic_hessian(eight.rods, clamped, eight.vector, eight.matrix));
  });
}

void factor_and_solve_eight(benchmark::State& state, int n) {
  EightRods eight(n);
  elastic_hessian(eight.rods, clamped, eight.vector, eight.matrix);
  for (int c = 0; c < 3; ++c) eight.matrix.hold(c);
  const std::vector<DoublePack> right = eight.vector;
  time_of(state, n, RodPack::lanes, [&] {
    std::copy(right.begin(), right.end(), eight.vector.begin());
    benchmark::DoNotOptimize(eight.factors.factor_and_forward(eight.matrix, eight.vector.data()));
    eight.factors.back(eight.vector.data());
  });
}

void iteration_of_eight(benchmark::State& state, int n) {
  EightRods eight(n);
  const std::vector<DoublePack> none(eight.vector.size());
  predict_stress(eight.rods, clamped, none, 1.0, eight.stress);
  time_of(state, n, RodPack::lanes, [&] {
    elastic_hessian(eight.rods, clamped, eight.vector, eight.matrix, &eight.stress);
    for (int c = 0; c < 3; ++c) eight.matrix.hold(c);
    eight.factors.factor_and_forward(eight.matrix, eight.vector.data());
    eight.factors.back(eight.vector.data());
    predict_stress(eight.rods, clamped, eight.vector, 1e-14, eight.stress);
    take_step(eight.rods, eight.vector, 1e-14);
  });
}

const int tangent_registered = [] {
  for (const int n : {100, 400, 3200}) {
    const auto add = [n](const std::string& name, void (*function)(benchmark::State&, int)) {
      benchmark::RegisterBenchmark(("tangent/" + name + "/" + std::to_string(n)).c_str(), function, n)
          ->Unit(benchmark::kMicrosecond);
    };
    add("gradient", gradient);
    add("hessian", gradient_and_hessian);
    add("solve", factor_and_solve);
    add("iteration", iteration);
    add("eight/gradient", gradient_of_eight);
    add("eight/hessian", gradient_and_hessian_of_eight);
    add("eight/solve", factor_and_solve_eight);
    add("eight/iteration", iteration_of_eight);
  }
  return 0;
}();

}  // namespace
