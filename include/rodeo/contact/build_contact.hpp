#pragma once

#include "rodeo/contact/contact_view.hpp"
#include "rodeo/spec/member_spec.hpp"

namespace rodeo::contact {

/// Memory a member's contact arrays take; nothing without contact by penalty.
ContactSize contact_size(const MemberSpec& spec);

/// The shape of a member's contact arrays, which the view does not point to yet.
ContactView contact_view(const MemberSpec& spec);

/// Sets up the arrays (host memory) of a member that has not been looked at yet.
void build_contact(const MemberSpec& spec, const ContactView& view);

}  // namespace rodeo::contact
