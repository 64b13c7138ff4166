#include "rodeo/coupling/links.hpp"

#include <utility>

#include "rodeo/coupling/layout.hpp"
#include "rodeo/math/dual.hpp"

namespace rodeo::coupling {

namespace {

using connection::BasicElementState;
using connection::BasicLinkLoad;
using connection::BasicSiteState;
using connection::PointLink;
using connection::Site;
using connection::TurnLink;

constexpr int stride = 6;        ///< of an element's degrees of freedom
constexpr int element_size = 9;  ///< with both its nodes
using Number = Dual<2 * element_size>;
using Vector = BasicVec3<Number>;

Span span_of_element(const std::vector<int>& first_dof, int element) {
  return {first_dof[static_cast<std::size_t>(element)], element_size};
}

/// A vector with three displacements as variables, from `first` on, each times `factor`.
Vector displaced(const Vec3& v, int first, double factor) {
  const auto number = [&](double value, int k) {
    Number x(value);
    x.slope[k] = factor;
    return x;
  };
  return {number(v.x, first), number(v.y, first + 1), number(v.z, first + 2)};
}

BasicElementState<Number> element_state(const RodView& rod, int element, int first, double rate) {
  const Quaternion q = rod.quaternion(element);
  const Vector half = displaced({}, first + 3, 0.5);
  const BasicQuaternion<Number> present = {Number(q.w), Number(q.x), Number(q.y), Number(q.z)};
  return {present * BasicQuaternion<Number>{Number(1.0), half.x, half.y, half.z},
          displaced(rod.vec3(field::angular_velocity, element), first + 3, rate)};
}

BasicSiteState<Number> site_state(const RodView& rod, const Site& site, int first, double rate) {
  const int i = site.entry;
  if (site.on_node) {
    return {displaced(rod.vec3(field::position, i), first, 1.0),
            displaced(rod.vec3(field::velocity, i), first, rate),
            {},
            {},
            {}};
  }
  const Number f(site.fraction);
  const Number g(1.0 - site.fraction);
  const auto between = [&](int field, double factor) {
    return g * displaced(rod.vec3(field, i), first, factor) +
           f * displaced(rod.vec3(field, i + 1), first + stride, factor);
  };
  const BasicElementState<Number> element = element_state(rod, i, first, rate);
  const BasicDirectors<Number> frame = directors(element.orientation);
  const Vector arm = {Number(site.arm.x), Number(site.arm.y), Number(site.arm.z)};
  return {between(field::position, 1.0), between(field::velocity, rate), frame.to_laboratory(arm),
          frame.to_laboratory(element.rate), frame};
}

/// Rows of minus the derivative of a link's loads over the degrees of freedom of both spans.
class Rows {
 public:
  explicit Rows(SpanMatrix& block) : block_(block) {}

  /// Leaves the symmetric part. Derivatives by turns of frames that turn with them are not symmetric; their
  /// symmetric part is that of an energy.
  ~Rows() {
    for (int i = 0; i < 2 * span_size; ++i) {
      for (int j = 0; j < i; ++j) block_[i][j] = block_[j][i] = 0.5 * (block_[i][j] + block_[j][i]);
    }
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  void add(int side, int local, double weight, const Vector& load) {
    const Number* const numbers[3] = {&load.x, &load.y, &load.z};
    for (int c = 0; c < 3; ++c) {
      for (int j = 0; j < 2 * element_size; ++j)
        block_[row(side, local + c)][column(j)] -= weight * numbers[c]->slope[j];
    }
  }

 private:
  static int row(int side, int local) { return span_size * side + local; }
  static int column(int j) { return j < element_size ? j : span_size + j - element_size; }

  SpanMatrix& block_;
};

void add_force(Rows& rows, int side, const Site& site, double sign, const BasicLinkLoad<Number>& load) {
  if (site.on_node) return rows.add(side, 0, sign, load.force);
  rows.add(side, 0, sign * (1.0 - site.fraction), load.force);
  rows.add(side, stride, sign * site.fraction, load.force);
  rows.add(side, 3, 1.0, load.couples[side]);
}

}  // namespace

Links::Links(connection::Parts parts, std::vector<TurnLink> joints, const RodView& all,
             const std::vector<int>& first_dof)
    : parts_(std::move(parts)), joints_(std::move(joints)), all_(all), loads_(parts_.load_count()) {
  const auto span = [&](const Site& site) {
    return site.on_node ? Span{first_degree_of_freedom(first_dof, site.entry, stride), 3}
                        : span_of_element(first_dof, site.entry);
  };
  for (const PointLink& link : parts_.points) spans_.push_back({span(link.sites[0]), span(link.sites[1])});
  for (const std::vector<TurnLink>* const links : {&parts_.turns, &joints_}) {
    for (const TurnLink& link : *links) {
      const auto span_of_side = [&](int side) {
        if (!link.clamped[side]) return span_of_element(first_dof, link.elements[side]);
        return Span{span_of_element(first_dof, link.elements[1 - side]).first, 0};  // nothing moves there
      };
      spans_.push_back({span_of_side(0), span_of_side(1)});
    }
  }
}

void Links::add_loads() {
  parts_.view(loads_).add_unbroken(OneThread{}, all_);
  for (const TurnLink& joint : joints_) {
    const connection::LinkLoad load = joint.load(all_);
    for (const int side : {0, 1}) {
      const int element = joint.elements[side];
      all_.set_vec3(field::external_couple, element,
                    all_.vec3(field::external_couple, element) + load.couples[side]);
    }
  }
}

void Links::set_matrix(const PointLink& link, double rate, SpanMatrix& block) const {
  if (link.broken != 0) return;
  Rows rows(block);
  const BasicLinkLoad<Number> load = link.load(site_state(all_, link.sites[0], 0, rate),
                                               site_state(all_, link.sites[1], element_size, rate));
  add_force(rows, 0, link.sites[0], 1.0, load);
  add_force(rows, 1, link.sites[1], -1.0, load);
}

void Links::set_matrix(const TurnLink& link, double rate, SpanMatrix& block) const {
  Rows rows(block);
  const BasicLinkLoad<Number> load = link.load(element_state(all_, link.elements[0], 0, rate),
                                               element_state(all_, link.elements[1], element_size, rate));
  for (const int side : {0, 1}) rows.add(side, 3, 1.0, load.couples[side]);
}

void Links::break_overloaded() { parts_.break_overloaded(all_); }

double Links::energy() const { return parts_.energy(all_); }
double Links::broken() const { return parts_.broken(); }

std::vector<TurnLink> rigid_joints(const Rods& rods) {
  std::vector<TurnLink> links;
  for (const RodData& rod : rods) {
    const boundary::RigidJoint& joint = rod.joint;
    if (!joint.exists) continue;
    TurnLink& link = links.emplace_back();
    link.elements[0] = rod.first - 1;
    link.elements[1] = rod.first;
    link.rest = joint.rest;
    for (int i = 0; i < 3; ++i) link.stiffness[i] = joint.inverse_rest_voronoi * joint.stiffness[i];
  }
  return links;
}

}  // namespace rodeo::coupling
