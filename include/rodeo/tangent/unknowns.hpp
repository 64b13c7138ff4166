#pragma once

namespace rodeo::tangent {

// Unknowns of a rod of n elements are x0 q0 x1 q1 ... xn, three numbers each: a node's displacement
// (laboratory, m), and the rotation vector phi of an element's turn R <- R exp(phi) (body, rad).

constexpr int unknowns(int elements) { return 6 * elements + 3; }
constexpr int node_unknown(int node) { return 6 * node; }
constexpr int element_unknown(int element) { return 6 * element + 3; }

}  // namespace rodeo::tangent
