#include "input/deck_checks.hpp"

#include <gtest/gtest.h>

namespace rodeo {
namespace {

TEST(DeckChecks, AWordWithoutAMeaningIsAnErrorInEveryBuild) {
  enum class Shape { straight };
  const Deck deck = Deck::parse("[rod]\nshape = ring\n", "deck.ini");
  try {
    chosen<Shape>(deck, Key::rod_shape, {{"straight", Shape::straight}});
    FAIL();
  } catch (const DeckError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("deck.ini:2: rod.shape: 'ring'"), std::string::npos) << text;
  }
  EXPECT_EQ(chosen<int>(deck, Key::rod_shape, {{"straight", 1}, {"ring", 2}}), 2);
}

}  // namespace
}  // namespace rodeo
