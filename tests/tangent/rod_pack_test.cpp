#include "rodeo/tangent/rod_pack.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include <gtest/gtest.h>

#include "test_rods.hpp"

namespace rodeo::tangent {
namespace {

/// Eight rods, and the same in the lanes of a pack.
struct RodsInLanes {
  std::vector<RandomRod> rods;
  RodPack pack;

  RodsInLanes(Draws& draws, int elements) : pack(elements) {
    for (int lane = 0; lane < RodPack::lanes; ++lane) {
      rods.emplace_back(draws, elements);
      pack.load(lane, rods.back().view());
    }
  }
  const RodView& rod(int lane) const { return rods[static_cast<std::size_t>(lane)].view(); }
};

std::vector<double> lane_of(const std::vector<DoublePack>& packs, int lane) {
  std::vector<double> numbers;
  for (const DoublePack& pack : packs) numbers.push_back(pack[lane]);
  return numbers;
}

std::vector<DoublePack> random_steps(Draws& draws, int elements) {
  std::vector<DoublePack> step(static_cast<std::size_t>(unknowns(elements)));
  for (DoublePack& pack : step) {
    for (int lane = 0; lane < RodPack::lanes; ++lane) pack.set(lane, draws.between(-0.2, 0.2));
  }
  return step;
}

/// Whether these are the same numbers, zeros of the same sign too.
bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(
      a, b, {}, [](double x) { return std::bit_cast<std::uint64_t>(x); },
      [](double x) { return std::bit_cast<std::uint64_t>(x); });
}

void expect_same_matrix(const RodPackMatrix& packs, int lane, const RodMatrix& matrix) {
  for (int j = 0; j < matrix.size(); ++j) {
    for (int k = 0; k <= half_bandwidth; ++k) {
      const double x = packs.column(j)[k][lane];
      EXPECT_TRUE(same_bits({x}, {matrix.column(j)[k]}))
          << j << " " << k << ": " << x << " " << matrix.column(j)[k];
    }
  }
}

constexpr ClampedEnds lane_ends[] = {{false, false}, {true, false}, {false, true}, {true, true}};

TEST(RodPack, LanesAreRodsOfTheirOwn) {
  Draws draws(1);
  for (const int n : {1, 2, 13}) {
    const RodsInLanes eight(draws, n);
    const auto size = static_cast<std::size_t>(unknowns(n));
    for (const ClampedEnds ends : lane_ends) {
      std::vector<DoublePack> alone(size, NAN);
      std::vector<DoublePack> beside(size, NAN);
      RodPackMatrix matrix(unknowns(n));
      for (int j = 0; j < unknowns(n); ++j) {
        std::fill_n(matrix.column(j), RodPackMatrix::column_entries, DoublePack(NAN));
      }
      const DoublePack energy = elastic_energy(eight.pack, ends);
      const DoublePack with_gradient = elastic_gradient(eight.pack, ends, alone);
      const DoublePack with_hessian = elastic_hessian(eight.pack, ends, beside, matrix);
      for (int lane = 0; lane < RodPack::lanes; ++lane) {
        std::vector<double> gradient(size);
        RodMatrix hessian(unknowns(n));
        const double expected = elastic_hessian(eight.rod(lane), ends, gradient, hessian);
        EXPECT_NEAR(energy[lane], expected, 1e-13 * expected);
        EXPECT_NEAR(with_gradient[lane], expected, 1e-13 * expected);
        EXPECT_NEAR(with_hessian[lane], expected, 1e-13 * expected);
        EXPECT_TRUE(same_bits(lane_of(alone, lane), gradient));
        EXPECT_TRUE(same_bits(lane_of(beside, lane), gradient));
        expect_same_matrix(matrix, lane, hessian);
      }
    }
  }
}

TEST(RodPack, StepsAndPredictionsAreThoseOfEachRod) {
  Draws draws(2);
  constexpr int n = 11;
  for (const ClampedEnds ends : lane_ends) {
    RodsInLanes eight(draws, n);
    const std::vector<DoublePack> step = random_steps(draws, n);
    const std::vector<DoublePack> none(step.size());
    DoublePack factor;
    for (int lane = 0; lane < RodPack::lanes; ++lane) factor.set(lane, 0.2 + 0.1 * lane);
    RodPackStress stress(n);
    predict_stress(eight.pack, ends, none, 1.0, stress);
    predict_stress(eight.pack, ends, step, factor, stress);
    take_step(eight.pack, step, factor);
    std::vector<DoublePack> gradient(step.size());
    RodPackMatrix matrix(unknowns(n));
    elastic_hessian(eight.pack, ends, gradient, matrix, &stress);
    for (int lane = 0; lane < RodPack::lanes; ++lane) {
      const RodView& rod = eight.rod(lane);
      const std::vector<double> one = lane_of(step, lane);
      RodStress stress_of_one(n);
      predict_stress(rod, ends, lane_of(none, lane), 1.0, stress_of_one);
      predict_stress(rod, ends, one, factor[lane], stress_of_one);
      take_step(rod, one, factor[lane]);
      std::vector<double> gradient_of_one(one.size());
      RodMatrix hessian(unknowns(n));
      elastic_hessian(rod, ends, gradient_of_one, hessian, &stress_of_one);
      EXPECT_TRUE(same_bits(lane_of(gradient, lane), gradient_of_one));
      expect_same_matrix(matrix, lane, hessian);
      const RandomRod stored(eight.rods[0]);
      eight.pack.store(lane, stored.view());
      for (int i = 0; i <= n; ++i) {
        const Vec3 x = stored.view().vec3(field::position, i);
        const Vec3 expected_x = rod.vec3(field::position, i);
        EXPECT_TRUE(same_bits({x.x, x.y, x.z}, {expected_x.x, expected_x.y, expected_x.z}));
        if (i == n) break;
        const Quaternion q = stored.view().quaternion(i);
        const Quaternion expected_q = rod.quaternion(i);
        EXPECT_TRUE(
            same_bits({q.w, q.x, q.y, q.z}, {expected_q.w, expected_q.x, expected_q.y, expected_q.z}));
      }
    }
  }
}

}  // namespace
}  // namespace rodeo::tangent
