#include "line_reader.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

constexpr std::size_t longest_line = 1000;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\r' && c != '\n') || byte == 0x7f;
}

bool names_word(std::string_view line, std::string_view word) {
  const auto goes_on = [](char c) { return is_letter(c) || is_digit(c); };
  for (std::size_t at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !goes_on(line[at - 1])) && (end == line.size() || !goes_on(line[end]))) return true;
  }
  return false;
}

LineReader::LineReader(std::string_view line) : line_(line) {
  if (line.size() > longest_line) {
    throw std::invalid_argument("a line of more than " + std::to_string(longest_line) + " characters");
  }
}

void LineReader::fail(std::size_t place, const std::string& problem) const {
  const std::string_view rest = line_.substr(std::min(place, line_.size()));
  throw std::invalid_argument("character " + std::to_string(place + 1) +
                              (rest.empty() ? ", the end" : ", " + in_quotes(rest)) + ": " + problem);
}

void LineReader::skip_blanks() {
  while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
}

bool LineReader::at_end() {
  skip_blanks();
  return at_ == line_.size();
}

char LineReader::next() {
  skip_blanks();
  return at_ < line_.size() ? line_[at_] : '\0';
}

bool LineReader::take(char c) {
  if (next() != c) return false;
  ++at_;
  return true;
}

bool LineReader::take(std::string_view text) {
  skip_blanks();
  if (!line_.substr(at_).starts_with(text)) return false;
  at_ += text.size();
  return true;
}

bool LineReader::take_word(std::string_view text) {
  const std::size_t begin = at_;
  if (word() == text) return true;
  at_ = begin;
  return false;
}

void LineReader::expect(char c, const std::string& why) {
  if (!take(c)) fail(at_, why);
}

std::string_view LineReader::word() {
  skip_blanks();
  const std::size_t begin = at_;
  if (at_ < line_.size() && is_letter(line_[at_])) {
    while (at_ < line_.size() && (is_letter(line_[at_]) || is_digit(line_[at_]))) ++at_;
  }
  return line_.substr(begin, at_ - begin);
}

std::string_view LineReader::name() {
  skip_blanks();
  const std::size_t begin = at_;
  word();
  if (at_ + 1 < line_.size() && line_[at_] == '.' && is_letter(line_[at_ + 1])) {
    ++at_;
    word();
  }
  if (at_ > begin && at_ < line_.size() && line_[at_] == '[') {
    const std::size_t close = line_.find(']', at_);
    at_ = close == line_.npos ? line_.size() : close + 1;
  }
  return line_.substr(begin, at_ - begin);
}

std::string_view LineReader::text_before(char c, const std::string& why) {
  const std::size_t end = line_.find(c, at_);
  if (end == line_.npos) fail(line_.size(), why);
  const std::string_view text = trimmed(line_.substr(at_, end - at_));
  at_ = end;
  return text;
}

double LineReader::number() {
  skip_blanks();
  const std::size_t begin = at_;
  while (at_ < line_.size() && (is_digit(line_[at_]) || line_[at_] == '.')) ++at_;
  if (at_ < line_.size() && (line_[at_] == 'e' || line_[at_] == 'E')) {
    std::size_t end = at_ + 1;
    if (end < line_.size() && (line_[end] == '+' || line_[end] == '-')) ++end;
    const std::size_t digits = end;
    while (end < line_.size() && is_digit(line_[end])) ++end;
    if (end > digits) at_ = end;
  }
  const std::optional<double> value = parse_real(line_.substr(begin, at_ - begin));
  if (!value) fail(begin, "a number should stand here");
  return *value;
}

int LineReader::integer() {
  skip_blanks();
  const std::size_t begin = at_;
  const bool negative = take('-');
  const double value = number();
  if (value != std::floor(value) || value > 1e9) fail(begin, "a whole number should stand here");
  return static_cast<int>(negative ? -value : value);
}

bool LineReader::has_several_arguments() const {
  int depth = 0;
  for (std::size_t k = at_; k < line_.size(); ++k) {
    if (line_[k] == '(') ++depth;
    if (line_[k] == ')' && depth-- == 0) return false;
    if (line_[k] == ',' && depth == 0) return true;
  }
  return false;
}

}  // namespace rodeo
