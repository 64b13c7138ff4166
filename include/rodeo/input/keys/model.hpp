#pragma once

#include <array>

#include "rodeo/input/key_rows.hpp"
#include "rodeo/models/models.hpp"

namespace rodeo::keys {

inline constexpr FixedText what_members_advance_with = [] {
  FixedText text("what a member advances with: ");
  for (const Model& model : model_table) {
    if (!is_default(model)) continue;
    if (&model != &model_table.front()) text += &model == &model_table.back() ? ", or " : ", ";
    text += model.text;
  }
  return text;
}();

/// Models, and those without rods.
inline constexpr auto model = std::to_array<KeyInfo>({
    choice<&SharedSpec::model>("model.kind", "cosserat", what_members_advance_with.view()),
    flag<&SharedSpec::single_precision>(
        "model.precision", "double", "double|single",
        "of the arithmetic of a step of cosserat: single is about 1.5 times as fast, and its forces are "
        "right to about 1e-7 of the stiffest; contact, observables and frames are double in either"),
    flag<&SharedSpec::on_device>(
        "model.device", "host", "host|gpu",
        "what takes the explicit steps of cosserat: the cores of the host, or a GPU, which is faster for "
        "dozens of members and more and takes neither contact, motions, connections, formulas nor sections "
        "with two bend stiffnesses; results differ by rounding"),
    choice("model.section", "rigid", "rigid|incompressible|published",
           "what becomes of sections as a rod stretches: rigid: they stay; incompressible: their area falls "
           "as 1/e, and forces are all of the derivative of the energy with stiffnesses S/e and B/E^3; "
           "published: that law as eqs 2.10, 3.8 and 3.9 have it, without what the stiffnesses of such an "
           "energy do to the tension, so that undamped rods gain or lose energy; the last two are for "
           "explicit steps of cosserat"),
    flag<&SharedSpec::published_laws>(
        "model.laws", "consistent", "consistent|published",
        "published: as Tong et al. (2023) print them, the bend stiffness of der falls by the squared cosine "
        "of half the twist between elements, and friction of imc and ipc acts on centre lines, also of "
        "elements along each other in their closest points"),
    real<&SharedSpec::noop_seconds>("noop.seconds", "s", "0", not_negative,
                                    "time a member of model.kind = noop waits"),
    choice<&FunctionSpec::kind>("function.name", "sphere",
                                "function that a member of model.kind = function reports as function_value"),
    real_list<&FunctionSpec::x>("function.x", "1", "point at which the function is taken"),
    real<&FunctionSpec::deviation>("function.noise", "1", "0", not_negative,
                                   "standard deviation of a normal random number that is added to the value"),
    real<&FunctionSpec::seconds>("function.seconds", "s", "0", not_negative,
                                 "time a member of model.kind = function waits"),
    real<&FunctionSpec::slowest>(
        "function.slowest", "1", "1", {.minimum = 1.0},
        "members wait between function.seconds and this many times as long, at random"),
});

}  // namespace rodeo::keys
