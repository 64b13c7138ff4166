#include "rodeo/method/inertia_search.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace rodeo::method {
namespace {

struct FoundShare {
  double enough;
  int trials;
};

/// Of a matrix that is positive definite with more than `least`, and turns elements by 1 rad or less then,
/// the less the more is added.
FoundShare share_found(double least, double usual) {
  InertiaSearch search(0.0, 1.0, usual);
  int trials = 0;
  for (; search.goes_on(); ++trials) {
    const bool definite = search.share() > least;
    search.judge(definite, definite ? least / search.share() : 0.0);
  }
  return {search.enough(), trials};
}

TEST(InertiaSearch, FindsTheSameFromAnyUsualShare) {
  for (double least = 1.3; least < 1e14; least *= 3.7) {
    const FoundShare from_below = share_found(least, 0.0);
    EXPECT_GT(from_below.enough, least);
    EXPECT_LE(least / from_below.enough, 0.3);  // of the turn
    for (const double usual : {1e2, 1e6, 1e13})
      EXPECT_EQ(share_found(least, usual).enough, from_below.enough);
    EXPECT_LE(share_found(least, least).trials, std::min(from_below.trials, 6)) << least;
  }
}

}  // namespace
}  // namespace rodeo::method
