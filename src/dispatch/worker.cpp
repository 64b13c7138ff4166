#include "worker.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "rodeo/dispatch/rank_watch.hpp"
#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/terminal.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/observe/observables.hpp"
#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/file_records.hpp"

namespace rodeo {

namespace {

using namespace std::chrono_literals;

/// Ended members of a running batch are written at least this often, so that a kill loses little.
constexpr auto write_interval = 500ms;

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

void warn_about_state(const char* reason, std::uint64_t member) {
  std::fprintf(stderr, "%s %s: member %llu starts anew\n", warning_mark(), reason,
               static_cast<unsigned long long>(member));
}

/// The state a member goes on from, or nothing if it starts anew.
std::optional<std::vector<std::byte>> read_state(const CheckpointFolder& checkpoints, std::uint64_t member) {
  try {
    return checkpoints.read(member);
  } catch (const FileError& error) {
    warn_about_state(error.what(), member);
    return std::nullopt;
  }
}

bool restore(Batch& batch, std::size_t member, const std::vector<std::byte>& state) {
  try {
    StateArchive archive(state);
    batch.visit_state(member, archive);
    archive.require_end();
    return true;
  } catch (const StateError&) {
    return false;
  }
}

}  // namespace

EndedMember ended_member(MemberRow row, bool with_frame) {
  EndedMember ended{row.member, row.steps, row.status, std::move(row.observables)};
  if (with_frame && row.status == MemberStatus::done && !row.fields.empty()) {
    const std::vector<double>& position = row.fields.front();
    const auto numbers = static_cast<std::ptrdiff_t>(position.size() / row.time.size());
    ended.last_frame.assign(position.end() - numbers, position.end());
  }
  return ended;
}

double least_kept_work(const Deck& deck) {
  return std::min(1.0, deck.number("output.checkpoint_interval"_key));
}

Worker::Worker(Study& study, EnsembleFile& file, const CheckpointFolder& checkpoints, int rank)
    : study_(study),
      file_(file),
      checkpoints_(checkpoints),
      ended_states_(study, checkpoints.campaign_file()),
      rank_(rank),
      deadline_(study.deck().number("study.deadline"_key)),
      checkpoint_interval_(study.deck().number("output.checkpoint_interval"_key)) {}

void Worker::advance() {
  if (batch_ == nullptr) start_next_chunk();
  bool running = batch_ != nullptr && batch_->advance();
  if (batch_ != nullptr) {
    if (running && deadline_ > 0.0) end_overdue();
    collect_ended();
  }
  if (!running) batch_.reset();
  if (!running || std::chrono::steady_clock::now() - last_write_ > write_interval) write();
  if (running && checkpoint_interval_ > 0.0 && seconds_since(last_checkpoint_) > checkpoint_interval_)
    keep_running();
}

void Worker::start_next_chunk() {
  if (chunks_.empty()) return;
  const Chunk chunk = std::move(chunks_.front());
  chunks_.pop_front();
  running_ = {};
  const auto dimension = static_cast<std::ptrdiff_t>(chunk.points.size() / chunk.members.size());
  std::vector<MemberJob> jobs;
  jobs.reserve(chunk.members.size());
  auto first = chunk.points.begin();
  for (std::size_t k = 0; k < chunk.members.size(); ++k) {
    const std::uint64_t member = chunk.members[k];
    const std::vector<double> point(first, first + dimension);
    first += dimension;
    try {
      MemberJob job = study_.job(member, point);
      study_.require_start(job.spec);
      jobs.push_back(std::move(job));
      running_.members.push_back(member);
      running_.points.insert(running_.points.end(), point.begin(), point.end());
    } catch (const DeckError&) {
      // Points that an adaptive plan finds are not checked in advance, and some candidates may not start.
      add_failed_row(member, point);
    }
  }
  collected_.assign(jobs.size(), false);
  if (!jobs.empty()) start_batch(jobs);
  last_write_ = std::chrono::steady_clock::now();
  batch_start_ = last_write_;
  last_checkpoint_ = last_write_;
}

/// Makes the batch, with members that have a checkpoint in the state they left off in.
void Worker::start_batch(const std::vector<MemberJob>& jobs) {
  std::map<std::size_t, std::vector<std::byte>> states;
  specs_.clear();
  if (checkpoints_.exists() || ended_states_.kept()) {
    for (std::size_t k = 0; k < jobs.size(); ++k) {
      if (auto state = state_to_go_on_from(k, jobs[k].spec)) states[k] = std::move(*state);
      if (ended_states_.kept()) specs_.push_back(jobs[k].spec);
    }
  }
  for (;;) {
    batch_ = make_batch(jobs);
    const auto misfit = std::ranges::find_if(
        states, [this](const auto& state) { return !restore(*batch_, state.first, state.second); });
    if (misfit == states.end()) break;
    // Part of this member was overwritten by what is not its state: all over again, without that.
    warn_about_state("a checkpoint does not fit", running_.members[misfit->first]);
    states.erase(misfit);
  }
  flights_.clear();
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const MemberSpec& spec = jobs[k].spec;
    const MemberOutcome& outcome = batch_->outcomes()[k];
    Flight flight{predicted_cost(spec), model_of(spec).has_rods ? static_cast<double>(spec.time.steps) : 0.0,
                  static_cast<double>(outcome.steps)};
    flight.first_share = share_done(flight, outcome);
    flights_.push_back(flight);
  }
}

/// State of the k-th member of the batch, from its checkpoint or else from an earlier end.
std::optional<std::vector<std::byte>> Worker::state_to_go_on_from(std::size_t k, const MemberSpec& spec) {
  const std::uint64_t member = running_.members[k];
  if (checkpoints_.has(member)) {
    on_disk_.insert(member);
    if (auto state = read_state(checkpoints_, member)) return state;
  }
  if (!ended_states_.kept()) return std::nullopt;
  try {
    return ended_states_.read(ended_states_.name_of(study_, member, point_of(k), spec), spec);
  } catch (const FileError& error) {
    warn_about_state(error.what(), member);
    return std::nullopt;
  }
}

std::vector<double> Worker::point_of(std::size_t k) const {
  const std::size_t dimension = running_.points.size() / running_.members.size();
  const auto first = running_.points.begin() + static_cast<std::ptrdiff_t>(k * dimension);
  return {first, first + static_cast<std::ptrdiff_t>(dimension)};
}

/// Takes the state of a member that has ended, to be written after its row.
void Worker::keep_ended(std::size_t k) {
  const MemberStatus status = batch_->outcomes()[k].status;
  if (!ended_states_.kept() || (status != MemberStatus::done && status != MemberStatus::unstable)) return;
  StateArchive archive;
  batch_->visit_state(k, archive);
  kept_states_.push_back({ended_states_.name_of(study_, running_.members[k], point_of(k), specs_[k]),
                          specs_[k], archive.take()});
}

double Worker::share_done(const Flight& flight, const MemberOutcome& outcome) {
  const double share = flight.steps_in_all > 0.0 ? static_cast<double>(outcome.steps) / flight.steps_in_all
                                                 : 1e9 * outcome.wall_seconds / flight.cost;
  return std::min(1.0, share);
}

RunningWork Worker::running() const {
  RunningWork work;
  if (batch_ == nullptr) return work;
  const auto outcomes = batch_->outcomes();
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    const Flight& flight = flights_[k];
    const bool runs = outcomes[k].status == MemberStatus::pending;
    const double share = runs ? share_done(flight, outcomes[k]) : 1.0;
    work.chunk += flight.cost * (share - flight.first_share);
    if (!runs || outcomes[k].wall_seconds == 0.0) continue;
    work.members += 1.0;
    work.steps += static_cast<double>(outcomes[k].steps) - flight.first_steps;
    work.cost += flight.cost * share;
    work.earlier += flight.cost * flight.first_share;
  }
  return work;
}

void Worker::end_overdue() {
  const auto outcomes = batch_->outcomes();
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    if (outcomes[k].status == MemberStatus::pending && outcomes[k].wall_seconds > deadline_)
      batch_->time_out(k);
  }
}

/// Writes the states of all members that have run. A campaign does not end because that fails: at worst these
/// members start anew.
void Worker::keep_running() {
  last_checkpoint_ = std::chrono::steady_clock::now();
  const auto outcomes = batch_->outcomes();
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    if (outcomes[k].status != MemberStatus::pending || outcomes[k].wall_seconds == 0.0) continue;
    StateArchive archive;
    batch_->visit_state(k, archive);
    try {
      checkpoints_.write(running_.members[k], archive.take());
      on_disk_.insert(running_.members[k]);
      ++kept_;
    } catch (const WriteError& error) {
      if (!warned_) std::fprintf(stderr, "%s rank %d: %s\n", warning_mark(), rank_, error.what());
      warned_ = true;
      return;
    }
  }
}

void Worker::collect_ended() {
  const auto outcomes = batch_->outcomes();
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    if (collected_[k] || outcomes[k].status == MemberStatus::pending) continue;
    collected_[k] = true;
    add_row(running_.members[k], point_of(k), outcomes[k]);
    keep_ended(k);
  }
}

void Worker::add_failed_row(std::uint64_t member, std::vector<double> point) {
  MemberOutcome outcome;
  outcome.status = MemberStatus::failed;
  outcome.observables = unknown_observables(observables_of(study_.deck()).defined().size());
  add_row(member, std::move(point), outcome);
}

void Worker::set_aside(std::uint64_t member, std::vector<double> point) {
  add_failed_row(member, std::move(point));
  on_disk_.insert(member);  // its worker may have left a checkpoint
  write();
}

void Worker::add_row(std::uint64_t member, std::vector<double> point, const MemberOutcome& outcome) {
  study_.require_columns(outcome.observables);
  MemberRow row;
  row.member = member;
  const Study::Origin origin = study_.origin(member);
  row.candidate = origin.candidate;
  row.repeat = origin.repeat;
  row.seed = origin.seed;
  row.status = outcome.status;
  row.steps = outcome.steps;
  row.wall_seconds = outcome.wall_seconds;
  row.rank = rank_;
  row.parameters = std::move(point);
  row.observables = outcome.observables;
  if (study_.keeps_frames()) {
    row.time = outcome.time;
    row.fields = outcome.fields;
    if (file_.schema().frames > 0 && !outcome.at_data.empty()) row.fields.push_back(outcome.at_data);
    if (!row.fields.empty() && file_.schema().fields.back().modes > 0)
      row.fields.push_back(outcome.mode_shapes);
  }
  rows_.push_back(std::move(row));
}

void Worker::write() {
  last_write_ = std::chrono::steady_clock::now();
  if (rows_.empty()) return;
  // Rows that follow one another in the file go there as one block.
  std::sort(rows_.begin(), rows_.end(),
            [](const MemberRow& a, const MemberRow& b) { return a.member < b.member; });
  file_.write(rows_);
  // A row that is there has the state of its own end or of an earlier one: what goes on from either is right.
  for (EndedState& ended : std::exchange(kept_states_, {})) {
    try {
      ended_states_.write(ended.name, ended.spec, std::move(ended.state));
    } catch (const WriteError& error) {
      if (!warned_) std::fprintf(stderr, "%s rank %d: %s\n", warning_mark(), rank_, error.what());
      warned_ = true;
      break;
    }
  }
  for (MemberRow& row : rows_) {
    if (on_disk_.erase(row.member) > 0) checkpoints_.remove(row.member);
    ended_.push_back(ended_member(std::move(row), study_.plan().needs_frames()));
  }
  rows_.clear();
}

std::vector<EndedMember> Worker::take_ended() { return std::exchange(ended_, {}); }

void Worker::drop() {
  chunks_.clear();
  write();
  if (batch_ != nullptr && checkpoint_interval_ > 0.0 &&
      seconds_since(batch_start_) >= least_kept_work(study_.deck())) {
    keep_running();
  }
  batch_.reset();
}

ServiceEnd serve(Worker& worker, Mailbox& mailbox, const std::function<bool()>& master_ended) {
  bool failed = false;
  master_ended();  // which must have been seen alive to be seen to have ended
  RankWatch::of_process().stop();
  auto last_look = std::chrono::steady_clock::now();
  auto last_report = last_look;
  bool reported = false;  // something of the chunk that runs
  const auto report = [&] {
    last_report = std::chrono::steady_clock::now();
    const RunningWork work = worker.running();
    reported = work.members > 0.0;
    mailbox.send(0, message::advanced, work.text());
  };
  const auto guarded = [&](const auto& action) {
    try {
      action();
    } catch (const std::exception& error) {
      failed = true;
      mailbox.send(0, message::failure, words_of(error));
    }
    if (const auto ended = worker.take_ended(); !ended.empty()) {
      mailbox.send(0, ended);
      if (reported) report();  // what has ended must not count twice
    }
  };
  for (;;) {
    if (const Mailbox::Arrival arrival = mailbox.probe(); arrival.any) {
      if (arrival.tag == message::work) {
        worker.give(mailbox.receive_chunk(arrival));
        continue;
      }
      mailbox.receive_text(arrival);
      if (arrival.tag == message::finish) return ServiceEnd::finished;
      if (arrival.tag == message::leave) return ServiceEnd::rank_lost;
      if (!failed) guarded([&] { worker.drop(); });
      mailbox.send(0, message::stopped, std::to_string(worker.kept()));
    } else if (failed || !worker.busy()) {
      std::this_thread::sleep_for(idle_sleep);
      last_report = std::chrono::steady_clock::now();
    } else {
      guarded([&] { worker.advance(); });
      if (std::chrono::steady_clock::now() - last_report >= report_interval) report();
    }
    if (std::chrono::steady_clock::now() - last_look < life_check_interval) continue;
    last_look = std::chrono::steady_clock::now();
    if (master_ended()) return ServiceEnd::master_ended;
  }
}

}  // namespace rodeo
