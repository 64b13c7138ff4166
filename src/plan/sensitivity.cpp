#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/terminal.hpp"
#include "rodeo/member/status.hpp"
#include "rodeo/plan/plan.hpp"

#include "chaos.hpp"
#include "random_variable.hpp"
#include "samplers.hpp"
#include "sensitivity_table.hpp"
#include "study_kinds.hpp"

namespace rodeo {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr std::uint64_t first_round = 64;

/// Chaos of more points takes the master too long.
constexpr std::uint64_t most_points = 4096;

constexpr std::uint64_t fewest_pairs = 16;

/// Chaos whose prediction error is larger does not describe an observable.
constexpr double largest_error = 0.05;

/// Rounds without a change that make an observable steady.
constexpr int steady_rounds_asked = 2;

/// Points at which chaos is evaluated for the quantiles of an observable.
constexpr std::size_t surrogate_points = 8192;

/// first, 1.5 first, 2 first, 3 first, 4 first, ... up to `most`: the one before the last has half as many.
std::vector<std::uint64_t> round_ends(std::uint64_t first, std::uint64_t most) {
  std::vector<std::uint64_t> ends;
  for (std::uint64_t end = first; end <= most; end *= 2) {
    ends.push_back(end);
    if (end + end / 2 <= most) ends.push_back(end + end / 2);
  }
  return ends;
}

/// Candidates that Jansen's estimator takes for errors of about 0.01, as test functions show.
std::uint64_t plain_evaluations(std::size_t parameters) { return 1024 * (parameters + 2); }

VectorXd unknown(std::size_t parameters) {
  return VectorXd::Constant(static_cast<Index>(parameters), std::nan(""));
}

/// Quantile by linear interpolation between the sorted values.
double quantile(const std::vector<double>& sorted, double share) {
  const double at = std::clamp(share * static_cast<double>(sorted.size()) - 0.5, 0.0,
                               static_cast<double>(sorted.size() - 1));
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// `study.kind = sensitivity`: how observables vary with random numbers of the deck, and how much with each
/// (Sobol indices).
///
/// Candidates are evaluated in rounds, each of which ends when all of its own have been told. Candidate k of
/// the first rounds is point k of a scrambled Sobol sequence. After each of them polynomial chaos is fitted
/// to each observable. The study ends when all fit (prediction error) and are steady: twice in a row no
/// index has changed by more than sensitivity.tolerance since half as many points. When half of
/// sensitivity.evaluations are used and not all fit, the rest goes to Jansen's estimator of what chaos
/// leaves. Its pairs of points are laid out so that the points so far are one of each pair. All follows from
/// the deck and from results alone.
///
/// Chaos is one of independent germs. Where parameters are correlated, its values give the indices of
/// Kucherenko, Tarantola and Annoni 2012, and there are no pairs.
class Sensitivity final : public Plan {
 public:
  /// Throws DeckError.
  static std::unique_ptr<Sensitivity> from_deck(const Deck& deck) {
    auto plan = std::make_unique<Sensitivity>();
    for (const RandomParameter& parameter : deck.random_parameters()) {
      plan->addresses_.push_back(parameter.address);
      plan->variables_.emplace_back(parameter);
    }
    plan->correlation_ = Correlation(deck, each_alone(deck.random_parameters()));
    const Key asked = "sensitivity.observable"_key;
    if (!deck.has_value(asked)) {
      throw deck.missing_error(asked, "study.kind = sensitivity needs one at least");
    }
    const ObservableList list = observables_of(deck);
    for (const std::string& name : deck.texts(asked)) {
      Response response;
      response.place = named_observable(deck, asked, name);
      response.name = name;
      response.unit = unit_in(deck, list[response.place].unit);
      if (std::ranges::count(plan->responses_, response.place, &Response::place) > 0) {
        throw deck.error(asked, name + " is named twice");
      }
      plan->responses_.push_back(std::move(response));
    }
    plan->tolerance_ = deck.number("sensitivity.tolerance"_key);
    plan->repeats_ = static_cast<std::uint64_t>(deck.integer("study.repeats"_key));

    const auto evaluations = static_cast<std::uint64_t>(deck.integer("sensitivity.evaluations"_key));
    const std::uint64_t parameters = plan->dimension();
    plan->rounds_ = round_ends(first_round, std::min(evaluations, most_points));
    while (plan->rounds_[plan->decision_ + 1] <= std::min(evaluations, most_points) / 2) ++plan->decision_;
    const std::uint64_t points = plan->rounds_[plan->decision_];
    const std::uint64_t pairs = std::min((evaluations - points) / (parameters + 1), points);
    if (pairs < fewest_pairs) {
      throw deck.error("sensitivity.evaluations"_key,
                       "is too few for " + std::to_string(parameters) + " parameters: at least " +
                           std::to_string(2 * fewest_pairs * (parameters + 1)) + " are needed");
    }
    plan->pair_rounds_ = round_ends(fewest_pairs, pairs);

    plan->coordinates_ = scrambled_sobol(plan->rounds_.back(), 2 * parameters, deck.seed());
    const auto columns = static_cast<Index>(parameters);
    plan->germs_.resize(static_cast<Index>(plan->rounds_.back()), columns);
    // Other points than those of the study, which chaos has been fitted to.
    plan->surrogate_coordinates_ = scrambled_sobol(surrogate_points, 2 * parameters, ~deck.seed());
    const std::vector<double>& others = plan->surrogate_coordinates_;
    plan->surrogate_germs_.resize(static_cast<Index>(surrogate_points), columns);
    for (std::size_t k = 0; k < parameters; ++k) {
      const auto column = static_cast<Index>(k);
      const RandomVariable& variable = plan->variables_[k];
      for (std::uint64_t i = 0; i < plan->rounds_.back(); ++i) {
        plan->germs_(static_cast<Index>(i), column) =
            variable.germ(plan->coordinates_[2 * parameters * i + k]);
      }
      for (std::size_t i = 0; i < surrogate_points; ++i) {
        plan->surrogate_germs_(static_cast<Index>(i), column) = variable.germ(others[2 * parameters * i + k]);
      }
    }
    for (Response& response : plan->responses_) response.values.resize(plan->candidates(), std::nan(""));
    plan->is_told_.resize(plan->candidates(), false);
    return plan;
  }

  std::span<const ParameterAddress> parameters() const override { return addresses_; }
  std::vector<std::string> variation() const override {
    std::vector<std::string> texts;
    for (const RandomVariable& variable : variables_) texts.push_back(variable.text());
    return texts;
  }

  std::uint64_t candidates() const override {
    return std::max(rounds_.back(), rounds_[decision_] + (dimension() + 1) * pair_rounds_.back());
  }

  std::vector<double> point(std::uint64_t candidate) const override {
    std::vector<double> coordinates;
    for (std::size_t k = 0; k < dimension(); ++k) coordinates.push_back(coordinate(candidate, k));
    return values_at(std::move(coordinates));
  }

  std::vector<std::uint64_t> ask() override {
    if (done_ || asked_ == round_end()) return {};
    std::vector<std::uint64_t> candidates(round_end() - asked_);
    std::iota(candidates.begin(), candidates.end(), asked_);
    asked_ = round_end();
    return candidates;
  }

  void tell(std::span<const Result> results) override {
    for (const Result& result : results) {
      is_told_[result.candidate] = true;
      ++told_;
      if (!ended_well(result.status)) continue;
      for (Response& response : responses_) {
        const double value = result.observables[response.place];
        if (std::isfinite(value)) response.values[result.candidate] = value;
      }
    }
    if (told_ == round_end()) end_round();
  }

  bool done() const override { return done_; }
  bool adaptive() const override { return true; }
  /// Members for smooth observables, whose indices are steady as soon as two rounds can be compared with half
  /// as many points.
  std::optional<double> expected_members() const override {
    const std::size_t earliest = std::min<std::size_t>(2 + steady_rounds_asked - 1, rounds_.size() - 1);
    return static_cast<double>(rounds_[earliest] * repeats_);
  }

  std::vector<std::vector<double>> probes() const override {
    const std::vector<double> middle(dimension(), 0.5);
    std::vector<std::vector<double>> points = {values_at(middle)};
    // As far out as some candidates will be.
    const double outermost = 0.5 / static_cast<double>(rounds_.back());
    for (std::size_t k = 0; k < dimension(); ++k) {
      for (const double coordinate : {outermost, 1.0 - outermost}) {
        std::vector<double> outside = middle;
        outside[k] = coordinate;
        points.push_back(values_at(std::move(outside)));
      }
    }
    return points;
  }

  std::vector<double> plain_probe_candidates() const override {
    std::vector<double> candidates(1 + 2 * dimension(), 0.0);
    candidates.front() = static_cast<double>(plain_evaluations(dimension()));
    return candidates;
  }

  bool agrees(std::uint64_t candidate, std::span<const double> point) const override {
    if (candidate >= asked_ || is_told_[candidate]) return false;
    const std::vector<double> own = this->point(candidate);
    // A machine that rounds otherwise has almost the same points.
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (!(std::abs(own[k] - point[k]) <= 1e-9 * std::abs(own[k]))) return false;
    }
    return true;
  }

  bool compares_candidates() const override { return false; }
  std::vector<Table> tables() const override {
    std::vector<std::string> names;
    std::vector<std::string> units;
    for (const Response& response : responses_) {
      names.push_back(response.name);
      units.push_back(response.unit);
    }
    const std::uint64_t rounds = std::max(rounds_.size(), decision_ + 1 + pair_rounds_.size());
    return {sensitivity_table(addresses_, rounds, names, units)};
  }

  std::vector<TableRow> take_rows() override { return std::exchange(rows_, {}); }
  std::string size_note() const override {
    return "by rounds of " + std::to_string(rounds_[0]) + ", " + std::to_string(rounds_[1]) + ", " +
           std::to_string(rounds_[2]) +
           ", ...; the plain study is Jansen's estimator alone with errors of 0.01, " +
           std::to_string(plain_evaluations(dimension()));
  }

  std::string progress() const override {
    if (round_ == 0) return "round 0";
    const auto worst = std::ranges::max_element(responses_, std::less(), [](const Response& response) {
      const double error = response.row.estimate.errors.largest();
      return std::isnan(error) ? 2.0 : error;
    });
    return formatted("round %zu%s  indices +- %.2g  prediction error %.2g", round_,
                     in_pairs_ ? " (pairs)" : "", worst->row.estimate.errors.largest(),
                     worst->row.prediction_error);
  }

  std::string conclusion() const override {
    if (!done_) return {};
    std::string text;
    for (const Response& response : responses_) {
      const SensitivityRow& row = response.row;
      text +=
          formatted("%s of %lu candidates: mean %.6g, deviation %.4g %s\n", response.name, told_ - row.failed,
                    row.mean, row.deviation, response.unit == "1" ? "" : response.unit);
      text += "  quantiles";
      for (std::size_t k = 0; k < quantile_shares.size(); ++k) {
        text += formatted("%s %g %%: %.6g", k == 0 ? "" : ",", 100.0 * quantile_shares[k], row.quantiles[k]);
      }
      text += "\n";
      if (!response.varies) {
        text += "  it does not vary, so that no parameter has a share in it\n";
        continue;
      }
      if (row.method == SensitivityMethod::none) {
        text += "  too few candidates ended well for indices\n";
        continue;
      }
      text += "  Sobol index of its variance      alone (first)       with others (total)\n";
      const SobolIndices& indices = row.estimate.indices;
      const SobolIndices& errors = row.estimate.errors;
      for (std::size_t k = 0; k < dimension(); ++k) {
        const auto place = static_cast<Index>(k);
        text +=
            formatted("  %-30.60s %8.4f +- %-8.2g %8.4f +- %-8.2g\n", addresses_[k].name(),
                      indices.first[place], errors.first[place], indices.total[place], errors.total[place]);
      }
      if (correlation_.any()) {
        text +=
            "  of correlated parameters (study.correlation): first is the share that goes when one is known, "
            "total what is left when all others are\n";
      }
      if (row.method == SensitivityMethod::chaos) {
        text += formatted(
            "  by polynomial chaos of %lu terms, which misses %.2g of the variance at points it does not "
            "know\n",
            row.terms, row.prediction_error);
      } else {
        text += "  by Jansen's estimator, as polynomial chaos does not fit\n";
      }
      if (!row.steady) text += "  not steady within sensitivity.tolerance after sensitivity.evaluations\n";
    }
    const std::uint64_t failed =
        std::ranges::max(responses_, std::less(), [](const Response& r) { return r.row.failed; }).row.failed;
    if (failed == 0) return text;
    text += std::to_string(failed) + " of " + std::to_string(told_) +
            " candidates have no result and are left out";
    // A few change nothing; many may be those of one corner.
    constexpr double many = 0.02;
    if (static_cast<double>(failed) > many * static_cast<double>(told_)) {
      text += ": what is said here is of the others alone";
    }
    return text + "\n";
  }

 private:
  /// An observable, its values at the candidates, and the estimates that follow.
  struct Response {
    std::string name;
    std::string unit;
    std::size_t place = 0;            ///< in the study's list of observables
    std::vector<double> values;       ///< of candidates; NaN where one did not end well
    std::optional<Chaos> chaos;       ///< the newest
    std::vector<SobolIndices> found;  ///< by chaos, after each round
    bool varies = true;
    int steady_rounds = 0;  ///< in a row
    SensitivityRow row;     ///< the newest
  };

  std::size_t dimension() const { return variables_.size(); }
  /// Candidates are the points so far, then for each pair b and a with each b_i in place of a_i.
  double coordinate(std::uint64_t candidate, std::size_t parameter) const {
    const auto at = [&](std::uint64_t point, std::size_t column) {
      return coordinates_[2 * dimension() * point + column];
    };
    if (!in_pairs_ || candidate < rounds_[decision_]) return at(candidate, parameter);
    const std::uint64_t place = candidate - rounds_[decision_];
    const std::uint64_t pair = place / (dimension() + 1);
    const std::uint64_t of_pair = place % (dimension() + 1);
    const bool from_b = of_pair == 0 || of_pair == parameter + 1;
    return at(pair, from_b ? dimension() + parameter : parameter);
  }

  /// Values of all parameters at independent coordinates.
  std::vector<double> values_at(std::vector<double> coordinates) const {
    correlation_.apply(coordinates);
    for (std::size_t k = 0; k < dimension(); ++k) coordinates[k] = variables_[k].value(coordinates[k]);
    return coordinates;
  }

  std::uint64_t round_end() const {
    return in_pairs_ ? rounds_[decision_] + (dimension() + 1) * pair_rounds_[round_ - decision_ - 1]
                     : rounds_[round_];
  }

  void end_round() {
    for (Response& response : responses_) {
      SensitivityRow& row = response.row;
      row.round = round_;
      row.evaluations = told_;
      row.observable = static_cast<std::size_t>(&response - responses_.data());
      const std::span values(response.values.data(), told_);
      row.failed = static_cast<std::uint64_t>(
          std::ranges::count_if(values, [](double value) { return std::isnan(value); }));
      if (!in_pairs_) {
        analyse_chaos(response);
      } else if (!fits(response)) {
        analyse_pairs(response);
      }
    }
    const bool all_steady = std::ranges::all_of(responses_, [](const Response& r) { return r.row.steady; });
    const bool all_fit = std::ranges::all_of(responses_, [&](const Response& r) { return fits(r); });
    if (in_pairs_) {
      const auto is_known = [&](const Response& r) { return r.row.steady || fits(r); };
      done_ = std::ranges::all_of(responses_, is_known) || round_ - decision_ == pair_rounds_.size();
    } else if (round_ == decision_ && !all_fit && !correlation_.any()) {
      in_pairs_ = true;
    } else {
      done_ = all_steady || round_ + 1 == rounds_.size();
    }
    for (Response& response : responses_) {
      response.row.last = done_;
      rows_.push_back(to_table_row(response.row, responses_.size()));
    }
    ++round_;
  }

  void analyse_chaos(Response& response) {
    SensitivityRow& row = response.row;
    const auto columns = static_cast<Index>(dimension());
    const auto usable = static_cast<Index>(told_ - row.failed);
    VectorXd values(usable);
    MatrixXd germs(usable, columns);
    Index next = 0;
    for (std::uint64_t k = 0; k < told_; ++k) {
      if (std::isnan(response.values[k])) continue;
      values[next] = response.values[k];
      germs.row(next++) = germs_.row(static_cast<Index>(k));
    }
    row.method = SensitivityMethod::none;
    row.prediction_error = row.change = std::nan("");
    row.degree = row.terms = 0;
    const VectorXd none = unknown(dimension());
    row.estimate = {{none, none}, {none, none}};
    row.steady = false;
    set_distribution(row, {values.begin(), values.end()});
    response.found.emplace_back();
    response.chaos.reset();
    response.varies = usable == 0 || row.deviation > 1e-12 * std::abs(row.mean);
    if (2 * usable >= static_cast<Index>(told_) && response.varies) {
      std::vector<OrthonormalPolynomials> polynomials;
      for (const RandomVariable& variable : variables_) polynomials.push_back(variable.polynomials());
      const Chaos& chaos = response.chaos.emplace(Chaos::fit(polynomials, germs, values));
      row.method = SensitivityMethod::chaos;
      row.prediction_error = chaos.prediction_error();
      row.degree = static_cast<std::uint64_t>(chaos.degree());
      row.terms = chaos.terms();
      row.estimate = correlation_.any() ? indices_of_correlated(chaos) : chaos.estimate();
      if (fits(response)) {  // else the sample itself says more
        const VectorXd surrogate = chaos.values(surrogate_germs_);
        set_distribution(row, {surrogate.begin(), surrogate.end()});
        row.mean = chaos.mean();
        row.deviation = std::sqrt(chaos.variance());
      }
      response.found.back() = row.estimate.indices;
      if (response.found.size() > 2) {
        row.change = row.estimate.indices.largest_difference(response.found[response.found.size() - 3]);
      }
    }
    const bool still = fits(response) && (row.change <= tolerance_ || !response.varies);
    response.steady_rounds = still ? response.steady_rounds + 1 : 0;
    row.steady = response.steady_rounds >= steady_rounds_asked;
  }

  void analyse_pairs(Response& response) {
    SensitivityRow& row = response.row;
    const std::uint64_t width = dimension() + 1;
    const std::uint64_t first = rounds_[decision_];
    const std::span values(response.values);
    const auto is_unknown = [](double value) { return std::isnan(value); };
    std::vector<std::uint64_t> places;  // of all candidates of pairs that are known, pair by pair
    std::vector<double> sample(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(first));
    const std::uint64_t pairs = (told_ - first) / width;
    for (std::uint64_t pair = 0; pair < pairs; ++pair) {
      const std::uint64_t begin = first + pair * width;
      sample.push_back(values[begin]);
      if (is_unknown(values[pair]) || std::ranges::any_of(values.subspan(begin, width), is_unknown)) continue;
      places.push_back(pair);
      for (std::uint64_t place = begin; place < begin + width; ++place) places.push_back(place);
    }
    std::erase_if(sample, is_unknown);
    const SobolIndices before = row.estimate.indices;
    const VectorXd none = unknown(dimension());
    row.method = SensitivityMethod::none;
    row.estimate = {{none, none}, {none, none}};
    set_distribution(row, std::move(sample));
    const std::size_t usable = places.size() / (width + 1);
    if (usable >= fewest_pairs / 2 && 2 * usable >= pairs && response.varies) {
      row.method = SensitivityMethod::jansen;
      row.estimate = indices_by_pairs(response, places);
    }
    row.change = row.estimate.indices.largest_difference(before);
    row.steady = row.estimate.errors.largest() <= tolerance_;
  }

  /// Indices from points that share one parameter, or all others, with points of the chaos.
  EstimatedIndices indices_of_correlated(const Chaos& chaos) const {
    const std::size_t parameters = dimension();
    const VectorXd here = chaos.values(surrogate_germs_).array() - chaos.mean();
    MatrixXd germs(surrogate_germs_.rows(), surrogate_germs_.cols());
    std::vector<double> other(parameters);
    const VectorXd none = unknown(parameters);
    EstimatedIndices estimate{{none, none}, {none, none}};
    for (std::size_t parameter = 0; parameter < parameters; ++parameter) {
      for (const bool alone : {true, false}) {
        for (Index i = 0; i < germs.rows(); ++i) {
          const auto both =
              std::span(surrogate_coordinates_).subspan(2 * parameters * static_cast<std::size_t>(i));
          std::ranges::copy(both.subspan(parameters, parameters), other.begin());
          correlation_.share(other, both.first(parameters), parameter, alone);
          for (std::size_t k = 0; k < parameters; ++k)
            germs(i, static_cast<Index>(k)) = variables_[k].germ(other[k]);
        }
        const VectorXd there = chaos.values(germs).array() - chaos.mean();
        const VectorXd parts =
            alone ? VectorXd(here.cwiseProduct(there)) : VectorXd(0.5 * (here - there).cwiseAbs2());
        const double variance = chaos.variance();
        const double index = parts.mean() / variance;
        const double spread = std::sqrt((parts.array() / variance - index).square().mean());
        const auto place = static_cast<Index>(parameter);
        (alone ? estimate.indices.first : estimate.indices.total)[place] = index;
        (alone ? estimate.errors.first : estimate.errors.total)[place] =
            2.0 * spread / std::sqrt(static_cast<double>(parts.size())) + chaos.prediction_error();
      }
    }
    return estimate;
  }

  EstimatedIndices indices_by_pairs(const Response& response,
                                    const std::vector<std::uint64_t>& places) const {
    // Below this error chaos is worth more as an approximation than none.
    constexpr double largest_useful_error = 0.5;
    const auto columns = static_cast<Index>(dimension());
    const auto count = static_cast<Index>(places.size());
    const Chaos* const chaos = response.chaos && response.chaos->prediction_error() < largest_useful_error
                                   ? &*response.chaos
                                   : nullptr;
    const double mean = chaos != nullptr ? chaos->mean() : response.row.mean;
    VectorXd values(count);
    MatrixXd germs(count, columns);
    for (Index i = 0; i < count; ++i) {
      const std::uint64_t candidate = places[static_cast<std::size_t>(i)];
      values[i] = response.values[candidate] - mean;
      for (std::size_t k = 0; k < dimension(); ++k) {
        germs(i, static_cast<Index>(k)) = variables_[k].germ(coordinate(candidate, k));
      }
    }
    const Index width = columns + 2;
    const auto pair_by_pair = [&](const VectorXd& all) -> MatrixXd {
      return all.reshaped(width, count / width).transpose();
    };
    Approximation approximation{0.0, {VectorXd::Zero(columns), VectorXd::Zero(columns)}, {}};
    VectorXd approximate = VectorXd::Zero(count);
    if (chaos != nullptr) {
      approximation.variance = chaos->variance();
      approximation.indices = chaos->estimate().indices;
      approximate = chaos->values(germs).array() - mean;
    }
    approximation.pairs = pair_by_pair(approximate);
    return jansen_indices(pair_by_pair(values), approximation);
  }

  void set_distribution(SensitivityRow& row, std::vector<double> values) const {
    row.mean = row.deviation = std::nan("");
    row.quantiles.fill(std::nan(""));
    if (values.empty()) return;
    const auto count = static_cast<double>(values.size());
    std::ranges::sort(values);
    row.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0.0;
    for (const double value : values) squares += (value - row.mean) * (value - row.mean);
    row.deviation = std::sqrt(squares / std::max(1.0, count - 1.0));
    for (std::size_t k = 0; k < quantile_shares.size(); ++k) {
      row.quantiles[k] = quantile(values, quantile_shares[k]);
    }
  }

  bool fits(const Response& response) const {
    return !response.varies || (response.chaos && response.chaos->prediction_error() <= largest_error);
  }

  std::vector<RandomVariable> variables_;
  Correlation correlation_;
  std::vector<ParameterAddress> addresses_;
  std::vector<Response> responses_;
  double tolerance_ = 0.0;
  std::uint64_t repeats_ = 1;
  std::vector<std::uint64_t> rounds_;       ///< points at the ends of rounds of chaos
  std::vector<std::uint64_t> pair_rounds_;  ///< pairs at the ends of the rounds of Jansen's estimator
  std::size_t decision_ = 0;  ///< the round of chaos after which its rounds go on or those of pairs begin
  std::vector<double> coordinates_;  ///< of points a and b of pairs, [points, 2 P]
  Eigen::MatrixXd germs_;            ///< [points, P]
  std::vector<double>
      surrogate_coordinates_;        ///< of points at which chaos is evaluated, and of others, [points, 2 P]
  Eigen::MatrixXd surrogate_germs_;  ///< of the former

  std::size_t round_ = 0;  ///< that runs
  bool in_pairs_ = false;  ///< and is one of pairs
  std::uint64_t asked_ = 0;
  std::uint64_t told_ = 0;
  std::vector<bool> is_told_;
  std::vector<TableRow> rows_;  ///< to be taken
  bool done_ = false;
};

}  // namespace

std::unique_ptr<Plan> make_sensitivity(const Deck& deck) { return Sensitivity::from_deck(deck); }

}  // namespace rodeo
