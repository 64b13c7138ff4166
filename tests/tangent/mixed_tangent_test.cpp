#include "rodeo/tangent/mixed_tangent.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "rodeo/tangent/held_unknowns.hpp"

#include "test_rods.hpp"

namespace rodeo::tangent {
namespace {

std::vector<double> random_numbers(Draws& draws, int size) {
  std::vector<double> numbers(static_cast<std::size_t>(size));
  for (double& number : numbers) number = draws.between(-1.0, 1.0);
  return numbers;
}

double norm(const std::vector<double>& v) {
  double sum = 0.0;
  for (const double entry : v) sum += entry * entry;
  return std::sqrt(sum);
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> difference = a;
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] -= b[i];
  return norm(difference);
}

struct Forms {
  RodMatrix plain;
  MixedMatrix mixed;

  Forms(const RodView& rod, ClampedEnds ends, const HeldUnknowns& held, const RodStress* stress)
      : plain(unknowns(rod.elements)), mixed(rod.elements) {
    std::vector<double> gradient(static_cast<std::size_t>(plain.size()));
    elastic_hessian(rod, ends, gradient, plain, stress);
    mixed_hessian(rod, ends, mixed, stress);
    held.hold(plain);
    const int across = node_unknown(rod.elements) + 1;  // the axis of a node that slides in x and z
    held.hold(mixed, *plain.column(across));
  }
};

TEST(MixedTangent, IsTheHessianWithForcesAsUnknowns) {
  Draws draws(7);
  for (const int elements : {1, 2, 9}) {
    for (const ClampedEnds ends :
         {ClampedEnds{false, false}, ClampedEnds{true, false}, ClampedEnds{true, true}}) {
      const RandomRod rod(draws, elements);
      RodStress stress(elements);
      for (int i = 0; i < elements; ++i) stress.forces().set(i, draws.vec3(5.0));
      for (int i = -1; i < elements; ++i) stress.couples().set(i, draws.vec3(1.0));
      HeldUnknowns held;
      for (int c = 0; c < 3; ++c) held.add_unknown(c);
      held.add_sliding_node(elements, {0.6, 0.0, 0.8});
      Forms forms(rod.view(), ends, held, &stress);
      const std::vector<double> x = random_numbers(draws, forms.plain.size());
      std::vector<double> by_plain(x.size());
      std::vector<double> by_mixed(x.size());
      forms.plain.multiply(x.data(), by_plain.data());
      forms.mixed.multiply(x.data(), by_mixed.data());
      EXPECT_LE(distance(by_plain, by_mixed), 1e-12 * norm(by_plain)) << elements;

      RodFactors plain(forms.plain.size());
      MixedFactors mixed(elements);
      for (const double shift : {200.0, 0.1, -3.0, -40.0}) {
        for (int i = 0; i < forms.plain.size(); ++i) {
          *forms.plain.column(i) += shift;
          forms.mixed.diagonal(i) += shift;
        }
        const auto negative = static_cast<int>(plain.factor(forms.plain).negative);
        EXPECT_EQ(mixed.factor(forms.mixed), negative) << elements << ' ' << shift;
        std::vector<double> solved = x;
        mixed.solve(solved.data());
        forms.plain.multiply(solved.data(), by_plain.data());
        EXPECT_LE(distance(by_plain, x), 1e-8 * norm(x)) << elements << ' ' << shift;
        for (int i = 0; i < forms.plain.size(); ++i) {
          *forms.plain.column(i) -= shift;
          forms.mixed.diagonal(i) -= shift;
        }
      }
    }
  }
}

TEST(MixedTangent, HoldsWhatSupportsHoldInAnUnsymmetricMatrixToo) {
  Draws draws(7);
  const RandomRod rod(draws, 4);
  HeldUnknowns held;
  for (const int first : {node_unknown(0), element_unknown(2)}) {
    for (int c = 0; c < 3; ++c) held.add_unknown(first + c);
  }
  held.add_sliding_node(4, {0.0, 0.6, 0.8});
  RodMatrix matrix(unknowns(4));
  std::vector<double> gradient(static_cast<std::size_t>(matrix.size()));
  elastic_hessian(rod.view(), {true, false}, gradient, matrix);
  BandedMatrix whole(matrix.size(), half_bandwidth);
  for (int j = 0; j < whole.size(); ++j) {
    for (int i = j; i < std::min(whole.size(), j + half_bandwidth + 1); ++i)
      whole.at(i, j) = whole.at(j, i) = matrix.at(i, j);
  }
  held.hold(whole);
  held.hold(matrix);
  for (int j = 0; j < whole.size(); ++j) {
    for (int i = j; i < std::min(whole.size(), j + half_bandwidth + 1); ++i) {
      EXPECT_NEAR(whole.at(i, j), matrix.at(i, j), 1e-14) << i << ' ' << j;
      EXPECT_NEAR(whole.at(j, i), matrix.at(i, j), 1e-14) << i << ' ' << j;
    }
  }
}

}  // namespace
}  // namespace rodeo::tangent
