#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/observe/observable_list.hpp"

namespace rodeo {

// Values as JSON (RFC 8259) on one line, for programs that read what rodeo prints.

/// A text in quotes. Bytes that are no UTF-8 stand as "\xNN", as messages have them.
std::string json_text(std::string_view text);

/// The shortest number that is read back to the same bits; null if it is not finite, for which JSON has no
/// word.
std::string json_number(double value);

std::string json_array(const std::vector<std::string>& values);

/// Texts as an array of texts.
std::string json_texts(const std::vector<std::string>& texts);

/// An object that is put together field by field; values are JSON already, or what a function above makes one
/// of.
class JsonObject {
 public:
  JsonObject& add(std::string_view name, const std::string& json);
  JsonObject& add_text(std::string_view name, std::string_view text) { return add(name, json_text(text)); }
  JsonObject& add_number(std::string_view name, double value) { return add(name, json_number(value)); }
  JsonObject& add_count(std::string_view name, std::uint64_t value) {
    return add(name, std::to_string(value));
  }
  JsonObject& add_flag(std::string_view name, bool value) { return add(name, value ? "true" : "false"); }

  std::string text() const { return fields_ + (fields_.empty() ? "{}" : "}"); }

 private:
  std::string fields_;
};

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

/// Output of `rodeo keys [PATTERN]`: the keys whose name contains `pattern`, or whose text does if none has
/// such a name; as text, or on one line as a JSON array of objects. Throws CommandLineError, with the nearest
/// name, if there is none.
std::string key_listing(std::string_view pattern, bool as_json = false);

/// Output of `rodeo observables [PATTERN]`, in the same way.
std::string observable_listing(std::string_view pattern, const ObservableList& list = {},
                               bool as_json = false);

/// Output of `rodeo signals [PATTERN]`, in the same way.
std::string signal_listing(std::string_view pattern, bool as_json = false);

/// Output of `rodeo features`: what each model can do.
std::string feature_listing(bool as_json = false);

}  // namespace rodeo
