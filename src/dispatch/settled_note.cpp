#include "rodeo/dispatch/settled_note.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <vector>

#include "rodeo/output/file_records.hpp"

namespace rodeo {

namespace {

/// Whether the number of a member's steps can depend on a key.
bool can_change_steps(const ParameterAddress& address) {
  const std::string_view name = key_info(address.key).name;
  return name.starts_with("time.") || name.starts_with("rod.") || name == "muscle.period" ||
         name.starts_with("variable.");
}

/// The steps that members would have taken had they not settled.
class WholeSteps {
 public:
  WholeSteps(const Deck& deck, const std::vector<std::string>& parameters) : deck_(deck) {
    deck_.drop_sweep_axes();
    for (const std::string& name : parameters) addresses_.push_back(parse_parameter_address(name));
  }

  double of(const std::vector<double>& point) {
    std::vector<double> numbers;
    for (std::size_t k = 0; k < addresses_.size(); ++k) {
      if (can_change_steps(addresses_[k])) numbers.push_back(point[k]);
    }
    const auto [entry, is_new] = steps_.try_emplace(numbers, 0.0);
    if (is_new) {
      for (std::size_t k = 0; k < addresses_.size(); ++k) deck_.set(addresses_[k], point[k]);
      entry->second = static_cast<double>(make_member_spec(deck_).time.steps);
    }
    return entry->second;
  }

 private:
  Deck deck_;
  std::vector<ParameterAddress> addresses_;
  std::map<std::vector<double>, double> steps_;  ///< by the numbers that can change them
};

// Evaluated here, since clang 14 does not do it in a template.
constexpr Key settle_key = "observe.settle"_key;

template <class File>
std::string note_of(const File& file, const Deck& deck) {
  const std::vector<std::string>& parameters = file.schema().parameter_names;
  if (deck.number(settle_key) == 0.0 && std::ranges::count(parameters, "observe.settle") == 0) return {};
  WholeSteps whole(deck, parameters);
  double taken = 0.0;
  double spared = 0.0;
  std::uint64_t settled = 0;
  file.for_each_row([&](const MemberRow& row) {
    const auto steps = static_cast<double>(row.steps);
    taken += row.status == MemberStatus::pending ? 0.0 : steps;
    if (row.status != MemberStatus::settled) return;
    ++settled;
    spared += whole.of(row.parameters) - steps;
  });
  if (settled == 0) return {};
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), "%llu member%s settled, %.1f %% of all steps spared\n",
                static_cast<unsigned long long>(settled), settled == 1 ? "" : "s",
                100.0 * spared / (taken + spared));
  return text.data();
}

}  // namespace

std::string settled_note(const EnsembleReader& reader, const std::string& path) {
  try {
    return note_of(reader, Deck::parse_stored(reader.schema().deck, path + ":/deck"));
  } catch (const DeckError&) {
    return {};  // of another version of rodeo
  } catch (const std::invalid_argument&) {
    return {};  // likewise
  }
}

std::string settled_note(const EnsembleFile& file, const Deck& deck) { return note_of(file, deck); }

}  // namespace rodeo
