#include "rodeo/contact/touch.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace rodeo::contact {

std::vector<ElementTouches> touches_of_elements(const std::vector<Touch>& touches,
                                                const std::vector<int>& first, int elements,
                                                double friction) {
  constexpr double near_bound = 0.99;
  const auto rod_of = [&](int element) {
    return static_cast<int>(std::ranges::upper_bound(first, element) - first.begin()) - 1;
  };
  std::vector<ElementTouches> sums(static_cast<std::size_t>(elements));
  std::vector<std::pair<std::pair<int, int>, const Touch*>> of_rods;
  for (const Touch& touch : touches) {
    const bool slips = friction > 0.0 && touch.friction >= near_bound * friction * touch.normal;
    for (const int element : {touch.earlier, touch.later}) {
      ElementTouches& own = sums[static_cast<std::size_t>(element)];
      own.pairs += 0.5;
      own.force += 0.5 * touch.normal;
      own.largest = std::max(own.largest, touch.normal);
      own.slipping += slips ? 0.5 : 0.0;
    }
    const std::pair rods{rod_of(touch.earlier), rod_of(touch.later)};
    if (rods.first != rods.second) of_rods.emplace_back(rods, &touch);
  }
  std::ranges::stable_sort(of_rods, {}, [](const auto& entry) { return entry.first; });
  for (std::size_t k = 0; k < of_rods.size(); ++k) {
    if (k > 0 && of_rods[k].first == of_rods[k - 1].first) continue;
    for (const int element : {of_rods[k].second->earlier, of_rods[k].second->later})
      sums[static_cast<std::size_t>(element)].rods += 1.0;
  }
  return sums;
}

}  // namespace rodeo::contact
