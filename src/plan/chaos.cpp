#include "chaos.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "rodeo/linear/dense.hpp"

namespace rodeo {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Exponents of the hyperbolic norms: 1 is the total degree; the smaller, the fewer terms of several
/// variables.
constexpr std::array hyperbolic_norms = {1.0, 0.75, 0.5};

/// Terms to select from are at most so many, and so many times the points.
constexpr std::size_t most_terms = 1500;
constexpr std::size_t terms_a_point = 3;

/// Degrees in a row that make a fit worse, after which no higher ones are tried.
constexpr int worse_degrees = 3;

/// An error, as a share of the variance, that is as good as none.
constexpr double least_error = 1e-10;

/// Groups of points, for cross-validation and jackknife.
constexpr Index groups = jackknife_groups;

/// Terms that make a fit worse, after which no more are added; at most a third of those before.
constexpr Index patience = 10;

/// Rows of a group of points that follow each other in their sequence: where points fill space evenly, those
/// of a group do so almost as well, and so do the others.
struct Group {
  Index begin;
  Index end;
  Group(Index points, Index group) : begin(group * points / groups), end((group + 1) * points / groups) {}
};

}  // namespace

/// Terms chosen from columns, one after the other, without the rows from `begin` to `end`.
struct Chaos::Selection {
  std::vector<Index> order;
  std::vector<double> squares;  ///< sum of squared errors in the rows left out, after each term

  static Selection from(const MatrixXd& columns, const VectorXd& values, Index most, Index begin, Index end);
};

/// Adds orthonormal directions one by one. What is left of each column's square, and its product with the
/// residual, follow without the columns that are left.
Chaos::Selection Chaos::Selection::from(const MatrixXd& columns, const VectorXd& values, Index most,
                                        Index begin, Index end) {
  const Index points = columns.rows();
  const auto known = [&](VectorXd vector) {
    vector.segment(begin, end - begin).setZero();
    return vector;
  };
  const VectorXd squares =
      columns.colwise().squaredNorm() - columns.middleRows(begin, end - begin).colwise().squaredNorm();
  VectorXd left = squares;
  VectorXd products = columns.transpose() * known(values);
  VectorXd residual = values;
  MatrixXd directions(points, most);
  Selection selection;
  std::vector<bool> used(static_cast<std::size_t>(columns.cols()), false);
  double least = std::numeric_limits<double>::infinity();
  Index best = 0;
  for (Index k = 0; k < most; ++k) {
    Index next = 0;  // the constant
    double gain = k == 0 ? 1.0 : 0.0;
    for (Index column = 0; k > 0 && column < columns.cols(); ++column) {
      if (used[static_cast<std::size_t>(column)] || left[column] < 1e-8 * squares[column]) continue;
      const double share = products[column] * products[column] / left[column];
      if (share > gain) {
        gain = share;
        next = column;
      }
    }
    if (gain == 0.0) break;
    used[static_cast<std::size_t>(next)] = true;
    selection.order.push_back(next);
    VectorXd direction = columns.col(next);
    for (int pass = 0; pass < 2; ++pass) {
      const VectorXd shares = directions.leftCols(k).transpose() * known(direction);
      direction -= directions.leftCols(k) * shares;
    }
    direction /= known(direction).norm();
    directions.col(k) = direction;
    const VectorXd own = known(direction);
    const double coefficient = own.dot(residual);
    residual -= coefficient * direction;
    const VectorXd shares = columns.transpose() * own;
    left -= shares.cwiseAbs2();
    products -= coefficient * shares;
    if (begin == end) continue;
    const double error = residual.segment(begin, end - begin).squaredNorm();
    selection.squares.push_back(error);
    if (error < least) {
      least = error;
      best = k;
    }
    if (k - best > std::max<Index>(patience, best / 3)) break;
  }
  return selection;
}

/// Terms of which the sum of degree^norm over the variables is at most that of `degree`, the constant first;
/// nothing if they are more than `most`.
std::vector<Chaos::Term> Chaos::terms_within(Index variables, double degree, double norm, std::size_t most) {
  const double bound = std::pow(degree, norm) * (1.0 + 1e-9);
  std::vector<Term> terms;
  Term term(static_cast<std::size_t>(variables), 0);
  // Counts up from the last variable on, leaving out what is beyond the bound.
  std::vector<double> used(term.size() + 1, 0.0);
  std::size_t k = 0;
  while (true) {
    for (; k < term.size(); ++k) used[k + 1] = used[k] + (term[k] == 0 ? 0.0 : std::pow(term[k], norm));
    if (terms.size() == most) return {};
    terms.push_back(term);
    // Increments the last variable that has room for it.
    for (; k > 0; --k) {
      Term::value_type& last = term[k - 1];
      const bool room =
          last < OrthonormalPolynomials::most_degree && used[k - 1] + std::pow(last + 1.0, norm) <= bound;
      if (room) {
        ++last;
        break;
      }
      last = 0;
    }
    if (k == 0) return terms;
    --k;
  }
}

MatrixXd Chaos::columns(const std::vector<Term>& terms, const MatrixXd& germs) const {
  std::size_t highest = 0;
  for (const Term& term : terms) {
    for (const std::uint8_t degree : term) highest = std::max<std::size_t>(highest, degree);
  }
  const auto degrees = static_cast<Index>(highest + 1);
  MatrixXd columns(germs.rows(), static_cast<Index>(terms.size()));
  MatrixXd powers(degrees, germs.cols());
  for (Index point = 0; point < germs.rows(); ++point) {
    for (Index variable = 0; variable < germs.cols(); ++variable) {
      polynomials_[static_cast<std::size_t>(variable)].values(
          germs(point, variable), {powers.col(variable).data(), static_cast<std::size_t>(degrees)});
    }
    for (Index k = 0; k < columns.cols(); ++k) {
      const Term& term = terms[static_cast<std::size_t>(k)];
      double product = 1.0;
      for (Index variable = 0; variable < germs.cols(); ++variable) {
        const std::uint8_t degree = term[static_cast<std::size_t>(variable)];
        if (degree > 0) product *= powers(degree, variable);
      }
      columns(point, k) = product;
    }
  }
  return columns;
}

/// Fits without a group each, of all groups or some, and their errors.
struct Chaos::Validation {
  std::vector<Selection> without;  ///< group
  double error = 0.0;              ///< sum of squares in the groups left out
  Index terms = 0;                 ///< with which it is least

  Validation(const MatrixXd& columns, const VectorXd& values, std::span<const Index> left_out) {
    const Index points = columns.rows();
    const Index most = std::min(points / 2, columns.cols());
    std::vector<double> sums(static_cast<std::size_t>(most), 0.0);
    for (const Index group : left_out) {
      const Group rows(points, group);
      without.push_back(Selection::from(columns, values, most, rows.begin, rows.end));
      const std::vector<double>& squares = without.back().squares;
      sums.resize(std::min(sums.size(), squares.size()));
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += squares[k];
    }
    const auto least = std::ranges::min_element(sums);
    error = *least;
    terms = least - sums.begin() + 1;
  }
};

Chaos Chaos::fit(std::span<const OrthonormalPolynomials> polynomials, const MatrixXd& germs,
                 const VectorXd& values) {
  Chaos chaos;
  chaos.polynomials_.assign(polynomials.begin(), polynomials.end());
  const auto points = static_cast<std::size_t>(germs.rows());
  const double squares = (values.array() - values.mean()).square().sum();
  const std::size_t most =
      std::max(std::min(most_terms, terms_a_point * points), static_cast<std::size_t>(germs.cols() + 1));

  // The set to select from, by two groups of eight, and not by all of many points.
  constexpr Index enough_points = 1024;
  const Index looked_at = std::min(enough_points, germs.rows());
  const MatrixXd some_germs = germs.topRows(looked_at);
  const VectorXd some_values = values.head(looked_at);
  std::vector<Term> candidates;
  double least = std::numeric_limits<double>::infinity();
  for (const double norm : hyperbolic_norms) {
    double least_of_norm = std::numeric_limits<double>::infinity();
    int worse = 0;
    for (int degree = 1; degree <= OrthonormalPolynomials::most_degree; ++degree) {
      std::vector<Term> terms = terms_within(germs.cols(), degree, norm, most);
      if (terms.empty()) break;
      constexpr std::array<Index, 2> some = {2, 5};
      const double error = Validation(chaos.columns(terms, some_germs), some_values, some).error;
      worse = error < least_of_norm ? 0 : worse + 1;
      least_of_norm = std::min(least_of_norm, error);
      if (error < least) {
        least = error;
        candidates = std::move(terms);
      }
      if (worse == worse_degrees || least < least_error * squares) break;
    }
  }

  const MatrixXd columns = chaos.columns(candidates, germs);
  std::array<Index, groups> all{};
  std::iota(all.begin(), all.end(), Index{0});
  const Validation validation(columns, values, all);
  chaos.prediction_error_ = validation.error / squares;
  const auto chosen = [&](std::vector<Index> order) {
    order.resize(std::min(order.size(), static_cast<std::size_t>(validation.terms)));
    std::vector<Term> terms;
    for (const Index place : order) terms.push_back(candidates[static_cast<std::size_t>(place)]);
    return terms;
  };
  chaos.terms_ = chosen(Selection::from(columns, values, validation.terms, 0, 0).order);
  chaos.coefficients_ = least_squares(chaos.columns(chaos.terms_, germs), values);
  chaos.estimate_.indices = chaos.indices_of(chaos.terms_, chaos.coefficients_);

  MatrixXd first(germs.cols(), groups);
  MatrixXd total(germs.cols(), groups);
  for (Index group = 0; group < groups; ++group) {
    const Group rows(germs.rows(), group);
    const Index after = germs.rows() - rows.end;
    MatrixXd rest(rows.begin + after, germs.cols());
    VectorXd rest_values(rows.begin + after);
    rest << germs.topRows(rows.begin), germs.bottomRows(after);
    rest_values << values.head(rows.begin), values.tail(after);
    const std::vector<Term> terms = chosen(validation.without[static_cast<std::size_t>(group)].order);
    const SobolIndices indices =
        chaos.indices_of(terms, least_squares(chaos.columns(terms, rest), rest_values));
    first.col(group) = indices.first;
    total.col(group) = indices.total;
  }
  chaos.estimate_.errors = jackknife_errors(first, total);
  // The variance that the chaos misses may be due to any parameter, or to none.
  const auto widen = [&](VectorXd& errors, const VectorXd& indices) {
    errors.array() += chaos.prediction_error_ * indices.array().max(1.0 - indices.array());
  };
  widen(chaos.estimate_.errors.first, chaos.estimate_.indices.first);
  widen(chaos.estimate_.errors.total, chaos.estimate_.indices.total);
  return chaos;
}

SobolIndices Chaos::indices_of(const std::vector<Term>& terms, const VectorXd& coefficients) const {
  const auto variables = static_cast<Index>(polynomials_.size());
  SobolIndices indices{VectorXd::Zero(variables), VectorXd::Zero(variables)};
  double sum = 0.0;
  for (std::size_t k = 1; k < terms.size(); ++k) {
    const double square = coefficients[static_cast<Index>(k)] * coefficients[static_cast<Index>(k)];
    sum += square;
    const auto involved = std::ranges::count_if(terms[k], [](std::uint8_t degree) { return degree > 0; });
    for (Index variable = 0; variable < variables; ++variable) {
      if (terms[k][static_cast<std::size_t>(variable)] == 0) continue;
      indices.total[variable] += square;
      if (involved == 1) indices.first[variable] += square;
    }
  }
  if (sum > 0.0) {
    indices.first /= sum;
    indices.total /= sum;
  }
  return indices;
}

int Chaos::degree() const {
  int highest = 0;
  for (const Term& term : terms_) highest = std::max(highest, std::accumulate(term.begin(), term.end(), 0));
  return highest;
}

double Chaos::variance() const { return coefficients_.squaredNorm() - coefficients_[0] * coefficients_[0]; }

VectorXd Chaos::values(const MatrixXd& germs) const { return columns(terms_, germs) * coefficients_; }

}  // namespace rodeo
