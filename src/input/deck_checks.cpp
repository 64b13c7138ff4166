#include "deck_checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rodeo/input/number_text.hpp"

namespace rodeo {

void require(const Deck& deck, Key key, const std::string& reason) {
  if (!deck.has_value(key)) throw deck.missing_error(key, reason);
}

void refuse_both(const Deck& deck, Key first, Key second) {
  if (!deck.has_value(first) || !deck.has_value(second)) return;
  throw deck.error(second, "contradicts " + std::string(key_info(first).name) + " (" + deck.place(first) +
                               "): give only one of them");
}

bool gives_first(const Deck& deck, Key first, Key second) {
  refuse_both(deck, first, second);
  if (deck.has_value(first)) return true;
  if (deck.has_value(second)) return false;
  throw deck.missing_error(first, "or give " + std::string(key_info(second).name));
}

double derived(const Deck& deck, Key key, double value) {
  const double smallest = std::numeric_limits<double>::min();
  if (std::isfinite(value) && value >= smallest) return value;
  throw deck.error(key, "comes out as " + format_real(value) + " " + std::string(key_info(key).unit) +
                            " from the keys it is derived from; it must be a finite number above 0");
}

Vec3 direction(const Deck& deck, Key key, const Vec3& vector) {
  const double largest = std::max({std::abs(vector.x), std::abs(vector.y), std::abs(vector.z)});
  if (largest == 0.0) throw deck.error(key, "is the zero vector, which has no direction");
  return normalized({vector.x / largest, vector.y / largest, vector.z / largest});
}

Vec3 unit_vector(const Deck& deck, Key key) { return direction(deck, key, deck.vec3(key)); }

}  // namespace rodeo
