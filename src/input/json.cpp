#include "rodeo/input/json.hpp"

#include <cmath>

#include "rodeo/input/number_text.hpp"

namespace rodeo {

std::string json_text(std::string_view text) {
  std::string json = "\"";
  for (const char letter : printable(text)) {
    if (letter == '\n') {
      json += "\\n";
      continue;
    }
    if (letter == '"' || letter == '\\') json += '\\';
    json += letter;
  }
  return json + '"';
}

std::string json_number(double value) { return std::isfinite(value) ? format_real(value) : "null"; }

std::string json_array(const std::vector<std::string>& values) {
  std::string json = "[";
  for (const std::string& value : values) json.append(&value == &values.front() ? "" : ", ").append(value);
  return json + "]";
}

std::string json_texts(const std::vector<std::string>& texts) {
  std::vector<std::string> values;
  values.reserve(texts.size());
  for (const std::string& text : texts) values.push_back(json_text(text));
  return json_array(values);
}

JsonObject& JsonObject::add(std::string_view name, const std::string& json) {
  fields_ += fields_.empty() ? "{" : ", ";
  fields_ += json_text(name) + ": " + json;
  return *this;
}

}  // namespace rodeo
