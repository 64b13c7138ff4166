#pragma once

#include <span>
#include <vector>

namespace rodeo {

/// Ranks from 1; equal values share the mean of theirs. Infinite values are allowed, NaN is not.
std::vector<double> mean_ranks(std::span<const double> values);

/// Spearman's correlation of pairs: that of their ranks. NaN for fewer than two pairs, and where either side
/// is all one value.
double rank_correlation(std::span<const double> a, std::span<const double> b);

}  // namespace rodeo
