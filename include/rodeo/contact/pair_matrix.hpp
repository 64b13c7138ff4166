#pragma once

#include <algorithm>

namespace rodeo::contact {

/// Two segments, x0 to x1 and x2 to x3.
inline constexpr int pair_nodes = 4;
inline constexpr int pair_size = 3 * pair_nodes;

/// A square matrix over the components of a pair's ends and, behind these, as many turns of its first segment
/// and of its second.
class PairMatrix {
 public:
  static constexpr int most_turns = 3;  ///< of a segment
  static constexpr int most = pair_size + 2 * most_turns;

  explicit PairMatrix(int turns = 0) : turns_(turns), size_(pair_size + 2 * turns) {
    std::fill_n(entries_, size_ * size_, 0.0);
  }

  int turns() const { return turns_; }
  int size() const { return size_; }

  double* operator[](int row) { return entries_ + row * size_; }
  const double* operator[](int row) const { return entries_ + row * size_; }

  /// All of them, row by row.
  double* begin() { return entries_; }
  double* end() { return entries_ + size_ * size_; }
  const double* begin() const { return entries_; }
  const double* end() const { return entries_ + size_ * size_; }

 private:
  int turns_;
  int size_;
  double entries_[most * most];
};

}  // namespace rodeo::contact
