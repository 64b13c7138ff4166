#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

#include "rodeo/observe/contact_and_connections.hpp"
#include "rodeo/observe/deformation.hpp"
#include "rodeo/observe/ends.hpp"
#include "rodeo/observe/energies.hpp"
#include "rodeo/observe/equilibrium.hpp"
#include "rodeo/observe/gait.hpp"
#include "rodeo/observe/implicit_steps.hpp"
#include "rodeo/observe/misfit.hpp"
#include "rodeo/observe/observable.hpp"
#include "rodeo/observe/writhe.hpp"

namespace rodeo::observe {

/// Value that members of model.kind = function report, and no rod does.
inline constexpr Observable function_value = {"function_value",
                                              "1",
                                              "value of the test function",
                                              [](const Observation&) { return std::nan(""); },
                                              Known::at_end,
                                              "model.kind = function"};

}  // namespace rodeo::observe

namespace rodeo {

/// The list of observables, in the order of /members/observables. A new one: its entry in the header of its
/// theme, and one line here.
inline constexpr std::array observables = {
    observe::end_x,
    observe::end_y,
    observe::end_z,
    observe::tip_deflection,
    observe::translational_energy,
    observe::rotational_energy,
    observe::bending_energy,
    observe::twist_energy,
    observe::shear_energy,
    observe::stretch_energy,
    observe::total_energy,
    observe::buckled,
    observe::buckling_time,
    observe::energy_drift,
    observe::momentum_drift,
    observe::angular_momentum_drift,
    observe::profile_error_l1,
    observe::profile_error_l2,
    observe::profile_error_linf,
    observe::forward_speed,
    observe::lateral_speed,
    observe::gait_width,
    observe::theta_max,
    observe::end_twist,
    observe::end_force,
    observe::end_couple,
    observe::end_distance_period,
    observe::end_distance_max,
    observe::contact_count,
    observe::contact_depth_max,
    observe::writhe,
    observe::twist_turns,
    observe::link,
    observe::winding,
    observe::function_value,
    observe::newton_iterations_per_step,
    observe::newton_iterations_per_contact_step,
    observe::contact_steps,
    observe::contact_gap_min,
    observe::fluid_force,
    observe::fluid_iterations_per_step,
    observe::energy_gain,
    observe::energy_gain_relative,
    observe::energy_loss_relative,
    observe::curvature_max,
    observe::misfit,
    observe::misfit_max,
    observe::misfit_weighted,
    observe::misfit_coordinates,
    observe::friction_loss,
    observe::connection_energy,
    observe::broken_bonds,
    observe::ground_loss,
    observe::ground_depth_relative,
    observe::periods_run,
    observe::newton_iterations,
    observe::unstable_modes,
    observe::least_stiffness,
    observe::branch_value,
    observe::bifurcations,
    observe::folds,
    observe::critical_value,
    observe::energy_balance,
    observe::energy_balance_relative,
    observe::work_done,
    observe::damping_loss,
    observe::scheme_loss,
};

/// Place of the observable of a name in the list; the list's size if there is none.
constexpr std::size_t observable_index(std::string_view name) {
  std::size_t index = 0;
  while (index < observables.size() && observables[index].name != name) ++index;
  return index;
}

/// Observables of a member that knows none: NaN each. So many of them are defined by its deck.
inline std::vector<double> unknown_observables(std::size_t defined = 0) {
  return std::vector<double>(observables.size() + defined, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace rodeo
