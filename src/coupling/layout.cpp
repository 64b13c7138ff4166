#include "rodeo/coupling/layout.hpp"

#include "rodeo/rod/rod_places.hpp"

namespace rodeo::coupling {

std::vector<int> first_degrees_of_freedom(const MemberSpec& spec, int stride) {
  std::vector<int> first_dof(static_cast<std::size_t>(array_elements(spec)), -1);
  int first = 0;
  for (const RodPlace& rod : rod_places(spec)) {
    for (int i = 0; i < rod.elements; ++i)
      first_dof[static_cast<std::size_t>(rod.first + i)] = first + stride * i;
    first += stride * rod.elements + 3;
  }
  return first_dof;
}

int first_degree_of_freedom(const std::vector<int>& of_elements, int node, int stride) {
  const auto k = static_cast<std::size_t>(node);
  return k < of_elements.size() && of_elements[k] >= 0 ? of_elements[k] : of_elements[k - 1] + stride;
}

}  // namespace rodeo::coupling
