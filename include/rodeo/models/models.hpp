#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/member/batch.hpp"
#include "rodeo/member/step_bounds.hpp"
#include "rodeo/models/features.hpp"
#include "rodeo/models/rows.hpp"
#include "rodeo/spec/member_spec.hpp"
#include "rodeo/spec/words.hpp"

namespace rodeo {

/// A row of the table of models: all that readers of decks and runners of members ask of a model.
struct Model {
  ModelKind kind;
  TimeMethod method = TimeMethod::dynamic;
  std::optional<TimeScheme> scheme = {};  ///< nothing where kind and method have no choice of them
  std::string_view name;                  ///< of the kind, as decks write it
  std::string_view own_name = {};  ///< in lists of all rows, where another kind has a row of its method
  std::string_view text;           ///< what its members advance with
  /// Its members are rods that take time steps. Those of other models wait and report.
  bool has_rods = false;
  Gaps lacks = {};                   ///< of model_features; a model without rods has none
  std::string_view needed_key = {};  ///< of the deck, without which there is no member
  std::unique_ptr<Batch> (*make_batch)(std::span<const MemberJob> jobs);
  double (*predicted_cost)(const MemberSpec& spec);  ///< time of a member on one core, ns

  // Null where there is nothing to say.
  std::size_t (*memory)(const MemberSpec& spec) = nullptr;      ///< of a member in flight, bytes
  StepBounds (*step_bounds)(const MemberSpec& spec) = nullptr;  ///< within which its steps are stable
  /// Reasons why a study with such a member is refused, and why the member alone fails.
  std::optional<StartProblem> (*refusal)(const MemberSpec& spec) = nullptr;
  std::optional<StartProblem> (*failure)(const MemberSpec& spec) = nullptr;
  std::optional<StartWarning> (*warning)(const MemberSpec& spec) = nullptr;

  constexpr bool has(std::size_t feature) const { return has_rods && !lacks.has(feature); }
  constexpr bool has_scheme(TimeScheme asked) const { return !scheme || *scheme == asked; }
};

/// Gaps of rods of der, whatever the scheme of their steps.
inline constexpr Gaps der_gaps = {
    {"shear", "frames of discrete elastic rods turn with the tangents, so that sections stay across them"},
    {"sections that narrow as rods stretch",
     "discrete elastic rods have an energy that is quadratic in strains, of stiffnesses that stay"},
    {"single precision",
     "stretching is stiff: rounding would leave larger forces than the tolerance of Newton's method"},
    {"steps on a device",
     "a step solves a few sparse equations one after the other, which is work for a core"},
    {"a ground that answers the net force",
     "what answers every force leaves nothing to solve for; springs bear what a step finds"},
    {"contact by penalty forces",
     "a spring of fixed stiffness is for explicit steps; imc follows the forces that press on each other"},
};

inline constexpr std::string_view extrapolated_ground_gap =
    "contact begins and ends within a step, and part of a step is a state that is extrapolated across";
inline constexpr std::string_view extrapolated_contact_gap =
    "part of a step is a state that is extrapolated, where rods may have passed through each other";

/// Further gaps of second-order steps of der.
inline constexpr Gaps extrapolated_gaps = {
    {"ground", extrapolated_ground_gap},
    {"friction of the ground", extrapolated_ground_gap},
    {"planes that move", extrapolated_ground_gap},
    {"contact by an implicit potential", extrapolated_contact_gap},
    {"contact by an implicit barrier", extrapolated_contact_gap},
    {"friction between rods", "it has no contact"},
};

/// Further gaps of second-order steps of der that take loads at predicted positions.
inline constexpr Gaps foreseen_gaps = {
    {"Stokeslets", "their forces follow velocities, and those of a later instant are not known before it"}};

/// Gaps of implicit steps of Cosserat rods, whatever their scheme.
inline constexpr Gaps implicit_gaps = {
    {"sections that narrow as rods stretch", "forces of such sections are those of no energy"},
    {"single precision", "rounding would hide how stiff a bent rod is"},
    {"steps on a device", "a step solves a few banded equations, which is work for a core"},
    {"ends held by a whole element",
     "clamped holds the directors at the node, with the half element beyond it"},
    {"a ground that answers the net force",
     "what answers every force leaves nothing to solve for; springs bear what a step finds"},
    {"contact by penalty forces",
     "a spring of fixed stiffness is for explicit steps; imc follows the forces that press on each other"},
};

inline constexpr std::string_view conserving_impact_gap = "it conserves energy, which impacts take";

/// Further gaps of steps of Cosserat rods that conserve energy.
inline constexpr Gaps conserving_gaps = {
    {"places that are held or moved in time",
     "it conserves energy, which places that are held or moved take or give"},
    {"ground", conserving_impact_gap},
    {"planes that move", conserving_impact_gap},
    {"friction of the ground", conserving_impact_gap},
    {"contact by an implicit potential", conserving_impact_gap},
    {"contact by an implicit barrier", conserving_impact_gap},
    {"friction between rods", conserving_impact_gap}};

inline constexpr std::string_view static_time_gap = "it passes with time, which an equilibrium does not know";

inline constexpr std::string_view rigid_gap = "rigid rods do not deform";
inline constexpr std::string_view free_gap = "rigid rods move freely: nothing holds them but tethers";
inline constexpr std::string_view touching_gap = "rigid rods do not touch anything";

/// Gaps of rigid rods.
inline constexpr Gaps rigid_gaps = {
    {"bend, twist and stretch", rigid_gap},
    {"shear", rigid_gap},
    {"sections that narrow as rods stretch", rigid_gap},
    {"single precision", "a body has few numbers, whose digits cost nothing"},
    {"steps on a device", "a body has few numbers, which is work for a core"},
    {"ball joints", free_gap},
    {"rigid joints", free_gap},
    {"balls at any places", free_gap},
    {"springs, hinges, rigid connections", free_gap},
    {"bonds side by side", free_gap},
    {"natural curvature and twist", rigid_gap},
    {"material damping", rigid_gap},
    {"ends clamped, pinned or sliding", free_gap},
    {"ends held by a whole element", free_gap},
    {"ends that move", free_gap},
    {"places that are held or moved in time", free_gap},
    {"ground", touching_gap},
    {"planes that move", touching_gap},
    {"a ground that answers the net force", touching_gap},
    {"friction of the ground", touching_gap},
    {"muscles", rigid_gap},
    {"forces and couples by formulas", "internal couples among them do nothing to rods that do not deform"},
    {"natural shape by formulas", rigid_gap},
    {"slender-body drag", "damping is all that slows rigid rods"},
    {"Stokeslets", "damping is all that slows rigid rods"},
    {"contact by penalty forces", touching_gap},
    {"contact by an implicit potential", touching_gap},
    {"contact by an implicit barrier", touching_gap},
    {"friction between rods", touching_gap},
    {"stop at buckling", rigid_gap},
};

/// The table of models. A kind with several methods or schemes has a row for each, its default first. A new
/// one: a word of ModelKind, of TimeMethod or of TimeScheme, a row here, and a source in src/models with what
/// the row points to.
inline constexpr std::array model_table = {
    Model{.kind = ModelKind::cosserat,
          .name = "cosserat",
          .text = "explicit Cosserat rods",
          .has_rods = true,
          .lacks = {{"ends held by a whole element",
                     "clamped holds the directors at the node, with the half element beyond it"},
                    {"Stokeslets",
                     "their forces take a dense solve a step, which pays for long steps only, and are so "
                     "stiff that short ones are unstable"},
                    {"contact by an implicit potential",
                     "its stiffness is too great for explicit steps; penalty is the contact for these"},
                    {"contact by an implicit barrier",
                     "it has no bound on its stiffness, and so none on the explicit step; penalty has"}},
          .make_batch = models::cosserat::make_batch,
          .predicted_cost = models::cosserat::predicted_cost,
          .memory = models::cosserat::memory,
          .step_bounds = models::cosserat::step_bounds,
          .failure = models::cosserat::overlap,
          .warning = models::cosserat::sunk_in_ground},
    Model{.kind = ModelKind::der,
          .scheme = TimeScheme::backward_euler,
          .name = "der",
          .text = "implicit discrete elastic rods",
          .has_rods = true,
          .lacks = der_gaps,
          .make_batch = models::der::make_batch,
          .predicted_cost = models::der::predicted_cost,
          .memory = models::der::memory,
          .step_bounds = models::implicit_step_bounds,
          .refusal = models::der::what_cannot_move,
          .warning = models::cosserat::sunk_in_ground},
    Model{.kind = ModelKind::der,
          .scheme = TimeScheme::sdirk2,
          .name = "der",
          .text = "implicit discrete elastic rods",
          .has_rods = true,
          .lacks = der_gaps.and_also(extrapolated_gaps),
          .make_batch = models::der::make_sdirk2_batch,
          .predicted_cost = models::der::sdirk2_cost,
          .memory = models::der::memory,
          .step_bounds = models::implicit_step_bounds,
          .refusal = models::der::what_cannot_move},
    Model{.kind = ModelKind::der,
          .scheme = TimeScheme::midpoint,
          .name = "der",
          .text = "implicit discrete elastic rods",
          .has_rods = true,
          .lacks = der_gaps.and_also(extrapolated_gaps).and_also(foreseen_gaps),
          .make_batch = models::der::make_midpoint_batch,
          .predicted_cost = models::der::predicted_cost,
          .memory = models::der::memory,
          .step_bounds = models::implicit_step_bounds,
          .refusal = models::der::what_cannot_move},
    Model{.kind = ModelKind::der,
          .scheme = TimeScheme::generalized_alpha,
          .name = "der",
          .text = "implicit discrete elastic rods",
          .has_rods = true,
          .lacks = der_gaps.and_also(extrapolated_gaps).and_also(foreseen_gaps),
          .make_batch = models::der::make_generalized_alpha_batch,
          .predicted_cost = models::der::predicted_cost,
          .memory = models::der::memory,
          .step_bounds = models::implicit_step_bounds,
          .refusal = models::der::what_cannot_move},
    Model{
        .kind = ModelKind::cosserat,
        .method = TimeMethod::equilibrium,
        .name = "cosserat",
        .text = "explicit Cosserat rods",
        .has_rods = true,
        .lacks = {{"sections that narrow as rods stretch", "forces of such sections are those of no energy"},
                  {"single precision", "rounding would hide how stiff a bent rod is"},
                  {"steps on a device", "a step solves a few banded equations, which is work for a core"},
                  {"ends held by a whole element",
                   "clamped holds the directors at the node, with the half element beyond it"},
                  {"random perturbations", static_time_gap},
                  {"a ground that answers the net force", "what is at rest has none"},
                  {"friction of the ground",
                   "what friction holds at rest depends on how rods came there, and has no energy"},
                  {"slender-body drag", static_time_gap},
                  {"Stokeslets", static_time_gap},
                  {"contact by penalty forces",
                   "a spring of fixed stiffness is for explicit steps; imc follows the forces that press on "
                   "each other"},
                  {"friction between rods", static_time_gap},
                  {"stop at buckling", "it sees a rod that leaves its equilibrium; unstable_modes counts"}},
        .make_batch = models::statics::make_batch,
        .predicted_cost = models::statics::predicted_cost,
        .memory = models::statics::memory,
        .refusal = models::statics::what_cannot_rest,
        .warning = models::cosserat::sunk_in_ground},
    Model{.kind = ModelKind::cosserat,
          .method = TimeMethod::implicit,
          .scheme = TimeScheme::generalized_alpha,
          .name = "cosserat",
          .text = "explicit Cosserat rods",
          .has_rods = true,
          .lacks = implicit_gaps,
          .make_batch = models::implicit::make_batch,
          .predicted_cost = models::implicit::predicted_cost,
          .memory = models::implicit::memory,
          .step_bounds = models::implicit_step_bounds,
          .refusal = models::implicit::what_cannot_move,
          .warning = models::cosserat::sunk_in_ground},
    Model{.kind = ModelKind::cosserat,
          .method = TimeMethod::implicit,
          .scheme = TimeScheme::backward_euler,
          .name = "cosserat",
          .text = "explicit Cosserat rods",
          .has_rods = true,
          .lacks = implicit_gaps,
          .make_batch = models::implicit::make_damped_batch,
          .predicted_cost = models::implicit::predicted_cost,
          .memory = models::implicit::memory,
          .step_bounds = models::implicit_step_bounds,
          .refusal = models::implicit::what_cannot_move,
          .warning = models::cosserat::sunk_in_ground},
    Model{.kind = ModelKind::cosserat,
          .method = TimeMethod::implicit,
          .scheme = TimeScheme::energy_momentum,
          .name = "cosserat",
          .text = "explicit Cosserat rods",
          .has_rods = true,
          .lacks = implicit_gaps.and_also(conserving_gaps),
          .make_batch = models::implicit::make_conserving_batch,
          .predicted_cost = models::implicit::conserving_cost,
          .memory = models::implicit::conserving_memory,
          .step_bounds = models::implicit_step_bounds,
          .refusal = models::implicit::what_cannot_move},
    Model{.kind = ModelKind::der,
          .method = TimeMethod::equilibrium,
          .name = "der",
          .own_name = "static der",
          .text = "implicit discrete elastic rods",
          .has_rods = true,
          .lacks = der_gaps.and_also(
              {{"random perturbations", static_time_gap},
               {"friction of the ground", static_time_gap},
               {"slender-body drag", static_time_gap},
               {"Stokeslets", static_time_gap},
               {"friction between rods", static_time_gap},
               {"stop at buckling", "it sees a rod that leaves its equilibrium; unstable_modes counts"}}),
          .make_batch = models::der::make_static_batch,
          .predicted_cost = models::der::static_cost,
          .memory = models::der::static_memory,
          .refusal = models::der::what_cannot_rest,
          .warning = models::cosserat::sunk_in_ground},
    Model{.kind = ModelKind::rigid,
          .name = "rigid",
          .text = "rods that move as rigid bodies",
          .has_rods = true,
          .lacks = rigid_gaps,
          .make_batch = models::rigid::make_batch,
          .predicted_cost = models::rigid::predicted_cost,
          .memory = models::rigid::memory,
          .step_bounds = models::rigid::step_bounds},
    Model{.kind = ModelKind::noop,
          .name = "noop",
          .text = "a wait of noop.seconds",
          .make_batch = models::noop::make_batch,
          .predicted_cost = models::noop::predicted_cost},
    Model{.kind = ModelKind::function,
          .name = "function",
          .text = "a test function of optimisers",
          .needed_key = "function.x",
          .make_batch = models::function::make_batch,
          .predicted_cost = models::function::predicted_cost},
};

/// The row of a kind: that of its default scheme.
constexpr const Model& model_of(ModelKind kind) {
  return *std::ranges::find(model_table, kind, &Model::kind);
}

/// Row of a kind and a method: that of their default scheme; null if the kind has no such method.
constexpr const Model* find_model(ModelKind kind, TimeMethod method) {
  const auto row = std::ranges::find_if(
      model_table, [&](const Model& model) { return model.kind == kind && model.method == method; });
  return row != model_table.end() ? &*row : nullptr;
}

/// Row of a member; null if its kind has no such method and scheme.
inline const Model* find_model(const MemberSpec& spec) {
  const auto row = std::ranges::find_if(model_table, [&](const Model& model) {
    return model.kind == spec.model && model.method == spec.method && model.has_scheme(spec.scheme);
  });
  return row != model_table.end() ? &*row : nullptr;
}

/// Schemes of a kind and a method: "backward_euler, sdirk2".
std::string schemes_of(ModelKind kind, TimeMethod method);

/// Row of a member, which has one: decks that ask for none are refused.
inline const Model& model_of(const MemberSpec& spec) {
  const Model* const row = find_model(spec);
  if (row == nullptr) throw std::logic_error("no model has the method and the scheme of this member");
  return *row;
}

/// Whether a row stands for its kind.
constexpr bool is_default(const Model& row) { return &model_of(row.kind) == &row; }

/// Word that tells a row from the others of its kind: its own name, or the word of its method or scheme; the
/// name of the kind if it stands for it.
constexpr std::string_view variant(const Model& row) {
  if (is_default(row)) return row.name;
  if (!row.own_name.empty()) return row.own_name;
  return find_model(row.kind, row.method) == &row ? word_of(row.method) : word_of(*row.scheme);
}

/// The words of model.kind.
template <>
inline constexpr auto words<ModelKind> = [] {
  std::array<Word<ModelKind>, std::ranges::count_if(model_table, is_default)> list;
  auto word = list.begin();
  for (const Model& row : model_table) {
    if (is_default(row)) *word++ = {row.name, row.kind};
  }
  return list;
}();

// Calls to the row of a member's model.

/// A batch of the model that the jobs ask for; all jobs of a batch have the same.
std::unique_ptr<Batch> make_batch(std::span<const MemberJob> jobs);

/// Jobs that begin where their members are at rest, found first (time.from = equilibrium); others are
/// unchanged. `found`: how those ended that have no such place, which begin where they are; else pending.
std::vector<MemberJob> begun_at_rest(std::span<const MemberJob> jobs, std::vector<MemberStatus>& found);

/// Predicted time of a member on one core, ns; for ordering and for estimates.
double predicted_cost(const MemberSpec& spec);

/// Bounds of the step of a member; infinite where there are none.
StepBounds step_bounds(const MemberSpec& spec);

/// Why no member of a study may start like this one: its steps would not be possible.
std::optional<StartProblem> refusal_at_start(const MemberSpec& spec);

/// Why this member cannot start, though others of its study may.
std::optional<StartProblem> failure_at_start(const MemberSpec& spec);

/// Warnings about a member before it starts.
std::vector<StartWarning> warnings_at_start(const MemberSpec& spec);

/// Memory that a member takes while it runs, bytes: its arrays, and its frames until its end. 0 without rods.
double member_memory(const MemberSpec& spec);

/// Memory of this machine that this process may use, bytes.
double machine_memory();

}  // namespace rodeo
