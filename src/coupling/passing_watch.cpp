#include "rodeo/coupling/passing_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rodeo/contact/segment_distance.hpp"

namespace rodeo::coupling {

namespace {

/// The farthest that a node goes from one to the other, m.
double longest(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  double square = 0.0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Vec3 move = to[i] - from[i];
    square = std::max(square, dot(move, move));
  }
  return std::sqrt(square);
}

}  // namespace

PassingWatch::PassingWatch(const ConstRodView& all, contact::NearPairs near, double skin)
    : all_(all), near_(std::move(near)), skin_(skin) {}

void PassingWatch::read(Positions& positions) const {
  positions.resize(static_cast<std::size_t>(all_.nodes()));
  for (int i = 0; i <= all_.elements; ++i)
    positions[static_cast<std::size_t>(i)] = all_.vec3(field::position, i);
}

void PassingWatch::stand() { read(last_); }

/// Two elements that meet on the way are nowhere on it farther from where they were listed than either end of
/// it, and so no farther apart there than twice that.
void PassingWatch::look() {
  constexpr double kept = 0.01;  // of the gap, which those keep that steps let pass
  if (last_.empty()) return stand();
  read(now_);
  const auto reach = [&] { return 2.0 * std::max(longest(listed_, last_), longest(listed_, now_)); };
  if (listed_gap_ < 0.0 || reach() > listed_gap_) {
    listed_gap_ = 2.0 * longest(last_, now_) + skin_;
    pairs_ = near_.find(listed_gap_);
    listed_ = now_;
  }
  for (const auto [i, j] : pairs_) {
    const std::size_t nodes[contact::pair_nodes] = {
        static_cast<std::size_t>(i), static_cast<std::size_t>(i) + 1, static_cast<std::size_t>(j),
        static_cast<std::size_t>(j) + 1};
    Vec3 start[contact::pair_nodes];
    Vec3 way[contact::pair_nodes];
    for (int k = 0; k < contact::pair_nodes; ++k) {
      start[k] = last_[nodes[k]];
      way[k] = now_[nodes[k]] - start[k];
    }
    passed_ = passed_ || contact::collision_free_part(start, way, 0.0, kept) < 1.0;
  }
  last_.swap(now_);
}

}  // namespace rodeo::coupling
