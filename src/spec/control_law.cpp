#include "rodeo/spec/control_law.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "rodeo/spec/control_spec.hpp"

// Control laws from folders outside rodeo, which src/own_laws.cmake lists.
#ifdef RODEO_OWN_CONTROL_LAWS
#include RODEO_OWN_CONTROL_LAWS
#else
namespace rodeo::own {
inline std::vector<ControlLawKind> control_laws() { return {}; }
}  // namespace rodeo::own
#endif

namespace rodeo {

namespace {

using Kinds = std::vector<std::shared_ptr<const ControlLawKind>>;

void check_name(const Kinds& kinds, std::string_view name) {
  const auto fits = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_';
  };
  const auto refuse = [&](const char* why) {
    throw std::invalid_argument("no law of control can be called '" + std::string(name) + "': " + why);
  };
  if (name.empty() || !std::ranges::all_of(name, fits) || (name.front() >= '0' && name.front() <= '9'))
    refuse("a name is of lower-case letters, digits and _");
  if (find_word<ControlSpec::Activation>(name)) refuse("that is a layer of networks");
  if (std::ranges::any_of(kinds, [&](const auto& kind) { return kind->name == name; })) refuse("another is");
}

void add(Kinds& kinds, ControlLawKind kind) {
  check_name(kinds, kind.name);
  kinds.push_back(std::make_shared<const ControlLawKind>(std::move(kind)));
}

Kinds& all() {
  static Kinds kinds = [] {
    Kinds own;
    for (ControlLawKind& kind : own::control_laws()) add(own, std::move(kind));
    return own;
  }();
  return kinds;
}

}  // namespace

void add_control_law(ControlLawKind kind) { add(all(), std::move(kind)); }

std::shared_ptr<const ControlLawKind> find_control_law(std::string_view name) {
  for (const auto& kind : all()) {
    if (kind->name == name) return kind;
  }
  return nullptr;
}

std::vector<std::string> control_law_names() {
  std::vector<std::string> names;
  for (const auto& kind : all()) names.push_back(kind->name);
  return names;
}

}  // namespace rodeo
