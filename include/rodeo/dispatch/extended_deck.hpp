#pragma once

#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"

namespace rodeo {

/// The deck of a campaign's file with more of what it asks for: samples, repeats, values of axes, a later
/// end. Frames keep their distance in time where output.frames is not given. Throws DeckError or FileError,
/// with one sentence, where nothing is asked for, where the rows that stand would come to mean something
/// else, and where the results would not be those of the longer campaign.
Deck extended_deck(const std::string& path, const std::vector<std::string>& overrides);

/// The deck of a campaign's file whose members that ended badly run again, with these overrides if there are
/// any (study.rerun). Throws DeckError or FileError where none ended badly, or where the study has gone on by
/// their results.
Deck deck_with_failed_again(const std::string& path, const std::vector<std::string>& overrides);

/// The deck of the campaign whose parts (study.part) these files hold. Throws FileError unless they are all
/// parts of one campaign, each once, and all members in them have ended.
Deck whole_deck(const std::vector<std::string>& paths);

}  // namespace rodeo
