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
  const std::string& text = deck.texts("output.keep"_key).front();
  const std::optional<KeptFrames> kept = parsed(text);
  if (!kept) {
    throw deck.error("output.keep"_key,
                     in_quotes(text) + " is not all, none or best K with a whole K from 1 to 1000000");
  }
  if (kept->kind == KeptFrames::Kind::all) return *kept;
  if (deck.choice("study.kind"_key) == "convergence") {
    throw deck.error("output.keep"_key, "must be all in a convergence study: its errors are those of frames");
  }
  if (kept->kind == KeptFrames::Kind::none) return *kept;
  if (!deck.has_value("study.objective"_key)) {
    throw deck.missing_error("study.objective"_key, "output.keep = " + text + " asks for the best by it");
  }
  if (deck.has_value("optimize.constraint"_key)) {
    throw deck.error(
        "output.keep"_key,
        "must be all or none with optimize.constraint: the best by study.objective alone may violate it");
  }
  if (deck.integer("output.frames"_key) == 0) {
    throw deck.error("output.keep"_key, "needs output.frames (" + deck.place("output.frames"_key) +
                                            "), which is 0: no trajectory");
  }
  return *kept;
}

}  // namespace rodeo
