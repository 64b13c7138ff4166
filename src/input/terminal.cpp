#include "rodeo/input/terminal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/ioctl.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

constexpr std::size_t usual_columns = 80;
constexpr std::size_t usual_rows = 24;

/// The launcher's own output, if that is a terminal; else nothing.
std::string launchers_terminal(int descriptor) {
  std::error_code error;
  const std::string link = "/proc/" + std::to_string(getppid()) + "/fd/" + std::to_string(descriptor);
  const std::string output = std::filesystem::read_symlink(link, error);
  return !error && (output.starts_with("/dev/pts/") || output.starts_with("/dev/tty")) ? output
                                                                                       : std::string();
}

bool knows_colours() {
  const char* const no_colour = std::getenv("NO_COLOR");
  const char* const kind = std::getenv("TERM");
  return (no_colour == nullptr || *no_colour == '\0') && kind != nullptr &&
         std::string_view(kind) != "dumb" && *kind != '\0';
}

void take_size(int descriptor, Screen& screen) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return;
  if (size.ws_col > 1) screen.columns = size.ws_col;
  if (size.ws_row > 1) screen.rows = size.ws_row;
}

std::string_view code_of(Tone tone) {
  switch (tone) {
    case Tone::plain:
      return {};
    case Tone::strong:
      return "\033[1m";
    case Tone::good:
      return "\033[32m";
    case Tone::caution:
      return "\033[1;33m";
    case Tone::bad:
      return "\033[1;31m";
    case Tone::faint:
      return "\033[2m";
  }
  return {};
}

/// Text in a tone, which on a terminal overwrites the progress line.
std::string marked(Tone tone, std::string_view text) {
  const Screen screen = Screen::of(STDERR_FILENO);
  return (screen.is_terminal() ? "\r\033[K" : "") + screen.painted(tone, text);
}

}  // namespace

Screen Screen::of(int descriptor) {
  if (isatty(descriptor) == 0) return {};
  Screen screen{.columns = usual_columns, .rows = usual_rows, .colours = knows_colours()};
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) {
    take_size(descriptor, screen);
    return screen;
  }
  const std::string output = launchers_terminal(descriptor);
  if (output.empty()) return {};
  if (const int terminal = open(output.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC); terminal >= 0) {
    take_size(terminal, screen);
    close(terminal);
  }
  return screen;
}

std::string Screen::painted(Tone tone, std::string_view text) const {
  const std::string_view code = code_of(tone);
  if (!colours || code.empty() || text.empty()) return std::string(text);
  const bool ends = text.back() == '\n';
  if (ends) text.remove_suffix(1);
  return std::string(code).append(text).append("\033[0m").append(ends ? "\n" : "");
}

std::size_t text_columns() {
  constexpr std::size_t most = 100;
  constexpr std::size_t least = 50;  // below that names leave no room for texts beside them
  const Screen screen = Screen::of(STDOUT_FILENO);
  return screen.is_terminal() ? std::clamp(screen.columns, least, most) : most;
}

std::string bar(double share, std::size_t columns) {
  if (columns < 3) return {};
  const std::size_t room = columns - 2;
  const double part = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0;
  const auto filled = static_cast<std::size_t>(part * static_cast<double>(room));
  std::string text = "[" + std::string(filled, '=');
  if (filled < room) text += '>';
  text.resize(columns - 1, ' ');
  return text + ']';
}

std::string format_rate(double per_second, std::string_view noun) {
  struct Unit {
    double least;  ///< a second, from which a rate is in this unit, as far as three digits tell
    double size;
    const char* multiple;
    const char* time;
  };
  constexpr double rounded = 1.0 - 0.5e-3;
  constexpr Unit units[] = {{1e9, 1e9, "G ", "s"},
                            {1e6, 1e6, "M ", "s"},
                            {1e3, 1e3, "k ", "s"},
                            {1.0, 1.0, "", "s"},
                            {1.0 / 60.0, 1.0 / 60.0, "", "min"},
                            {0.0, 1.0 / 3600.0, "", "h"}};
  const Unit* unit = units;
  while (per_second < rounded * unit->least) ++unit;
  if (!(per_second > 0.0)) unit = units + 3;
  return formatted("%.3g %s%s/%s", per_second / unit->size, unit->multiple, std::string(noun), unit->time);
}

const char* error_mark() {
  static const std::string mark = marked(Tone::bad, "rodeo: error:");
  return mark.c_str();
}

const char* warning_mark() {
  static const std::string mark = marked(Tone::caution, "rodeo: warning:");
  return mark.c_str();
}

void print_errors(std::string_view text) {
  while (true) {
    const std::size_t end = text.find('\n');
    std::fprintf(stderr, "%s %s\n", error_mark(), printable(text.substr(0, end)).c_str());
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

std::string Redrawn::over(std::string_view text, const Screen& screen) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::vector<std::string> lines;
  for (std::size_t begin = 0, end = 0; end != std::string_view::npos; begin = end + 1) {
    end = text.find('\n', begin);
    lines.emplace_back(text.substr(begin, end - begin));
  }
  const std::size_t room =
      std::max<std::size_t>(screen.rows, 2) - 1;  // the cursor stands below the last line
  if (lines.size() > room) {
    const std::size_t left_out = lines.size() + 1 - room;
    lines.resize(room);
    lines.back() = "... and " + std::to_string(left_out) + " lines more";
  }
  // Without wrapping: a line that went on in the next row would take two.
  std::string drawn = "\033[?7l";
  if (rows_ > 0) drawn += "\033[" + std::to_string(std::min(rows_, room)) + "F";
  for (const std::string& line : lines) drawn.append(line).append("\033[K\n");
  rows_ = lines.size();
  return drawn + "\033[J\033[?7h";
}

}  // namespace rodeo
