#include "rodeo/processor/build_identity.hpp"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <span>

#include "rodeo/processor/kernel_set.hpp"

namespace rodeo {

namespace {

std::size_t aligned(std::size_t size) { return (size + 3) / 4 * 4; }

/// The description of the first note of type NT_GNU_BUILD_ID among notes in memory; empty if there is none.
std::string find_build_id(std::span<const char> notes) {
  ElfW(Nhdr) note;
  while (notes.size() >= sizeof note) {
    std::memcpy(&note, notes.data(), sizeof note);
    const std::size_t description = sizeof note + aligned(note.n_namesz);
    const std::size_t end = description + aligned(note.n_descsz);
    if (end > notes.size()) break;
    if (note.n_type == NT_GNU_BUILD_ID) return {notes.data() + description, note.n_descsz};
    notes = notes.subspan(end);
  }
  return {};
}

/// Called for the program and each of its libraries, stops at the one that this function is in.
int look_at(dl_phdr_info* linked, std::size_t, void* result) {
  // The loader knows addresses as numbers.
  const auto here = reinterpret_cast<ElfW(Addr)>(&look_at) - linked->dlpi_addr;  // NOLINT
  const std::span headers(linked->dlpi_phdr, linked->dlpi_phnum);
  const auto holds = [&](const ElfW(Phdr) & header) {
    return header.p_type == PT_LOAD && here >= header.p_vaddr && here - header.p_vaddr < header.p_memsz;
  };
  if (std::ranges::none_of(headers, holds)) return 0;
  for (const auto& header : headers) {
    if (header.p_type != PT_NOTE) continue;
    const auto* const notes = reinterpret_cast<const char*>(linked->dlpi_addr + header.p_vaddr);  // NOLINT
    const std::string found = find_build_id({notes, header.p_memsz});
    if (!found.empty()) *static_cast<std::string*>(result) = found;
  }
  return 1;
}

}  // namespace

std::string build_identity() {
  std::string result;
  dl_iterate_phdr(look_at, &result);
  return result.append(kernel_set());
}

}  // namespace rodeo
