#include "data_track.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rodeo {

void DataTrack::start(const MemberJob& job, MemberOutcome& outcome) {
  const MemberSpec& spec = job.spec;
  if (!spec.data) return;
  data_ = spec.data;
  outcome_ = &outcome;
  outcome.at_data.assign(3 * data_->size(), std::nan(""));
  closed_.push_back(spec.rod.closed);
  for (const RodSetup& setup : spec.further_rods) closed_.push_back(setup.rod.closed);
  for (std::size_t k = 0; k < data_->size(); ++k) {
    const DataPoint& point = (*data_)[k];
    const bool between = point.share > 0.0;
    parts_.push_back({point.step, k, 1.0 - point.share, !between});
    if (between) parts_.push_back({point.step + 1, k, point.share, true});
  }
  std::ranges::stable_sort(parts_, {}, &Part::step);
  places_.resize(data_->size());
  complete_.assign(data_->size(), false);
}

std::int64_t DataTrack::next_glance(std::int64_t) const {
  const auto next = static_cast<std::size_t>(next_);
  return next < parts_.size() ? parts_[next].step : std::numeric_limits<std::int64_t>::max();
}

MemberStatus DataTrack::slice(const Look& look) {
  glance(look);
  return MemberStatus::pending;
}

void DataTrack::glance(const Glance& glance) {
  for (; static_cast<std::size_t>(next_) < parts_.size(); ++next_) {
    const Part& part = parts_[static_cast<std::size_t>(next_)];
    if (part.step != glance.steps) return;
    const Vec3 added = part.share * position(part.point, glance.rods);
    double* const sum = outcome_->at_data.data() + 3 * part.point;
    const bool first = std::isnan(sum[0]);
    sum[0] = first ? added.x : sum[0] + added.x;
    sum[1] = first ? added.y : sum[1] + added.y;
    sum[2] = first ? added.z : sum[2] + added.z;
    if (part.completes) complete_[part.point] = true;
  }
}

ArcPlace DataTrack::place_of(const DataPoint& point, const ConstRodView& rod) {
  switch (point.at.kind) {
    case Place::Kind::node:
      return {point.at.index, 0.0};
    case Place::Kind::start:
      return {0, 0.0};
    case Place::Kind::end:
      return {rod.elements, 0.0};
    default:
      return arc_place(point.at, rod);
  }
}

Vec3 DataTrack::position(std::size_t point, RodsAtLook& rods) {
  const DataPoint& data = (*data_)[point];
  const auto k = static_cast<std::size_t>(data.at.rod);
  const ConstRodView& rod = rods.each()[k];
  if (!places_[point]) places_[point] = place_of(data, rod);
  const auto [first, fraction] = *places_[point];
  const auto node = [&](int i) { return rod.vec3(field::position, closed_[k] && i == rod.elements ? 0 : i); };
  if (fraction == 0.0) return node(first);
  return (1.0 - fraction) * node(first) + fraction * node(first + 1);
}

void DataTrack::finish(const Look& look, Observation& observation) const {
  if (!data_) return;
  Misfit& misfit = observation.misfit;
  misfit.coordinates = 0.0;
  double squares = 0.0;  // of distances, times weights
  double weights = 0.0;  // of points
  double largest = std::nan("");
  for (std::size_t k = 0; k < data_->size(); ++k) {
    if (!complete_[k]) continue;
    const DataPoint& point = (*data_)[k];
    const double* const found = outcome_->at_data.data() + 3 * k;
    double square = 0.0;
    int known = 0;
    for (const auto& [measured, here] : {std::pair{point.position.x, found[0]},
                                         {point.position.y, found[1]},
                                         {point.position.z, found[2]}}) {
      if (std::isnan(measured)) continue;
      square += (here - measured) * (here - measured);
      ++known;
    }
    if (known == 0) continue;
    if (!(std::sqrt(square) <= largest)) largest = std::sqrt(square);
    if (point.weight == 0.0) continue;
    squares += point.weight * square;
    weights += point.weight;
    misfit.coordinates += known;
  }
  const bool goes_on = look.status == MemberStatus::pending;
  if (weights == 0.0 || (!goes_on && static_cast<std::size_t>(next_) < parts_.size())) return;
  misfit.distance = std::sqrt(squares / weights);
  misfit.largest = largest;
  misfit.weighted = std::sqrt(squares / misfit.coordinates);
}

void DataTrack::visit(StateArchive& archive) {
  if (!data_) return;
  archive.visit(next_);
  archive.visit(std::span(outcome_->at_data));
  if (next_ < 0 || static_cast<std::size_t>(next_) > parts_.size()) {
    throw StateError("a saved state has a wrong point of data");
  }
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (parts_[k].completes) complete_[parts_[k].point] = static_cast<std::int64_t>(k) < next_;
  }
}

}  // namespace rodeo
