#pragma once

#include <string>

#include "rodeo/output/ensemble_file.hpp"

#include "end_counts.hpp"
#include "study.hpp"

namespace rodeo {

/// Report on members that did not end well: how many of each status, the first ones with their parameters,
/// and the likely cause. Empty if there are none. `none_well` as CampaignEnd's. Throws FileError.
std::string outcome_report(const EndCounts& ends, bool none_well, const EnsembleFile& file, Study& study);

/// Report on members that ended well without a finite objective, if that is true of all of them: which
/// objective, what it is, and the first member. Empty otherwise. Throws FileError.
std::string unmeasured_report(const EndCounts& ends, const EnsembleFile& file, Study& study);

/// Note that all candidates of a complete study have the same objective; else empty.
std::string flat_objective_note(const EndCounts& ends, Study& study);

}  // namespace rodeo
