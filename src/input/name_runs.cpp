#include "rodeo/input/name_runs.hpp"

#include <charconv>
#include <optional>
#include <string_view>

namespace rodeo {

namespace {

/// NAME[entry].
struct Entry {
  std::string_view list;
  std::size_t entry = 0;
};

std::optional<Entry> entry_of(std::string_view name) {
  const std::size_t bracket = name.find('[');
  if (bracket == name.npos || !name.ends_with(']')) return {};
  Entry found{name.substr(0, bracket), 0};
  const char* const last = name.data() + name.size() - 1;
  const auto [end, error] = std::from_chars(name.data() + bracket + 1, last, found.entry);
  if (error != std::errc{} || end != last) return {};
  return found;
}

}  // namespace

std::vector<NameRun> runs_of(std::span<const std::string> names) {
  std::vector<NameRun> runs;
  for (std::size_t first = 0; first < names.size(); first += runs.back().count) {
    NameRun& run = runs.emplace_back(NameRun{names[first], first, 1});
    const std::optional<Entry> begin = entry_of(names[first]);
    while (begin && first + run.count < names.size()) {
      const std::optional<Entry> next = entry_of(names[first + run.count]);
      if (!next || next->list != begin->list || next->entry != begin->entry + run.count) break;
      ++run.count;
    }
    if (run.count == 1) continue;
    run.name = std::string(begin->list) + "[" + std::to_string(begin->entry) + ":" +
               std::to_string(begin->entry + run.count) + "]";
  }
  return runs;
}

}  // namespace rodeo
