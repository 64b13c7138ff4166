#include "resume_checks.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "rodeo/input/deck_observables.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/plan/plan.hpp"
#include "rodeo/plan/scenarios.hpp"

#include "ended_states.hpp"

namespace rodeo {

namespace {

/// Rows find their columns by name, wherever these stand. A column that nobody knows may be one of a later
/// revision, whose members were perhaps run otherwise.
void require_known_observables(const Deck& deck, const EnsembleFile& file, const std::string& path) {
  const std::vector<std::string>& names = file.schema().observable_names;
  const ObservableList list = observables_of(deck);
  for (const std::string& name : names) {
    if (list.index(name) < list.size()) continue;
    throw FileError(path + " holds observables of another revision (" + name +
                    "); go on with the program that wrote it");
  }
  for (const DefinedObservable& defined : list.defined()) {
    if (std::ranges::find(names, defined.name) != names.end()) continue;
    throw FileError(path + " has no " + defined.name +
                    ", which its deck asks for; go on with the program that wrote it");
  }
}

}  // namespace

Deck stored_deck(const EnsembleFile& file, const std::string& path) {
  return Deck::parse_stored(file.schema().deck, path + ":/deck");
}

bool is_other_study_of_grid(const Deck& deck, const EnsembleFile& file, const std::string& path) {
  const Deck stored = stored_deck(file, path);
  for (const Deck* const study : {&deck, &stored}) {
    const std::string_view kind = study->choice("study.kind"_key);
    if (kind != "sweep" && kind != "boundary") return false;
  }
  const auto is_of_members = [](const KeyInfo& key) {
    return key.key != "study.kind"_key && !key.name.starts_with("refine.");
  };
  return deck.first_difference(stored, is_of_members) == no_key && deck.first_difference(stored) != no_key;
}

void require_same_deck(const Deck& deck, const EnsembleFile& file, const std::string& path) {
  const Key key = deck.first_difference(stored_deck(file, path));
  if (key == no_key) return;
  const std::string remedy = "go on with the stored one: rodeo resume " + path;
  if (key == "sweep.axis"_key && !deck.points_file().empty()) {
    throw FileError(path + " belongs to another deck: its points are not those of " + deck.points_file() +
                    "; " + remedy);
  }
  if ((key == "rod.count"_key || key == "rod.each"_key) && !deck.scene_file().empty()) {
    throw FileError(path + " belongs to another deck: its rods are not those of " + deck.scene_file() + "; " +
                    remedy);
  }
  if (key == "measure.point"_key && !deck.data_file().empty()) {
    throw FileError(path + " belongs to another deck: its data are not those of " + deck.data_file() + "; " +
                    remedy);
  }
  if (can_grow(key)) {
    throw FileError(path + " belongs to another deck, which differs in " + std::string(key_info(key).name) +
                    "; a campaign that is to have more takes it by rodeo extend " + path + " --" +
                    std::string(key_info(key).name) + "=...; or " + remedy);
  }
  throw FileError(path + " belongs to another deck, which differs in " + std::string(key_info(key).name) +
                  "; compare the output of 'rodeo check' with its /deck, or " + remedy);
}

void require_its_study(const Deck& deck, const EnsembleFile& file, const std::string& path) {
  require_known_observables(deck, file, path);
  const std::unique_ptr<Plan> plan = make_plan(deck);
  const std::uint64_t members = plan->candidates() * members_of_candidate(deck);
  if (members != file.schema().members) {
    throw FileError(path + " holds " + std::to_string(file.schema().members) +
                    " members, but its deck asks for " + std::to_string(members) +
                    "; a file of kept frames goes on with its campaign's file");
  }
  for (const Table& table : plan->tables()) {
    try {
      stored_table(file.schema(), table);
    } catch (const std::invalid_argument&) {
      throw FileError(path + " has no table " + table.name +
                      " as its study leaves one: another version of rodeo made it, and only that one can go "
                      "on with it");
    }
  }
}

}  // namespace rodeo
