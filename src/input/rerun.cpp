#include "rodeo/input/rerun.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>

#include "rodeo/input/assignments.hpp"
#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

constexpr std::string_view separator = " with ";

/// Sections whose keys say how members run; those of others say what a campaign is about, or what it keeps.
constexpr std::array<std::string_view, 6> sections_of_members = {"time",   "newton", "contact",
                                                                 "ground", "model",  "observe"};

std::optional<std::uint64_t> whole(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// "3" or "17-20"
std::optional<Rerun::Range> range_of(std::string_view text) {
  const std::size_t dash = text.find('-');
  const std::optional<std::uint64_t> first = whole(trimmed(text.substr(0, dash)));
  const std::optional<std::uint64_t> last =
      dash == std::string_view::npos ? first : whole(trimmed(text.substr(dash + 1)));
  if (!first || !last || *first > *last) return std::nullopt;
  return Rerun::Range{*first, *last};
}

void require_key_of_members(const Deck& deck, const std::string& override_text) {
  const std::string name = parse_override(override_text).name;
  const std::string_view section = std::string_view(name).substr(0, name.find('.'));
  const bool says_how = std::ranges::find(sections_of_members, section) != sections_of_members.end();
  if ((says_how && name != "time.end") || name == "study.deadline") return;
  throw deck.error("study.rerun"_key,
                   "cannot change " + name +
                       ", which is the same for all members: it changes how members run, by keys of [time] "
                       "but time.end, [newton], [contact], [ground], [model], [observe], or study.deadline");
}

}  // namespace

bool Rerun::has(std::uint64_t member) const {
  const auto after = std::ranges::upper_bound(members, member, {}, &Range::first);
  return after != members.begin() && member <= std::prev(after)->last;
}

std::string Rerun::text() const {
  std::string line;
  for (const auto& [first, last] : members) {
    line.append(line.empty() ? "" : ", ").append(std::to_string(first));
    if (last > first) line.append("-").append(std::to_string(last));
  }
  for (const std::string& change : overrides) line.append(separator).append(change);
  return line;
}

Rerun make_rerun(std::span<const std::uint64_t> members, const std::vector<std::string>& overrides) {
  Rerun rerun{.members = {}, .overrides = overrides};
  for (const std::uint64_t member : members) {
    if (!rerun.members.empty() && rerun.members.back().last + 1 == member) {
      rerun.members.back().last = member;
    } else {
      rerun.members.push_back({member, member});
    }
  }
  return rerun;
}

std::vector<Rerun> reruns_of(const Deck& deck) {
  std::vector<Rerun> reruns;
  for (const std::string& line : deck.texts("study.rerun"_key)) {
    const std::size_t end = line.find(separator);
    Rerun& rerun = reruns.emplace_back();
    for (const std::string_view text : split(std::string_view(line).substr(0, end), ',')) {
      const std::optional<Rerun::Range> range = range_of(trimmed(text));
      if (!range || end == std::string::npos)
        throw deck.error("study.rerun"_key,
                         "= " + line + " is not of the form 3, 17-20 with time.step = 1e-5");
      rerun.members.push_back(*range);
    }
    std::ranges::sort(rerun.members, {}, &Rerun::Range::first);
    for (std::size_t begin = end; begin != std::string::npos;) {
      begin += separator.size();
      const std::size_t next = line.find(separator, begin);
      rerun.overrides.push_back(line.substr(begin, next == std::string::npos ? next : next - begin));
      require_key_of_members(deck, rerun.overrides.back());
      begin = next;
    }
  }
  return reruns;
}

std::vector<std::string> reused_files(const Deck& deck) {
  std::vector<std::string> files;
  if (!deck.has_value("study.reuse"_key)) return files;
  for (const std::string_view file : split(deck.texts("study.reuse"_key).front(), ','))
    files.emplace_back(trimmed(file));
  return files;
}

/// Names the files of study.reuse from anywhere, for the campaign that goes on elsewhere.
void Deck::place_reused(const std::string& deck_path) {
  std::string all;
  for (const std::string& file : reused_files(*this)) {
    const auto path = std::filesystem::absolute(std::filesystem::path(deck_path).parent_path() / file);
    all.append(all.empty() ? "" : ", ").append(path.lexically_normal().string());
  }
  if (!all.empty()) values_["study.reuse"_key.place].texts = {all};
}

}  // namespace rodeo
