#pragma once

#include "rodeo/coupling/load_tangent.hpp"
#include "rodeo/der/rod_step.hpp"

namespace rodeo::der {

/// Sets the derivatives of minus the loads on a rod by its degrees of freedom in the state of its arrays,
/// without those of couples as such (edge_loads.hpp): how forces turn, and couples change, as elements do.
/// `part` of the loads acts in the step.
///
/// The derivatives by nodes and turns of elements are those of coupling::LoadTangent. An element's turn
/// (body) is T q of the degrees of freedom of its edge and angle, and a couple m (body) on it works on these
/// by T' m. What LoadTangent leaves out of the derivatives of couples, [m]/2, is added here. And a frame that
/// its edge e = |e| t has carried to e + x turns about t by -t.(x cross y)/(2 |e|^2) besides as it goes on by
/// y (TurnedEdge), on which the part of a couple along t works.
void set_load_answer(const coupling::LoadTangent& loads, const RodStep& step, double time, double part,
                     LoadAnswer& answer);

}  // namespace rodeo::der
