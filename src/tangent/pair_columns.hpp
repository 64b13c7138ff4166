#pragma once

#include "rodeo/math/pack.hpp"
#include "rodeo/tangent/bend_twist.hpp"
#include "rodeo/tangent/rod_tangent.hpp"
#include "rodeo/tangent/shear_stretch.hpp"

namespace rodeo::tangent {

inline constexpr int pair_size = 6;  // unknowns of a node and the element after it
inline constexpr int pair_entries = pair_size * (half_bandwidth + 1);  // of their columns

/// Highest derivative to evaluate; lower ones are included.
enum class Order { energy, gradient, hessian };

/// Columns of a node and the element after it, entry by entry, as RodMatrix stores them. Blocks on the
/// diagonal are those of the node, which both of its elements give it, and of the element's turn, which its
/// regions and itself do; next_turn is the region's between this element and the next.
[[gnu::always_inline]] inline void fill_columns(const BasicMatrix3<DoublePack>& node,
                                                const ElementHessian<DoublePack>& element,
                                                const BasicMatrix3<DoublePack>& turn,
                                                const BasicMatrix3<DoublePack>& next_turn,
                                                DoublePack* entries) {
  const DoublePack zero(0.0);
#pragma GCC unroll 3
  for (int c = 0; c < 3; ++c) {  // of the node
#pragma GCC unroll 9
    for (int row = c; row <= c + half_bandwidth; ++row) {
      *entries++ = row < 3   ? node(row, c)
                   : row < 6 ? -element.edge_turn(c, row - 3)
                   : row < 9 ? -element.edge_edge(row - 6, c)
                             : zero;
    }
  }
#pragma GCC unroll 3
  for (int c = 0; c < 3; ++c) {  // of the element
#pragma GCC unroll 9
    for (int row = c; row <= c + half_bandwidth; ++row) {
      *entries++ = row < 3   ? turn(row, c)
                   : row < 6 ? element.edge_turn(row - 3, c)
                   : row < 9 ? next_turn(row - 6, c)
                             : zero;
    }
  }
}

}  // namespace rodeo::tangent
