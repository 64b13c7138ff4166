#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rodeo {

bool is_letter(char c);  ///< of ASCII, or _
bool is_digit(char c);

/// Whether a character has no place in a line of text: it is neither printed nor a tab or a carriage return.
bool is_control(char c);

/// Whether a word stands in a line, not as a part of another one.
bool names_word(std::string_view line, std::string_view word);

/// Reads a line of a deck from left to right. Blanks may stand before everything.
class LineReader {
 public:
  /// Throws std::invalid_argument on a line that is too long. The text must outlive the reader.
  explicit LineReader(std::string_view line);

  std::size_t at() const { return at_; }
  void go_to(std::size_t place) { at_ = place; }

  /// Throws std::invalid_argument that names the character at a place and what follows it.
  [[noreturn]] void fail(std::size_t place, const std::string& problem) const;

  /// Calls `use`, and fails at a place for a std::invalid_argument that it throws.
  template <class Use>
  decltype(auto) read_at(std::size_t place, const Use& use) const {
    try {
      return use();
    } catch (const std::invalid_argument& reason) {
      fail(place, reason.what());
    }
  }

  void skip_blanks();
  bool at_end();
  /// The next character, which stays; 0 at the end.
  char next();

  /// Passes a character, text or word if it stands here, and says whether it did.
  bool take(char c);
  bool take(std::string_view text);
  bool take_word(std::string_view text);
  /// Passes a character, or fails if it does not stand here.
  void expect(char c, const std::string& why);

  /// Letters and digits; empty if there is no letter here.
  std::string_view word();
  /// A word that may be the name of a number of the deck: `name`, `section.key`, or either with `[i]`.
  std::string_view name();
  /// Text before a character, without blanks around it. Fails if the character does not follow.
  std::string_view text_before(char c, const std::string& why);
  /// Read a number; fail if none stands here.
  double number();
  int integer();

  /// Whether a comma stands between here and the parenthesis that closes.
  bool has_several_arguments() const;

 private:
  std::string_view line_;
  std::size_t at_ = 0;
};

}  // namespace rodeo
