#include "rodeo/dispatch/stopping.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <utility>

namespace rodeo {

namespace {

volatile std::sig_atomic_t received = 0;

void remember(int signal) { received = signal; }

}  // namespace

void install_stop_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) {
    struct sigaction action {};
    action.sa_handler = remember;
    // USR1 may come more than once (from the batch system and the launcher); the others end the process when
    // repeated.
    action.sa_flags = SA_RESTART | (signal == SIGUSR1 ? 0 : static_cast<int>(SA_RESETHAND));
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

int stop_signal() { return received; }

namespace {

using namespace std::chrono_literals;
using Nanoseconds = std::chrono::duration<double, std::nano>;

/// Share of the time that is kept back for writing and closing, and its bounds.
constexpr double kept_back = 0.05;
constexpr Nanoseconds least_kept_back = 1s;
constexpr Nanoseconds most_kept_back = 60s;

/// Members are taken to be slower than predicted by this factor: their times scatter, and a member that is
/// cut off was computed in vain.
constexpr double caution = 1.25;

}  // namespace

TimeBudget::TimeBudget(std::optional<Instant> end, Instant now, const std::vector<int>& threads,
                       std::optional<std::chrono::duration<double>> least_kept)
    : least_kept_(least_kept) {
  for (const int count : threads) ranks_.push_back({count, {}, now});
  if (!end) return;
  const Nanoseconds given = *end - now;
  const Nanoseconds kept = std::clamp(given * kept_back, least_kept_back, most_kept_back);
  end_of_work_ = now + std::chrono::duration_cast<Instant::duration>(given - kept);
}

void TimeBudget::handed_out(std::size_t rank, double cost, double longest, Instant now) {
  Rank& to = ranks_[rank];
  if (to.chunks.empty()) to.started = now;
  to.chunks.push_back(std::max(longest, cost / to.threads));
}

void TimeBudget::count(Rank& rank, double predicted, double measured) {
  predicted_ += predicted - std::exchange(rank.predicted, predicted);
  measured_ += measured - std::exchange(rank.measured, measured);
}

void TimeBudget::advanced(std::size_t rank, double cost, Instant now) {
  Rank& by = ranks_[rank];
  if (by.chunks.empty() || !(cost > 0.0)) return;
  count(by, std::min(cost / by.threads, by.chunks.front()), Nanoseconds(now - by.started).count());
}

void TimeBudget::ended(std::size_t rank, Instant now) {
  Rank& by = ranks_[rank];
  count(by, by.chunks.front(), Nanoseconds(now - by.started).count());
  by.predicted = 0.0;
  by.measured = 0.0;
  by.chunks.pop_front();
  by.started = now;
}

double TimeBudget::room(std::size_t rank, Instant now) const {
  const bool kept = end_of_work_ && least_kept_ && *end_of_work_ - now >= *least_kept_;
  if (!end_of_work_ || kept) return std::numeric_limits<double>::infinity();
  const Rank& of = ranks_[rank];
  const double factor = caution * slowness();
  const double ahead = std::accumulate(of.chunks.begin(), of.chunks.end(), 0.0) * factor;
  const double run_already = of.chunks.empty() ? 0.0 : Nanoseconds(now - of.started).count();
  return (Nanoseconds(*end_of_work_ - now).count() - std::max(0.0, ahead - run_already)) / factor;
}

std::optional<TimeBudget::Instant> end_of_job() {
  const char* const text = std::getenv("SLURM_JOB_END_TIME");
  if (text == nullptr) return std::nullopt;
  char* rest = nullptr;
  const long long seconds = std::strtoll(text, &rest, 10);
  if (rest == text || *rest != '\0') return std::nullopt;
  const auto left =
      std::chrono::sys_seconds(std::chrono::seconds(seconds)) - std::chrono::system_clock::now();
  return std::chrono::steady_clock::now() + std::chrono::duration_cast<TimeBudget::Instant::duration>(left);
}

}  // namespace rodeo
