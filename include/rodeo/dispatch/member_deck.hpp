#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/status_report.hpp"

namespace rodeo {

/// Objective of a file's study; nothing if its deck names none, or is of another version of rodeo.
std::optional<Objective> objective_of(const EnsembleReader& reader, const std::string& path);

/// Observables that `rodeo status` shows of a file: those that its deck asks for.
ShownObservables shown_observables(const EnsembleReader& reader, const std::string& path);

/// The deck of one member of a campaign alone: that of the campaign at the member's parameters, with
/// `overrides`, and with its random numbers, unless these change study.seed. It stores frames, 40 a
/// muscle.period or 200 in all, unless the deck or an override says how many. Without `member` it is the best
/// one, the best candidate's first repeat. Throws FileError where there is no such member, DeckError for a
/// bad override.
Deck member_deck(const EnsembleReader& reader, const std::string& path, std::optional<std::uint64_t> member,
                 const std::vector<std::string>& overrides);

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
