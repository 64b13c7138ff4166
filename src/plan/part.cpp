#include "rodeo/plan/part.hpp"

#include <charconv>
#include <string>

namespace rodeo {

Part Part::from_deck(const Deck& deck) {
  const Key key = "study.part"_key;
  const std::string& text = deck.texts(key).front();
  const char* const end = text.data() + text.size();
  std::uint64_t number = 0;
  std::uint64_t count = 0;
  const auto [slash, error] = std::from_chars(text.data(), end, number);
  const bool is_pair = error == std::errc() && slash != end && *slash == '/';
  if (is_pair) {
    const auto [rest, second_error] = std::from_chars(slash + 1, end, count);
    if (second_error == std::errc() && rest == end && number >= 1 && number <= count)
      return {number - 1, count};
  }
  throw deck.error(key, "= " + text + " is not K/N, part K of N with whole numbers 1 <= K <= N");
}

}  // namespace rodeo
