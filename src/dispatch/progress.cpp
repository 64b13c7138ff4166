#include "rodeo/dispatch/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <system_error>
#include <unistd.h>

#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

using namespace std::chrono_literals;

/// Whether a person watches. Open MPI gives every process a terminal of its own, also when mpirun's output
/// goes to a file, so under a launcher it is the launcher's output that counts.
bool writes_to_terminal() {
  if (isatty(STDOUT_FILENO) == 0) return false;
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) return true;
  std::error_code error;
  const auto output = std::filesystem::read_symlink("/proc/" + std::to_string(getppid()) + "/fd/1", error);
  return !error && output.string().starts_with("/dev/pts/");
}

}  // namespace

Progress::Progress(std::uint64_t members, double cost, double largest_gain, std::uint32_t repeats)
    : members_(members),
      repeats_(repeats),
      cost_(cost),
      largest_gain_(largest_gain),
      terminal_(writes_to_terminal()),
      start_(std::chrono::steady_clock::now()),
      last_shown_(start_) {}

void Progress::count_earlier(const EndedMember& ended) { add(ended); }

void Progress::add(const EndedMember& ended) {
  ++by_status_[static_cast<std::size_t>(ended.status)];
  spared_.add(ended.status, ended.steps);
  if (ended.gain <= largest_gain_ || std::isnan(ended.gain)) return;
  if (too_good_++ == 0 || ended.gain > best_gain_.gain) best_gain_ = ended;
}

void Progress::count(const EndedMember& ended, double cost) {
  add(ended);
  ++ended_now_;
  steps_ += static_cast<double>(ended.steps);
  cost_ended_ += cost;
}

std::uint64_t Progress::ended() const {
  return std::accumulate(by_status_.begin(), by_status_.end(), std::uint64_t{0});
}

double Progress::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::string Progress::line(const Plan& plan) const {
  const double seconds = std::max(elapsed(), 1e-9);
  const double rate = static_cast<double>(ended_now_) / seconds;
  char text[320];
  if (const std::string state = plan.progress(); !state.empty()) {
    // The end is where the plan has used all it may; it mostly stops before.
    const auto left = static_cast<double>(members_ - ended());
    const std::string end =
        rate > 0.0 ? format_duration(left / rate) + ", until " + format_utc_after(left / rate) : "unknown";
    std::snprintf(text, sizeof text, "%s  %.0f evaluations  %.4g/s  idle %.1f %%  left at most %s",
                  state.c_str(), std::floor(static_cast<double>(ended()) / repeats_), rate / repeats_,
                  100.0 * idle_share(), end.c_str());
    return spared_.members() == 0 ? text : text + ("  " + spared_.text());
  }
  std::snprintf(
      text, sizeof text, "%llu/%llu members  %.4g members/s  %.4g steps/s  %llu diverged  left %s",
      static_cast<unsigned long long>(ended()), static_cast<unsigned long long>(members_), rate,
      steps_ / seconds,
      static_cast<unsigned long long>(by_status_[static_cast<std::size_t>(MemberStatus::diverged)]),
      cost_ended_ > 0.0 ? format_duration(seconds * (cost_ / cost_ended_ - 1.0)).c_str() : "unknown");
  return text;
}

void Progress::show(const Plan& plan) {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_shown_ < (terminal_ ? 250ms : 10s)) return;
  last_shown_ = now;
  std::printf(terminal_ ? "\r%s\033[K" : "%s\n", line(plan).c_str());
  std::fflush(stdout);
}

void Progress::close(const std::string& state, const std::string& path, const Plan& plan) {
  const double seconds = std::max(elapsed(), 1e-9);
  if (terminal_) std::printf("\r\033[K");
  std::printf("%s: %llu of %llu members in the file, %llu of them in this run of %.3g s (%.4g members/s)\n",
              state.c_str(), static_cast<unsigned long long>(ended()),
              static_cast<unsigned long long>(members_), static_cast<unsigned long long>(ended_now_), seconds,
              static_cast<double>(ended_now_) / seconds);
  for (int status = 1; status < member_status_count; ++status) {
    const auto count = by_status_[static_cast<std::size_t>(status)];
    if (count == 0) continue;
    std::printf("  %-14s %llu\n", std::string(to_string(static_cast<MemberStatus>(status))).c_str(),
                static_cast<unsigned long long>(count));
  }
  if (plan.generations() > 0) {
    std::printf("workers waited %.1f %% of their time\n", 100.0 * idle_share());
    if (spared_.members() > 0) std::printf("%s\n", spared_.text().c_str());
    std::fputs(plan.conclusion().c_str(), stdout);
  }
  if (too_good_ > 0) {
    std::fprintf(
        stderr,
        "rodeo: warning: %llu members gained more than optimize.largest_gain = %g, most of all member "
        "%llu: %g; members that were stopped might have been selected\n",
        static_cast<unsigned long long>(too_good_), largest_gain_,
        static_cast<unsigned long long>(best_gain_.member), best_gain_.gain);
  }
  std::printf("results: %s\n", path.c_str());
  std::fflush(stdout);
}

}  // namespace rodeo
