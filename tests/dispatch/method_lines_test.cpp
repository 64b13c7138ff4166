#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/dispatch/check_report.hpp"

namespace rodeo {
namespace {

/// A steel rod of 1 m that swings for a period of its slowest bending.
std::string swing(double radius, double end) {
  return "[model]\nsection = rigid\n[rod]\nelements = 50\nlength = 1\nradius = " + std::to_string(radius) +
         "\ndensity = 7800\nyoung_modulus = 2e11\npoisson_ratio = 0.3\n[boundary]\nfirst = clamped\n"
         "[time]\nstep = 1e-5\nend = " +
         std::to_string(end) + "\n";
}

std::optional<MethodForecast> forecast_in(const Deck& deck) {
  return forecast_methods(make_member_spec(deck), [&](const std::vector<std::string>& instead) {
    try {
      make_member_spec(Deck::parse(deck.printed(), "test.ini", instead));
      return true;
    } catch (const DeckError&) {
      return false;
    }
  });
}

MethodForecast forecast_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Deck deck = Deck::parse(text, "test.ini", overrides);
  return forecast_in(deck).value();
}

TEST(MethodForecast, OfExplicitStepsIsOfStableOnes) {
  const MethodForecast stable = forecast_of(swing(0.01, 0.1), {"time.step=1e-6"});
  EXPECT_TRUE(stable.is_stable);
  EXPECT_EQ(stable.by_explicit->step, 1e-6);
  const MethodForecast unstable = forecast_of(swing(0.01, 0.1), {"time.step=1e-4"});
  EXPECT_FALSE(unstable.is_stable);
  EXPECT_LT(unstable.by_explicit->step, 1e-5);
  EXPECT_GT(unstable.by_explicit->seconds, 0.2 * stable.by_explicit->seconds);
}

TEST(MethodForecast, AgreesWithTheTableOfSlenderness) {
  // inputs/validation/README.md. The deck's own method has the deck's steps, so that each is asked of the
  // other.
  const auto gain = [](double ratio) {
    const std::string deck = swing(1.0 / ratio, 7.06e-4 * ratio);
    const MethodForecast of_explicit = forecast_of(deck);
    const MethodForecast of_implicit =
        forecast_of(deck, {"time.method=implicit", "time.scheme=generalized_alpha"});
    EXPECT_NEAR(of_explicit.period, 7.06e-4 * ratio, 2e-6 * ratio);
    EXPECT_LT(of_explicit.at_rest->seconds, of_explicit.by_implicit->seconds);
    return of_implicit.by_explicit->seconds / of_explicit.by_implicit->seconds;
  };
  EXPECT_LT(gain(10.0), 0.5);
  EXPECT_LT(gain(50.0), 1.0);
  EXPECT_GT(gain(100.0), 1.0);
  EXPECT_GT(gain(2000.0), 300.0);
}

TEST(MethodForecast, LeavesOutWhatADeckCannotHave) {
  const std::string ground =
      swing(0.01, 0.1) + "[ground]\nkind = plane\nstiffness = 1e4\nresponse = net_force\n";
  const MethodForecast forecast = forecast_of(ground);
  EXPECT_TRUE(forecast.by_explicit);
  EXPECT_FALSE(forecast.by_implicit || forecast.at_rest);
  EXPECT_TRUE(method_lines(forecast).empty());
}

TEST(MethodForecast, IsOfCosseratRodsOnly) {
  const Deck deck = Deck::parse(swing(0.01, 0.1), "test.ini", {"model.kind=der"});
  EXPECT_FALSE(forecast_in(deck));
}

TEST(MethodForecast, OffersNoStepsToAnEquilibrium) {
  EXPECT_FALSE(forecast_in(Deck::parse(swing(0.01, 0.1), "test.ini", {"time.method=static"})));
}

TEST(MethodForecast, SaysWhatIsCheapestAndWhy) {
  const Deck deck = Deck::parse(swing(0.0005, 1.412), "test.ini");
  std::vector<std::string> names;
  for (const auto& [name, text] : method_lines(forecast_in(deck).value())) {
    names.push_back(name);
    EXPECT_TRUE(name != "cheapest" || text.starts_with("implicit steps")) << text;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"explicit", "implicit", "static", "cheapest"}));
}

}  // namespace
}  // namespace rodeo
