#include "contact_jumps.hpp"

#include <algorithm>

#include "rodeo/math/vec3.hpp"

namespace rodeo::implicit {

void ContactJumps::start(bool has_moved, std::vector<double>& rates) {
  work_ = 0.0;
  if (!has_moved) offset_.clear();  // of a first step that was not taken
  for (std::size_t i = 0; i < offset_.size(); ++i) rates[i] -= offset_[i];
}

void ContactJumps::begin(MovingRods& rods, double end, double step, bool has_moved) {
  std::vector<double> start(rods.unknowns());
  rods.read_positions(start);
  const bool has_pressed = has_moved && std::ranges::any_of(jump_, [](double j) { return j != 0.0; });
  rods.pressing().begin_step(rods.rods(), start, end, step, has_pressed);
  if (rods.pressing().may_act()) return;
  jump_.clear();
  offset_.clear();
}

void ContactJumps::press_from_start(MovingRods& rods, const std::vector<double>& pull, double step,
                                    std::vector<double>& rates) {
  if (rods.contacts()) return;
  rods.pressing().find(places_, pull, force_);
  rods.hold(force_);
  jump_.resize(force_.size());
  offset_.resize(force_.size());
  for (std::size_t i = 0; i < force_.size(); ++i) {
    jump_[i] = -step * force_[i] / rods.inertia()[i];
    offset_[i] = 0.5 * jump_[i];
    rates[i] -= offset_[i];
  }
}

bool ContactJumps::reach_ground(MovingRods& rods, const std::vector<double>& change) {
  if (rods.pressing().may_act() || !rods.pressing().exists()) return false;
  find_places(rods, change);
  return rods.pressing().take_ground_if_reached(places_);
}

void ContactJumps::subtract(MovingRods& rods, const std::vector<double>& change, double share,
                            std::vector<double>& pull) {
  find_places(rods, change);
  rods.pressing().find(places_, pull, force_);
  rods.hold(force_);
  for (std::size_t i = 0; i < pull.size(); ++i) pull[i] -= share * force_[i];
}

void ContactJumps::part(MovingRods& rods, const std::vector<double>& pull, double step,
                        std::vector<double>& change) {
  find_places(rods, change);
  rods.pressing().find(places_, pull, force_);
  if (rods.has_motions()) on_held_ = force_;
  work_ = rods.work_of_pressing(rods.pressing().of_ground(force_));
  rods.hold(force_);
  next_jump_.resize(force_.size());
  for (std::size_t i = 0; i < force_.size(); ++i) {
    next_jump_[i] = -step * force_[i] / rods.inertia()[i];
    change[i] -= step * next_jump_[i];
  }
}

void ContactJumps::accept(bool remembers) {
  jump_.resize(next_jump_.size());
  offset_.resize(next_jump_.size());
  last_offset_ = offset_;
  for (std::size_t k = 0; k < jump_.size(); k += 3) {
    const Vec3 last = three_at(jump_.data() + k);
    const Vec3 jump = three_at(next_jump_.data() + k);
    const bool lasts = remembers && dot(last, jump) > 0.0;
    set_at(offset_.data() + k, lasts ? 0.5 * (dot(last, last) < dot(jump, jump) ? last : jump) : Vec3{});
  }
  last_jump_.swap(jump_);
  jump_ = next_jump_;
}

}  // namespace rodeo::implicit
