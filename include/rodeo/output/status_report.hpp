#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/plan/objective.hpp"

namespace rodeo {

/// The text of `rodeo status`: counts per status, observables, the best member where there is an objective,
/// throughput, time left.
std::string status_report(const EnsembleReader& reader, const std::string& path,
                          const std::optional<Objective>& objective);

/// "KEY = value, KEY = word" of a member's parameters.
std::string point_text(const EnsembleSchema& schema, std::span<const double> parameters);

/// The finished member with the best objective; nothing if none has a number for it.
std::optional<std::uint64_t> best_member(const EnsembleReader& reader, const Objective& objective);

/// Whether a campaign is writing the file now.
bool is_running(const std::string& path);

}  // namespace rodeo
