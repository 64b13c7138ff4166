#include "rodeo/der/constraints.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "end_entries.hpp"

namespace rodeo::der {

namespace {

/// v <- P v.
void project(const double (&p)[3][3], double& x, double& y, double& z) {
  const double v[3] = {x, y, z};
  x = p[0][0] * v[0] + p[0][1] * v[1] + p[0][2] * v[2];
  y = p[1][0] * v[0] + p[1][1] * v[1] + p[1][2] * v[2];
  z = p[2][0] * v[0] + p[2][1] * v[1] + p[2][2] * v[2];
}

/// Projects the components of two nodes, v <- P v, each through at(0) to at(5).
template <class At>
void project(const double (&p)[6][6], const At& at) {
  double v[6];
  for (int k = 0; k < 6; ++k) v[k] = at(k);
  for (int k = 0; k < 6; ++k) {
    double sum = 0.0;
    for (int m = 0; m < 6; ++m) sum += p[k][m] * v[m];
    at(k) = sum;
  }
}

/// Takes a direction that is not free out of P, if something is left of it (Gram and Schmidt, twice for
/// rounding).
void forbid(const double (&direction)[6], double (&p)[6][6]) {
  constexpr double smallest = 1e-20;  // square of the rounding of a direction
  double u[6];
  std::ranges::copy(direction, u);
  double square = 0.0;
  for (int pass = 0; pass < 2; ++pass) {
    project(p, [&](int k) -> double& { return u[k]; });
    square = 0.0;
    for (const double x : u) square += x * x;
    if (square < smallest) return;
    for (double& x : u) x /= std::sqrt(square);
  }
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) p[i][j] -= u[i] * u[j];
  }
}

/// Largest entry on the diagonal, of those at entry(0) to entry(count - 1); 1 if all are zero. What is held
/// gets it as stiffness: a number of another size would be lost in the rounding of P A P, or that in it.
template <class Entry>
double typical_stiffness(BandedMatrix& matrix, int count, const Entry& entry) {
  double largest = 0.0;
  for (int k = 0; k < count; ++k) largest = std::max(largest, std::abs(matrix.at(entry(k), entry(k))));
  return largest > 0.0 ? largest : 1.0;
}

}  // namespace

Constraints::Constraints(int degrees_of_freedom, const coupling::Ties& ties)
    : ties_(ties), bond_at_(static_cast<std::size_t>(degrees_of_freedom), -1) {}

void Constraints::bind_ends(int first, int elements, const EndFreedom (&ends)[2]) {
  first_.push_back(first);
  for (int end = 0; end < 2; ++end) {
    const EndFreedom& freedom = ends[end];
    const EndEntries at = end_entries(elements, end);
    if (freedom.held || freedom.slides) {
      Bond& bond = end_bonds_.emplace_back(Bond{first + at.node, {}});
      const double a[3] = {freedom.axis.x, freedom.axis.y, freedom.axis.z};
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) bond.p[i][j] = freedom.held ? 0.0 : a[i] * a[j];
      }
    }
    if (!freedom.element_held) continue;
    end_bonds_.push_back({first + at.next_node, {}});
    end_held_angles_.push_back(first + at.angle);
  }
}

void Constraints::hold(const std::vector<HeldNode>& nodes, std::vector<HeldElement> elements) {
  bonds_ = end_bonds_;
  held_angles_ = end_held_angles_;
  edges_.clear();
  held_elements_ = std::move(elements);
  for (const HeldNode& node : nodes) {
    Bond& bond = bond_for(node.dof);
    for (int c = 0; c < 3; ++c) {
      if (node.held[c]) bond.p[c][c] = 0.0;
    }
  }
  moves_ = !nodes.empty() || !held_elements_.empty();
  bind_ties();
  std::ranges::fill(bond_at_, -1);
  for (std::size_t k = bonds_.size(); k-- > 0;)
    bond_at_[static_cast<std::size_t>(bonds_[k].dof)] = static_cast<int>(k);
  for (const HeldElement& held : held_elements_) {
    const int dof = first_[held.rod] + 4 * held.element;
    held_angles_.push_back(dof + 3);
    edges_.push_back({dof, {}});
  }
  is_free_.assign(bond_at_.size(), true);
  const auto hold_node = [this](int dof) { std::fill_n(is_free_.begin() + dof, 3, false); };
  for (const Bond& bond : bonds_) hold_node(bond.dof);
  for (const Edge& edge : edges_) {
    hold_node(edge.dof);
    hold_node(edge.dof + 4);
  }
  for (const int angle : held_angles_) is_free_[static_cast<std::size_t>(angle)] = false;
}

/// The first bond of a node; one that leaves it free is made where there is none.
Constraints::Bond& Constraints::bond_for(int dof) {
  const auto bond = std::ranges::find(bonds_, dof, &Bond::dof);
  if (bond != bonds_.end()) return *bond;
  return bonds_.emplace_back(Bond{dof, {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}});
}

/// Gives tied nodes the part that is free for all of them.
void Constraints::bind_ties() {
  const auto is_bound = [this](int dof) {
    return std::ranges::find(bonds_, dof, &Bond::dof) != bonds_.end();
  };
  for (const coupling::Ties::Follower& f : ties_.followers()) {
    if (!is_bound(f.unknown)) continue;
    const Bond own = bond_for(f.unknown);
    Bond& leader = bond_for(f.leader);
    for (int j = 0; j < 3; ++j) project(own.p, leader.p[0][j], leader.p[1][j], leader.p[2][j]);
  }
  for (const coupling::Ties::Follower& f : ties_.followers()) {
    if (!is_bound(f.leader)) continue;
    Bond bond = bond_for(f.leader);
    bond.dof = f.unknown;
    bond_for(f.unknown) = bond;
  }
}

const Constraints::Bond* Constraints::bond_of(int dof) const {
  const int bond = bond_at_[static_cast<std::size_t>(dof)];
  return bond >= 0 ? &bonds_[static_cast<std::size_t>(bond)] : nullptr;
}

/// Sets the projections of held edges: along the elements' frames, and as bonds hold their nodes.
void Constraints::set_edges() {
  for (std::size_t k = 0; k < edges_.size(); ++k) {
    Edge& edge = edges_[k];
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) edge.p[i][j] = i == j ? 1.0 : 0.0;
    }
    for (const int node : {0, 1}) {
      const Bond* const bond = bond_of(edge.dof + 4 * node);
      if (bond == nullptr) continue;
      for (int i = 0; i < 3; ++i) {
        double direction[6] = {};
        for (int j = 0; j < 3; ++j) direction[3 * node + j] = (i == j ? 1.0 : 0.0) - bond->p[i][j];
        forbid(direction, edge.p);
      }
    }
    const Directors d = directors(held_elements_[k].frame);
    for (const Vec3& across : {d.d1, d.d2}) {
      forbid({-across.x, -across.y, -across.z, across.x, across.y, across.z}, edge.p);
    }
  }
}

void Constraints::constrain(std::vector<double>& force) const {
  ties_.gather(force);
  hold(force);
}

void Constraints::hold(std::vector<double>& displacement) const {
  for (const Bond& bond : bonds_) {
    double* const u = displacement.data() + bond.dof;
    project(bond.p, u[0], u[1], u[2]);
  }
  for (const Edge& edge : edges_) {
    double* const u = displacement.data() + edge.dof;
    project(edge.p, [&](int k) -> double& { return u[k < 3 ? k : k + 1]; });
  }
  for (const int angle : held_angles_) displacement[static_cast<std::size_t>(angle)] = 0.0;
}

/// P A P + k (1 - P), with a stiffness k, for the rows and columns of nodes and angles that are not free.
void Constraints::constrain(BandedMatrix& matrix) const {
  for (const Bond& bond : bonds_) {
    const int node = bond.dof;
    const double stiffness = typical_stiffness(matrix, 3, [node](int k) { return node + k; });
    const int begin = std::max(node + 2 - matrix.bandwidth(), 0);
    const int stop = std::min(node + matrix.bandwidth() + 1, matrix.size());
    for (int j = begin; j < stop; ++j) {
      project(bond.p, matrix.at(node, j), matrix.at(node + 1, j), matrix.at(node + 2, j));
    }
    for (int i = begin; i < stop; ++i) {
      project(bond.p, matrix.at(i, node), matrix.at(i, node + 1), matrix.at(i, node + 2));
    }
    if (!ties_.leads(node)) continue;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        matrix.at(node + i, node + j) += stiffness * ((i == j ? 1.0 : 0.0) - bond.p[i][j]);
    }
  }
  for (const Edge& edge : edges_) {
    const auto entry = [&](int k) { return edge.dof + (k < 3 ? k : k + 1); };
    const double stiffness = typical_stiffness(matrix, 6, entry);
    const int begin = std::max(entry(5) - matrix.bandwidth(), 0);
    const int stop = std::min(entry(0) + matrix.bandwidth() + 1, matrix.size());
    for (int j = begin; j < stop; ++j) {
      project(edge.p, [&](int k) -> double& { return matrix.at(entry(k), j); });
    }
    for (int i = begin; i < stop; ++i) {
      project(edge.p, [&](int k) -> double& { return matrix.at(i, entry(k)); });
    }
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j)
        matrix.at(entry(i), entry(j)) += stiffness * ((i == j ? 1.0 : 0.0) - edge.p[i][j]);
    }
  }
  for (const int angle : held_angles_) {
    const int begin = std::max(angle - matrix.bandwidth(), 0);
    const int stop = std::min(angle + matrix.bandwidth() + 1, matrix.size());
    for (int j = begin; j < stop; ++j) matrix.at(angle, j) = matrix.at(j, angle) = angle == j ? 1.0 : 0.0;
  }
}

/// P A P for a pair that has nodes or angles which are not free.
void Constraints::constrain(const coupling::PairNodes& nodes, contact::PairMatrix& block) const {
  const int size = block.size();
  for (int k = 0; k < contact::pair_nodes; ++k) {
    const Bond* const bond = bond_of(nodes[static_cast<std::size_t>(k)]);
    if (bond == nullptr) continue;
    const int i = 3 * k;
    for (int j = 0; j < size; ++j) project(bond->p, block[i][j], block[i + 1][j], block[i + 2][j]);
    for (int j = 0; j < size; ++j) project(bond->p, block[j][i], block[j][i + 1], block[j][i + 2]);
  }
  for (const Edge& edge : edges_) {
    for (const int first : {0, 6}) constrain(edge, nodes[static_cast<std::size_t>(first / 3)], first, block);
  }
  if (block.turns() == 0) return;
  const coupling::PairPlaces places{nodes, block.turns()};
  for (int k = contact::pair_nodes; k < places.count(); ++k) {
    if (std::ranges::find(held_angles_, places.first(k)) == held_angles_.end()) continue;
    const int i = places.row(k);
    for (int j = 0; j < size; ++j) block[i][j] = block[j][i] = 0.0;
  }
}

/// P A P for one element of a pair, whose components begin at `first`: all of the held edge or the part of
/// a node that it has in common with it.
void Constraints::constrain(const Edge& edge, int node, int first, contact::PairMatrix& block) {
  const int offset = edge.dof - node;
  if (offset != 0 && offset != 4 && offset != -4) return;
  double p[6][6] = {};
  const int shift = offset / 4 * 3;  // from components of the pair's element to those of the held edge
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      const bool known = i - shift >= 0 && i - shift < 6 && j - shift >= 0 && j - shift < 6;
      p[i][j] = known ? edge.p[i - shift][j - shift] : i == j ? 1.0 : 0.0;
    }
  }
  for (int j = 0; j < block.size(); ++j) {
    project(p, [&](int k) -> double& { return block[first + k][j]; });
  }
  for (int j = 0; j < block.size(); ++j) {
    project(p, [&](int k) -> double& { return block[j][first + k]; });
  }
}

void Constraints::leave_out(const coupling::PairPlaces& places, contact::PairProduct& product) const {
  for (int k = 0; k < places.count(); ++k) {
    for (int c = 0; c < places.size(k); ++c) {
      if (is_free(places.first(k) + c)) continue;
      product.column[places.row(k) + c] = 0.0;
      product.row[places.row(k) + c] = 0.0;
    }
  }
}

/// P A P for one of the places of a link, whose rows and columns begin at `begin`.
void Constraints::constrain(const coupling::Span& span, int begin, coupling::SpanMatrix& block) const {
  for (int offset = 0; offset < span.size; offset += 4) {
    const int node = span.first + offset;
    const int k = begin + offset;
    const Bond* const bond = bond_of(node);
    if (bond != nullptr) {
      for (int j = 0; j < 2 * coupling::span_size; ++j) {
        project(bond->p, block[k][j], block[k + 1][j], block[k + 2][j]);
      }
      for (auto& row : block) project(bond->p, row[k], row[k + 1], row[k + 2]);
    }
    const auto edge = std::ranges::find(edges_, node, &Edge::dof);
    if (edge != edges_.end() && offset + 4 < span.size) {
      const auto entry = [&](int c) { return k + (c < 3 ? c : c + 1); };
      for (int j = 0; j < 2 * coupling::span_size; ++j) {
        project(edge->p, [&](int c) -> double& { return block[entry(c)][j]; });
      }
      for (auto& row : block) {
        project(edge->p, [&](int c) -> double& { return row[entry(c)]; });
      }
    }
    if (offset + 4 >= span.size || std::ranges::find(held_angles_, node + 3) == held_angles_.end()) continue;
    for (int j = 0; j < 2 * coupling::span_size; ++j) block[k + 3][j] = block[j][k + 3] = 0.0;
  }
}

}  // namespace rodeo::der
