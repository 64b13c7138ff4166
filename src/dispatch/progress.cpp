#include "progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <sstream>
#include <unistd.h>

#include "rodeo/input/number_text.hpp"
#include "rodeo/input/terminal.hpp"
#include "rodeo/observe/observables.hpp"

namespace rodeo {

namespace {

using namespace std::chrono_literals;

/// Share of its energy that a member may gain. Undamped rods that bounce on a plane gain up to 0.22 in steps
/// of a fourteenth of their bound, and 0.17 however short the step is; in a step of 1.3 times the bound they
/// gain 1.06.
constexpr double largest_energy_gain = 0.3;

/// Share of its energy that steps may take. A cantilever that is let go level loses and regains up to 0.05 in
/// a swing, in steps of a 40th of its period.
constexpr double largest_energy_loss = 0.1;

/// Share of all work on a member by which its balance of energy may be off.
constexpr double largest_imbalance = 0.02;

/// Largest depth of an element's centre line in the ground, over its radius.
constexpr double largest_ground_depth = 1.0;

// Places in the list of observables.
constexpr std::size_t energy_gain = observable_index(observe::energy_gain_relative.name);
constexpr std::size_t energy_loss = observable_index(observe::energy_loss_relative.name);
constexpr std::size_t energy_balance = observable_index(observe::energy_balance_relative.name);
constexpr std::size_t ground_depth = observable_index(observe::ground_depth_relative.name);
constexpr std::size_t unstable_modes = observable_index(observe::unstable_modes.name);

constexpr std::size_t log_columns = 80;

}  // namespace

void Excesses::add(const EndedMember& ended) {
  if (!ended_well(ended.status) || !(ended.observable(observable_) > most_)) return;
  ++count_;
  const auto place = std::ranges::upper_bound(first_, ended.member, {}, &EndedMember::member);
  first_.insert(place, ended);
  if (first_.size() > most_named) first_.pop_back();
}

std::string Excesses::text(std::string_view did, std::string_view cause) const {
  if (count_ == 0) return {};
  std::ostringstream text;
  text.precision(3);
  text << count_ << (count_ == 1 ? " member " : " members ") << did << ": ";
  for (const EndedMember& member : first_) {
    text << (&member == &first_.front() ? "member " : ", member ") << member.member << " "
         << 100.0 * member.observable(observable_) << " %";
  }
  text << (count_ > first_.size() ? ", ..." : "") << "; " << cause;
  return text.str();
}

UnknownStability::UnknownStability(const Study& study) : is_static_(study.rests()) {}

void UnknownStability::add(const EndedMember& ended) {
  if (!is_static_ || ended.status != MemberStatus::done || !std::isnan(ended.observable(unstable_modes)))
    return;
  first_ = count_++ == 0 ? ended.member : std::min(first_, ended.member);
}

std::string UnknownStability::text() const {
  if (count_ == 0) return {};
  return std::to_string(count_) + (count_ == 1 ? " member is" : " members are") +
         " in equilibrium, and whether the rods would stay there is not known (unstable_modes), first of " +
         "member " + std::to_string(first_) +
         ": either loads have no energy, or rods are so slender that rounding hides it, which it does later "
         "with model.kind = cosserat than with der";
}

Progress::Progress(const Study& study, double cost)
    : members_(study.members()),
      members_of_candidate_(study.members_of_candidate()),
      cost_(cost),
      ends_(study.objectives().empty() ? std::nullopt : std::optional(study.objectives().front().place)),
      energy_gains_(energy_gain, largest_energy_gain),
      energy_losses_(energy_loss, largest_energy_loss),
      energy_balances_(energy_balance, largest_imbalance),
      ground_depths_(ground_depth, largest_ground_depth),
      unknown_stability_(study),
      reuses_(study.deck().has_value("study.reuse"_key)),
      terminal_(Screen::of(STDOUT_FILENO).is_terminal()),
      start_(std::chrono::steady_clock::now()),
      last_shown_(start_) {}

void Progress::count_earlier(const EndedMember& ended) { add(ended); }

void Progress::add(const EndedMember& ended) {
  ends_.add(ended);
  energy_gains_.add(ended);
  energy_losses_.add(ended);
  energy_balances_.add(ended);
  ground_depths_.add(ended);
  unknown_stability_.add(ended);
}

void Progress::count(const EndedMember& ended, double cost) {
  add(ended);
  ++ended_now_;
  steps_ += static_cast<double>(ended.steps);
  cost_ended_ += cost;
}

void Progress::change_running(const RunningWork& before, const RunningWork& after) {
  running_.members += after.members - before.members;
  running_.steps += after.steps - before.steps;
  running_.cost += after.cost - before.cost;
  running_.earlier += after.earlier - before.earlier;
}

double Progress::elapsed() const {
  return std::max(1e-9, std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
}

double Progress::steps_per_second() const { return (steps_ + running_.steps) / elapsed(); }

double Progress::share_done() const {
  return cost_ > 0.0 ? std::clamp((cost_ended_ + running_.cost) / cost_, 0.0, 1.0) : 0.0;
}

double Progress::seconds_left() const {
  const double done = cost_ended_ + running_.cost;
  const double done_now = done - running_.earlier;
  return done_now > 0.0 ? std::max(0.0, elapsed() * (cost_ - done) / done_now) : 0.0;
}

RunningNote Progress::running_note() const {
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  return {now.count(), running_.members, running_.steps, steps_per_second(), share_done(), seconds_left()};
}

std::string fitted_line(const std::vector<std::string>& parts, std::size_t columns) {
  std::string line;
  for (const std::string& part : parts) {
    const std::string gap = line.empty() ? "" : "  ";
    if (line.size() + gap.size() + part.size() > columns) break;
    line += gap + part;
  }
  return line.empty() && !parts.empty() ? parts.front().substr(0, columns) : line;
}

std::string Progress::badly_text() const {
  return ends_.badly() > 0 ? std::to_string(ends_.badly()) + " ended badly" : "";
}

/// The parts of the line, those that matter most first; of a log in numbers, of a terminal in units that a
/// person would choose.
std::vector<std::string> Progress::parts(const Plan& plan) const {
  const double rate = static_cast<double>(ended_now_) / elapsed();
  const double left = seconds_left();
  const auto left_text = [&](const char* about) {
    if (share_done() >= 1.0) return std::string(terminal_ ? "0 s left" : "left 0:00:00");
    if (terminal_) return left > 0.0 ? about + format_time(left) + " left" : "time left not known yet";
    return std::string("left ") + about + (left > 0.0 ? format_duration(left) : "unknown");
  };
  std::vector<std::string> parts;
  if (const std::string state = plan.progress(); !state.empty()) {
    parts.push_back(state);
    if (plan.expected_members() && !plan.adaptive()) {
      parts.push_back(left_text("about "));
      parts.push_back(terminal_ ? format_rate(rate, "members") : formatted("%.4g members/s", rate));
    } else {
      // The end is where the plan has used all it may; it mostly stops before.
      parts.push_back(left_text("at most "));
      parts.push_back(formatted("%.0f evaluations",
                                std::floor(static_cast<double>(ends_.all()) / members_of_candidate_)));
      const double evaluations = rate / members_of_candidate_;
      parts.push_back(terminal_ ? format_rate(evaluations, "evaluations") : formatted("%.3g/s", evaluations));
    }
    if (terminal_ && ends_.badly() > 0) parts.push_back(badly_text());
    parts.push_back(formatted("idle %.1f %%", 100.0 * idle_share()));
    return parts;
  }
  const std::string ended = formatted("%llu/%llu members", static_cast<unsigned long long>(ends_.all()),
                                      static_cast<unsigned long long>(members_));
  const std::string running = formatted("%.0f running", running_.members);
  const std::string share = formatted("%.1f %%", 100.0 * share_done());
  parts = terminal_ ? std::vector{share, left_text(""), ended}
                    : std::vector{ended + ", " + running, share, left_text("")};
  if (ends_.badly() > 0) parts.push_back(badly_text());
  parts.push_back(terminal_ ? format_rate(rate, "members") : formatted("%.3g members/s", rate));
  if (terminal_ && running_.members > 0.0) parts.push_back(running);
  parts.push_back(terminal_ ? format_rate(steps_per_second(), "steps")
                            : formatted("%.3g steps/s", steps_per_second()));
  return parts;
}

/// A bar before as many parts as there is room for. A terminal goes on to its next line once its last column
/// is written.
std::string Progress::drawn_line(const Plan& plan, const Screen& screen) const {
  constexpr std::size_t narrowest = 60;  // a narrower terminal has no room for a bar beside what matters most
  constexpr std::size_t widest_bar = 30;
  const std::size_t columns = std::max<std::size_t>(screen.columns, 2);
  const std::size_t bar_columns = columns < narrowest ? 0 : std::min(columns / 5, widest_bar);
  std::string line = bar_columns == 0 ? "" : screen.painted(Tone::good, bar(share_done(), bar_columns)) + " ";
  const std::size_t taken = bar_columns == 0 ? 0 : bar_columns + 1;
  std::string text = fitted_line(parts(plan), columns - 1 - taken);
  const std::string badly = badly_text();
  if (const std::size_t place = text.find(badly); !badly.empty() && place != std::string::npos) {
    text.replace(place, badly.size(), screen.painted(Tone::bad, badly));
  }
  return line + text;
}

void Progress::show(const Plan& plan) {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_shown_ < (terminal_ ? 250ms : 10s)) return;
  last_shown_ = now;
  if (terminal_) {
    std::printf("\r%s\033[K", drawn_line(plan, Screen::of(STDOUT_FILENO)).c_str());
  } else {
    std::printf("%s\n", fitted_line(parts(plan), log_columns - 1).c_str());
  }
  std::fflush(stdout);
}

void Progress::close(const std::string& state, const std::string& path, const Plan& plan) {
  const double seconds = elapsed();
  if (terminal_) std::printf("\r\033[K");
  std::printf("%s: %llu of %llu members in the file, %llu of them in this run of %.3g s (%.4g members/s)\n",
              state.c_str(), static_cast<unsigned long long>(ends_.all()),
              static_cast<unsigned long long>(members_), static_cast<unsigned long long>(ended_now_), seconds,
              static_cast<double>(ended_now_) / seconds);
  for (int status = 1; status < member_status_count; ++status) {
    const std::uint64_t count = ends_.of(static_cast<MemberStatus>(status));
    if (count == 0) continue;
    std::printf("  %-14s %llu\n", std::string(to_string(static_cast<MemberStatus>(status))).c_str(),
                static_cast<unsigned long long>(count));
  }
  if (reuses_)
    std::printf("%llu of them taken from other files (study.reuse)\n",
                static_cast<unsigned long long>(reused_));
  if (plan.adaptive() || plan.expected_members()) {
    std::printf("workers waited %.1f %% of their time\n", 100.0 * idle_share());
  }
  std::fputs(plan.conclusion().c_str(), stdout);
  const std::string gains = energy_gains_.text(
      "gained energy although nothing does work on the rods",
      "time.step is too long for what acts on them (rodeo check tells the bounds of contact and ground), or "
      "stiff rods move so slowly that what rounding adds counts (model.precision)");
  const std::string losses = energy_losses_.text(
      "lost energy to the steps alone",
      "time.step does not resolve all of the motion: a shorter one does, or time.tolerance");
  const std::string balances =
      energy_balances_.text("have a balance of energy that does not close (energy_balance)",
                            "time.step or measure.interval is too long for what moves the rods, or the "
                            "scheme itself takes energy (time.scheme = backward_euler always does)");
  const std::string depths =
      ground_depths_.text("sank into the ground by more than a radius",
                          "ground.stiffness is too small for what presses on it (ground_depth_relative)");
  for (const std::string& text : {gains, losses, balances, depths, unknown_stability_.text()}) {
    if (!text.empty()) std::fprintf(stderr, "%s %s\n", warning_mark(), text.c_str());
  }
  std::printf("results: %s\n", path.c_str());
  std::fflush(stdout);
}

}  // namespace rodeo
