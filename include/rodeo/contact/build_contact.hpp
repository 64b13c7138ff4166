#pragma once

#include "rodeo/contact/penalty.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::contact {

/// Memory a member's contact arrays take; nothing without contact by penalty.
ContactSize contact_size(const MemberSpec& spec);

/// The contact law of a member. Its view has the shape of the member's arrays, which it does not point to
/// yet.
Penalty make_penalty(const MemberSpec& spec);

/// Sets up the arrays (host memory) of a member that has not been looked at yet.
void build_contact(const MemberSpec& spec, const ContactView& view);

}  // namespace rodeo::contact
