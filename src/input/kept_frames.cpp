#include "rodeo/input/kept_frames.hpp"

#include <optional>

#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

constexpr double most_kept = 1e6;

/// Nothing if the text is none of those there are.
std::optional<KeptFrames> parsed(std::string_view text) {
  using Kind = KeptFrames::Kind;
  if (text == "all") return KeptFrames{Kind::all};
  if (text == "none") return KeptFrames{Kind::none};
  constexpr std::string_view best = "best ";
  if (!text.starts_with(best)) return std::nullopt;
  const std::optional<double> count = parse_real(trimmed(text.substr(best.size())));
  if (!count || *count < 1.0 || *count > most_kept) return std::nullopt;
  const auto whole = static_cast<std::uint64_t>(*count);
  if (static_cast<double>(whole) != *count) return std::nullopt;
  return KeptFrames{Kind::best, whole};
}

}  // namespace

KeptFrames kept_frames(const Deck& deck) {
  const std::string& text = deck.texts(Key::output_keep).front();
  const std::optional<KeptFrames> kept = parsed(text);
  if (!kept) {
    throw deck.error(Key::output_keep,
                     in_quotes(text) + " is not all, none or best K with a whole K from 1 to 1000000");
  }
  if (kept->kind == KeptFrames::Kind::all) return *kept;
  if (deck.choice(Key::study_kind) == "convergence") {
    throw deck.error(Key::output_keep, "must be all in a convergence study: its errors are those of frames");
  }
  if (kept->kind == KeptFrames::Kind::none) return *kept;
  if (!deck.has_value(Key::study_objective)) {
    throw deck.missing_error(Key::study_objective, "output.keep = " + text + " asks for the best by it");
  }
  if (deck.integer(Key::output_frames) == 0) {
    throw deck.error(Key::output_keep, "needs output.frames (" + deck.place(Key::output_frames) +
                                           "), which is 0: no trajectory");
  }
  return *kept;
}

}  // namespace rodeo
