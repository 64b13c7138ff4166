#include "rodeo/dispatch/worker.hpp"

#include <algorithm>
#include <limits>
#include <thread>
#include <utility>

#include "rodeo/math/random.hpp"

namespace rodeo {

namespace {

using namespace std::chrono_literals;

/// Ended members of a running batch are written at least this often, so that a kill loses little.
constexpr auto write_interval = 500ms;

}  // namespace

void Worker::advance() {
  if (batch_ == nullptr) start_next_chunk();
  if (batch_ == nullptr) return;
  const bool running = batch_->advance();
  collect_ended();
  if (!running) batch_.reset();
  if (!running || std::chrono::steady_clock::now() - last_write_ > write_interval) write();
}

void Worker::start_next_chunk() {
  if (chunks_.empty()) return;
  running_ = std::move(chunks_.front());
  chunks_.pop_front();
  const std::size_t dimension = running_.points.size() / running_.members.size();
  std::vector<MemberJob> jobs;
  jobs.reserve(running_.members.size());
  std::vector<double> point(dimension);
  for (std::size_t k = 0; k < running_.members.size(); ++k) {
    std::copy_n(running_.points.begin() + static_cast<std::ptrdiff_t>(k * dimension), dimension,
                point.begin());
    jobs.push_back(study_.job(running_.members[k], point));
  }
  collected_.assign(jobs.size(), false);
  batch_ = make_batch(jobs);
  last_write_ = std::chrono::steady_clock::now();
}

void Worker::collect_ended() {
  const auto outcomes = batch_->outcomes();
  const std::size_t dimension = running_.points.size() / running_.members.size();
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    const MemberOutcome& outcome = outcomes[k];
    if (collected_[k] || outcome.status == MemberStatus::pending) continue;
    collected_[k] = true;
    MemberRow row;
    row.member = running_.members[k];
    row.candidate = row.member / study_.repeats();
    row.repeat = static_cast<std::uint32_t>(row.member % study_.repeats());
    row.seed = member_seed(study_.deck().seed(), row.candidate, row.repeat);
    row.status = outcome.status;
    row.steps = outcome.steps;
    row.wall_seconds = outcome.wall_seconds;
    row.rank = rank_;
    const auto first = running_.points.begin() + static_cast<std::ptrdiff_t>(k * dimension);
    row.parameters.assign(first, first + static_cast<std::ptrdiff_t>(dimension));
    row.observables = outcome.observables;
    row.time = outcome.time;
    row.position = outcome.position;
    rows_.push_back(std::move(row));
  }
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
    ended_.push_back({row.member, row.steps, objective, row.status});
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
