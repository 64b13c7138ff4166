#pragma once

#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// The normal distribution from which a search samples.
struct SearchDistribution {
  std::vector<SearchParameter> parameters;  ///< P
  double sigma = 0.0;
  std::vector<double> mean;        ///< P, on the lines of SearchInterval, in units of scales
  std::vector<double> covariance;  ///< as Covariance::entries, in units of scales
};

/// Puts the distribution of an earlier search in the place of optimize.from, as optimize.distribution;
/// `place` is its source. Throws DeckError where its parameters are not those of the deck, or its mean is out
/// of their bounds.
void take_distribution(const SearchDistribution& earlier, const std::string& place, Deck& deck);

}  // namespace rodeo
