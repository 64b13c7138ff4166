#include <sstream>

#include "rodeo/coupling/contacts.hpp"
#include "rodeo/models/rows.hpp"

namespace rodeo::models {

std::optional<StartProblem> crossed_barrier(const MemberSpec& spec) {
  const std::optional<double> overlap = coupling::barrier_crossed_at_start(spec);
  if (!overlap) return std::nullopt;
  std::ostringstream text;
  text << "ipc needs rods that do not touch at the start, and elements of these overlap by " << *overlap
       << " m; contact.kind = imc parts them";
  return StartProblem{"contact.kind", text.str()};
}

}  // namespace rodeo::models
