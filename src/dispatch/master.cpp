#include "master.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <thread>
#include <utility>

#include "rodeo/dispatch/stopping.hpp"
#include "rodeo/input/terminal.hpp"
#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/file_records.hpp"

namespace rodeo {

namespace {

/// Rows of tables are written at most so often.
constexpr std::chrono::milliseconds record_interval{500};

/// Most members of a chunk, unless a worker runs more of them at once: what bounds a worker's memory and
/// makes a good block in the file.
constexpr std::size_t largest_chunk = 256;

/// Longest predicted time on one core, ns, of a member that may wait behind a worker's chunk. What the next
/// message takes is nothing to longer ones, but others, which end earlier, could have run them.
constexpr double longest_ahead = 2e9;

}  // namespace

Master::Master(Study& study, EnsembleFile& file, Mailbox& mailbox, std::vector<int> threads,
               const std::vector<bool>& committed, Worker& own, bool works, TimeBudget& time,
               Progress& progress, ReusedRows reused)
    : study_(study),
      file_(file),
      mailbox_(mailbox),
      threads_(std::move(threads)),
      committed_(committed),
      reused_(std::move(reused)),
      own_(own),
      works_(works),
      time_(time),
      progress_(progress),
      equal_(study),
      results_(study.plan().asks_for_members() ? 1 : study.members_of_candidate(), study.scenarios().count(),
               study.plan().needs_unfinished_branches()),
      workload_(threads_.size(), works),
      lost_(threads_.size(), false),
      running_(threads_.size()),
      tables_(study.tables()),
      last_record_(std::chrono::steady_clock::now()),
      last_look_(last_record_),
      last_report_(last_record_),
      last_life_check_(last_record_) {
  // Only a rank that was seen alive can be seen to have ended.
  for (std::size_t rank = 1; rank < threads_.size(); ++rank) file_.has_ended(static_cast<int>(rank));
}

CampaignEnd Master::run() {
  last_look_ = std::chrono::steady_clock::now();
  record(true);
  bool out_of_time = false;
  while (stop_signal() == 0 && failure_.empty()) {
    ask_or_fail();
    bool active = receive();
    look_for_lost();
    // Asked before members run on this rank: a member that ends there makes room, which only the next round
    // uses.
    const bool nobody_worked = workload_.nobody_works();
    const bool handed_out = hand_out();
    count_idle();
    if (works_ && own_.busy()) {
      advance_local();
      active = true;
    }
    report();
    record(false);
    progress_.show(study_.plan());
    if (study_.plan().done() && queue_.empty() && suspects_.empty() && workload_.nobody_works()) break;
    // Members that wait do not fit into the time left, not even on ranks that are otherwise idle.
    out_of_time =
        time_.is_over(std::chrono::steady_clock::now()) || (!queue_.empty() && !handed_out && nobody_worked);
    if (out_of_time) break;
    if (!active) std::this_thread::sleep_for(idle_sleep);
  }
  stop_all();
  while (write_taken()) {
  }
  tell();
  record(true);
  CampaignEnd end;
  end.complete = study_.plan().done() && queue_.empty() && suspects_.empty() && workload_.nobody_works();
  end.failure = failure_;
  end.out_of_time = out_of_time;
  end.kept_work = kept_work_;
  for (std::size_t rank = 0; rank < lost_.size(); ++rank) {
    if (lost_[rank]) end.lost.push_back(static_cast<int>(rank));
  }
  return end;
}

void Master::tell() {
  if (const auto results = results_.take_complete(); !results.empty()) study_.tell(results);
}

/// Number of members, in one sequence, that are asked for together.
std::uint32_t Master::members_asked_together() const {
  return study_.plan().asks_for_members() ? 1 : study_.members_of_candidate();
}

void Master::ask() {
  for (bool told = true; told;) {
    told = false;
    tell();
    const std::vector<std::uint64_t> asked = study_.plan().ask();
    const std::uint32_t each = members_asked_together();
    for (const std::uint64_t first : asked) {
      for (std::uint64_t member = first * each; member < (first + 1) * each; ++member) {
        next_asked_ = std::max(next_asked_, member + 1);
        if (committed_.empty() || !committed_[member]) {
          start(member);
          continue;
        }
        equal_.first_like(member);
        equal_.end(member);
        if (untold_.erase(member) == 0) continue;
        const MemberRow row = file_.read_member(member);
        take_over(ended_member(row, study_.plan().needs_frames()), row.parameters);
        told = true;
      }
    }
    told = write_taken() || told;
    if (!asked.empty()) queue_.sort();
    told = told || results_.any_complete();
  }
}

/// Lets a member run, unless one that comes to the same has run or does.
void Master::start(std::uint64_t member) {
  const std::optional<std::uint64_t> first = equal_.first_like(member);
  if (first && (equal_.wait(*first, member) || copy(*first, member))) return;
  if (reuse(member)) return;
  queue_.add(member, study_.cost(member));
}

/// Gives a member the row of one that comes to the same; false where the status of that holds for it alone.
bool Master::copy(std::uint64_t first, std::uint64_t member) {
  try {
    MemberRow row = file_.read_member(first);
    if (!holds_for_others(row.status)) return false;
    become(row, member, study_.origin(member), 0);
    take(std::move(row));
  } catch (const FileError& error) {
    if (failure_.empty()) failure_ = error.what();
  }
  return true;
}

/// Gives a member its row in another file; false if there is none.
bool Master::reuse(std::uint64_t member) {
  try {
    std::optional<MemberRow> row = reused_.row_of(study_, member);
    if (!row) return false;
    progress_.count_reused();
    take(std::move(*row));
  } catch (const DeckError&) {
    return false;  // whoever runs it says why
  } catch (const FileError& error) {
    if (failure_.empty()) failure_ = error.what();
  }
  return true;
}

/// Takes the row of a member that did not run.
void Master::take(MemberRow row) {
  constexpr std::size_t at_once = 256;  // rows that go to disk together
  taken_.push_back(std::move(row));
  if (taken_.size() >= at_once || holds_trajectories(file_.schema())) write_taken();
}

/// Writes the rows taken; false if there are none.
bool Master::write_taken() {
  if (taken_.empty()) return false;
  try {
    std::vector<MemberRow> rows = std::exchange(taken_, {});
    file_.write(rows);
    for (MemberRow& row : rows) account(ended_member(std::move(row), study_.plan().needs_frames()));
  } catch (const std::exception& error) {
    if (failure_.empty()) failure_ = error.what();
  }
  tell();
  return true;
}

void Master::ask_or_fail() {
  try {
    ask();
  } catch (const FileError& error) {
    failure_ = error.what();
  }
}

void Master::resume_with(EndedMember ended, const std::vector<double>& point) {
  ask();
  // A row that was not asked for belongs to another study, unless a row before it is missing.
  if (study_.plan().adaptive() && ended.member >= next_asked_ && !queue_.empty()) {
    untold_.insert(ended.member);
    return;
  }
  take_over(std::move(ended), point);
  record(false);
}

void Master::take_over(EndedMember ended, std::span<const double> point) {
  if (!study_.agrees(ended.member, point)) {
    throw FileError("member " + std::to_string(ended.member) +
                    " of the file is not at the point that its deck gives it: another version of rodeo ran "
                    "this study, and only that one can go on with it");
  }
  results_.add(std::move(ended));
}

/// Brings new rows of the plan's tables to the file, not so often that it takes time.
void Master::record(bool now) {
  std::ranges::move(study_.take_rows(), std::back_inserter(rows_));
  const auto time = std::chrono::steady_clock::now();
  if (rows_.empty() || (!now && time - last_record_ < record_interval)) return;
  last_record_ = time;
  try {
    for (std::size_t table = 0; table < tables_.size(); ++table) {
      std::vector<TableRow> rows;
      std::ranges::copy_if(rows_, std::back_inserter(rows),
                           [&](const TableRow& row) { return row.table == table; });
      file_.write(tables_[table], rows);
    }
    rows_.clear();
  } catch (const std::exception& error) {
    if (failure_.empty()) failure_ = error.what();
  }
}

/// Adds the time since work was last handed out, for each worker that got none then.
void Master::count_idle() {
  const auto time = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(time - std::exchange(last_look_, time)).count();
  progress_.count_idle(seconds * static_cast<double>(idle_),
                       seconds * static_cast<double>(workload_.workers()));
  idle_ = workload_.holders(0).size();
}

bool Master::receive() {
  bool any = false;
  for (auto arrival = mailbox_.probe(); arrival.any; arrival = mailbox_.probe()) {
    any = true;
    if (arrival.tag == message::ended) {
      ended(static_cast<std::size_t>(arrival.rank), mailbox_.receive_ended(arrival));
    } else if (arrival.tag == message::advanced) {
      advanced(static_cast<std::size_t>(arrival.rank), RunningWork::parse(mailbox_.receive_text(arrival)));
    } else {
      failure_ = "rank " + std::to_string(arrival.rank) + ": " + mailbox_.receive_text(arrival);
    }
  }
  return any;
}

void Master::ended(std::size_t rank, std::vector<EndedMember> members) {
  if (lost_[rank]) return;  // taken for dead, and what it had is elsewhere now
  for (EndedMember& member : members) {
    if (workload_.end(rank, member.member)) {
      time_.ended(rank, std::chrono::steady_clock::now());
      advanced(rank, {});
    }
    account(std::move(member));
  }
}

void Master::advanced(std::size_t rank, const RunningWork& told) {
  if (lost_[rank]) return;
  RunningWork work = told;
  for (double* const cost : {&work.cost, &work.earlier, &work.chunk}) *cost *= study_.slowness();
  progress_.change_running(std::exchange(running_[rank], work), work);
  time_.advanced(rank, work.chunk, std::chrono::steady_clock::now());
}

/// Tells others from time to time the progress of the members that run. Nothing depends on it.
void Master::report() {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_report_ < report_interval) return;
  last_report_ = now;
  if (works_) advanced(0, own_.running());
  try {
    file_.write(progress_.running_note());
  } catch (const WriteError&) {
    // Rows that cannot be written either will say so.
  }
}

void Master::account(EndedMember member) {
  const std::uint64_t number = member.member;
  progress_.count(member, study_.cost(number));
  results_.add(std::move(member));
  bool queued = false;
  for (const std::uint64_t equal : equal_.end(number)) {
    if (copy(number, equal)) continue;
    queue_.add(equal, study_.cost(equal));
    queued = true;
  }
  if (queued) queue_.sort();
}

/// Looks after some of the ranks in turn: on a network's file system each look is a message.
void Master::look_for_lost() {
  constexpr std::size_t ranks_a_look = 16;
  const auto now = std::chrono::steady_clock::now();
  if (threads_.size() == 1 || now - last_life_check_ < life_check_interval) return;
  last_life_check_ = now;
  for (std::size_t k = 1; k <= std::min(ranks_a_look, threads_.size() - 1); ++k) {
    next_checked_ = next_checked_ % (threads_.size() - 1) + 1;
    if (lost_[next_checked_] || !file_.has_ended(static_cast<int>(next_checked_))) continue;
    try {
      lose(next_checked_);
    } catch (const std::exception& error) {
      if (failure_.empty()) failure_ = error.what();
    }
  }
}

/// Takes back what a rank had that is no more. What it wrote counts, told or not.
void Master::lose(std::size_t rank) {
  receive();  // its last words
  advanced(rank, {});
  lost_[rank] = true;
  std::fprintf(stderr, "%s lost rank %zu; the campaign goes on without it\n", warning_mark(), rank);
  bool was_running = true;  // the oldest chunk that has members left; those behind it had not begun
  for (const auto& chunk : workload_.lose(rank)) {
    bool left = false;
    for (const std::uint64_t member : chunk) {
      MemberRow row = file_.read_member(member);
      if (row.status != MemberStatus::pending) {
        account(ended_member(std::move(row), study_.plan().needs_frames()));
      } else if (was_running) {
        left = true;
        suspect(member);
      } else {
        queue_.add(member, study_.cost(member));
      }
    }
    was_running = was_running && !left;
  }
  queue_.sort();
  if (workload_.workers() == 0 && failure_.empty()) failure_ = "all workers are lost";
}

void Master::suspect(std::uint64_t member) {
  if (suspects_.add(member)) return;
  std::fprintf(stderr, "%s member %llu ended two workers: it is set aside as failed\n", warning_mark(),
               static_cast<unsigned long long>(member));
  own_.set_aside(member, study_.point(member));
  for (EndedMember& written : own_.take_ended()) {
    if (written.member == member) {
      account(std::move(written));
    } else {
      ended(0, {std::move(written)});  // of rank 0's own, which went to the file along with it
    }
  }
}

/// False if no rank got anything.
bool Master::hand_out() {
  bool any = false;
  // One chunk each in turn, so that the first ranks do not take what the last ones could run.
  for (std::size_t held = 0; held < chunks_ahead; ++held) {
    if (queue_.empty() && suspects_.empty()) return any;
    if (held > 0 && queue_.longest() > longest_ahead) return any;
    const std::set<std::size_t> ranks = workload_.holders(held);  // giving changes it
    for (const std::size_t rank : ranks) {
      if (queue_.empty() && suspects_.empty()) return any;
      Chunk chunk = next_chunk(rank);
      if (chunk.members.empty()) continue;
      any = true;
      workload_.give(rank, chunk.members);
      if (rank == 0) {
        own_.give(std::move(chunk));
      } else {
        mailbox_.send(static_cast<int>(rank), chunk);
      }
    }
  }
  return any;
}

Chunk Master::next_chunk(std::size_t rank) {
  // Suspects run alone, and on rank 0, whose end is that of the campaign, only where there is no other.
  if (!suspects_.empty() && workload_.holds_nothing(rank) && (rank > 0 || workload_.workers() == 1)) {
    const std::uint64_t member = suspects_.take();
    return make_chunk(rank, {{member, study_.cost(member)}});
  }
  const int threads = threads_[rank];
  const auto at_once = static_cast<std::size_t>(threads);
  const double room = time_.room(rank, std::chrono::steady_clock::now());
  return make_chunk(rank, queue_.take(chunk_cost(queue_, workload_.workers(), threads), at_once,
                                      std::max(largest_chunk, at_once), room, room * threads));
}

Chunk Master::make_chunk(std::size_t rank, const std::vector<MemberQueue::Entry>& entries) {
  if (entries.empty()) return {};
  Chunk chunk;
  double cost = 0.0;
  for (const auto& [member, predicted] : entries) {
    cost += predicted;
    chunk.members.push_back(member);
    const std::vector<double> point = study_.point(member);
    chunk.points.insert(chunk.points.end(), point.begin(), point.end());
  }
  time_.handed_out(rank, cost, entries.front().cost, std::chrono::steady_clock::now());
  return chunk;
}

void Master::advance_local() {
  try {
    own_.advance();
  } catch (const std::exception& error) {
    failure_ = words_of(error);
    own_failed_ = true;
  }
  std::vector<EndedMember> members = own_.take_ended();
  const bool any = !members.empty();
  ended(0, std::move(members));
  // Members that have ended must not count twice.
  if (any && running_[0].members > 0.0) advanced(0, own_.running());
}

void Master::stop_all() {
  for (std::size_t rank = 1; rank < threads_.size(); ++rank) {
    if (!lost_[rank]) mailbox_.send(static_cast<int>(rank), message::stop);
  }
  if (works_ && !own_failed_) {
    try {
      own_.drop();
    } catch (const std::exception& error) {
      if (failure_.empty()) failure_ = error.what();
    }
    ended(0, own_.take_ended());
    kept_work_ = own_.kept() > 0;
  }
  await_stopped();
  const auto last_word = std::ranges::count(lost_, true) == 0 ? message::finish : message::leave;
  for (std::size_t rank = 1; rank < threads_.size(); ++rank) {
    if (!lost_[rank]) mailbox_.send(static_cast<int>(rank), last_word);
  }
}

void Master::await_stopped() {
  std::vector<bool> stopped = lost_;
  stopped[0] = true;
  while (std::ranges::count(stopped, false) > 0) {
    const auto arrival = mailbox_.probe();
    const auto rank = static_cast<std::size_t>(arrival.rank);
    if (!arrival.any) {
      look_for_lost();
      for (std::size_t k = 1; k < stopped.size(); ++k) stopped[k] = stopped[k] || lost_[k];
      std::this_thread::sleep_for(idle_sleep);
    } else if (arrival.tag == message::ended) {
      ended(rank, mailbox_.receive_ended(arrival));
    } else {
      const std::string text = mailbox_.receive_text(arrival);
      if (arrival.tag == message::stopped) {
        stopped[rank] = true;
        kept_work_ = kept_work_ || text != "0";
      }
      if (arrival.tag == message::failure && failure_.empty()) {
        failure_ = "rank " + std::to_string(arrival.rank) + ": " + text;
      }
    }
  }
}

}  // namespace rodeo
