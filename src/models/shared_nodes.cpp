#include "shared_nodes.hpp"

#include <algorithm>
#include <sstream>

#include "rodeo/coupling/contacts.hpp"
#include "rodeo/fluid/stokeslet_drag.hpp"
#include "rodeo/models/rows.hpp"

namespace rodeo::models {

namespace {

bool makes_one_node(const ConnectionSpec& c) {
  return c.kind != ConnectionKind::spring && c.kind != ConnectionKind::bond && c.ends[0].node >= 0 &&
         c.ends[1].node >= 0 && !c.stiffness;
}

}  // namespace

bool has_joints(const MemberSpec& spec) {
  return std::ranges::any_of(spec.further_rods,
                             [](const RodSetup& rod) { return rod.joint != JointKind::none; });
}

bool has_closed_rods(const MemberSpec& spec) {
  return spec.rod.closed ||
         std::ranges::any_of(spec.further_rods, [](const RodSetup& setup) { return setup.rod.closed; });
}

bool is_shared(const MemberSpec& spec, int rod, int node) {
  const auto further = static_cast<std::size_t>(rod);  // the setup of the next rod
  const RodSpec& own = rod == 0 ? spec.rod : spec.further_rods[further - 1].rod;
  const bool is_end = node == 0 || node == own.elements;
  if (own.closed && is_end) return true;
  if (node == 0 && rod > 0 && spec.further_rods[further - 1].joint != JointKind::none) return true;
  if (node == own.elements && further < spec.further_rods.size() &&
      spec.further_rods[further].joint != JointKind::none)
    return true;
  return std::ranges::any_of(spec.connections, [&](const ConnectionSpec& c) {
    return makes_one_node(c) && std::ranges::any_of(c.ends, [&](const ConnectionEnd& end) {
             return end.rod == rod && end.node == node;
           });
  });
}

std::optional<StartProblem> stokeslets_of_shared_nodes(const MemberSpec& spec) {
  const bool shares =
      has_joints(spec) || has_closed_rods(spec) || std::ranges::any_of(spec.connections, makes_one_node);
  if (!spec.fluid.acts_by(FluidKind::stokeslets) || !shares) return std::nullopt;
  return StartProblem{"fluid.kind",
                      "Stokeslets have a force of its own for each node, which nodes that are one have not: "
                      "slender_body has joints and closed rods"};
}

std::optional<StartProblem> overlap_of_implicit_contact(const MemberSpec& spec) {
  const std::optional<double> overlap = coupling::overlap_at_start(spec);
  if (!overlap) return std::nullopt;
  const bool would_part = spec.method == TimeMethod::equilibrium || *overlap <= spec.contact.tolerance;
  std::ostringstream text;
  if (spec.contact.kind == ContactKind::ipc) {
    text << "ipc needs rods that do not touch at the start, and elements of these overlap by " << *overlap
         << " m" << (would_part ? "; contact.kind = imc parts them" : "");
    return StartProblem{"contact.kind", text.str()};
  }
  if (would_part) return std::nullopt;
  text << "imc would throw rods apart that overlap at the start: elements of these do by " << *overlap
       << " m, which is more than contact.tolerance = " << spec.contact.tolerance << " m";
  return StartProblem{"contact.kind", text.str()};
}

StepBounds implicit_step_bounds(const MemberSpec& spec) {
  StepBounds bounds;
  bounds.all = {fluid::stable_stokeslet_step(spec), "fluid.viscosity"};
  return bounds;
}

}  // namespace rodeo::models
