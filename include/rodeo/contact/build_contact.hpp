#pragma once

#include <compare>
#include <optional>
#include <span>

#include "rodeo/contact/contact_view.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::contact {

/// Memory a member's contact arrays take but for its pairs; nothing without contact by penalty.
ContactSize contact_size(const MemberSpec& spec);

/// The shape of a member's contact arrays, which the view does not point to yet.
ContactView contact_view(const MemberSpec& spec);

/// Pairs for which there is room at the start: on a host enough to make the first list, as room grows; on a
/// device, room for good.
int pairs_at_start(const MemberSpec& spec);

/// The memory that they take, bytes.
std::size_t pair_memory(const MemberSpec& spec);

/// Sets up the arrays (host memory) of a member that has not been looked at yet.
void build_contact(const MemberSpec& spec, const ContactView& view);

/// Two elements of a member's arrays, the earlier first.
struct ElementPair {
  int first = 0;
  int second = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): the zero that the compiler compares the result with
  friend auto operator<=>(const ElementPair&, const ElementPair&) = default;
};

/// Leaves pairs, in rising order, out of contact arrays that are set up. There is room for one stretch of
/// later elements beside each element: the first pair that has none is returned.
std::optional<ElementPair> leave_out(std::span<const ElementPair> pairs, const ContactView& view);

/// Elements next to each other along a rod never touch (PHYSICS: the paper does not say how many): those with
/// less than this between them, a half circle as tight as a rod can bend without touching itself, and one
/// element more, m.
double neighbourhood(double radius, double length);

/// Where rods of radius r meet at an angle a, their surfaces meet up to r/sin(a/2) from the joint, m.
/// `before` and `after` are unit vectors along a way through it.
double neighbourhood_of_joint(double radius, const Vec3& before, const Vec3& after);

}  // namespace rodeo::contact
