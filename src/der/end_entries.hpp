#pragma once

namespace rodeo::der {

/// First degrees of freedom of a rod's end nodes, of the nodes next to them and of the angles of the elements
/// between, within the rod.
struct EndEntries {
  int node;
  int next_node;
  int angle;
};
inline EndEntries end_entries(int elements, int end) {
  const int last = 4 * elements;
  return end == 0 ? EndEntries{0, 4, 3} : EndEntries{last, last - 4, last - 1};
}

}  // namespace rodeo::der
