// libFuzzer's way into the deck parser: whatever the text, `rodeo check` answers or throws DeckError.

#include "rodeo/input/deck.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "rodeo/dispatch/check_report.hpp"
#include "rodeo/plan/plan.hpp"

namespace {

/// Studies with more candidates are not looked at one by one: valid, but too slow for a fuzzer.
constexpr std::uint64_t most_candidates = 64;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rodeo;
  try {
    const Deck deck = Deck::parse({reinterpret_cast<const char*>(data), size}, "fuzz.ini");
    const std::string resolved = deck.resolved();
    // What a file stores must be read as the same deck when a campaign goes on.
    if (Deck::parse(resolved, "resolved").resolved() != resolved) std::abort();
    if (make_plan(deck)->candidates() <= most_candidates) check_report(deck);
  } catch (const DeckError&) {
  }
  return 0;
}
