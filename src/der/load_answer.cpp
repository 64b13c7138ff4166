#include "load_answer.hpp"

#include <algorithm>
#include <vector>

namespace rodeo::der {

namespace {

using tangent::element_unknown;

/// Degrees of freedom that move an unknown of three numbers, and by how much each.
struct Movers {
  int count = 0;
  int dof[7];
  Vec3 way[7];

  void add(int d, const Vec3& w) {
    dof[count] = d;
    way[count++] = w;
  }
};

/// Movers of a node, or of the turn of an element.
Movers movers(const RodView& rod, int unknown) {
  constexpr Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Movers of;
  const int i = unknown / 6;
  if (unknown % 6 == 0) {
    for (int c = 0; c < 3; ++c) of.add(4 * i + c, axes[c]);
    return of;
  }
  const Directors frame = directors(rod.quaternion(i));
  const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
  const double inverse = 1.0 / norm(edge);
  const Vec3 tangent = inverse * edge;
  Vec3 turns[3];
  for (int c = 0; c < 3; ++c) turns[c] = inverse * frame.to_body(cross(tangent, axes[c]));
  for (int c = 0; c < 3; ++c) of.add(4 * i + c, -1.0 * turns[c]);
  of.add(4 * i + 3, frame.to_body(tangent));
  for (int c = 0; c < 3; ++c) of.add(4 * i + 4 + c, turns[c]);
  return of;
}

/// Movers of an edge.
Movers edge_movers(int element) {
  constexpr Vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Movers of;
  for (int c = 0; c < 3; ++c) of.add(4 * element + c, -1.0 * axes[c]);
  for (int c = 0; c < 3; ++c) of.add(4 * element + 4 + c, axes[c]);
  return of;
}

void add_derivative(const Movers& row, const Matrix3& derivative, const Movers& column, LoadAnswer& to) {
  for (int b = 0; b < column.count; ++b) {
    const Vec3 change = derivative * column.way[b];
    for (int a = 0; a < row.count; ++a) to.at(row.dof[a], column.dof[b]) += dot(row.way[a], change);
  }
}

/// A block of a symmetric matrix of which the entries on and below the diagonal are given.
Matrix3 block_of(const tangent::RodMatrix& matrix, int row, int column) {
  double entries[3][3];
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      const int i = std::max(row + a, column + b);
      const int j = std::min(row + a, column + b);
      entries[a][b] = i - j <= tangent::half_bandwidth ? matrix.at(i, j) : 0.0;
    }
  }
  return {{entries[0][0], entries[0][1], entries[0][2]},
          {entries[1][0], entries[1][1], entries[1][2]},
          {entries[2][0], entries[2][1], entries[2][2]}};
}

}  // namespace

void set_load_answer(const coupling::LoadTangent& loads, const RodStep& step, double time, double part,
                     LoadAnswer& answer) {
  const RodView& rod = step.rod;
  std::vector<coupling::LoadBlock> blocks;
  loads.set_blocks(rod, time, part, blocks);
  for (int i = 0; i < rod.elements; ++i) {
    const Vec3 couple = directors(rod.quaternion(i)).to_body(step.couple[static_cast<std::size_t>(i)]);
    blocks.push_back({element_unknown(i), element_unknown(i), cross_matrix(0.5 * couple)});
  }
  tangent::RodMatrix of_energy(tangent::unknowns(rod.elements));
  loads.add(rod, time, part, of_energy);
  constexpr int widest = 3;  // unknowns of one element
  for (int row = 0; row < of_energy.size(); row += 3) {
    for (int column = std::max(0, row - 3 * (widest - 1)); column <= row; column += 3) {
      const Matrix3 block = block_of(of_energy, row, column);
      blocks.push_back({row, column, block});
      if (column < row) blocks.push_back({column, row, transpose(block)});
    }
  }
  std::vector<Movers> all;
  for (int unknown = 0; unknown < of_energy.size(); unknown += 3) all.push_back(movers(rod, unknown));
  const auto moving = [&](int unknown) -> const Movers& {
    return all[static_cast<std::size_t>(unknown / 3)];
  };
  answer.set_zero();
  for (const coupling::LoadBlock& block : blocks)
    add_derivative(moving(block.row), block.derivative, moving(block.column), answer);
  for (int i = 0; i < rod.elements; ++i) {
    const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
    const double size = 0.5 * dot(step.couple[static_cast<std::size_t>(i)], edge) / dot(edge, edge);
    const Movers moves = edge_movers(i);
    add_derivative(moves, cross_matrix((size / dot(edge, edge)) * edge), moves, answer);
  }
}

}  // namespace rodeo::der
