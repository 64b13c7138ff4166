#include "screening.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

/// Room of a file for more members than this is taken for a mistake in the deck.
constexpr std::uint64_t most_screened = 100'000'000;

/// As many points of a level stand for all of them in checks and estimates.
constexpr std::uint64_t most_probes = 10'000;

}  // namespace

Screening::Screening(const Deck& deck) : sweep_(Sweep::from_deck(deck)), ladder_(deck) {
  addresses_.assign(sweep_->parameters().begin(), sweep_->parameters().end());
  addresses_.insert(addresses_.end(), ladder_.addresses().begin(), ladder_.addresses().end());
  if (candidates() > most_screened) {
    throw deck.error("fidelity.level"_key, "makes " + std::to_string(candidates()) +
                                               " candidates of those of the sweep; at most " +
                                               std::to_string(most_screened) + " are allowed");
  }
  fitness_.assign(ladder_.levels(), std::vector<double>(sweep_->candidates(), std::nan("")));
  known_.assign(ladder_.levels(), std::vector<bool>(sweep_->candidates(), false));
  screen_all(0);
}

std::unique_ptr<Screening> Screening::from_deck(const Deck& deck) {
  return std::unique_ptr<Screening>(new Screening(deck));
}

std::vector<double> Screening::point(std::uint64_t candidate) const {
  const Run& run = runs_.at(candidate);
  return ladder_.point(sweep_->point(run.place), run.level);
}

bool Screening::agrees(std::uint64_t candidate, std::span<const double> point) const {
  return candidate < runs_.size() && std::ranges::equal(this->point(candidate), point);
}

std::vector<std::uint64_t> Screening::ask() { return std::exchange(asked_, {}); }

/// Asks for a point on a level, unless it was asked for already.
void Screening::ask_for(std::uint64_t place, std::size_t level) {
  if (known_[level][place]) return;
  known_[level][place] = true;
  asked_.push_back(runs_.size());
  runs_.push_back({place, level});
}

void Screening::tell(std::span<const Result> results) {
  for (const Result& result : results) {
    const Run& run = runs_[result.candidate];
    const double fitness = ladder_.fitness(result);
    fitness_[run.level][run.place] =
        std::isfinite(fitness) ? fitness : std::numeric_limits<double>::infinity();
    ladder_.add(run.level, result.candidate, fitness, sweep_->point(run.place));
    ++told_;
  }
  while (!done() && told_ == runs_.size()) step();
}

/// Takes a step of the ladder when all that was asked for has ended.
void Screening::step() {
  switch (stage_) {
    case Stage::screening:
      if (!has_compared_ && level_ < ladder_.last()) return compare();
      return climb();
    case Stage::comparing:
      return decide();
    case Stage::climbing:
      return arrive();
    case Stage::ended:
      return;
  }
}

void Screening::screen_all(std::size_t level) {
  level_ = level;
  stage_ = Stage::screening;
  ladder_.begin(level);
  here_.resize(sweep_->candidates());
  std::iota(here_.begin(), here_.end(), std::uint64_t{0});
  for (const std::uint64_t place : here_) ask_for(place, level);
}

/// Lets candidates run on all levels.
void Screening::compare() {
  has_compared_ = true;
  stage_ = Stage::comparing;
  for (const std::size_t place : ladder_.spread(fitness_[level_])) {
    const std::size_t number = ladder_.add_compared();
    ladder_.compare(number, level_, fitness_[level_][place]);
    compared_.push_back({place, number});
  }
  for (std::size_t level = level_ + 1; level < ladder_.levels(); ++level) {
    for (const Compared& compared : compared_) ask_for(compared.place, level);
  }
}

void Screening::decide() {
  for (const Compared& compared : compared_) {
    for (std::size_t level = level_ + 1; level < ladder_.levels(); ++level) {
      ladder_.compare(compared.number, level, fitness_[level][compared.place]);
    }
  }
  for (std::size_t level = ladder_.last(); level-- > level_;) ladder_.measure(level);
  if (!ladder_.is_kept(level_)) return screen_all(ladder_.next(level_));
  climb();
}

/// Sends the best share up to the next level.
void Screening::climb() {
  if (level_ == ladder_.last()) return end();
  const std::vector<double>& fitness = fitness_[level_];
  chosen_ = here_;
  std::erase_if(chosen_, [&](std::uint64_t place) { return !std::isfinite(fitness[place]); });
  if (chosen_.empty()) {
    ladder_.fail(level_);
    return screen_all(ladder_.next(level_));
  }
  std::ranges::stable_sort(chosen_, {}, [&](std::uint64_t place) { return fitness[place]; });
  const auto share = static_cast<std::size_t>(std::ceil(ladder_.share() * static_cast<double>(here_.size())));
  chosen_.resize(std::min(chosen_.size(), std::max(share, ladder_.runners_up() + 1)));
  stage_ = Stage::climbing;
  for (const std::uint64_t place : chosen_) ask_for(place, ladder_.next(level_));
}

void Screening::arrive() {
  const std::size_t above = ladder_.next(level_);
  for (std::size_t k = 0; k < std::min(chosen_.size(), ladder_.runners_up() + 1); ++k) {
    const std::size_t number = ladder_.add_compared();
    ladder_.compare(number, level_, fitness_[level_][chosen_[k]]);
    ladder_.compare(number, above, fitness_[above][chosen_[k]]);
  }
  ladder_.end(level_);
  ladder_.measure(level_);
  if (!ladder_.is_kept(level_)) return screen_all(above);
  level_ = above;
  ladder_.begin(level_);
  here_ = std::move(chosen_);
  climb();
}

void Screening::end() {
  ladder_.end(level_);
  stage_ = Stage::ended;
}

std::vector<std::string> Screening::variation() const {
  std::vector<std::string> texts = sweep_->variation();
  for (std::size_t level = 0; level < ladder_.levels(); ++level) {
    texts.push_back("level " + std::to_string(level + 1) + ": " + ladder_.text(level));
  }
  return texts;
}

std::vector<std::vector<double>> Screening::probes() const {
  const std::uint64_t count = std::min(sweep_->candidates(), most_probes);
  std::vector<std::vector<double>> points;
  for (std::size_t level = 0; level < ladder_.levels(); ++level) {
    for (std::uint64_t k = 0; k < count; ++k) {
      points.push_back(ladder_.point(sweep_->point(k * sweep_->candidates() / count), level));
    }
  }
  return points;
}

/// Counts candidates as if no level were left.
std::vector<double> Screening::probe_candidates() const {
  const auto all = static_cast<double>(sweep_->candidates());
  const auto least = static_cast<double>(ladder_.runners_up() + 1);
  const std::size_t probes = static_cast<std::size_t>(std::min(sweep_->candidates(), most_probes));
  std::vector<double> counts;
  double here = all;
  for (std::size_t level = 0; level < ladder_.levels(); ++level) {
    const double compared = level > 0 ? static_cast<double>(ladder_.compared()) : 0.0;
    counts.insert(counts.end(), probes, std::min(all, here + compared) / static_cast<double>(probes));
    here = std::min(here, std::max(least, std::ceil(ladder_.share() * here)));
  }
  return counts;
}

std::vector<double> Screening::plain_probe_candidates() const {
  const std::size_t probes = static_cast<std::size_t>(std::min(sweep_->candidates(), most_probes));
  std::vector<double> counts(probes * ladder_.last(), 0.0);
  counts.insert(counts.end(), probes,
                static_cast<double>(sweep_->candidates()) / static_cast<double>(probes));
  return counts;
}

std::string Screening::size_note() const {
  return "on " + std::to_string(ladder_.levels()) + " levels, if all but the last one are left";
}

std::string Screening::progress() const {
  return "level " + std::to_string(level_ + 1) + "/" + std::to_string(ladder_.levels()) + "  " +
         std::to_string(told_) + "/" + std::to_string(runs_.size());
}

std::string Screening::conclusion() const { return done() ? ladder_.conclusion(sweep_->parameters()) : ""; }

}  // namespace rodeo
