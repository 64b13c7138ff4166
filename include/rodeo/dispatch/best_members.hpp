#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/plan/objective.hpp"
#include "rodeo/plan/plan.hpp"
#include "rodeo/plan/search_distribution.hpp"

namespace rodeo {

/// The members that count and ended well with the best objectives, at most `count`: the best first, of equal
/// ones that of the smaller number; where candidates meet scenarios, the members of the best candidate and of
/// those after it. Throws FileError.
std::vector<std::uint64_t> best_members(const EnsembleFile& file, const Plan& plan,
                                        const Objective& objective, std::uint64_t count);

/// A line on the frames that a campaign is to keep of its best members (output.keep = best K), for its
/// status; empty where it keeps none, is not done, or has them all.
std::string kept_note(const EnsembleReader& reader, const std::string& path);

/// File of the frames of a campaign's best members (output.keep = best K): FILE_kept.h5.
std::string kept_path(const std::string& path);

/// The distribution with which the search in a file ended, found by telling it its results again. Throws
/// FileError where the file holds no search, or one that has members to run yet.
SearchDistribution ended_search(const std::string& path);

/// A line on the members that settled (observe.settle) and the steps that this spared, for people; empty if
/// none did. Throws FileError.
std::string settled_note(const EnsembleReader& reader, const std::string& path);
std::string settled_note(const EnsembleFile& file, const Deck& deck);

}  // namespace rodeo
