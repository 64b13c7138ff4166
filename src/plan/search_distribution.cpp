#include "rodeo/plan/search_distribution.hpp"

#include <algorithm>

#include "rodeo/input/number_text.hpp"

#include "covariance.hpp"
#include "search_interval.hpp"

namespace rodeo {

namespace {

constexpr Key key = "optimize.from"_key;

/// The place of each parameter of the deck among those of the earlier search.
std::vector<std::size_t> places_in(const SearchDistribution& earlier, const std::string& place,
                                   const std::vector<SearchParameter>& parameters, const Deck& deck) {
  std::vector<std::size_t> places;
  for (const SearchParameter& parameter : parameters) {
    const std::string name = parameter.address.name();
    const auto found = std::ranges::find(earlier.parameters, parameter.address, &SearchParameter::address);
    if (found == earlier.parameters.end()) {
      std::string theirs;
      for (const SearchParameter& one : earlier.parameters)
        theirs += (theirs.empty() ? "" : ", ") + one.address.name();
      throw deck.error(
          key, "has no " + name + ", over which this search goes: " + place + " is a search over " + theirs);
    }
    if (found->logarithmic != parameter.logarithmic || found->values != parameter.values ||
        found->whole != parameter.whole) {
      throw deck.error(key, "has " + name +
                                " in another way: numbers, their logarithms and lists are no one "
                                "distribution (" +
                                place + ")");
    }
    places.push_back(static_cast<std::size_t>(found - earlier.parameters.begin()));
  }
  for (const SearchParameter& theirs : earlier.parameters) {
    if (std::ranges::find(parameters, theirs.address, &SearchParameter::address) == parameters.end())
      throw deck.error(key, "is a search over " + theirs.address.name() +
                                " too, which is no parameter here (" + place + ")");
  }
  return places;
}

}  // namespace

void take_distribution(const SearchDistribution& earlier, const std::string& place, Deck& deck) {
  const std::vector<SearchParameter> parameters = deck.search_parameters();
  const std::vector<std::size_t> places = places_in(earlier, place, parameters, deck);
  std::vector<double> numbers = {earlier.sigma};
  std::vector<double> factors;  // of lengths
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const SearchParameter& ours = parameters[k];
    const SearchParameter& theirs = earlier.parameters[places[k]];
    const SearchInterval interval(theirs);
    double coordinate = theirs.scale * earlier.mean[places[k]];
    const double value = interval.value(coordinate);
    if (ours.values.empty() && (value < ours.lower || value > ours.upper)) {
      throw deck.error(key, "has its mean at " + ours.address.name() + " = " + format_real(value) +
                                ", which is not within " + format_real(ours.lower) + " to " +
                                format_real(ours.upper) + " (" + place + ")");
    }
    const bool same_line = theirs.lower == ours.lower && theirs.upper == ours.upper;
    if (!same_line && !interval.has_plateaus()) coordinate = SearchInterval(ours).point(value);
    factors.push_back(theirs.scale / ours.scale);
    const bool same_scale = same_line && theirs.scale == ours.scale;
    numbers.push_back(same_scale ? earlier.mean[places[k]] : coordinate / ours.scale);
  }
  const std::size_t count = parameters.size();
  const bool is_diagonal = earlier.covariance.size() == count;
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t j = is_diagonal ? k : 0; j <= k; ++j) {
      const auto [low, high] = std::minmax(places[j], places[k]);
      const std::size_t entry = is_diagonal ? high : high * (high + 1) / 2 + low;
      numbers.push_back(factors[j] * factors[k] * earlier.covariance[entry]);
    }
  }
  deck.set_list("optimize.distribution"_key, -1, std::move(numbers), place);
  deck.drop_files(key);
}

}  // namespace rodeo
