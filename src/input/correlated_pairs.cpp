#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/keys.hpp"
#include "rodeo/input/number_text.hpp"

#include "parameter_range.hpp"

namespace rodeo {

std::vector<CorrelatedPair> Deck::correlated_pairs() const {
  std::vector<CorrelatedPair> pairs;
  for_each_line("study.correlation"_key, [&](const std::string& text, const std::string&) {
    const std::size_t colon = end_of_address(text);
    const std::vector<std::string_view> keys = split(std::string_view(text).substr(0, colon), ',');
    if (colon == text.npos || keys.size() != 2)
      throw std::invalid_argument(in_quotes(text) + " is not of the form KEY, KEY : r");
    const std::string_view number = trimmed(std::string_view(text).substr(colon + 1));
    const std::optional<double> coefficient = parse_real(number);
    if (!coefficient || !(std::abs(*coefficient) < 1.0)) {
      throw std::invalid_argument(in_quotes(number) +
                                  " is no coefficient of correlation, a number between -1 and 1");
    }
    const CorrelatedPair pair{parse_parameter_address(trimmed(keys[0])),
                              parse_parameter_address(trimmed(keys[1])), *coefficient};
    const std::string names = pair.first.name() + " and " + pair.second.name();
    if (pair.first == pair.second) throw std::invalid_argument(names + " are the same number");
    const bool twice = std::ranges::any_of(pairs, [&](const CorrelatedPair& earlier) {
      return (earlier.first == pair.first && earlier.second == pair.second) ||
             (earlier.first == pair.second && earlier.second == pair.first);
    });
    if (twice) throw std::invalid_argument(names + " have a coefficient already");
    pairs.push_back(pair);
  });
  return pairs;
}

}  // namespace rodeo
