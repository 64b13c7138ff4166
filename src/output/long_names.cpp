#include "long_names.hpp"

#include <array>

#include "rodeo/observe/observable_list.hpp"

namespace rodeo {

namespace {

struct LongName {
  std::string_view path;  ///< one that ends with a star stands for all that begin so and have no row before
  std::string_view text;
};

constexpr auto long_names = std::to_array<LongName>({
    {"/deck", "deck with all defaults"},
    {"/running", "what members that run have come to"},
    {"/members/parameters", "values of the keys that the study varies"},
    {"/members/parameter_name", "keys that the study varies"},
    {"/members/observables", "observables of the member"},
    {"/members/observable_name", "names of the observables"},
    {"/members/status", "how the member ended"},
    {"/members/candidate", "number of the candidate"},
    {"/members/repeat", "number among the members of the candidate, or of its scenario"},
    {"/members/scenario", "number among the scenarios of the candidate"},
    {"/members/seed", "seed of the member's random numbers"},
    {"/members/steps", "steps that the member took"},
    {"/members/wall_seconds", "wall time of the member, its share of that of its batch"},
    {"/members/rank", "rank that ran the member"},
    {"/members/commit", "not 0 once the row is complete; its checksum"},
    {"/trajectories/time", "time of the frame"},
    {"/trajectories/position", "position of the node"},
    {"/trajectories/offset", "first row of the member"},
    {"/trajectories/nodes", "nodes of the member"},
    {"/trajectories/velocity", "velocity of the node"},
    {"/trajectories/orientation",
     "orientation of the element: quaternion w, x, y, z that turns x, y, z into d1, d2, d3"},
    {"/trajectories/angular_velocity", "angular velocity of the element along d1, d2, d3"},
    {"/trajectories/dilatation", "length over rest length of the element"},
    {"/trajectories/radius", "radius of the element"},
    {"/trajectories/curvature", "curvature at the node along d1, d2, d3; 0 at free ends"},
    {"/trajectories/at_data", "place of the rods at the points of the measured data"},
    {"/trajectories/mode_shapes", "displacement of the node and turn of its element in the mode"},
    {"/trajectories/rod_nodes", "nodes of each rod"},
    {"/trajectories/rod_numbers", "numbers of the rods whose nodes frames hold"},
    {"/convergence/n", "elements"},
    {"/convergence/step", "time step"},
    {"/convergence/spacing", "longest rest length of an element, or the time step"},
    {"/convergence/L1", "L1 norm of the error"},
    {"/convergence/L2", "L2 norm of the error"},
    {"/convergence/Linf", "largest error"},
    {"/convergence/value", "values of the observables"},
    {"/convergence/error", "errors of the observables"},
    {"/convergence/observed_order", "order from this level and the one before"},
    {"/convergence/extrapolated", "what this level and the two before converge to (Richardson)"},
    {"/convergence/band",
     "grid convergence index times the value: 1.25 times the distance to what is extrapolated"},
    {"/boundary/above", "observable less the level, interpolated where no member ran"},
    {"/optimize/evaluations", "evaluations so far; 0: no such generation yet"},
    {"/optimize/best", "best objective so far"},
    {"/optimize/best_candidate", "candidate with the best objective so far"},
    {"/optimize/generation_best", "best objective of the generation"},
    {"/optimize/mean", "mean of the generation's objectives"},
    {"/optimize/median", "median of the generation's objectives"},
    {"/optimize/sigma", "step length of CMA-ES"},
    {"/optimize/axis_ratio", "longest over shortest axis of the distribution"},
    {"/optimize/restart", "number of the restart"},
    {"/optimize/population", "candidates of the generation"},
    {"/optimize/failed", "candidates of the generation that failed"},
    {"/optimize/stop", "why the search stopped"},
    {"/optimize/last", "1 in the last row"},
    {"/optimize/generation", "number of the generation"},
    {"/optimize/mean_vector", "mean of the distribution"},
    {"/optimize/deviation", "standard deviation of each parameter"},
    {"/optimize/eigenvalues", "eigenvalues of the covariance"},
    {"/optimize/level", "level of fidelity"},
    {"/constraints/multiplier", "what the objective would gain if the bound were relaxed by one"},
    {"/constraints/factor", "factor of the quadratic penalty"},
    {"/constraints/fulfilled", "candidates that fulfil all constraints"},
    {"/constraints/evaluations", "evaluations so far"},
    {"/fidelity/level", "number of the level"},
    {"/fidelity/values", "values of the level's keys"},
    {"/fidelity/candidates", "candidates that ran on the level"},
    {"/fidelity/generations", "generations on the level"},
    {"/fidelity/compared", "members by which the level was compared with the next one"},
    {"/fidelity/correlation", "correlation of ranks with the next level (Spearman)"},
    {"/fidelity/best", "best objective on the level"},
    {"/fidelity/best_candidate", "candidate with the best objective on the level"},
    {"/fidelity/state", "what became of the level"},
    {"/pareto/in_set", "1 if no candidate is better in all objectives"},
    {"/pareto/*", "objective of the candidate"},
    {"/sensitivity/evaluations", "evaluations so far"},
    {"/sensitivity/failed", "evaluations that failed"},
    {"/sensitivity/observable", "number of the observable"},
    {"/sensitivity/round", "number of the round"},
    {"/sensitivity/method", "method of the indices: chaos, or Jansen's estimator"},
    {"/sensitivity/prediction_error", "error of the polynomial over the variance"},
    {"/sensitivity/degree", "degree of the polynomial"},
    {"/sensitivity/terms", "terms of the polynomial"},
    {"/sensitivity/change", "largest change of an index since half as many evaluations"},
    {"/sensitivity/mean", "mean of the observable"},
    {"/sensitivity/deviation", "standard deviation of the observable"},
    {"/sensitivity/quantiles", "quantiles of the observable"},
    {"/sensitivity/steady", "1 if no index changed by more than the tolerance"},
    {"/sensitivity/last", "1 in the last round"},
    {"/sensitivity/first", "first Sobol indices"},
    {"/sensitivity/total", "total Sobol indices"},
    {"/sensitivity/first_error", "half of the band of the first indices"},
    {"/sensitivity/total_error", "half of the band of the total indices"},
    {"/boundary/outcome", "outcome at the node of the grid"},
    {"/boundary/probability", "probability of being above the level, or of a bad end"},
    {"/boundary/error", "standard deviation of the probability"},
    {"/boundary/members", "members that tell the outcome; 0: inferred"},
    {"/boundary/point", "values of the keys at the node of the grid"},
    {"/boundary_counts/nodes", "nodes of the grid"},
    {"/boundary_counts/inferred_nodes", "nodes of the grid without members"},
    {"/boundary_counts/members", "members that ran"},
    {"/boundary_counts/spared_members", "members that did not run"},
    {"/boundary_counts/ended", "1 at the end"},
    {"/branch/candidate", "number of the branch"},
    {"/branch/parent", "branch that it leaves"},
    {"/branch/turn", "at which of the parent's bifurcations, with the side as sign"},
    {"/branch/bifurcations", "bifurcations on the branch"},
    {"/branch/folds", "folds on the branch"},
    {"/branch/critical_value", "branch.key at the first bifurcation or fold"},
    {"/branch/last_value", "branch.key at the end of the branch"},
    {"/branch_counts/branches", "branches that are known"},
    {"/branch_counts/to_come", "branches that have not run"},
    {"/scene/candidate", "candidate whose rods these are"},
    {"/scene/rod", "number of the rod"},
    {"/scene/*", "value of the key for the rod"},
});

constexpr std::string_view of_frames = "/trajectories/observables/";
constexpr std::string_view of_rows = "/commit";

bool matches(std::string_view path, std::string_view pattern) {
  if (!pattern.ends_with('*')) return path == pattern;
  return path.starts_with(pattern.substr(0, pattern.size() - 1));
}

/// Text of an observable; its name where the deck itself defines it.
std::string text_of_observable(std::string_view name) {
  const ObservableList known;
  const std::size_t place = known.index(name);
  return std::string(place < known.size() ? known[place].text : name);
}

}  // namespace

std::string long_name(std::string_view path) {
  if (path.starts_with(of_frames)) return text_of_observable(path.substr(of_frames.size()));
  if (path.ends_with(of_rows)) path = "/members/commit";
  for (const LongName& entry : long_names) {
    if (matches(path, entry.path)) return std::string(entry.text);
  }
  return std::string(path.substr(path.rfind('/') + 1));
}

}  // namespace rodeo
