#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rodeo {

/// Every deck key. The order is that of key_table() and of inputs/reference.ini.
enum class Key : std::uint16_t {
  study_kind,
  study_seed,
  study_repeats,
  study_objective,
  study_sense,
  study_deadline,
  sweep_axis,
  sweep_sampler,
  sweep_samples,
  convergence_axis,
  convergence_reference,
  optimize_parameter,
  optimize_population,
  optimize_sigma,
  optimize_generations,
  optimize_evaluations,
  optimize_restarts,
  optimize_covariance,
  optimize_mode,
  optimize_ahead,
  optimize_largest_gain,
  optimize_settled,
  optimize_in_flight,
  optimize_target,
  optimize_tolerance,
  optimize_tolerance_x,
  model_kind,
  model_precision,
  model_section,
  noop_seconds,
  function_name,
  function_x,
  function_seconds,
  function_slowest,
  rod_count,
  rod_each,
  rod_polygon_side,
  rod_elements,
  rod_elements_per_length,
  rod_length,
  rod_radius,
  rod_radius_per_length,
  rod_density,
  rod_mass,
  rod_young_modulus,
  rod_shear_modulus,
  rod_poisson_ratio,
  rod_bend_stiffness,
  rod_twist_stiffness,
  rod_twist_to_bend_ratio,
  rod_shear_stiffness,
  rod_stretch_stiffness,
  rod_damping,
  rod_damping_law,
  rod_rotational_damping,
  rod_relaxation_time,
  rod_damping_ratio,
  rod_origin,
  rod_direction,
  rod_normal,
  rod_inertia_ratio,
  rod_velocity,
  rod_damping_decay_time,
  rod_point_masses,
  rod_point_mass_positions,
  rod_end_radius,
  rod_shape,
  rod_shape_file,
  rod_shape_nodes,
  rod_helix_radius,
  rod_helix_pitch,
  rod_closed,
  rod_total_twist,
  rod_rest_shape,
  rod_intrinsic_curvature,
  rod_intrinsic_twist,
  boundary_first,
  boundary_last,
  boundary_twist,
  boundary_slack,
  boundary_motion_time,
  boundary_driven,
  joint_kind,
  load_end_force,
  load_end_couple,
  load_axial_force,
  load_perturbation,
  load_perturbation_duration,
  load_distributed_force,
  load_distributed_couple,
  load_magnetization,
  load_magnetic_flux_density,
  load_ramp_time,
  load_frequency,
  load_middle_force,
  gravity_acceleration,
  gravity_incline,
  ground_kind,
  ground_origin,
  ground_normal,
  ground_stiffness,
  ground_damping,
  ground_static_friction,
  ground_kinetic_friction,
  ground_velocity_threshold,
  ground_spheres,
  ground_cylinders,
  muscle_kind,
  muscle_amplitudes,
  muscle_period,
  muscle_wave_number,
  muscle_phase,
  muscle_direction,
  muscle_axis,
  fluid_kind,
  fluid_viscosity,
  fluid_reynolds,
  fluid_density,
  fluid_mobility,
  fluid_regularization,
  fluid_tolerance,
  contact_kind,
  contact_stiffness,
  contact_damping,
  contact_tolerance,
  contact_friction,
  contact_slip_tolerance,
  time_step,
  time_step_per_length,
  time_end,
  time_slice_steps,
  time_step_per_crossing,
  time_end_per_crossing,
  newton_tolerance,
  newton_relative_tolerance,
  newton_iterations,
  newton_halvings,
  observe_buckling_energy,
  observe_buckling_translational_energy,
  output_frames,
  output_keep,
  output_fields,
  output_observables,
  output_precision,
  output_checkpoint_interval,
  count
};

enum class ValueType {
  real,       ///< one floating-point number
  integer,    ///< one whole number
  choice,     ///< one of a few words
  real_list,  ///< comma-separated numbers; a Vec3 key has exactly three
  text        ///< free text with a grammar of its own (sweep.axis)
};

/// One row of the table from which `rodeo keys`, inputs/reference.ini, validation and messages are made.
struct KeyInfo {
  Key key;
  std::string_view name;  ///< "section.key"
  ValueType type;
  std::string_view unit;          ///< SI unit, "1" for a pure number, empty for words
  std::string_view default_text;  ///< as a deck would write it; empty: no default
  double minimum;                 ///< smallest allowed number
  double maximum;                 ///< largest allowed number
  bool minimum_excluded;          ///< true: the number must be above `minimum`
  std::string_view choices;       ///< "a|b|c" for ValueType::choice
  std::size_t list_length;        ///< required entries of a real_list; 0: any
  bool repeatable;                ///< the key may stand in the deck more than once
  std::string_view text;          ///< one line
};

/// All keys, in the order of the enumeration.
std::span<const KeyInfo> key_table();

const KeyInfo& key_info(Key key);

/// The key of that name, or Key::count.
Key find_key(std::string_view name);

/// The valid key name nearest to `name` (edit distance), or empty if none is near.
std::string_view nearest_key(std::string_view name);

/// "unknown key 'rod.lenght'; did you mean rod.length?"
std::string unknown_key_message(std::string_view name);

/// "real > 0", "integer in [1, 100000]", "one of a|b|c": the allowed values of a key, for messages and lists.
std::string allowed_values(const KeyInfo& info);

/// The text of inputs/reference.ini: every key with its type, unit, default, range, need and meaning.
std::string reference_deck();

}  // namespace rodeo
