#include <array>
#include <string>
#include <vector>

#include "rodeo/connection/build_connections.hpp"
#include "rodeo/member/build_rod.hpp"
#include "rodeo/member/start_state.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "connection_text.hpp"
#include "spec_parts.hpp"

namespace rodeo {

namespace {

struct ConnectionKey {
  ConnectionKind kind;
  Key key;
};
constexpr auto connection_keys =
    std::to_array<ConnectionKey>({{ConnectionKind::spring, "connection.spring"_key},
                                  {ConnectionKind::ball, "connection.ball"_key},
                                  {ConnectionKind::hinge, "connection.hinge"_key},
                                  {ConnectionKind::rigid, "connection.rigid"_key},
                                  {ConnectionKind::bond, "connection.bond"_key}});

}  // namespace

void set_connections(const Deck& deck, MemberSpec& spec) {
  std::vector<std::string> lines;  // where each connection stands
  for (const auto& [kind, key] : connection_keys) {
    deck.for_each_line(key, [&, kind = kind, key = key](const std::string& line, const std::string& place) {
      lines.push_back(place + ": " + std::string(key_info(key).name) + ": ");
      spec.connections.push_back(parse_connection(kind, line, deck, spec));
    });
  }
  if (spec.connections.empty()) return;
  std::vector<double> storage(rod_size(array_elements(spec), spec.has_circular_sections()));
  const RodView arrays(storage.data(), array_elements(spec), spec.sections_shrink,
                       spec.has_circular_sections());
  build_rods(spec, arrays);
  try {
    connection::build_connections(spec, arrays);
  } catch (const connection::Impossible& reason) {
    throw DeckError(lines[reason.number] + reason.what());
  }
  const std::optional<HeldPair> held = held_beside_others(spec);
  if (!held) return;
  const auto name = [](const ElementPlace& place) {
    return "element " + std::to_string(place.element) + " of rod " + std::to_string(place.rod);
  };
  throw deck.error("contact.kind"_key,
                   "leaves out what connections hold, but for each element in one place only: " +
                       name(held->first) + " is held to elements in two or more, " + name(held->second) +
                       " among them; model.kind = der can leave out any number");
}

}  // namespace rodeo
