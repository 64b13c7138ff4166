#include "rodeo/models/member_memory.hpp"

#include <algorithm>
#include <fstream>
#include <unistd.h>

#include "rodeo/models/models.hpp"
#include "rodeo/observe/trajectory_fields.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

double member_memory(const MemberSpec& spec) {
  const Model& model = model_of(spec);
  if (!model.has_rods) return 0.0;
  double numbers_per_node = 0.0;
  for (const std::size_t field : spec.fields) numbers_per_node += trajectory_fields[field].components;
  const double frames =
      static_cast<double>(spec.frames) * sizeof(double) *
      (numbers_per_node * frame_nodes(spec) + static_cast<double>(spec.frame_observables.size()));
  return static_cast<double>(model.memory(spec)) + frames;
}

double machine_memory() {
  // Asked of the system once, for every member that starts wants to know.
  static const double least = [] {
    const double machine =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    // A container may have less; "max", which is no number, means that it has all.
    std::ifstream limit("/sys/fs/cgroup/memory.max");
    double bytes = 0.0;
    return limit >> bytes ? std::min(bytes, machine) : machine;
  }();
  return least;
}

}  // namespace rodeo
