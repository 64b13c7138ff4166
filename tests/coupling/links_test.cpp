#include "rodeo/coupling/links.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/coupling/layout.hpp"
#include "rodeo/math/rotation.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "cosserat/test_rod.hpp"
#include "member/run_members.hpp"

namespace rodeo::coupling {
namespace {

constexpr const char* two_rods = R"(
[model]
section = rigid
[rod]
count = 2
elements = 4
length = 1
radius = 0.02
density = 1000
young_modulus = 1e6
poisson_ratio = 0.5
each = rod.origin[1] : list(0, 0.05)
direction = 1, 0, 0
normal = 0, 0, 1
[time]
method = implicit
scheme = generalized_alpha
step = 1e-3
end = 1
[connection]
)";

/// Both rods, moved, turned and with velocities, and their connection.
class Linked {
 public:
  explicit Linked(const std::string& connection)
      : spec(make_member_spec(Deck::parse(two_rods + connection + "\n", "test"))),
        test(spec),
        first_dof(first_degrees_of_freedom(spec, 6)),
        links(connection::build_connections(spec, test.view()), {}, test.view(), first_dof) {
    for (int k = 0; k < size(); ++k) {
      displace(k, 0.02 * std::sin(1.0 + 2.0 * k));
      rate(k) = 0.3 * std::cos(3.0 * k);
    }
  }

  static constexpr int of_rod = 27;
  static constexpr int size() { return 2 * of_rod; }

  /// A displacement of a node, a turn of an element in its own frame.
  void displace(int dof, double by) {
    const auto [entry, component, turns] = place(dof);
    const RodView all = test.view();
    if (!turns) {
      all.array(field::position, component)[entry] += by;
      return;
    }
    const Vec3 turn = {component == 0 ? by : 0.0, component == 1 ? by : 0.0, component == 2 ? by : 0.0};
    all.set_quaternion(entry, all.quaternion(entry) * rotation(turn));
  }

  double& rate(int dof) {
    const auto [entry, component, turns] = place(dof);
    return test.view().array(turns ? field::angular_velocity : field::velocity, component)[entry];
  }

  std::vector<double> loads() {
    const RodView all = test.view();
    for (int i = 0; i <= all.elements; ++i) {
      all.set_vec3(field::external_force, i, {});
      all.set_vec3(field::external_couple, i, {});
    }
    links.add_loads();
    std::vector<double> loads;
    for (int k = 0; k < size(); ++k) {
      const auto [entry, component, turns] = place(k);
      loads.push_back(all.array(turns ? field::external_couple : field::external_force, component)[entry]);
    }
    return loads;
  }

  MemberSpec spec;
  cosserat::TestRod test;
  std::vector<int> first_dof;
  Links links;

 private:
  struct Place {
    int entry;
    int component;
    bool turns;
  };
  Place place(int dof) const {
    const int rod = dof / of_rod;
    const int local = dof % of_rod;
    const int first = rod_places(spec)[static_cast<std::size_t>(rod)].first;
    return {first + local / 6, local % 3, local % 6 >= 3};
  }
};

/// Of springs alone, and with dashpots, for which velocities follow the displacements.
TEST(CoupledLinks, HaveTheSymmetricPartOfTheirExactDerivative) {
  for (const std::string& connection :
       {std::string("spring = rod 0, node 2 to rod 1, s 0.3 : stiffness 40 length 0.02 damping 0.3"),
        std::string("spring = rod 0, end to rod 1, start : stiffness 40 length 0.3"),
        std::string("ball = rod 0, element 1 to rod 1, node 2 : stiffness 50 damping 0.2"),
        std::string("ball = rod 0, element 1 to rod 1, element 2 : stiffness 50"),
        std::string("hinge = rod 0, element 1 to rod 1, element 2 : axis 0 1 0 stiffness 50"),
        std::string("rigid = rod 0, element 1 to rod 1, element 2 : stiffness 50 damping 0.1"),
        std::string("bond = rod 0 to rod 1 : stiffness 100 strength 300")}) {
    for (const double rate : {0.0, 2.0}) {
      Linked test(connection);
      const int n = Linked::size();
      std::vector<double> found(static_cast<std::size_t>(n * n));
      test.links.for_each_block(rate, [&](int row, int column, const Matrix3& block) {
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j)
            found[static_cast<std::size_t>((row + i) * n + column + j)] += block(i, j);
        }
      });
      std::vector<double> slopes(found.size());
      // Differences of fourth order: those of second order are only good to 1e-6.
      constexpr double h = 5e-4;
      double largest = 0.0;
      for (int j = 0; j < n; ++j) {
        for (const double steps : {-2.0, -1.0, 1.0, 2.0}) {
          Linked moved(connection);
          moved.displace(j, steps * h);
          moved.rate(j) += rate * steps * h;
          const std::vector<double> loads = moved.loads();
          const double weight =
              (std::abs(steps) == 1.0 ? 8.0 : -1.0) * std::copysign(1.0, steps) / (12.0 * h);
          for (int i = 0; i < n; ++i) {
            slopes[static_cast<std::size_t>(i * n + j)] -= weight * loads[static_cast<std::size_t>(i)];
          }
        }
      }
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          const double expected = 0.5 * (slopes[static_cast<std::size_t>(i * n + j)] +
                                         slopes[static_cast<std::size_t>(j * n + i)]);
          EXPECT_NEAR(found[static_cast<std::size_t>(i * n + j)], expected, 1e-8 * (1.0 + std::abs(expected)))
              << connection << " " << i << " " << j;
          largest = std::max(largest, std::abs(expected));
        }
      }
      EXPECT_GT(largest, 1.0) << connection;
    }
  }
}

}  // namespace
}  // namespace rodeo::coupling
