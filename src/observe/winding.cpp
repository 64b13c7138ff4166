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
    const std::vector<Vec3> of_other = nodes_of(other);
    const bool by_crossings = pairs > most_pairs_summed && !meet_at_ends(nodes, of_other);
    sum += by_crossings ? gauss_integral_by_crossings(nodes, of_other) : gauss_integral(rod, other);
  }
  return sum;
}

}  // namespace rodeo::observe
