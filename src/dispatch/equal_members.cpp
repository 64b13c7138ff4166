#include "equal_members.hpp"

#include <bit>

#include "rodeo/forces/own_laws.hpp"

#include "ended_states.hpp"

namespace rodeo {

namespace {

template <class... Laws>
constexpr bool has_any(const LawList<Laws...>*) {
  return sizeof...(Laws) > 0;
}

/// A user's own laws may all draw numbers.
constexpr bool laws_may_draw = has_any(static_cast<const own::Laws*>(nullptr));

}  // namespace

bool may_draw(Study& study, const std::vector<double>& point) {
  return laws_may_draw || draws_numbers(study.spec(point));
}

void become(MemberRow& row, std::uint64_t member, const Study::Origin& origin, std::int32_t rank) {
  row.member = member;
  row.candidate = origin.candidate;
  row.repeat = origin.repeat;
  row.seed = origin.seed;
  row.wall_seconds = 0.0;
  row.rank = rank;
}

std::optional<EqualMembers::Place> EqualMembers::place_of(std::uint64_t member) {
  const std::vector<double> point = study_.point(member);
  try {
    if (may_draw(study_, point)) return std::nullopt;
  } catch (const DeckError&) {
    return std::nullopt;  // whoever runs it says why
  }
  Place place{study_.origin(member).repeat, {}};
  for (const double value : point) place.second.push_back(std::bit_cast<std::uint64_t>(value));
  return place;
}

std::optional<std::uint64_t> EqualMembers::first_like(std::uint64_t member) {
  if (!study_.plan().adaptive()) return std::nullopt;
  std::optional<Place> place = place_of(member);
  if (!place) return std::nullopt;
  const std::uint64_t first = first_.try_emplace(std::move(*place), member).first->second;
  return first == member ? std::nullopt : std::optional(first);
}

bool EqualMembers::wait(std::uint64_t first, std::uint64_t member) {
  if (ended_.contains(first)) return false;
  waiting_[first].push_back(member);
  return true;
}

std::vector<std::uint64_t> EqualMembers::end(std::uint64_t member) {
  if (!study_.plan().adaptive()) return {};
  ended_.insert(member);
  auto found = waiting_.extract(member);
  return found.empty() ? std::vector<std::uint64_t>{} : std::move(found.mapped());
}

}  // namespace rodeo
