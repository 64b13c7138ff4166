#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rodeo/input/deck.hpp"
#include "rodeo/input/terminal.hpp"
#include "rodeo/models/method_forecast.hpp"

namespace rodeo {

/// Report of `rodeo check`: what varies, members, predicted time, warnings; then steps, stability, methods,
/// memory, file size. With `whole_deck` these lines are comments of the resolved deck, which follows. On a
/// terminal lines are wrapped at words.
std::string check_report(const Deck& deck, bool whole_deck = false, const Screen& screen = {});

/// The numbers that check_report() tells and the resolved deck, as one line of JSON.
std::string check_report_as_json(const Deck& deck);

/// Lines of `rodeo check` on each method and on the cheapest, by their names; nothing where there is no
/// choice.
std::vector<std::pair<std::string, std::string>> method_lines(const MethodForecast& forecast);

}  // namespace rodeo
