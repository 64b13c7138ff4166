#include "rodeo/member/rod_parts.hpp"

#include <algorithm>
#include <cstdint>

#include "rodeo/member/team.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

namespace {

/// Half a megabyte of arrays in double precision, at most about that.
constexpr int elements_at_once = 1000;

/// Two or four threads take as many parts each: there are as many times this, where rods allow it.
constexpr int parts_together = 4;

/// Parts of a large member, where rods allow it.
std::int64_t wanted_parts(int elements) {
  const std::int64_t rounds = (elements - 1) / (parts_together * elements_at_once) + 1;
  return parts_together * rounds;
}

/// Whether Rods does nothing for a rod.
bool is_left_alone(const RodData& rod) {
  return !rod.shares_first_node && !rod.end_load.acts && !rod.forces.acts(0.0) &&
         rod.muscle.kind == MuscleKind::none && rod.actuation.count == 0 && !rod.damping.acts() &&
         !rod.sliding.first && !rod.sliding.last && !rod.clamp.first && !rod.clamp.last &&
         !rod.joint.exists && rod.motion.duration == 0.0 && !rod.closure.closed;
}

/// The entry between two rods at which a part may begin, or none: -1. Of the three between them, those of
/// nodes n + 1 and -1 belong to rods that write there.
int cut_between(const RodData& before, const RodData& after) {
  if (after.shares_first_node) return -1;
  const int earliest = is_left_alone(before) ? after.first - 2 : after.first - 1;
  const int latest = is_left_alone(after) ? after.first : after.first - 1;
  const int cut = latest / detail::lanes_at_once * detail::lanes_at_once;
  return cut >= earliest ? cut : -1;
}

}  // namespace

bool may_have_parts(const MemberSpec& spec) {
  return spec.model == ModelKind::cosserat && spec.method == TimeMethod::dynamic && spec.motions.empty() &&
         spec.connections.empty() && spec.load.perturbation == 0.0 &&
         array_elements(spec) >= 2 * elements_at_once;
}

std::vector<RodsPart> make_parts(std::span<const RodData> rods, int elements) {
  std::vector<RodsPart> parts;
  if (elements < 2 * elements_at_once) return parts;
  const std::int64_t wanted = wanted_parts(elements);
  RodsPart part;
  bool left_alone = true;
  const auto end_at = [&](int entry, int rod) {
    part.elements = entry - part.first;
    part.rods = left_alone ? 0 : rod - part.first_rod;
    parts.push_back(part);
  };
  for (std::size_t k = 0; k < rods.size(); ++k) {
    const int cut = k > 0 ? cut_between(rods[k - 1], rods[k]) : -1;
    const auto ended = static_cast<std::int64_t>(parts.size());
    if (cut > part.first && (cut - part.first) * (wanted - ended) >= elements - part.first) {
      const int rod = static_cast<int>(k);
      end_at(cut - 1, rod);  // with node n its last vector is full
      part.first = cut;
      part.first_rod = rod;
      left_alone = true;
    }
    left_alone = left_alone && is_left_alone(rods[k]);
  }
  end_at(elements, static_cast<int>(rods.size()));
  return parts.size() > 1 ? parts : std::vector<RodsPart>();
}

template <class Real>
std::vector<WorkPlaces> make_work_places(std::span<const RodsPart> parts, int elements, std::size_t offset) {
  if (parts.empty()) return {{offset, field_pitch<Real>(elements), 0}};
  const auto largest = std::ranges::max_element(parts, {}, &RodsPart::elements);
  const int pitch = field_pitch<Real>(largest->elements);
  std::vector<WorkPlaces> places;
  for (int k = 0; k <= std::min(members_at_once(), static_cast<int>(parts.size())); ++k) {
    places.push_back({offset, pitch, parts.back().first});
    offset += work_size(pitch);
  }
  return places;
}

template <class Real>
std::size_t work_numbers(const MemberSpec& spec) {
  const int elements = array_elements(spec);
  if (!on_host<> || !may_have_parts(spec)) return work_size(field_pitch<Real>(elements));
  const std::size_t of_all = work_size(field_pitch<Real>(elements));
  const auto parts = static_cast<int>(wanted_parts(elements));
  const auto places = static_cast<std::size_t>(1 + members_at_once());
  return std::min(of_all, places * work_size(field_pitch<Real>(elements / parts + 1)));
}

template std::vector<WorkPlaces> make_work_places<double>(std::span<const RodsPart> parts, int elements,
                                                          std::size_t offset);
template std::vector<WorkPlaces> make_work_places<float>(std::span<const RodsPart> parts, int elements,
                                                         std::size_t offset);
template std::size_t work_numbers<double>(const MemberSpec& spec);
template std::size_t work_numbers<float>(const MemberSpec& spec);

}  // namespace rodeo
