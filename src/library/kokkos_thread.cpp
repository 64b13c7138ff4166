#include "kokkos_thread.hpp"

#include <cfenv>
#include <cstdlib>
#include <exception>
#include <string>
#include <type_traits>
#include <unistd.h>

#include <Kokkos_Core.hpp>

#include "rodeo/library/host_threads.hpp"
#include "rodeo/processor/kernel_set.hpp"
#include "rodeo/rodeo.hpp"

namespace rodeo {

namespace {

#if defined(KOKKOS_ENABLE_OPENMP) && KOKKOS_VERSION < 30700
// Up to then each thread has a pointer of its own to the threads of its loops, and begins none without it.
void* loops_of_this_thread() { return Kokkos::Impl::t_openmp_instance; }
void set_loops_of_this_thread(void* loops) {
  Kokkos::Impl::t_openmp_instance = static_cast<decltype(Kokkos::Impl::t_openmp_instance)>(loops);
}
#else
void* loops_of_this_thread() { return nullptr; }
void set_loops_of_this_thread(void*) {}
#endif

/// Exceptions thrown by work and by the thread that waits for it.
struct Thrown {
  std::exception_ptr by_work;
  std::exception_ptr by_wait;

  static void guard(std::exception_ptr& thrown, const auto& action) {
    if (thrown) return;
    try {
      action();
    } catch (...) {
      thrown = std::current_exception();
    }
  }

  void rethrow() const {
    if (by_wait) std::rethrow_exception(by_wait);
    if (by_work) std::rethrow_exception(by_work);
  }
};

/// Whether loops may begin in other threads than the one that started Kokkos, one after the other. A device
/// of several may be that of its thread alone.
constexpr bool loops_begin_anywhere =
    std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace>;

/// Lets the calling thread begin loops, and round as rodeo's own threads do: callers may have asked for
/// another rounding, or for small numbers to become zero.
class LoopsHere {
 public:
  explicit LoopsHere(void* loops) : before_(loops_of_this_thread()) {
    set_loops_of_this_thread(loops);
    std::fegetenv(&rounding_before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~LoopsHere() {
    std::fesetenv(&rounding_before_);
    set_loops_of_this_thread(before_);
  }
  LoopsHere(const LoopsHere&) = delete;
  LoopsHere& operator=(const LoopsHere&) = delete;

 private:
  void* before_;
  std::fenv_t rounding_before_;
};

}  // namespace

KokkosThread& KokkosThread::of_process() {
  // Never destroyed: stop() is called at the end of the process, while Kokkos is still whole.
  static auto* const thread = new KokkosThread;
  return *thread;
}

bool KokkosThread::is_guest() const { return state_ == State::not_started && Kokkos::is_initialized(); }

void KokkosThread::require_usable(int threads) const {
  if (state_ == State::stopped) throw Error("rodeo::finalize() has stopped the threads of this process");
  if (state_ == State::not_started) return;
  if (process_ != getpid()) {
    throw Error(
        "this process was forked from one in which rodeo ran, and has none of its threads: spawn it instead");
  }
  if (threads != 0 && threads != threads_) {
    throw Error("rodeo runs with " + std::to_string(threads_) + " threads already, not with " +
                std::to_string(threads));
  }
}

void KokkosThread::start(int threads) {
  std::unique_lock lock(mutex_);
  require_usable(threads);
  start(lock, threads);
}

void KokkosThread::start(std::unique_lock<std::mutex>& lock, int threads) {
  if (state_ == State::runs || is_guest()) return;
  try {
    require_kernel_set();
    threads_ = threads > 0 ? threads : default_threads();
  } catch (const std::runtime_error& error) {
    throw Error(error.what());
  }
  process_ = getpid();
  state_ = State::runs;
  thread_ = std::thread([this] { serve(); });
  take_turn(lock);
  const std::function<void()> begin = [this] {
    start_kokkos(threads_);
    loops_ = loops_of_this_thread();
    std::atexit([] { of_process().stop(); });  // before what Kokkos has made by now is destroyed
  };
  job_ = &begin;
  changed_.notify_all();
  changed_.wait(lock, [this] { return job_ == nullptr; });
  end_turn();
}

void KokkosThread::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return job_ != nullptr || state_ == State::stopped; });
    if (job_ == nullptr) break;
    lock.unlock();
    (*job_)();
    lock.lock();
    job_ = nullptr;
    changed_.notify_all();
  }
  Kokkos::finalize();
}

void KokkosThread::stop() {
  std::unique_lock lock(mutex_);
  if (state_ != State::runs || process_ != getpid()) return;
  turn_ended_.wait(lock, [this] { return !taken_; });
  state_ = State::stopped;
  changed_.notify_all();
  lock.unlock();
  thread_.join();
}

void KokkosThread::take_turn(std::unique_lock<std::mutex>& lock) {
  turn_ended_.wait(lock, [this] { return !taken_; });
  taken_ = true;
}

void KokkosThread::end_turn() {
  taken_ = false;
  turn_ended_.notify_all();
}

void KokkosThread::run(const Work& work, const std::function<void()>& wait) {
  std::unique_lock lock(mutex_);
  require_usable(0);
  start(lock, 0);
  if (is_guest()) return run_here(lock, work, wait);
  take_turn(lock);
  Thrown thrown;
  const std::function<void()> job = [&] { thrown.guard(thrown.by_work, [&] { work([] {}); }); };
  job_ = &job;
  changed_.notify_all();
  while (!changed_.wait_for(lock, interval, [&] { return job_ == nullptr; })) {
    lock.unlock();
    thrown.guard(thrown.by_wait, wait);
    lock.lock();
  }
  end_turn();
  lock.unlock();
  thrown.rethrow();
}

void KokkosThread::run_here(const Work& work, const std::function<void()>& wait) {
  std::unique_lock lock(mutex_);
  require_usable(0);
  start(lock, 0);
  const std::thread::id caller = std::this_thread::get_id();
  if (borrower_ == std::thread::id()) borrower_ = caller;
  // Each thread that begins loops has further threads of its own for them.
  const bool here = is_guest() || (loops_begin_anywhere && (threads_ == 1 || borrower_ == caller));
  if (here) return run_here(lock, work, wait);
  lock.unlock();
  run(work, wait);
}

void KokkosThread::run_here(std::unique_lock<std::mutex>& lock, const Work& work,
                            const std::function<void()>& wait) {
  take_turn(lock);
  lock.unlock();
  Thrown thrown;
  {
    const LoopsHere loops(is_guest() ? loops_of_this_thread() : loops_);
    auto last = std::chrono::steady_clock::now();
    const std::function<void()> pause = [&] {
      const auto now = std::chrono::steady_clock::now();
      if (now - last < interval) return;
      last = now;
      thrown.guard(thrown.by_wait, wait);
    };
    thrown.guard(thrown.by_work, [&] { work(pause); });
  }
  lock.lock();
  end_turn();
  lock.unlock();
  thrown.rethrow();
}

void initialize(int threads) { KokkosThread::of_process().start(threads); }

void finalize() { KokkosThread::of_process().stop(); }

}  // namespace rodeo
