#include "frames.hpp"

#include <cmath>
#include <limits>

#include "rodeo/observe/equilibrium.hpp"
#include "rodeo/observe/observable_list.hpp"
#include "rodeo/observe/trajectory_fields.hpp"
#include "rodeo/rod/frame_rods.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

std::vector<double> framed_shapes(const MemberSpec& spec, const std::vector<double>& shapes) {
  if (spec.frame_rods.empty()) return shapes;
  std::vector<double> result;
  for (auto from = shapes.begin(); from != shapes.end();) {
    auto framed = spec.frame_rods.begin();
    int rod = 0;
    for (const RodPlace& place : rod_places(spec)) {
      const auto numbers = std::ptrdiff_t{mode_components} * (place.elements + 1);
      if (framed != spec.frame_rods.end() && *framed == rod++) {
        result.insert(result.end(), from, from + numbers);
        ++framed;
      }
      from += numbers;
    }
  }
  return result;
}

void Frames::start(const MemberJob& job, MemberOutcome& outcome) {
  const MemberSpec& spec = job.spec;
  count_ = spec.frames;
  last_step_ = spec.time.steps;
  outcome_ = &outcome;
  rods_ = frame_rods(spec);
  const auto nodes = static_cast<std::size_t>(frame_nodes(spec));
  for (const std::size_t field : spec.fields) {
    entries_.push_back(nodes * static_cast<std::size_t>(trajectory_fields[field].components));
  }
  entries_.resize(spec.fields.size() + spec.frame_observables.size(), 1);
  const auto frames = static_cast<std::size_t>(count_);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  outcome.time.assign(frames, nan);
  for (const std::size_t entries : entries_) outcome.fields.emplace_back(frames * entries, nan);
}

std::int64_t Frames::step_of(int frame) const {
  const double share = static_cast<double>(frame) / (count_ - 1);
  return std::llround(share * static_cast<double>(last_step_));
}

std::int64_t Frames::next_look(std::int64_t) const { return next_ < count_ ? step_of(next_) : last_step_; }

MemberStatus Frames::slice(const Look& look) {
  while (next_ < count_ && step_of(next_) == look.steps) store(look, static_cast<std::size_t>(next_++));
  return MemberStatus::pending;
}

void Frames::store(const Look& look, std::size_t frame) {
  const MemberSpec& spec = look.spec;
  outcome_->time[frame] = static_cast<double>(look.steps) * spec.time.step;
  for (std::size_t k = 0; k < spec.fields.size(); ++k) {
    const TrajectoryField& format = trajectory_fields[spec.fields[k]];
    double* out = outcome_->fields[k].data() + frame * entries_[k];
    for (const int number : rods_) {
      const ConstRodView& rod = look.rods.each()[static_cast<std::size_t>(number)];
      const bool closed = is_closed(spec, number);
      for (int i = 0; i < rod.nodes(); ++i, out += format.components) format.value(rod, closed, i, out);
    }
  }
  if (spec.frame_observables.empty()) return;
  const Observation observation = look.observe();
  for (std::size_t k = 0; k < spec.frame_observables.size(); ++k) {
    outcome_->fields[spec.fields.size() + k][frame] = value_of(spec.frame_observables[k], observation);
  }
}

void Frames::visit(StateArchive& archive) {
  archive.visit(next_);
  if (next_ < 0 || next_ > count_) throw StateError("a saved state has a wrong frame");
  const auto taken = static_cast<std::size_t>(next_);
  archive.visit(std::span(outcome_->time).first(taken));
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    archive.visit(std::span(outcome_->fields[k]).first(taken * entries_[k]));
  }
}

}  // namespace rodeo
