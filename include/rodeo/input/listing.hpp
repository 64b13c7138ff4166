#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/observe/observable_list.hpp"

namespace rodeo {

/// One entry in the output of `rodeo keys`, `rodeo observables` and `rodeo features`.
struct ListingEntry {
  std::string name;
  std::vector<std::string> paragraphs;  ///< each begins on a line of its own
};

/// Names on the left, paragraphs on the right of them, wrapped at words so that lines have at most
/// text_columns().
std::string listing(const std::vector<ListingEntry>& entries);

/// Lines of at most `width` letters. Words that are longer are cut behind "|" and the like, if they can be.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// "; did you mean end_force?" with the names nearest to a mistyped one; empty if there are none.
std::string question_about(std::string_view mistyped, const std::vector<std::string>& names);

/// The text `rodeo keys [PATTERN]` prints: the keys whose name contains `pattern`. Throws CommandLineError,
/// with the nearest name, if there is none.
std::string key_listing(std::string_view pattern);

/// One line of JSON: an array with an object for each of these keys.
std::string key_listing_as_json(std::string_view pattern);

/// The text `rodeo observables [PATTERN]` prints, in the same way.
std::string observable_listing(std::string_view pattern, const ObservableList& list = {});

std::string observable_listing_as_json(std::string_view pattern, const ObservableList& list = {});

/// The text `rodeo signals [PATTERN]` prints, in the same way.
std::string signal_listing(std::string_view pattern);
std::string signal_listing_as_json(std::string_view pattern);

/// The text `rodeo features` prints: what each model can do.
std::string feature_listing();
std::string feature_listing_as_json();

}  // namespace rodeo
