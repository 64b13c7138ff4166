#include "parts.hpp"

#include <algorithm>
#include <map>

#include "rodeo/dispatch/extended_deck.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/plan/part.hpp"

namespace rodeo {

namespace {

Deck deck_of(const EnsembleReader& reader, const std::string& path) {
  return Deck::parse_stored(reader.schema().deck, path + ":/deck");
}

void require_ended(const EnsembleReader& reader, const std::string& path) {
  if (reader.was_being_written())
    throw FileError(path + " is being written by a running campaign: merge it when that has ended");
  const std::vector<bool> committed = reader.committed();
  const auto left = std::ranges::count(committed, false);
  if (left == 0) return;
  throw FileError(path + " has " + std::to_string(left) + " of its " + std::to_string(committed.size()) +
                  " members to run yet: go on with it by rodeo resume " + path);
}

bool is_of_whole(const KeyInfo& info) {
  return info.key != "study.part"_key && info.key != "study.rerun"_key;
}

std::string part_name(std::uint64_t number, std::uint64_t count) {
  return std::to_string(number) + "/" + std::to_string(count);
}

}  // namespace

Deck whole_deck(const std::vector<std::string>& paths) {
  const EnsembleReader first_reader(paths.front());
  const Deck first = deck_of(first_reader, paths.front());
  const Part first_part = Part::from_deck(first);
  std::map<std::uint64_t, std::string> found;
  std::vector<std::string> changes = {"study.part=1/1"};
  for (const std::string& path : paths) {
    const EnsembleReader reader(path);
    const Deck deck = deck_of(reader, path);
    const Part part = Part::from_deck(deck);
    if (part.is_whole())
      throw FileError(path + " is no part of a campaign, as rodeo run --part K/N makes them");
    const Key key = deck.first_difference(first, is_of_whole);
    if (key != no_key || part.count != first_part.count) {
      throw FileError(path + " is a part of another campaign than " + paths.front() + ": they differ in " +
                      std::string(key_info(key != no_key ? key : "study.part"_key).name));
    }
    require_ended(reader, path);
    // Each part has run its own failed members again.
    for (const std::string& line : deck.texts("study.rerun"_key)) changes.push_back("study.rerun=" + line);
    const auto [earlier, is_new] = found.try_emplace(part.first, path);
    if (!is_new) throw FileError(path + " holds the same part of the campaign as " + earlier->second);
  }
  for (std::uint64_t k = 0; k < first_part.count; ++k) {
    if (found.contains(k)) continue;
    const std::uint64_t missing = first_part.count - found.size();
    throw FileError("part " + part_name(k + 1, first_part.count) + " is missing" +
                    (missing > 1 ? ", as are " + std::to_string(missing - 1) + " more" : "") +
                    ": all parts make a campaign");
  }
  return Deck::parse_extended(first_reader.schema().deck, paths.front() + ":/deck", changes);
}

PartRows part_rows(const Study& whole, const std::vector<std::string>& paths) {
  PartRows result;
  const std::uint64_t each = whole.members_of_candidate();
  for (const std::string& path : paths) {
    const EnsembleReader reader(path);
    const Part part = Part::from_deck(deck_of(reader, path));
    Takeover takeover{.from = path};
    for (std::uint64_t member = 0; member < reader.schema().members; ++member) {
      const std::uint64_t place = part.candidate(member / each) * each + member % each;
      const Study::Origin origin = whole.origin(place);
      takeover.rows.emplace_back(RowPlace{place, origin.candidate, origin.repeat});
    }
    result.takeovers.push_back(std::move(takeover));
    const std::string& kernels = reader.provenance().kernels;
    if (result.kernels.find(kernels) != std::string::npos) continue;
    result.kernels.append(result.kernels.empty() ? "" : ", ").append(kernels);
  }
  return result;
}

}  // namespace rodeo
