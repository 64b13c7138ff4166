#include "rodeo/dispatch/master.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <numeric>
#include <thread>
#include <utility>

#include "rodeo/dispatch/stop_signal.hpp"

namespace rodeo {

namespace {

/// Chunks a worker holds: the one it runs and one more, so that it never waits for the master.
constexpr std::size_t chunks_ahead = 2;

/// A chunk's longest predicted run time on a worker, ns: rows appear and ranks even out at about this rate.
constexpr double longest_chunk = 1e9;

/// Rows of generations are written at most so often.
constexpr std::chrono::milliseconds record_interval{500};

/// Most members of a chunk: what bounds a worker's memory and makes a good block in the file.
constexpr std::size_t largest_chunk = 256;

}  // namespace

void MemberQueue::sort() {
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(next_));
  next_ = 0;
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const Entry& a, const Entry& b) { return a.cost > b.cost; });
  cost_ = std::accumulate(waiting_.begin(), waiting_.end(), 0.0,
                          [](double sum, const Entry& e) { return sum + e.cost; });
}

std::vector<MemberQueue::Entry> MemberQueue::take(double cost, std::size_t least, std::size_t most,
                                                  double room, double room_in_all) {
  const auto front = waiting_.begin() + static_cast<std::ptrdiff_t>(next_);
  const auto first =
      std::partition_point(front, waiting_.end(), [&](const Entry& entry) { return entry.cost > room; });
  auto last = first;
  double taken = 0.0;
  const auto wanted = [&](std::size_t count) { return count < most && (count < least || taken < cost); };
  while (last != waiting_.end() && wanted(static_cast<std::size_t>(last - first)) &&
         taken + last->cost <= room_in_all) {
    taken += (last++)->cost;
  }
  std::vector<Entry> entries(first, last);
  cost_ -= taken;
  if (first == front) {
    next_ += entries.size();
  } else {
    waiting_.erase(first, last);
  }
  return entries;
}

void ResultGatherer::add(const EndedMember& ended) {
  const std::uint64_t candidate = ended.member / repeats_;
  Repeats& repeats = open_[candidate];
  ++repeats.ended;
  repeats.objectives.resize(repeats_);
  const bool ended_well = ended.status == MemberStatus::done || ended.status == MemberStatus::stopped_early;
  repeats.objectives[ended.member % repeats_] =
      ended_well ? ended.objective : std::numeric_limits<double>::quiet_NaN();
  if (repeats.ended < repeats_) return;
  complete_[candidate] = {
      candidate, std::accumulate(repeats.objectives.begin(), repeats.objectives.end(), 0.0) / repeats_,
      ended.status == MemberStatus::outclassed};
  open_.erase(candidate);
}

std::vector<CandidateResult> ResultGatherer::take_complete() {
  std::vector<CandidateResult> results;
  results.reserve(complete_.size());
  for (const auto& [candidate, result] : complete_) results.push_back(result);
  complete_.clear();
  return results;
}

Master::Master(Study& study, EnsembleFile& file, Mailbox& mailbox, std::vector<int> threads,
               const std::vector<bool>& committed, Worker* local, TimeBudget& time, Progress& progress)
    : study_(study),
      file_(file),
      mailbox_(mailbox),
      threads_(std::move(threads)),
      committed_(committed),
      local_(local),
      time_(time),
      progress_(progress),
      results_(study.repeats()),
      outstanding_(threads_.size()),
      last_record_(std::chrono::steady_clock::now()),
      last_look_(last_record_) {}

CampaignEnd Master::run() {
  last_look_ = std::chrono::steady_clock::now();
  bool out_of_time = false;
  while (stop_signal() == 0 && failure_.empty()) {
    ask();
    bool active = receive();
    const bool handed_out = hand_out();
    if (local_ != nullptr && local_->busy()) {
      advance_local();
      active = true;
    }
    count_idle();
    record(false);
    progress_.show(study_.plan());
    if (study_.plan().done() && queue_.empty() && idle()) break;
    // What waits does not fit into the time that is left, not even on ranks that have nothing else to do.
    out_of_time =
        time_.is_over(std::chrono::steady_clock::now()) || (!queue_.empty() && !handed_out && idle());
    if (out_of_time) break;
    if (!active) std::this_thread::sleep_for(idle_sleep);
  }
  stop_all();
  record(true);
  return {study_.plan().done() && queue_.empty() && idle(), failure_, out_of_time};
}

void Master::ask() {
  if (const auto results = results_.take_complete(); !results.empty()) study_.plan().tell(results);
  const std::vector<std::uint64_t> candidates = study_.plan().ask();
  if (candidates.empty()) return;
  for (const std::uint64_t candidate : candidates) {
    for (std::uint32_t repeat = 0; repeat < study_.repeats(); ++repeat) {
      const std::uint64_t member = candidate * study_.repeats() + repeat;
      if (committed_.empty() || !committed_[member]) queue_.add(member, study_.cost(candidate));
    }
  }
  queue_.sort();
}

void Master::resume_with(const EndedMember& ended, const std::vector<double>& point) {
  ask();
  const std::uint64_t candidate = ended.member / study_.repeats();
  if (!study_.plan().agrees(candidate, point)) {
    throw FileError(
        "member " + std::to_string(ended.member) +
        " of the file is not at the point that its deck gives it: another version of rodeo ran this "
        "optimisation, and only that one can go on with it");
  }
  results_.add(ended);
  record(false);
}

/// Sends what the plan says of its generations to the file, not so often that it takes time.
void Master::record(bool now) {
  std::vector<GenerationRow> rows = study_.plan().take_generations();
  std::ranges::move(rows, std::back_inserter(generations_));
  const auto time = std::chrono::steady_clock::now();
  if (generations_.empty() || (!now && time - last_record_ < record_interval)) return;
  last_record_ = time;
  try {
    file_.write(generations_);
    generations_.clear();
  } catch (const std::exception& error) {
    if (failure_.empty()) failure_ = error.what();
  }
}

/// Adds the time since the last look for each worker that had nothing to do.
void Master::count_idle() {
  const auto time = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(time - std::exchange(last_look_, time)).count();
  const auto idle = std::ranges::count_if(outstanding_, [](const auto& chunks) { return chunks.empty(); }) -
                    (local_ == nullptr ? 1 : 0);
  progress_.count_idle(seconds * static_cast<double>(idle), seconds * static_cast<double>(workers()));
}

bool Master::receive() {
  bool any = false;
  for (auto arrival = mailbox_.probe(); arrival.any; arrival = mailbox_.probe()) {
    any = true;
    if (arrival.tag == message::ended) {
      ended(arrival.rank, mailbox_.receive_ended(arrival));
    } else {
      failure_ = "rank " + std::to_string(arrival.rank) + ": " + mailbox_.receive_text(arrival);
    }
  }
  return any;
}

void Master::ended(int rank, const std::vector<EndedMember>& members) {
  std::deque<std::size_t>& chunks = outstanding_[static_cast<std::size_t>(rank)];
  for (const EndedMember& member : members) {
    if (--chunks.front() == 0) {
      chunks.pop_front();
      time_.ended(static_cast<std::size_t>(rank), std::chrono::steady_clock::now());
    }
    results_.add(member);
    progress_.count(member, study_.cost(member.member / study_.repeats()));
  }
}

/// False if no rank got anything.
bool Master::hand_out() {
  bool any = false;
  // One chunk each in turn, so that the first ranks do not take what the last ones could run.
  for (std::size_t ahead = 1; ahead <= chunks_ahead; ++ahead) {
    for (std::size_t rank = 0; rank < threads_.size(); ++rank) {
      if (queue_.empty()) return any;
      if (outstanding_[rank].size() >= ahead || (rank == 0 && local_ == nullptr)) continue;
      Chunk chunk = next_chunk(rank);
      if (chunk.members.empty()) continue;
      any = true;
      outstanding_[rank].push_back(chunk.members.size());
      if (rank == 0) {
        local_->give(std::move(chunk));
      } else {
        mailbox_.send(static_cast<int>(rank), chunk);
      }
    }
  }
  return any;
}

Chunk Master::next_chunk(std::size_t rank) {
  // Guided self-scheduling: chunks shrink with what is left, so that all ranks end together.
  const double share = queue_.cost() / (3.0 * static_cast<double>(workers()));
  const int threads = threads_[rank];
  const auto now = std::chrono::steady_clock::now();
  const double room = time_.room(rank, now);
  const std::vector<MemberQueue::Entry> entries =
      queue_.take(std::min(share, longest_chunk * threads), static_cast<std::size_t>(threads), largest_chunk,
                  room, room * threads);
  if (entries.empty()) return {};
  Chunk chunk;
  double cost = 0.0;
  for (const auto& [member, predicted] : entries) {
    cost += predicted;
    chunk.members.push_back(member);
    const std::vector<double> point = study_.plan().point(member / study_.repeats());
    chunk.points.insert(chunk.points.end(), point.begin(), point.end());
    chunk.limits.push_back(study_.plan().limit(member / study_.repeats()));
  }
  time_.handed_out(rank, cost, entries.front().cost, now);
  return chunk;
}

bool Master::idle() const {
  return std::all_of(outstanding_.begin(), outstanding_.end(),
                     [](const auto& chunks) { return chunks.empty(); });
}

void Master::advance_local() {
  try {
    local_->advance();
  } catch (const std::exception& error) {
    failure_ = error.what();
  }
  ended(0, local_->take_ended());
}

void Master::stop_all() {
  for (std::size_t rank = 1; rank < threads_.size(); ++rank)
    mailbox_.send(static_cast<int>(rank), message::stop);
  if (local_ != nullptr && failure_.empty()) {
    try {
      local_->drop();
    } catch (const std::exception& error) {
      failure_ = error.what();
    }
    ended(0, local_->take_ended());
  }
  for (std::size_t stopped = 1; stopped < threads_.size();) {
    const auto arrival = mailbox_.probe();
    if (!arrival.any) {
      std::this_thread::sleep_for(idle_sleep);
    } else if (arrival.tag == message::ended) {
      ended(arrival.rank, mailbox_.receive_ended(arrival));
    } else {
      const std::string text = mailbox_.receive_text(arrival);
      if (arrival.tag == message::stopped) ++stopped;
      if (arrival.tag == message::failure && failure_.empty()) {
        failure_ = "rank " + std::to_string(arrival.rank) + ": " + text;
      }
    }
  }
}

}  // namespace rodeo
