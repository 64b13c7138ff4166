#pragma once

#include <optional>
#include <vector>

#include "rodeo/connection/build_connections.hpp"
#include "rodeo/coupling/coupled_matrix.hpp"

namespace rodeo::coupling {

/// The connections of a member of Cosserat rods (connection/links.hpp has their laws), with the derivatives
/// of their loads by the displacements of nodes (laboratory, m) and the rotation vectors of elements (body,
/// rad).
class Links {
 public:
  /// `all` are the member's arrays, `first_dof` of each element's first node; those of the element and of its
  /// other node follow.
  Links(connection::Parts parts, const RodView& all, const std::vector<int>& first_dof);

  /// The links of points, of which some may have broken.
  std::vector<connection::PointLink>& points() { return parts_.points; }

  const connection::Parts& parts() const { return parts_; }

  /// Degrees of freedom that each link couples.
  const std::vector<SpanPair>& spans() const { return spans_; }

  /// Adds the loads of connections in the present state of the arrays to field::external_force and
  /// field::external_couple.
  void add_loads();

  /// Calls add(link, block) with the symmetric part of minus the derivative of these loads for each link.
  /// Velocities change by `rate` times the displacements, 1/s.
  template <class Add>
  void for_each_matrix(double rate, const Add& add) const {
    for (std::size_t link = 0; link < spans_.size(); ++link) {
      SpanMatrix block = {};
      set_matrix(link, rate, block);
      add(link, block);
    }
  }

  /// Breaks the bonds that are overloaded in the present state of the arrays.
  void break_overloaded();

  /// Energy of the springs at present, J, and number of broken bonds.
  double energy() const;
  double broken() const;

 private:
  void set_matrix(std::size_t link, double rate, SpanMatrix& block) const;

  connection::Parts parts_;
  RodView all_;
  std::vector<Vec3> loads_;
  std::vector<SpanPair> spans_;  ///< of links of points, then of those of couples
};

/// Links of a member; nothing without connections. `all` are its arrays at t = 0.
std::optional<Links> make_links(const MemberSpec& spec, const RodView& all);

}  // namespace rodeo::coupling
