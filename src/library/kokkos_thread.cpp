#include "kokkos_thread.hpp"

#include <cstdlib>
#include <exception>
#include <string>
#include <unistd.h>

#include <Kokkos_Core.hpp>

#include "rodeo/library/host_threads.hpp"
#include "rodeo/processor/kernel_set.hpp"
#include "rodeo/rodeo.hpp"

namespace rodeo {

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
  changed_.wait(lock, [this] { return !taken_; });
  state_ = State::stopped;
  changed_.notify_all();
  lock.unlock();
  thread_.join();
}

void KokkosThread::take_turn(std::unique_lock<std::mutex>& lock) {
  changed_.wait(lock, [this] { return !taken_; });
  taken_ = true;
}

void KokkosThread::end_turn() {
  taken_ = false;
  changed_.notify_all();
}

void KokkosThread::run(const std::function<void(const std::function<void()>&)>& work,
                       const std::function<void()>& wait) {
  std::unique_lock lock(mutex_);
  require_usable(0);
  start(lock, 0);
  take_turn(lock);
  std::exception_ptr of_work;
  std::exception_ptr of_wait;
  const auto guarded = [](std::exception_ptr& thrown, const auto& action) {
    if (thrown) return;
    try {
      action();
    } catch (...) {
      thrown = std::current_exception();
    }
  };
  if (is_guest()) {
    lock.unlock();
    auto last = std::chrono::steady_clock::now();
    const std::function<void()> pause = [&] {
      const auto now = std::chrono::steady_clock::now();
      if (now - last < interval) return;
      last = now;
      guarded(of_wait, wait);
    };
    guarded(of_work, [&] { work(pause); });
    lock.lock();
  } else {
    const std::function<void()> job = [&] { guarded(of_work, [&] { work([] {}); }); };
    job_ = &job;
    changed_.notify_all();
    while (!changed_.wait_for(lock, interval, [&] { return job_ == nullptr; })) {
      lock.unlock();
      guarded(of_wait, wait);
      lock.lock();
    }
  }
  end_turn();
  lock.unlock();
  if (of_wait) std::rethrow_exception(of_wait);
  if (of_work) std::rethrow_exception(of_work);
}

void initialize(int threads) { KokkosThread::of_process().start(threads); }

void finalize() { KokkosThread::of_process().stop(); }

}  // namespace rodeo
