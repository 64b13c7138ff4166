#include "reused_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <stdexcept>

#include "rodeo/forces/own_laws.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/rerun.hpp"
#include "rodeo/input/terminal.hpp"
#include "rodeo/math/random.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/plan/scenarios.hpp"
#include "rodeo/processor/kernel_set.hpp"
#include "rodeo/rodeo.hpp"

#include "ended_states.hpp"

namespace rodeo {

namespace {

template <class... Laws>
constexpr bool has_any(const LawList<Laws...>*) {
  return sizeof...(Laws) > 0;
}

/// A user's own laws may all draw numbers.
constexpr bool laws_may_draw = has_any(static_cast<const own::Laws*>(nullptr));

constexpr std::size_t no_column = static_cast<std::size_t>(-1);

/// Whether a key says what members compute, or what their rows hold.
bool is_of_members(const KeyInfo& info) {
  constexpr std::array<std::string_view, 7> of_studies = {
      "study.", "sweep.", "refine.", "convergence.", "optimize.", "fidelity.", "sensitivity."};
  constexpr std::array keys_of_campaigns = {"output.keep"_key, "output.states"_key,
                                            "output.checkpoint_interval"_key};
  if (info.key == "convergence.reference"_key) return true;
  return std::ranges::none_of(of_studies,
                              [&](std::string_view section) { return info.name.starts_with(section); }) &&
         std::ranges::find(keys_of_campaigns, info.key) == keys_of_campaigns.end();
}

std::optional<double> number_at(const Deck& deck, const ParameterAddress& address) {
  try {
    return deck.number(address);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::uint64_t hash_of(const std::vector<double>& point) {
  std::uint64_t hash = point.size();
  for (const double value : point) hash = member_seed(hash, std::bit_cast<std::uint64_t>(value), 0);
  return hash;
}

std::string build_text(std::string_view version, std::string_view revision, std::string_view kernels) {
  return std::string(version) + " (" + std::string(revision) + ", kernels " + std::string(kernels) + ")";
}

void require_this_build(const Provenance& made, const std::string& path) {
  const std::string theirs = build_text(made.program_version, made.git_revision, made.kernels);
  const std::string ours = build_text(version(), revision(), kernel_set());
  if (theirs == ours) return;
  throw FileError(path + " was computed by rodeo " + theirs + ", and this is " + ours +
                  ": its rows may differ in their last bits");
}

}  // namespace

bool may_draw(Study& study, const std::vector<double>& point) {
  return laws_may_draw || draws_numbers(study.spec(point));
}

void become(MemberRow& row, std::uint64_t member, const Study::Origin& origin, std::int32_t rank) {
  row.member = member;
  row.candidate = origin.candidate;
  row.repeat = origin.repeat;
  row.seed = origin.seed;
  row.wall_seconds = 0.0;
  row.rank = rank;
}

std::optional<EqualMembers::Place> EqualMembers::place_of(std::uint64_t member) {
  const std::vector<double> point = study_.point(member);
  try {
    if (may_draw(study_, point)) return std::nullopt;
  } catch (const DeckError&) {
    return std::nullopt;  // whoever runs it says why
  }
  Place place{study_.origin(member).repeat, {}};
  for (const double value : point) place.second.push_back(std::bit_cast<std::uint64_t>(value));
  return place;
}

std::optional<std::uint64_t> EqualMembers::first_like(std::uint64_t member) {
  if (!study_.plan().adaptive()) return std::nullopt;
  std::optional<Place> place = place_of(member);
  if (!place) return std::nullopt;
  const std::uint64_t first = first_.try_emplace(std::move(*place), member).first->second;
  return first == member ? std::nullopt : std::optional(first);
}

bool EqualMembers::wait(std::uint64_t first, std::uint64_t member) {
  if (ended_.contains(first)) return false;
  waiting_[first].push_back(member);
  return true;
}

std::vector<std::uint64_t> EqualMembers::end(std::uint64_t member) {
  if (!study_.plan().adaptive()) return {};
  ended_.insert(member);
  auto found = waiting_.extract(member);
  return found.empty() ? std::vector<std::uint64_t>{} : std::move(found.mapped());
}

ReusedRows::ReusedRows(Study& study, bool as_far_as_there) {
  for (const std::string& path : reused_files(study.deck())) {
    try {
      look_through(study, path);
    } catch (const std::exception& reason) {
      if (!as_far_as_there) throw study.deck().error("study.reuse"_key, reason.what());
      std::fprintf(stderr, "%s study.reuse: %s; members that it would have given run\n", warning_mark(),
                   printable(reason.what()).c_str());
    }
  }
  std::ranges::stable_sort(entries_, {}, &Entry::hash);
}

void ReusedRows::look_through(const Study& study, const std::string& path) {
  File file{std::make_unique<EnsembleReader>(path), {}, {}, {}};
  const EnsembleSchema& schema = file.reader->schema();
  require_this_build(file.reader->provenance(), path);
  file.reader->set_observables(observables_of(study.deck()).names());
  Deck ours = study.deck();
  Deck theirs = Deck::parse_stored(schema.deck, path + ":/deck");
  const std::vector<Rerun> reruns = reruns_of(theirs);
  const auto refuse = [&](std::string_view key) {
    throw FileError(path + " has members of another deck: they differ in " + std::string(key));
  };
  // Keys that vary on either side are compared by the points, and all others at once.
  std::vector<ParameterAddress> columns;
  for (const std::string& name : schema.parameter_names) columns.push_back(parse_parameter_address(name));
  for (const ParameterAddress& address : study.parameters()) {
    const auto found = std::ranges::find(columns, address);
    const std::optional<double> constant = number_at(theirs, address);
    if (found == columns.end() && !constant) refuse(address.name());
    file.columns.push_back(found == columns.end() ? no_column
                                                  : static_cast<std::size_t>(found - columns.begin()));
    file.constants.push_back(constant.value_or(0.0));
    // A deck may leave to its study what a key has.
    if (const std::optional<double> same = constant ? constant : number_at(ours, address)) {
      ours.set(address, *same);
      theirs.set(address, *same);
    }
  }
  std::vector<std::pair<std::size_t, double>>
      needed;  // what the rows must have where this study has one value
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (std::ranges::find(study.parameters(), columns[k]) != study.parameters().end()) continue;
    const std::optional<double> constant = number_at(ours, columns[k]);
    if (!constant) refuse(columns[k].name());
    needed.emplace_back(k, *constant);
    theirs.set(columns[k], *constant);
  }
  if (const Key key = ours.first_difference(theirs, is_of_members); key != no_key) refuse(key_info(key).name);
  const std::size_t before = entries_.size();
  const std::uint32_t members = members_of_candidate(theirs);
  file.reader->for_each_row([&](const MemberRow& row) {
    if (!holds_for_others(row.status)) return;
    const std::uint64_t number = row.candidate * members + row.member % members;
    if (std::ranges::any_of(reruns, [&](const Rerun& rerun) { return rerun.has(number); })) return;
    if (std::ranges::all_of(
            needed, [&](const auto& one) { return same_bits(row.parameters[one.first], one.second); }))
      entries_.push_back(
          {hash_of(point_in(file, row)), static_cast<std::uint32_t>(files_.size()), row.member});
  });
  if (entries_.size() == before) throw FileError(path + " has no row that a member of this study could take");
  files_.push_back(std::move(file));
}

/// The numbers of a row in the order of this study's parameters.
std::vector<double> ReusedRows::point_in(const File& file, const MemberRow& row) const {
  std::vector<double> point = file.constants;
  for (std::size_t k = 0; k < point.size(); ++k) {
    if (file.columns[k] != no_column) point[k] = row.parameters[file.columns[k]];
  }
  return point;
}

/// Rows that follow one another are asked for together.
MemberRow ReusedRows::read(File& file, std::uint64_t row) {
  constexpr std::uint64_t at_once = 1024;
  const EnsembleSchema& schema = file.reader->schema();
  if (holds_trajectories(schema)) return file.reader->read_member(row);
  const std::uint64_t first = row / at_once * at_once;
  if (file.read.empty() || file.read.front().member != first)
    file.read = file.reader->read_rows(first, std::min(at_once, schema.members - first));
  return file.read[row - first];
}

std::optional<MemberRow> ReusedRows::row_of(Study& study, std::uint64_t member) {
  if (entries_.empty() || study.has_changes(member)) return std::nullopt;
  const std::vector<double> point = study.point(member);
  const auto [first, last] = std::ranges::equal_range(entries_, hash_of(point), {}, &Entry::hash);
  if (first == last) return std::nullopt;
  const Study::Origin origin = study.origin(member);
  const bool draws = may_draw(study, point);
  for (auto entry = first; entry != last; ++entry) {
    File& file = files_[entry->file];
    MemberRow row = read(file, entry->row);
    if (!holds_for_others(row.status) || (draws && row.seed != origin.seed) ||
        !std::ranges::equal(point_in(file, row), point, same_bits))
      continue;
    row.parameters = point;
    become(row, member, origin, no_rank);
    return row;
  }
  return std::nullopt;
}

}  // namespace rodeo
