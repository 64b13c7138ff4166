#include "rodeo/observe/winding.hpp"

#include "rodeo/observe/linking.hpp"
#include "rodeo/observe/segment_writhe.hpp"
#include "rodeo/observe/writhe.hpp"

namespace rodeo::observe {

double gauss_integral(const ConstRodView& a, const ConstRodView& b) {
  double sum = 0.0;
  for (int i = 0; i < a.elements; ++i) {
    const Vec3 a0 = a.vec3(field::position, i);
    const Vec3 a1 = a.vec3(field::position, i + 1);
    for (int j = 0; j < b.elements; ++j) {
      sum += 0.5 * segment_writhe(a0, a1, b.vec3(field::position, j), b.vec3(field::position, j + 1));
    }
  }
  return sum;
}

double winding_around(const ConstRodView& rod, const std::vector<ConstRodView>& others) {
  std::size_t pairs = 0;
  for (const ConstRodView& other : others) {
    pairs += static_cast<std::size_t>(rod.elements) * static_cast<std::size_t>(other.elements);
  }
  const std::vector<Vec3> nodes = nodes_of(rod);
  double sum = 0.0;
  for (const ConstRodView& other : others) {
    sum += pairs > most_pairs_summed ? gauss_integral_by_crossings(nodes, nodes_of(other))
                                     : gauss_integral(rod, other);
  }
  return sum;
}

}  // namespace rodeo::observe
