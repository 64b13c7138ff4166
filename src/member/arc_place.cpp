#include "arc_place.hpp"

#include <algorithm>

namespace rodeo {

ArcPlace arc_place(const Place& place, const ConstRodView& rod) {
  const int n = rod.elements;
  const double* const length = rod.array(field::rest_length);
  double total = 0.0;
  for (int i = 0; i < n; ++i) total += length[i];
  double left = (place.kind == Place::Kind::middle ? 0.5 : place.arc) * total;
  int element = 0;
  while (element + 1 < n && left > length[element]) left -= length[element++];
  return {element, std::min(1.0, left / length[element])};
}

}  // namespace rodeo
