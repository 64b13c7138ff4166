#include "xdmf_words.hpp"

namespace rodeo {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char character : text) {
    switch (character) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += character;
    }
  }
  return result;
}

const char* attribute_type(int components) {
  return components == 1 ? "Scalar" : components == 3 ? "Vector" : "Matrix";
}

}  // namespace rodeo
