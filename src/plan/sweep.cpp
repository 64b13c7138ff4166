#include "rodeo/plan/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "rodeo/input/number_text.hpp"

#include "samplers.hpp"

namespace rodeo {

namespace {

/// More candidates than this is taken for a mistake in the deck.
constexpr std::uint64_t most_candidates = 100'000'000;

using Axes = std::span<const SweepAxis>;

/// The axes of each line.
std::vector<Axes> lines_of(Axes axes) {
  std::vector<Axes> lines;
  for (auto first = axes.begin(); first != axes.end();) {
    const auto last =
        std::find_if(first, axes.end(), [&](const SweepAxis& axis) { return axis.line != first->line; });
    lines.emplace_back(first, last);
    first = last;
  }
  return lines;
}

/// The values of an axis at a sampler's coordinates 0 and 1. Axes that move together begin and end together.
struct Ends {
  double first;
  double last;
};

Ends ends_of(const SweepAxis& axis, Axes line) {
  if (line.size() == 1) return {axis.lower, axis.upper};
  return {axis.values.front(), axis.values.back()};
}

/// The value at a coordinate u in [0, 1) along an axis; whole numbers are hit with equal probability.
double place(const SweepAxis& axis, Ends ends, double u) {
  if (key_info(axis.address.key).type == ValueType::integer) {
    if (ends.last < ends.first) return ends.first - std::floor(u * (ends.first - ends.last + 1.0));
    return ends.first + std::floor(u * (ends.last - ends.first + 1.0));
  }
  if (axis.logarithmic) return ends.first * std::pow(ends.last / ends.first, u);
  return ends.first + u * (ends.last - ends.first);
}

/// "1 to 2", "none|penalty"
std::string range_of(const SweepAxis& axis, Axes line) {
  const KeyInfo& info = key_info(axis.address.key);
  if (info.type == ValueType::choice) {
    const std::vector<std::string_view> words = split(info.choices, '|');
    std::string text;
    for (std::size_t k = 0; k < words.size(); ++k) {
      if (std::ranges::count(axis.values, static_cast<double>(k)) == 0) continue;
      text.append(text.empty() ? "" : "|").append(words[k]);
    }
    return text;
  }
  const Ends ends = axis.listed ? Ends{axis.lower, axis.upper} : ends_of(axis, line);
  if (ends.first == ends.last) return format_real(ends.first);
  return format_real(ends.first) + " to " + format_real(ends.last) +
         (axis.logarithmic ? ", logarithmic" : "");
}

/// "rod.length 1 to 2 with rod.radius 0.1 to 0.2: 11 points"
std::string variation_of(Axes line, bool sampled) {
  std::string text;
  for (const SweepAxis& axis : line) {
    text += (text.empty() ? "" : " with ") + axis.address.name() + " " + range_of(axis, line);
  }
  if (sampled) return text;
  const std::size_t count = line.front().values.size();
  return text + ": " + std::to_string(count) + (count == 1 ? " point" : " points");
}

}  // namespace

std::unique_ptr<Sweep> Sweep::single() { return std::make_unique<Sweep>(); }

std::unique_ptr<Sweep> Sweep::of_points(std::span<const ParameterAddress> addresses,
                                        const std::vector<std::vector<double>>& points) {
  auto sweep = std::make_unique<Sweep>();
  sweep->addresses_.assign(addresses.begin(), addresses.end());
  sweep->count_ = points.size();
  for (const std::vector<double>& point : points) {
    sweep->samples_.insert(sweep->samples_.end(), point.begin(), point.end());
  }
  return sweep;
}

std::unique_ptr<Sweep> Sweep::grid(Axes axes) {
  auto sweep = std::make_unique<Sweep>();
  for (const SweepAxis& axis : axes) sweep->addresses_.push_back(axis.address);
  for (const Axes& line : lines_of(axes)) {
    sweep->variation_.push_back(variation_of(line, false));
    Line values;
    for (const SweepAxis& axis : line) values.push_back(axis.values);
    sweep->lines_.push_back(std::move(values));
    sweep->count_ *= line.front().values.size();
    if (sweep->count_ <= most_candidates) continue;
    throw std::invalid_argument("the grid has more than " + std::to_string(most_candidates) + " candidates");
  }
  return sweep;
}

std::unique_ptr<Sweep> Sweep::from_deck(const Deck& deck) {
  std::unique_ptr<Sweep> sweep = whole_from_deck(deck);
  sweep->part_ = Part::from_deck(deck);
  if (sweep->candidates() > 0) return sweep;
  throw deck.error("study.part"_key, "= " + deck.texts("study.part"_key).front() +
                                         " has no candidate: the study has " + std::to_string(sweep->count_));
}

std::unique_ptr<Sweep> Sweep::whole_from_deck(const Deck& deck) {
  const std::vector<SweepAxis> axes = deck.sweep_axes();
  if (deck.choice("sweep.sampler"_key) == "grid")
    return deck.reading("sweep.axis"_key, [&] { return grid(axes); });
  auto sweep = std::make_unique<Sweep>();
  for (const SweepAxis& axis : axes) sweep->addresses_.push_back(axis.address);
  const std::vector<Axes> lines = lines_of(axes);
  for (const Axes& line : lines) sweep->variation_.push_back(variation_of(line, true));
  if (!deck.has_value("sweep.samples"_key)) {
    throw deck.error("sweep.samples"_key, "sweep.samples is missing (" +
                                              allowed_values(key_info("sweep.samples"_key)) +
                                              "): how many points the sampler draws");
  }
  sweep->count_ = static_cast<std::uint64_t>(deck.integer("sweep.samples"_key));
  const bool hypercube = deck.choice("sweep.sampler"_key) == "latin_hypercube";
  std::vector<double> coordinates =
      (hypercube ? latin_hypercube : sobol)(sweep->count_, lines.size(), deck.seed());
  std::vector<std::vector<ParameterAddress>> drawn;
  for (const Axes& line : lines) {
    std::vector<ParameterAddress>& together = drawn.emplace_back();
    for (const SweepAxis& axis : line) together.push_back(axis.address);
  }
  const Correlation correlation(deck, drawn);
  for (std::size_t begin = 0; begin < coordinates.size(); begin += lines.size())
    correlation.apply(std::span(coordinates).subspan(begin, lines.size()));
  sweep->samples_.reserve(sweep->count_ * axes.size());
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const Axes line = lines[i % lines.size()];
    for (const SweepAxis& axis : line) {
      sweep->samples_.push_back(place(axis, ends_of(axis, line), coordinates[i]));
    }
  }
  return sweep;
}

std::vector<double> Sweep::point(std::uint64_t candidate) const {
  candidate = part_.candidate(candidate);
  const std::size_t dimension = addresses_.size();
  if (!samples_.empty()) {
    const auto first = samples_.begin() + static_cast<std::ptrdiff_t>(candidate * dimension);
    return {first, first + static_cast<std::ptrdiff_t>(dimension)};
  }
  std::vector<double> values(dimension);
  std::size_t end = dimension;
  for (std::size_t k = lines_.size(); k-- > 0;) {
    const Line& line = lines_[k];
    const std::size_t points = line.front().size();
    end -= line.size();
    for (std::size_t axis = 0; axis < line.size(); ++axis)
      values[end + axis] = line[axis][candidate % points];
    candidate /= points;
  }
  return values;
}

std::vector<std::uint64_t> Sweep::ask() {
  if (asked_) return {};
  asked_ = true;
  std::vector<std::uint64_t> all(candidates());
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  return all;
}

}  // namespace rodeo
