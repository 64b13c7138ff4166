#include "dispatch/method_forecast.hpp"

#include <string>

#include <gtest/gtest.h>

namespace rodeo {
namespace {

/// A steel rod of 1 m that swings for a period of its slowest bending.
std::string swing(double radius, double end) {
  return "[model]\nsection = rigid\n[rod]\nelements = 50\nlength = 1\nradius = " + std::to_string(radius) +
         "\ndensity = 7800\nyoung_modulus = 2e11\npoisson_ratio = 0.3\n[boundary]\nfirst = clamped\n"
         "[time]\nstep = 1e-5\nend = " +
         std::to_string(end) + "\n";
}

MethodForecast forecast_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Deck deck = Deck::parse(text, "test.ini", overrides);
  return forecast_methods(deck, make_member_spec(deck)).value();
}

TEST(MethodForecast, AgreesWithTheTableOfSlenderness) {
  // inputs/validation/README.md: 0.3 times as fast at L/r = 10, 125 times at 500, 1000 times at 2000.
  const auto gain = [](double ratio) {
    const MethodForecast forecast = forecast_of(swing(1.0 / ratio, 7.06e-4 * ratio));
    EXPECT_NEAR(forecast.period, 7.06e-4 * ratio, 2e-6 * ratio);
    EXPECT_LT(forecast.at_rest->seconds, 1e-3);
    return forecast.by_explicit->seconds / forecast.by_implicit->seconds;
  };
  // The explicit deck's own steps are those of the forecast only where it has another method.
  const auto own = [](double ratio) {
    const MethodForecast forecast = forecast_of(swing(1.0 / ratio, 7.06e-4 * ratio),
                                                {"time.method=implicit", "time.scheme=generalized_alpha"});
    return forecast.by_explicit->seconds;
  };
  EXPECT_LT(own(10.0), forecast_of(swing(0.1, 7.06e-3)).by_implicit->seconds);
  EXPECT_GT(own(200.0), 5.0 * forecast_of(swing(0.005, 0.1412)).by_implicit->seconds);
  EXPECT_GT(own(2000.0), 200.0 * forecast_of(swing(0.0005, 1.412)).by_implicit->seconds);
  EXPECT_GT(gain(100.0), 0.0);
}

TEST(MethodForecast, LeavesOutWhatADeckCannotHave) {
  const std::string ground = swing(0.01, 0.1) + "[ground]\nkind = plane\nstiffness = 1e4\n";
  const MethodForecast forecast = forecast_of(ground);
  EXPECT_TRUE(forecast.by_explicit);
  EXPECT_FALSE(forecast.by_implicit || forecast.at_rest);
  const Deck deck = Deck::parse(ground, "test.ini");
  EXPECT_EQ(method_lines(deck, make_member_spec(deck)), "");
}

TEST(MethodForecast, IsOfCosseratRodsOnly) {
  const Deck deck = Deck::parse(swing(0.01, 0.1), "test.ini", {"model.kind=der"});
  EXPECT_FALSE(forecast_methods(deck, make_member_spec(deck)));
}

TEST(MethodForecast, SaysWhatIsCheapestAndWhy) {
  const Deck deck = Deck::parse(swing(0.0005, 1.412), "test.ini");
  const std::string text = method_lines(deck, make_member_spec(deck));
  for (const char* part : {"# explicit  ", "# implicit  ", "# static  ", "# cheapest         implicit steps"})
    EXPECT_NE(text.find(part), text.npos) << text;
}

}  // namespace
}  // namespace rodeo
