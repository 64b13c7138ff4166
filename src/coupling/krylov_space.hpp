#pragma once

#include <vector>

#include <Eigen/Core>

#include "rodeo/coupling/modes.hpp"

namespace rodeo::coupling {

/// Vectors, orthonormal in the measure of the mass, that span the images of others under A = (K + shift M)^-1
/// M, and A in their terms, by the block methods of Lanczos, with full orthogonalisation, and of Arnoldi,
/// where K is not symmetric (Golub and Van Loan, sections 10.3 and 10.5). Eight vectors at a time find as
/// many modes of one frequency.
class KrylovSpace {
 public:
  static constexpr int lanes = 8;
  using Square = Eigen::Matrix<double, lanes, lanes>;
  enum class Symmetry { symmetric, none };

  /// Space of rods that have been factored by the shift, without the motions that are left out.
  KrylovSpace(const Vibrating& rods, Symmetry symmetry, const std::vector<std::vector<double>>& left_out);

  Eigen::Index size() const { return static_cast<Eigen::Index>(blocks_.size()) * lanes; }
  /// Whether the space cannot grow.
  bool complete() const { return kept_ == 0; }

  void grow();

  /// A in terms of the vectors.
  const Eigen::MatrixXd& projected() const { return projected_; }

  /// Norm of A y - theta y of a Ritz vector y, real or complex.
  template <class Vector>
  double residual(const Vector& ritz) const {
    const auto last = ritz.template tail<lanes>().eval();
    return std::sqrt(std::max(0.0, std::real(last.dot(left_ * last))));
  }

  /// The vectors of such columns of terms.
  std::vector<std::vector<double>> vectors(const Eigen::MatrixXd& terms) const;

 private:
  using Block = std::vector<DoublePack>;  ///< eight vectors side by side

  static Square products(const Block& a, const Block& b);
  void find_momenta();
  Square take_out(const Block& block);
  void leave_out();
  void orthonormalize();
  void make_symmetric(Eigen::Index last, int kept);
  double largest_image() const;

  const Vibrating& rods_;
  Symmetry symmetry_;
  const std::vector<double>& inertia_;
  std::vector<Block> left_out_;
  std::vector<Block> blocks_;
  Block next_;
  Block momenta_;
  Eigen::MatrixXd projected_;
  Square left_ =
      Square::Zero();  ///< products of what the last images left of themselves outside of the space
  Square below_ = Square::Zero();  ///< parts of the last images along the next vectors
  int kept_ = 0;                   ///< of the next vectors, the last ones; the others are zero
};

}  // namespace rodeo::coupling
