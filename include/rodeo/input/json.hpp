#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace rodeo
