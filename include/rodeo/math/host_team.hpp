#pragma once

#include <atomic>
#include <cstdint>

#include <Kokkos_Core.hpp>

namespace rodeo {

/// Meeting point of the threads of a host's team, where they wait for each other and exchange sums.
class Meeting {
 public:
  /// Returns once as many threads have come. Those that wait spin for some ten microseconds, as shares of a
  /// loop differ by less; then they sleep, for the thread that is awaited may need their core. One that only
  /// gave way to others would wait for whole slices of theirs on a machine that is busy, at each meeting.
  void wait(int size) {
    const unsigned now = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == size) {
      arrived_.store(0, std::memory_order_relaxed);
      totals_[(now + 1) % 2].store(0, std::memory_order_relaxed);  // all have read that of the round before
      round_.store(now + 1);  // before sleepers are looked for, as these are counted before they look at it
      if (sleepers_.load() > 0) wake();
      return;
    }
    for (int spin = 0; spin < most_spins; ++spin) {
      if (round_.load(std::memory_order_acquire) != now) return;
      relax();
    }
    sleep(now);
  }

  /// Sum of a number over all threads of the team; all get it.
  std::int64_t sum(int size, std::int64_t own) {
    std::atomic<std::int64_t>& total = totals_[round_.load(std::memory_order_relaxed) % 2];
    total.fetch_add(own, std::memory_order_relaxed);
    wait(size);
    return total.load(std::memory_order_relaxed);
  }

 private:
  static constexpr int most_spins = 500;

  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  /// Returns once the round is another one.
  void sleep(unsigned round);
  void wake();

  alignas(64) std::atomic<int> arrived_{0};
  std::atomic<int> sleepers_{0};
  alignas(64) std::atomic<unsigned> round_{0};
  alignas(64) std::atomic<std::int64_t> totals_[2] = {};  ///< of this round and of the one before
};

/// The threads of a host that advance one member: each runs the whole of a kernel and takes its share of
/// every loop (lanes.hpp). It has the part of Kokkos' team interface that kernels use.
struct HostTeam {
  int rank = 0;
  int size = 1;
  Meeting* meeting = nullptr;  ///< of a team of more than one

  KOKKOS_FORCEINLINE_FUNCTION int team_rank() const { return rank; }
  KOKKOS_FORCEINLINE_FUNCTION int team_size() const { return size; }
  KOKKOS_FORCEINLINE_FUNCTION void team_barrier() const {
#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
    if (size > 1) meeting->wait(size);
#endif
  }

  /// First of this thread's share of so many pieces; the next thread's share begins where it ends.
  KOKKOS_FORCEINLINE_FUNCTION int begin_of(int pieces) const { return begin_of(pieces, rank); }
  KOKKOS_FORCEINLINE_FUNCTION int end_of(int pieces) const { return begin_of(pieces, rank + 1); }

 private:
  KOKKOS_FORCEINLINE_FUNCTION int begin_of(int pieces, int of_rank) const {
    return static_cast<int>(static_cast<std::int64_t>(pieces) * of_rank / size);
  }
};

}  // namespace rodeo
