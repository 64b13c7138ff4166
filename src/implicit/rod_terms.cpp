#include "rod_terms.hpp"

#include "rodeo/math/vec3.hpp"

namespace rodeo::implicit {

namespace {

using tangent::element_unknown;
using tangent::node_unknown;

}  // namespace

void subtract_from_loads(const CosseratRod& r, const double* rates, std::span<double> of_rod) {
  if (r.seam) r.seam->close(of_rod);
  double* const gradient = of_rod.data();
  const auto subtract = [](double* g, const Vec3& load) {
    g[0] = load.x - g[0];
    g[1] = load.y - g[1];
    g[2] = load.z - g[2];
  };
  for (int i = 0; i <= r.rod.elements; ++i) {
    const bool is_own = i >= r.first_own_node() && i < r.end_of_own_nodes();
    subtract(gradient + node_unknown(i), is_own ? MovingRods::force(r, i) : Vec3{});
    if (i == r.rod.elements) break;
    // (J w) x w
    const Vec3 w = three_at(rates + element_unknown(i));
    const Vec3 inertia = r.rod.inertia(i);
    const Vec3 gyroscopic = {(inertia.y - inertia.z) * w.y * w.z, (inertia.z - inertia.x) * w.x * w.z,
                             (inertia.x - inertia.y) * w.x * w.y};
    subtract(gradient + element_unknown(i), MovingRods::couple(r, i) + gyroscopic);
  }
}

void add_resistance(const CosseratRod& r, double by_rate, const MatrixEntries& matrix) {
  for (int i = 0; i < r.end_of_own_nodes(); ++i) {
    const forces::NodeDrag node = MovingRods::node_resistance(r, i);
    const double t[3] = {node.tangent.x, node.tangent.y, node.tangent.z};
    const int n = node_unknown(i);
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b <= a; ++b) {
        matrix.at(n + a, n + b) += by_rate * ((a == b ? node.all : 0.0) + node.along * t[a] * t[b]);
      }
    }
    if (i == r.rod.elements) break;
    const Vec3 element = MovingRods::element_resistance(r, i);
    const int e = element_unknown(i);
    matrix.at(e, e) += by_rate * element.x;
    matrix.at(e + 1, e + 1) += by_rate * element.y;
    matrix.at(e + 2, e + 2) += by_rate * element.z;
  }
}

}  // namespace rodeo::implicit
