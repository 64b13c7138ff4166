#include <sstream>

#include "rodeo/coupling/contacts.hpp"
#include "rodeo/models/rows.hpp"

namespace rodeo::models {

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

}  // namespace rodeo::models
