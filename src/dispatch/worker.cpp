#include "rodeo/dispatch/worker.hpp"

#include <algorithm>
#include <limits>
#include <thread>
#include <utility>

#include "rodeo/math/random.hpp"
#include "rodeo/observe/observables.hpp"

namespace rodeo {

namespace {

using namespace std::chrono_literals;

/// Ended members of a running batch are written at least this often, so that a kill loses little.
constexpr auto write_interval = 500ms;

}  // namespace

void Worker::advance() {
  if (batch_ == nullptr) start_next_chunk();
  const bool running = batch_ != nullptr && batch_->advance();
  if (batch_ != nullptr) collect_ended();
  if (!running) batch_.reset();
  if (!running || std::chrono::steady_clock::now() - last_write_ > write_interval) write();
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
      jobs.push_back(study_.job(member, point, chunk.limits[k]));
      running_.members.push_back(member);
      running_.points.insert(running_.points.end(), point.begin(), point.end());
    } catch (const DeckError&) {
      // Points that an adaptive plan finds are not checked in advance.
      MemberOutcome outcome;
      outcome.status = MemberStatus::failed;
      outcome.observables = unknown_observables();
      add_row(member, point, outcome);
    }
  }
  collected_.assign(jobs.size(), false);
  if (!jobs.empty()) batch_ = make_batch(jobs);
  last_write_ = std::chrono::steady_clock::now();
}

void Worker::collect_ended() {
  const auto outcomes = batch_->outcomes();
  const auto dimension = static_cast<std::ptrdiff_t>(running_.points.size() / running_.members.size());
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    if (collected_[k] || outcomes[k].status == MemberStatus::pending) continue;
    collected_[k] = true;
    const auto first = running_.points.begin() + static_cast<std::ptrdiff_t>(k) * dimension;
    add_row(running_.members[k], {first, first + dimension}, outcomes[k]);
  }
}

void Worker::add_row(std::uint64_t member, std::vector<double> point, const MemberOutcome& outcome) {
  MemberRow row;
  row.member = member;
  row.candidate = member / study_.repeats();
  row.repeat = static_cast<std::uint32_t>(member % study_.repeats());
  row.seed = member_seed(study_.deck().seed(), row.candidate, row.repeat);
  row.status = outcome.status;
  row.steps = outcome.steps;
  row.wall_seconds = outcome.wall_seconds;
  row.rank = rank_;
  row.parameters = std::move(point);
  row.observables = outcome.observables;
  row.time = outcome.time;
  row.fields = outcome.fields;
  rows_.push_back(std::move(row));
}

void Worker::write() {
  last_write_ = std::chrono::steady_clock::now();
  if (rows_.empty()) return;
  // Rows that follow one another in the file go there as one block.
  std::sort(rows_.begin(), rows_.end(),
            [](const MemberRow& a, const MemberRow& b) { return a.member < b.member; });
  file_.write(rows_);
  for (const MemberRow& row : rows_) {
    const double objective = study_.objective() < 0
                                 ? std::numeric_limits<double>::quiet_NaN()
                                 : row.observables[static_cast<std::size_t>(study_.objective())];
    ended_.push_back({row.member, row.steps, objective, row.status,
                      row.observables[observable_index(observe::objective_gain.name)]});
  }
  rows_.clear();
}

std::vector<EndedMember> Worker::take_ended() { return std::exchange(ended_, {}); }

void Worker::drop() {
  chunks_.clear();
  batch_.reset();
  write();
}

void serve(Worker& worker, Mailbox& mailbox) {
  bool failed = false;
  bool stop = false;
  const auto guarded = [&](const auto& action) {
    try {
      action();
    } catch (const std::exception& error) {
      failed = true;
      mailbox.send(0, message::failure, error.what());
    }
  };
  while (!stop) {
    if (const Mailbox::Arrival arrival = mailbox.probe(); arrival.any) {
      if (arrival.tag == message::work) {
        worker.give(mailbox.receive_chunk(arrival));
      } else {
        mailbox.receive_text(arrival);
        stop = true;
      }
    } else if (failed || !worker.busy()) {
      std::this_thread::sleep_for(idle_sleep);
    } else {
      guarded([&] { worker.advance(); });
      if (const auto ended = worker.take_ended(); !ended.empty()) mailbox.send(0, ended);
    }
  }
  if (!failed) guarded([&] { worker.drop(); });
  if (const auto ended = worker.take_ended(); !ended.empty()) mailbox.send(0, ended);
  mailbox.send(0, message::stopped);
}

}  // namespace rodeo
