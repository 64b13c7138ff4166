#include "resume_checks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/terminal.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/output/status_report.hpp"
#include "rodeo/plan/part.hpp"
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

/// The bits of a point, by which candidates are found again.
std::vector<std::uint64_t> bits_of(const std::vector<double>& point) {
  std::vector<std::uint64_t> bits;
  for (const double value : point) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

/// Candidates of the extended study for those of the campaign as it stands.
class FoundCandidates {
 public:
  FoundCandidates(const Plan& earlier, const Plan& extended) {
    const std::uint64_t count = earlier.candidates();
    bool in_place = extended.candidates() >= count;
    for (std::uint64_t k = 0; in_place && k < count; ++k) {
      in_place = bits_of(earlier.point(k)) == bits_of(extended.point(k));
    }
    if (in_place) return;
    std::map<std::vector<std::uint64_t>, std::vector<std::uint64_t>>
        places;  // of equal points the last first
    for (std::uint64_t k = extended.candidates(); k-- > 0;) places[bits_of(extended.point(k))].push_back(k);
    found_.resize(count);
    for (std::uint64_t k = 0; k < count; ++k) {
      const auto place = places.find(bits_of(earlier.point(k)));
      if (place == places.end() || place->second.empty()) continue;
      found_[k] = place->second.back();
      place->second.pop_back();
    }
  }

  std::optional<std::uint64_t> of(std::uint64_t candidate) const {
    return found_.empty() ? candidate : found_[candidate];
  }

 private:
  std::vector<std::optional<std::uint64_t>> found_;  ///< empty: all have kept their numbers
};

/// Whether a member would go on beyond an earlier end: that of one which ended before is the same.
bool came_to_end(MemberStatus status) {
  return status == MemberStatus::done || status == MemberStatus::unstable || status == MemberStatus::settled;
}

/// The name under which a file stays whose members run on: FILE_until_0.4s.h5.
std::string earlier_name(const std::string& path, double end) {
  const std::filesystem::path file(path);
  return (file.parent_path() /
          (file.stem().string() + "_until_" + format_real(end) + "s" + file.extension().string()))
      .string();
}

/// Whether the member of this row goes on from its state.
bool goes_on(Study& study, const EndedStates& states, std::uint64_t candidate, const MemberRow& row) {
  if (!states.kept()) return false;
  const std::uint64_t member = candidate * study.repeats() + row.repeat;
  const MemberSpec spec = study.job(member, row.parameters).spec;
  try {
    return states.read(states.name_of(study, member, row.parameters, spec), spec).has_value();
  } catch (const FileError&) {
    return false;  // whoever runs it says why
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

StandingRows standing_rows(Study& study, const std::string& path, bool failed_again) {
  const EnsembleReader reader(path);
  const Deck stored = Deck::parse_stored(reader.schema().deck, path + ":/deck");
  const std::unique_ptr<Plan> earlier = make_plan(stored);
  const auto repeats = static_cast<std::uint64_t>(stored.integer("study.repeats"_key));
  if (earlier->candidates() * repeats != reader.schema().members) {
    throw FileError(path +
                    " does not hold the members that its deck asks for; a file of kept frames goes on with "
                    "its campaign's file");
  }
  const bool longer = study.deck().first_difference(
                          stored, [](const KeyInfo& info) { return info.key == "time.end"_key; }) != no_key;
  const bool all_run_on = longer && stored.names("time.end"_key);
  const EndedStates states(study, path);
  const FoundCandidates found(*earlier, study.plan());
  // Whether a member that has ended early would have counted drifts from the same instant with a later end.
  const auto stands = [&](const MemberRow& row) {
    try {
      const MemberSpec& spec = study.spec(row.parameters);
      return !model_of(spec).has_rods ||
             counts_alike(spec, std::llround(stored.number("time.end"_key) / spec.time.step));
    } catch (const DeckError&) {
      return true;  // no member can be made there, with whatever end
    }
  };
  StandingRows result;
  result.takeover.rows.resize(reader.schema().members);
  std::uint64_t standing = 0;
  std::uint64_t running_on = 0;
  std::uint64_t with_state = 0;
  std::uint64_t again = 0;
  reader.for_each_row([&](const MemberRow& row) {
    const std::uint64_t candidate = row.member / repeats;
    const std::optional<std::uint64_t> place = found.of(candidate);
    const bool there = row.status != MemberStatus::pending;
    if (!place) {
      if (!there) return;
      throw FileError("the extended campaign has no candidate at " +
                      point_text(reader.schema(), row.parameters) + ", where member " +
                      std::to_string(row.member) + " of " + path + " stands: an extension only adds");
    }
    if (there && study.has_reruns() && (*place != candidate || study.repeats() != repeats)) {
      throw FileError("study.rerun of " + path +
                      " says by their numbers which members run with other values, and these "
                      "values would change the numbers");
    }
    if (there && *place != candidate &&
        draws_numbers(study.job(*place * study.repeats(), row.parameters).spec)) {
      throw FileError("members of " + path +
                      " draw random numbers by the numbers of their candidates, which these values would "
                      "change: add them behind those of the first axis, or run a new campaign");
    }
    if (there && longer && (all_run_on || came_to_end(row.status) || !stands(row))) {
      ++running_on;
      with_state += goes_on(study, states, *place, row) ? 1 : 0;
      return;
    }
    if (failed_again && is_failure(row.status)) {
      ++again;
      return;
    }
    if (longer && !there) return;  // one that ends meanwhile is not as long
    standing += there ? 1 : 0;
    const auto repeat = static_cast<std::uint32_t>(row.member % repeats);
    const std::uint64_t member = *place * study.repeats() + repeat;
    result.takeover.rows[row.member] = RowPlace{member, study.origin(member).candidate, repeat};
  });
  if (longer) result.takeover.kept_as = earlier_name(path, stored.number("time.end"_key));
  result.note = "extended: " + counted(standing, "member") + " of " + std::to_string(study.members()) +
                (standing == 1 ? " stands\n" : " stand\n");
  if (again > 0)
    result.note += "extended: " + counted(again, "member") + " that ended badly " +
                   (again == 1 ? "runs" : "run") + " again\n";
  if (running_on > 0) {
    const std::string how = with_state == running_on ? ", on from their states"
                            : with_state == 0        ? ", anew from the start"
                                                     : ", " + std::to_string(with_state) +
                                                    " of them on from their states, the others anew";
    result.note += "extended: " + counted(running_on, "member") +
                   (running_on == 1 ? " runs longer" : " run longer") + how + "; " + path +
                   " as it was stays as " + result.takeover.kept_as + "\n";
    if (!states.kept()) {
      result.note +=
          "extended: with output.states = last in its deck a campaign keeps states to go on from\n";
    }
  }
  return result;
}

PartRows part_rows(const Study& whole, const std::vector<std::string>& paths) {
  PartRows result;
  const std::uint64_t each = whole.members_of_candidate();
  for (const std::string& path : paths) {
    const EnsembleReader reader(path);
    const Part part = Part::from_deck(Deck::parse_stored(reader.schema().deck, path + ":/deck"));
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
