#include "rodeo/tangent/seam.hpp"

#include <algorithm>

namespace rodeo::tangent {

namespace {

constexpr int next_rows = node_unknown(1);

int last_rows(int elements) { return node_unknown(elements - 1); }

}  // namespace

Seam::Seam(const ConstRodView& rod, const Quaternion& turn)
    : rod_(rod),
      own_(size),
      complement_(size),
      answers_(static_cast<std::size_t>(unknowns(rod.elements))),
      factors_(size),
      ghosts_(static_cast<std::size_t>(element_unknown(rod.elements) + 3)) {
  set_turn(turn);
}

void Seam::set_turn(const Quaternion& turn) { across_ = to_laboratory_matrix(directors(turn)); }

BendTwist<double> Seam::region() const { return BendTwist<double>::of(rod_, rod_.elements - 1); }

/// A turn phi of element 0 turns its ghost by seam' phi.
void Seam::close(std::span<double> gradient) const {
  double* const ghost = gradient.data() + node_unknown(rod_.elements);
  const Vec3 couple = across_ * region().gradient().after;
  const std::array<double, 3> on_element = {couple.x, couple.y, couple.z};
  for (std::size_t c = 0; c < 3; ++c) {
    gradient[c] += ghost[c];
    gradient[3 + c] += on_element[c];
    ghost[c] = 0.0;
  }
}

Seam::Blocks Seam::blocks(const RodStress* stress) const {
  const BendTwist<double> bent = region();
  const RegionHessian<double> second =
      bent.hessian(stress ? stress->couples()(rod_.elements - 1) : bent.couple);
  return {across_ * second.after_after * transpose(across_), transpose(across_ * second.after_before)};
}

void Seam::cut(RodMatrix& matrix, const RodStress* stress) {
  const int n = rod_.elements;
  const auto [on_element, to_last] = blocks(stress);
  const int ghost = node_unknown(n);
  const auto meet = [&](int row, int column) {
    return row - column <= half_bandwidth ? matrix.at(row, column) : 0.0;
  };
  for (int j = 0; j < size; ++j) {
    const bool of_node = j < 3;
    for (int i = j; i < size; ++i) {
      double entry = matrix.at(i, j);
      if (i < 3) entry += matrix.at(ghost + i, ghost + j);
      if (!of_node) entry += on_element(i - 3, j - 3);
      own_.at(i, j) = entry;
    }
    for (int i = 0; i < size; ++i) {
      const auto row = static_cast<std::size_t>(i);
      const auto column = static_cast<std::size_t>(j);
      next_[row][column] = meet(next_rows + i, j);
      last_[row][column] = of_node ? meet(ghost + j, last_rows(n) + i) : i < 3 ? 0.0 : to_last(i - 3, j - 3);
    }
  }
  for (int i = 0; i < size; ++i) matrix.hold(i);
  for (int c = 0; c < 3; ++c) matrix.hold(ghost + c);
}

void Seam::hold(int unknown) {
  const auto clear_row = [&](Rows& rows, int first) {
    if (unknown >= first && unknown < first + size) rows[static_cast<std::size_t>(unknown - first)].fill(0.0);
  };
  clear_row(next_, next_rows);
  clear_row(last_, last_rows(rod_.elements));
  if (unknown >= size) return;
  own_.hold(unknown);
  for (Rows* const rows : {&next_, &last_}) {
    for (auto& row : *rows) row[static_cast<std::size_t>(unknown)] = 0.0;
  }
}

void Seam::complete_product(std::span<const double> x, std::span<double> product) const {
  std::array<double, size> own;
  own_.multiply(x.data(), own.data());
  const double* const next = x.data() + next_rows;
  const double* const last = x.data() + last_rows(rod_.elements);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      own[j] += next_[i][j] * next[i] + last_[i][j] * last[i];
      product[next_rows + i] += next_[i][j] * x[j];
      product[static_cast<std::size_t>(last_rows(rod_.elements)) + i] += last_[i][j] * x[j];
    }
  }
  std::ranges::copy(own, product.begin());
  std::fill_n(product.data() + node_unknown(rod_.elements), 3, 0.0);
}

Pivots<double> Seam::factor(const RodFactors& factors, std::span<const double> added) {
  const auto pack = [](const std::array<double, size>& row) {
    DoublePack entries(0.0);
    for (std::size_t j = 0; j < size; ++j) entries.set(static_cast<int>(j), row[j]);
    return entries;
  };
  DoublePack* const next = answers_.data() + next_rows;
  DoublePack* const last = answers_.data() + last_rows(rod_.elements);
  std::ranges::fill(answers_, DoublePack(0.0));
  for (std::size_t i = 0; i < size; ++i) {
    next[i] += pack(next_[i]);
    last[i] += pack(last_[i]);
  }
  factors.solve(answers_.data());
  for (int j = 0; j < size; ++j) {
    DoublePack meeting(0.0);
    for (std::size_t i = 0; i < size; ++i) {
      const auto column = static_cast<std::size_t>(j);
      meeting += DoublePack(next_[i][column]) * next[i] + DoublePack(last_[i][column]) * last[i];
    }
    for (int i = j; i < size; ++i) complement_.at(i, j) = own_.at(i, j) - meeting[i];
    complement_.at(j, j) += added[static_cast<std::size_t>(j)];
  }
  return factors_.factor(complement_);
}

template <class Number>
void Seam::solve(const RodFactors& factors, std::span<Number> vector) const {
  std::array<Number, size> own;
  std::copy_n(vector.data(), size, own.data());
  std::fill_n(vector.data(), size, Number(0.0));
  std::fill_n(vector.data() + node_unknown(rod_.elements), 3, Number(0.0));
  factors.solve(vector.data());
  const Number* const next = vector.data() + next_rows;
  const Number* const last = vector.data() + last_rows(rod_.elements);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j)
      own[j] -= Number(next_[i][j]) * next[i] + Number(last_[i][j]) * last[i];
  }
  factors_.solve(own.data());
  for (std::size_t k = 0; k < vector.size(); ++k) {
    for (std::size_t j = 0; j < size; ++j) vector[k] -= Number(answers_[k][static_cast<int>(j)]) * own[j];
  }
  std::copy_n(own.data(), size, vector.data());
}

template void Seam::solve(const RodFactors&, std::span<double>) const;
template void Seam::solve(const RodFactors&, std::span<DoublePack>) const;

std::span<const double> Seam::with_ghosts(std::span<const double> step) {
  double* const ghost = ghosts_.data() + node_unknown(rod_.elements);
  std::ranges::copy(step, ghosts_.begin());
  std::copy_n(step.data(), 3, ghost);
  const Vec3 turn = Vec3{step[3], step[4], step[5]} * across_;
  ghost[3] = turn.x;
  ghost[4] = turn.y;
  ghost[5] = turn.z;
  return ghosts_;
}

}  // namespace rodeo::tangent
