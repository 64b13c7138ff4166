#pragma once

#include <string>

#include "rodeo/output/ensemble_file.hpp"

#include "end_counts.hpp"
#include "study.hpp"

namespace rodeo {

/// What the end of a campaign has to say of members that did not end well: how many of each status, the first
/// ones with their parameters, and the likely cause. Empty if there are none. `none_well` as CampaignEnd's.
/// Throws FileError.
std::string outcome_report(const EndCounts& ends, bool none_well, const EnsembleFile& file, Study& study);

/// What there is to say of members that ended well with an objective that is no finite number, where it is
/// that of all of them: which objective, what it is, and the first member. Empty if it is not. Throws
/// FileError.
std::string unmeasured_report(const EndCounts& ends, const EnsembleFile& file, Study& study);

/// A sentence where the candidates of a study that is complete all have the same objective, or none; else
/// empty.
std::string flat_objective_note(const EndCounts& ends, Study& study);

}  // namespace rodeo
