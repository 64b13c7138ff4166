#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <sys/types.h>
#include <thread>

namespace rodeo {

/// The thread that owns Kokkos in a process that did not start it. Callers may be in any thread, and loops
/// begin in that which started Kokkos, or in one that borrows Kokkos from it.
class KokkosThread {
 public:
  using Work = std::function<void(const std::function<void()>& pause)>;

  /// Interval at which waiting callers are heard.
  static constexpr std::chrono::milliseconds interval{100};

  static KokkosThread& of_process();

  /// Does nothing where the process has started Kokkos itself. Throws Error if it runs with another number of
  /// threads (0: any), or has been stopped.
  void start(int threads);
  void stop();

  /// Does the work, one caller's after the other, and throws what it throws. It runs in that thread, or in
  /// the calling one where the process started Kokkos itself. Meanwhile `wait` is called in the calling
  /// thread: by this function, or by what `work` is given to call now and then. What it throws is thrown when
  /// the work has ended.
  void run(const Work& work, const std::function<void()>& wait);

  /// As run(), for work that may be shorter than another thread takes to hear of it: in the calling thread,
  /// which borrows Kokkos; of several threads with loops of more than one thread the first one does.
  void run_here(const Work& work, const std::function<void()>& wait);

 private:
  enum class State { not_started, runs, stopped };

  bool is_guest() const;
  void require_usable(int threads) const;
  void start(std::unique_lock<std::mutex>& lock, int threads);
  void take_turn(std::unique_lock<std::mutex>& lock);
  void end_turn();
  void serve();
  void run_here(std::unique_lock<std::mutex>& lock, const Work& work, const std::function<void()>& wait);

  std::mutex mutex_;
  std::condition_variable changed_;  ///< the job, or the state
  std::condition_variable
      turn_ended_;  ///< of its own, so that ends of turns wake no thread that waits for jobs
  State state_ = State::not_started;
  int threads_ = 0;
  pid_t process_ = 0;  ///< that started the thread
  std::thread thread_;
  void* loops_ = nullptr;                       ///< what a thread needs to begin loops, besides its turn
  std::thread::id borrower_;                    ///< the first that ran work in itself
  bool taken_ = false;                          ///< a caller has its turn
  const std::function<void()>* job_ = nullptr;  ///< that waits or runs
};

}  // namespace rodeo
