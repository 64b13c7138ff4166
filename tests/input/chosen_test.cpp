#include <gtest/gtest.h>

#include "rodeo/input/deck.hpp"

namespace rodeo {

namespace test {
enum class Shape { straight };
}
template <>
inline constexpr std::array<Word<test::Shape>, 1> words<test::Shape> = {
    {{"straight", test::Shape::straight}}};

namespace {

TEST(Chosen, AWordWithoutAMeaningIsAnErrorInEveryBuild) {
  const Deck deck = Deck::parse("[rod]\nshape = ring\n", "deck.ini");
  try {
    chosen<test::Shape>(deck, "rod.shape"_key);
    FAIL();
  } catch (const DeckError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("deck.ini:2: rod.shape: 'ring'"), std::string::npos) << text;
  }
  EXPECT_EQ(chosen<RodShape>(deck, "rod.shape"_key), RodShape::ring);
}

}  // namespace
}  // namespace rodeo
