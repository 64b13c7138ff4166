#pragma once

#include <vector>

#include "rodeo/connection/build_connections.hpp"
#include "rodeo/coupling/coupled_matrix.hpp"
#include "rodeo/coupling/mechanisms.hpp"
#include "rodeo/math/matrix3.hpp"
#include "rodeo/math/vec3.hpp"

namespace rodeo::coupling {

/// The connections of a member of Cosserat rods (connection/links.hpp has their laws) and the rigid joints of
/// nodes that they share, with the derivatives of their loads by the displacements of nodes (laboratory, m)
/// and the rotation vectors of elements (body, rad).
class Links {
 public:
  /// `all` are the member's arrays, `first_dof` of each element's first node; those of the element and of its
  /// other node follow.
  Links(connection::Parts parts, std::vector<connection::TurnLink> joints, const RodView& all,
        const std::vector<int>& first_dof);

  /// The links of points, of which some may have broken.
  std::vector<connection::PointLink>& points() { return parts_.points; }
  const std::vector<connection::PointLink>& points() const { return parts_.points; }

  /// Calls visit(link, spans) for links of points, then of turns, then rigid joints; `spans` are the degrees
  /// of freedom that the link couples.
  template <class Visit>
  void for_each(const Visit& visit) const {
    auto spans = spans_.begin();
    for (const connection::PointLink& link : parts_.points) visit(link, *spans++);
    for (const connection::TurnLink& link : parts_.turns) visit(link, *spans++);
    for (const connection::TurnLink& link : joints_) visit(link, *spans++);
  }

  /// Adds the loads in the present state of the arrays to field::external_force and field::external_couple.
  void add_loads();

  /// Removes the mechanisms that the links resist.
  void hold(Mechanisms& mechanisms) const {
    mechanisms.hold(parts_.points);
    mechanisms.hold(parts_.turns);
    mechanisms.hold(joints_);
  }

  /// Calls add(row, column, block) with the symmetric part of minus the derivative of these loads, by first
  /// unknowns. Velocities change by `rate` times the displacements, 1/s.
  template <class Add>
  void for_each_block(double rate, const Add& add) const {
    for_each([&](const auto& link, const SpanPair& spans) {
      SpanMatrix block = {};
      set_matrix(link, rate, block);
      for (std::size_t a = 0; a < 2; ++a) {
        for (std::size_t b = 0; b < 2; ++b) {
          for (int i = 0; i < spans[a].size; i += 3) {
            for (int j = 0; j < spans[b].size; j += 3) {
              const auto row = [&](int k) {
                return three_at(&block[span_size * a + static_cast<std::size_t>(i + k)]
                                      [span_size * b + static_cast<std::size_t>(j)]);
              };
              add(spans[a].first + i, spans[b].first + j, Matrix3{row(0), row(1), row(2)});
            }
          }
        }
      }
    });
  }

  /// Breaks the bonds that are overloaded in the present state of the arrays.
  void break_overloaded();

  /// Energy of the springs of connections at present, J, and number of broken bonds.
  double energy() const;
  double broken() const;

 private:
  void set_matrix(const connection::PointLink& link, double rate, SpanMatrix& block) const;
  void set_matrix(const connection::TurnLink& link, double rate, SpanMatrix& block) const;

  connection::Parts parts_;
  std::vector<connection::TurnLink> joints_;
  RodView all_;
  std::vector<Vec3> loads_;
  std::vector<SpanPair> spans_;
};

/// The rigid joints of nodes that rods share (boundary::RigidJoint) as links of the elements beside them: the
/// region around the node, with its stiffness over its length.
std::vector<connection::TurnLink> rigid_joints(const Rods& rods);

}  // namespace rodeo::coupling
