#include "rodeo/tangent/mixed_tangent.hpp"

#include <algorithm>

#include "rodeo/tangent/bend_twist.hpp"
#include "rodeo/tangent/shear_stretch.hpp"

namespace rodeo::tangent {

namespace {

/// Adds a block below the diagonal, or the lower half of one on it.
void add(MixedBand& band, int row, int column, const Matrix3& block) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (row + i >= column + j) band.at(row + i, column + j) += block(i, j);
    }
  }
}

void add_element(MixedMatrix& hessian, int i, const ShearStretch<double>& element, const Vec3& p) {
  MixedBand& band = hessian.band();
  const int first = mixed_place(node_unknown(i));
  const int turn = mixed_place(element_unknown(i));
  const int force = force_place(i);
  const int last = mixed_place(node_unknown(i + 1));
  const double share = hessian.share();
  ShearStretch<double> in_band = element;
  in_band.elastic.stiffness = share * element.elastic.stiffness;
  const ElementHessian<double> second = share > 0.0 ? in_band.hessian(p) : element.geometric(p);
  if (share > 0.0) {
    add(band, first, first, second.edge_edge);
    add(band, last, first, -1.0 * second.edge_edge);
    add(band, last, last, second.edge_edge);
  }
  add(band, turn, first, -1.0 * transpose(second.edge_turn));
  add(band, turn, turn, second.turn_turn);
  add(band, last, turn, second.edge_turn);
  // The strain R' (x+ - x) - l n e3 changes by R' d(edge) + b x phi.
  const Matrix3 to_laboratory = to_laboratory_matrix(element.frame);
  add(band, force, first, -1.0 * transpose(to_laboratory));
  add(band, force, turn, cross_matrix(element.body_edge));
  add(band, last, force, to_laboratory);
  const Vec3 rest = element.elastic.stiffness - in_band.elastic.stiffness;
  const double compliance[] = {1.0 / rest.x, 1.0 / rest.y, 1.0 / rest.z};
  for (int c = 0; c < 3; ++c) band.at(force + c, force + c) = -compliance[c];
}

}  // namespace

void mixed_hessian(const ConstRodView& rod, ClampedEnds ends, MixedMatrix& hessian, const RodStress* stress) {
  MixedBand& band = hessian.band();
  band.set_zero();
  for (int i = 0; i < rod.elements; ++i) {
    const auto element = ShearStretch<double>::of(rod, i);
    add_element(hessian, i, element, stress ? stress->forces()(i) : element.stress);
  }
  for (int i = ends.first ? -1 : 0; i < rod.elements - (ends.last ? 0 : 1); ++i) {
    const auto region = BendTwist<double>::of(rod, i);
    const RegionHessian<double> second = region.hessian(stress ? stress->couples()(i) : region.couple);
    const int before = mixed_place(element_unknown(i));
    const int after = mixed_place(element_unknown(i + 1));
    const bool has_after = i + 1 < rod.elements;
    if (i >= 0) add(band, before, before, second.before_before);
    if (has_after) add(band, after, after, second.after_after);
    if (i >= 0 && has_after) add(band, after, before, second.after_before);
  }
}

void MixedMatrix::multiply(const double* x, double* product) const {
  std::vector<double> whole(static_cast<std::size_t>(band_.size()));
  std::vector<double> image(whole.size());
  for (int i = 0; i < size(); ++i) whole[static_cast<std::size_t>(mixed_place(i))] = x[i];
  std::vector<double> forces;
  for (int i = 0; i < elements_; ++i) {
    for (int k = force_place(i); k < force_place(i) + 3; ++k)
      forces.push_back(-band_.row_times(k, whole.data()) / *band_.column(k));
  }
  for (int i = 0; i < elements_; ++i) std::copy_n(forces.data() + 3 * i, 3, whole.data() + force_place(i));
  band_.multiply(whole.data(), image.data());
  for (int i = 0; i < size(); ++i) product[i] = image[static_cast<std::size_t>(mixed_place(i))];
}

int MixedFactors::factor(const MixedMatrix& matrix) {
  return static_cast<int>(factors_.factor(matrix.band()).negative) - forces_of(elements_);
}

template <class Number>
void MixedFactors::solve(Number* vector, Number* forces) const {
  std::vector<Number> whole(static_cast<std::size_t>(factors_.size()), Number(0.0));
  for (int i = 0; i < unknowns(elements_); ++i) whole[static_cast<std::size_t>(mixed_place(i))] = vector[i];
  factors_.solve(whole.data());
  for (int i = 0; i < unknowns(elements_); ++i) vector[i] = whole[static_cast<std::size_t>(mixed_place(i))];
  if (forces == nullptr) return;
  for (int i = 0; i < elements_; ++i) {
    for (int c = 0; c < 3; ++c) *forces++ = whole[static_cast<std::size_t>(force_place(i) + c)];
  }
}

template void MixedFactors::solve(double*, double*) const;
template void MixedFactors::solve(DoublePack*, DoublePack*) const;

}  // namespace rodeo::tangent
