#pragma once

#include <cstddef>
#include <vector>

#include "rodeo/models/models.hpp"

namespace rodeo {

inline std::vector<std::byte> saved_state(Batch& batch, std::size_t member) {
  StateArchive archive;
  batch.visit_state(member, archive);
  return archive.take();
}

inline void restore(Batch& batch, std::size_t member, const std::vector<std::byte>& state) {
  StateArchive archive(state);
  batch.visit_state(member, archive);
  archive.require_end();
}

}  // namespace rodeo
