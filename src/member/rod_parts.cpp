#include "rodeo/member/rod_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

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

/// Entry between two rods at which a part may begin.
struct Cut {
  int entry = 0;
  int rod = 0;    ///< the one after it
  int ahead = 0;  ///< entries until that begins
};

/// Entries at which parts may begin. Nodes n + 1 and -1 between two rods belong to rods that write there.
std::vector<Cut> cuts_between(std::span<const RodData> rods) {
  std::vector<Cut> cuts;
  for (std::size_t k = 1; k < rods.size(); ++k) {
    const RodData& before = rods[k - 1];
    const RodData& after = rods[k];
    if (after.shares_first_node) continue;
    const int earliest = is_left_alone(before) ? after.first - 2 : after.first - 1;
    const int latest = is_left_alone(after) ? after.first : after.first - 1;
    const int entry = latest / detail::lanes_at_once * detail::lanes_at_once;
    if (entry > 0 && entry >= earliest) cuts.push_back({entry, static_cast<int>(k), after.first - entry});
  }
  return cuts;
}

/// Finds where the first of `left` parts of about equal size ends that begins at a cut; nothing for the last
/// part. Within a quarter of that size it prefers a cut as far ahead of its rod as `begin`, so that parts of
/// alike rods are alike.
std::optional<Cut> next_cut(std::span<const Cut> cuts, const Cut& begin, int elements, std::int64_t left) {
  if (left < 2) return std::nullopt;
  const double wanted = static_cast<double>(elements - begin.entry) / static_cast<double>(left);
  const double bound = 0.25 * wanted;
  std::optional<Cut> nearest;
  std::optional<Cut> nearest_alike;
  const auto unfit = [&](const Cut& cut) { return std::abs(cut.entry - begin.entry - wanted); };
  const auto is_nearer = [&](const Cut& cut, const std::optional<Cut>& other) {
    return !other || unfit(cut) < unfit(*other);
  };
  for (auto next = std::ranges::upper_bound(cuts, begin.entry, {}, &Cut::entry); next != cuts.end(); ++next) {
    const Cut& cut = *next;
    if (nearest && cut.entry - begin.entry > wanted + bound) break;
    if (is_nearer(cut, nearest)) nearest = cut;
    if (cut.ahead == begin.ahead && unfit(cut) <= bound && is_nearer(cut, nearest_alike)) nearest_alike = cut;
  }
  return nearest_alike ? nearest_alike : nearest;
}

/// The part that begins at a cut and ends with the element before `end` and the rod before `last`.
RodsPart part_between(const Cut& begin, int end, int last, std::span<const RodData> rods) {
  const int count = last - begin.rod;
  const auto own = rods.subspan(static_cast<std::size_t>(begin.rod), static_cast<std::size_t>(count));
  const bool left_alone = std::ranges::all_of(own, is_left_alone);
  return {begin.entry, end - begin.entry, begin.rod, left_alone ? 0 : count, begin.entry};
}

/// Whether two parts of a member read the same constants. Parts in which Rods acts on rods do not, since it
/// may change their constants.
template <class Real>
bool have_same_constants(const RodsPart& a, const RodsPart& b, const BasicRodView<const Real>& member) {
  if (a.elements != b.elements || a.rods > 0 || b.rods > 0) return false;
  for (int f = field::state_count; f < field::lasting_count; ++f) {
    const Real* const array = member.array(f);
    if (!std::equal(array + a.first, array + a.first + node_lanes<Real>(a.elements), array + b.first))
      return false;
  }
  return true;
}

/// Lets alike parts share constants: either few parts differ, or all do.
template <class Real>
void find_same_constants(std::span<RodsPart> parts, const BasicRodView<const Real>& member) {
  constexpr std::size_t most = 16;
  std::vector<RodsPart> unlike;
  for (RodsPart& part : parts) {
    const auto same = std::ranges::find_if(
        unlike, [&](const RodsPart& other) { return have_same_constants(part, other, member); });
    if (same != unlike.end()) {
      part.constants = same->first;
    } else if (unlike.size() < most) {
      unlike.push_back(part);
    }
  }
}

}  // namespace

bool may_have_parts(const MemberSpec& spec) {
  return spec.steps_explicitly() && spec.motions.empty() && spec.connections.empty() &&
         spec.load.perturbation == 0.0 && array_elements(spec) >= 2 * elements_at_once;
}

template <class Real>
std::vector<RodsPart> make_parts(std::span<const RodData> rods, const BasicRodView<const Real>& member) {
  const std::vector<Cut> cuts = cuts_between(rods);
  const std::int64_t wanted = wanted_parts(member.elements);
  std::vector<RodsPart> parts;
  Cut begin;
  while (const auto cut = next_cut(cuts, begin, member.elements, wanted - std::ssize(parts))) {
    parts.push_back(
        part_between(begin, cut->entry - 1, cut->rod, rods));  // with node n its last vector is full
    begin = *cut;
  }
  parts.push_back(part_between(begin, member.elements, static_cast<int>(rods.size()), rods));
  if (parts.size() == 1) return {};
  find_same_constants(parts, member);
  return parts;
}

template <class Real>
WorkPlaces make_work_places(std::span<const RodsPart> parts, int elements, std::size_t offset) {
  if (parts.empty()) return {offset, field_pitch<Real>(elements), 0, 1};
  const auto largest = std::ranges::max_element(parts, {}, &RodsPart::elements);
  const int threads = std::min(members_at_once(), static_cast<int>(parts.size()));
  return {offset, field_pitch<Real>(largest->elements), parts.back().first, 1 + threads};
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

template std::vector<RodsPart> make_parts(std::span<const RodData> rods,
                                          const BasicRodView<const double>& member);
template std::vector<RodsPart> make_parts(std::span<const RodData> rods,
                                          const BasicRodView<const float>& member);
template WorkPlaces make_work_places<double>(std::span<const RodsPart> parts, int elements,
                                             std::size_t offset);
template WorkPlaces make_work_places<float>(std::span<const RodsPart> parts, int elements,
                                            std::size_t offset);
template std::size_t work_numbers<double>(const MemberSpec& spec);
template std::size_t work_numbers<float>(const MemberSpec& spec);

}  // namespace rodeo
