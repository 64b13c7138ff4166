#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include "rodeo/member/status.hpp"

namespace rodeo {

/// Every message between master (rank 0) and workers. All are point to point.
namespace message {
enum Tag : int {
  work = 1,  ///< master -> worker: a Chunk
  ended,     ///< worker -> master: EndedMember[], all of them on disk
  failure,   ///< worker -> master: text; the worker cannot go on
  stop,      ///< master -> worker: drop what is in flight
  advanced,  ///< worker -> master: text of a RunningWork
  stopped,   ///< worker -> master: nothing more will come; text: how many checkpoints it wrote
  finish,    ///< master -> worker: all have stopped
  leave  ///< master -> worker: the same but for ranks that are lost, for which collective calls would wait
};
}  // namespace message

/// How long a rank with nothing to do sleeps between two looks at its messages.
inline constexpr std::chrono::microseconds idle_sleep{100};

/// How often ranks look whether those they wait for still live.
inline constexpr std::chrono::seconds life_check_interval{1};

/// Members for a worker, with their points: enough to run them without the plan.
struct Chunk {
  std::vector<std::uint64_t> members;
  std::vector<double> points;  ///< [members, P]
};

/// Report to the master on a member that has ended and whose row is on disk.
struct EndedMember {
  std::uint64_t member = 0;
  std::uint64_t steps = 0;
  MemberStatus status = MemberStatus::pending;
  std::vector<double> observables = {};  ///< in the order of their list; none of a member that never ran
  std::vector<double> last_frame = {};   ///< as Result::last_frame

  /// An observable by its place in the list; NaN if it is not there.
  double observable(std::size_t place) const {
    return place < observables.size() ? observables[place] : std::nan("");
  }
};

/// Progress of the chunk that a worker runs. Costs are predicted times on one core of steps taken, ns.
struct RunningWork {
  double members = 0.0;  ///< that run
  double steps = 0.0;    ///< that these took since their batch began
  double cost = 0.0;     ///< of all their steps
  double earlier = 0.0;  ///< of that, before their batch began: they go on from checkpoints
  double chunk = 0.0;    ///< since the batch began, members that have ended included

  /// Text of a message, and the work that it tells.
  std::string text() const;
  static RunningWork parse(const std::string& text);
};

/// Interval at which a worker tells the progress of a chunk that takes longer.
inline constexpr std::chrono::seconds report_interval{2};

/// Sends and receives between ranks. Sends return at once: two ranks that send to each other at the same time
/// must not wait for each other. A message to a rank that is no more is lost without an error.
class Mailbox {
 public:
  virtual ~Mailbox() = default;

  virtual void send(int rank, const Chunk& chunk) = 0;
  virtual void send(int rank, const std::vector<EndedMember>& ended) = 0;
  virtual void send(int rank, message::Tag tag, const std::string& text = {}) = 0;

  /// A message that waits to be received.
  struct Arrival {
    bool any = false;
    int rank = 0;
    message::Tag tag = message::stop;
    int bytes = 0;
  };
  virtual Arrival probe() = 0;

  virtual Chunk receive_chunk(const Arrival& arrival) = 0;
  virtual std::vector<EndedMember> receive_ended(const Arrival& arrival) = 0;
  virtual std::string receive_text(const Arrival& arrival) = 0;
};

/// Mailbox between the ranks of a communicator, which run the same program. Keeps the bytes of messages until
/// they have left.
class MpiMailbox : public Mailbox {
 public:
  explicit MpiMailbox(MPI_Comm communicator);
  MpiMailbox(const MpiMailbox&) = delete;
  MpiMailbox& operator=(const MpiMailbox&) = delete;
  ~MpiMailbox() override;

  void send(int rank, const Chunk& chunk) override;
  void send(int rank, const std::vector<EndedMember>& ended) override;
  void send(int rank, message::Tag tag, const std::string& text) override;
  Arrival probe() override;
  Chunk receive_chunk(const Arrival& arrival) override;
  std::vector<EndedMember> receive_ended(const Arrival& arrival) override;
  std::string receive_text(const Arrival& arrival) override;

 private:
  struct Departure {
    std::vector<char> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void depart(int rank, message::Tag tag, std::vector<char> bytes);

  MPI_Comm communicator_;
  MPI_Errhandler errors_ = MPI_ERRHANDLER_NULL;  ///< of the communicator, meanwhile not in force
  std::list<Departure> departures_;
};

/// Mailbox of a process that is alone: there is nobody to send to, and nothing ever comes.
class EmptyMailbox final : public Mailbox {
 public:
  void send(int, const Chunk&) override {}
  void send(int, const std::vector<EndedMember>&) override {}
  void send(int, message::Tag, const std::string&) override {}
  Arrival probe() override { return {}; }
  Chunk receive_chunk(const Arrival&) override { return {}; }
  std::vector<EndedMember> receive_ended(const Arrival&) override { return {}; }
  std::string receive_text(const Arrival&) override { return {}; }
};

std::unique_ptr<Mailbox> make_mailbox(MPI_Comm communicator);

}  // namespace rodeo
