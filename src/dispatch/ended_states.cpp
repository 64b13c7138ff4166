#include "ended_states.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <sstream>

#include "rodeo/math/random.hpp"
#include "rodeo/member/period_steps.hpp"
#include "rodeo/member/steady.hpp"
#include "rodeo/processor/build_identity.hpp"

namespace rodeo {

namespace {

constexpr auto growing_keys =
    std::to_array<Key>({"sweep.axis"_key, "sweep.samples"_key, "convergence.axis"_key, "study.repeats"_key,
                        "time.end"_key, "output.frames"_key});

/// Header of a state in its file: the length that its member was to have.
struct Length {
  std::int64_t steps = 0;
  std::int64_t frames = 0;
};

/// Text of the deck without the keys that can grow.
std::string lasting_text(const Deck& deck) {
  std::istringstream lines(deck.resolved());
  std::string text;
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('[')) section = line.substr(1, line.find(']') - 1) + ".";
    const Key key = find_key(section + line.substr(0, line.find(" =")));
    if (key == no_key || !can_grow(key)) text += line + "\n";
  }
  return text;
}

}  // namespace

bool can_grow(Key key) { return std::ranges::find(growing_keys, key) != growing_keys.end(); }

bool draws_numbers(const MemberSpec& spec) {
  const bool hears_noise =
      std::ranges::any_of(spec.control.signals, [](const auto& signal) { return signal.noise > 0.0; });
  return hears_noise || spec.function.kind == FunctionKind::noise || spec.function.deviation > 0.0 ||
         spec.load.perturbation > 0.0;
}

bool counts_alike(const MemberSpec& longer, std::int64_t steps) {
  MemberSpec shorter = longer;
  shorter.time.steps = steps;
  return steady_from(shorter) == steady_from(longer);
}

bool goes_on_as(const MemberSpec& longer, std::int64_t steps, std::int64_t frames) {
  if (longer.time.steps <= steps || longer.settle.acts() || longer.branch.exists()) return false;
  const bool same_frames =
      frames > 1 ? longer.time.steps * (frames - 1) == steps * (longer.frames - 1) : longer.frames == frames;
  // The shorter member was looked at when it ended, the longer one only if a frame or slice ends there.
  const bool looks_there = frames > 1 || steps % longer.time.slice_steps == 0;
  const bool samples_there =
      longer.measures.empty() || (longer.measure_steps > 0 && steps % longer.measure_steps == 0);
  const auto over_period = [](const ReductionSpec& reduction) { return reduction.over_period; };
  const bool saw_period = std::ranges::any_of(longer.measures, [&](const MeasureSpec& measure) {
    return std::ranges::any_of(measure.reductions, over_period);
  });
  // A period that begins at the earlier end has begun with the step after it: there is no second look there.
  return same_frames && looks_there && samples_there && !saw_period &&
         longer.time.steps - period_steps(longer) > steps && counts_alike(longer, steps);
}

EndedStates::EndedStates(const Study& study, const std::string& campaign_file)
    : kept_(study.deck().choice("output.states"_key) == "last"),
      folder_(campaign_file, {kept_ ? lasting_text(study.deck()) : "", build_identity()}, StatesOf::ended),
      depends_on_end_(study.deck().names("time.end"_key)) {}

std::uint64_t EndedStates::name_of(const Study& study, std::uint64_t member, const std::vector<double>& point,
                                   const MemberSpec& spec) const {
  const Study::Origin origin = study.origin(member);
  std::uint64_t name = member_seed(draws_numbers(spec) ? origin.seed : 0, point.size(), origin.repeat);
  for (const double value : point) name = member_seed(name, std::bit_cast<std::uint64_t>(value), 0);
  return name;
}

void EndedStates::write(std::uint64_t name, const MemberSpec& spec, std::vector<std::byte> state) const {
  const Length length{spec.time.steps, spec.frames};
  const auto bytes = std::as_bytes(std::span(&length, 1));
  state.insert(state.begin(), bytes.begin(), bytes.end());
  folder_.write(name, state);
}

std::optional<std::vector<std::byte>> EndedStates::read(std::uint64_t name, const MemberSpec& spec) const {
  if (depends_on_end_) return std::nullopt;
  std::optional<std::vector<std::byte>> state = folder_.read(name);
  Length length;
  if (!state || state->size() < sizeof length) return std::nullopt;
  std::memcpy(&length, state->data(), sizeof length);
  if (!goes_on_as(spec, length.steps, length.frames)) return std::nullopt;
  state->erase(state->begin(), state->begin() + sizeof length);
  return state;
}

}  // namespace rodeo
