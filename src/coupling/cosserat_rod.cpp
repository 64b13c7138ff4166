#include "rodeo/coupling/cosserat_rod.hpp"

#include <numeric>

#include "rodeo/member/held_ends.hpp"
#include "rodeo/member/held_motions.hpp"

namespace rodeo::coupling {

CosseratRod::CosseratRod(const RodData& rod_data, const RodView& view, std::size_t first_unknown)
    : data(&rod_data), rod(view), first(first_unknown), length(rest_length()) {
  if (data->closure.closed) seam.emplace(rod, data->closure.seam);
  find_held({}, 0, 0);
}

double CosseratRod::rest_length() const {
  const double* const lengths = rod.array(field::rest_length);
  return std::accumulate(lengths, lengths + rod.elements, 0.0);
}

void CosseratRod::find_held(const boundary::Motions& motions, std::int64_t steps, std::size_t number) {
  held = held_ends(*data, rod.as_const());
  ends = seam ? tangent::Seam::ends : tangent::ClampedEnds{data->clamp.first, data->clamp.last};
  hold_motions(motions, steps, static_cast<int>(number), ends, held);
}

}  // namespace rodeo::coupling
