#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <experimental/simd>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "peak.hpp"

// What one thread of this machine does at most: the ceilings under which the kernels' rates stand. Arithmetic
// from registers, in the widest vectors; reads from arrays that fit the first and the second level of the
// cache.

namespace rodeo::benchmarks {

namespace {

using Vector = std::experimental::native_simd<double>;

/// As many independent chains as hide the latency of one, and as registers hold.
constexpr std::size_t chains = 12;
constexpr int rounds = 4096;

/// Applies `operation` to every chain, `rounds` times over.
template <class Operation>
void run_chains(const Operation& operation) {
  const auto all = [&]<std::size_t... Chain>(std::index_sequence<Chain...>) {
    Vector value[chains] = {Vector(1.0 + 1e-3 * Chain)...};
    for (int round = 0; round < rounds; ++round) ((value[Chain] = operation(value[Chain])), ...);
    benchmark::DoNotOptimize((value[Chain] + ...));
  };
  all(std::make_index_sequence<chains>());
}

// Every chain stays near one: no infinities, no denormal numbers.
void multiply_and_add() {
  run_chains([a = Vector(0.999), b = Vector(1e-3)](Vector x) { return x * a + b; });
}
void add() {
  run_chains([b = Vector(1e-6)](Vector x) { return x + b; });
}
void divide() {
  run_chains([a = Vector(1.001)](Vector x) { return a / x; });
}
void take_roots() {
  run_chains([](Vector x) { return sqrt(x); });
}

void run(benchmark::State& state, void (*operations)()) {
  for (auto iteration : state) {
    static_cast<void>(iteration);
    operations();
  }
  const double done =
      static_cast<double>(state.iterations()) * static_cast<double>(rounds * chains * Vector::size());
  state.counters["per_second"] = benchmark::Counter(done, benchmark::Counter::kIsRate);
}

/// Reads `bytes` again and again.
void read(benchmark::State& state, std::size_t bytes) {
  const std::vector<double> data(bytes / sizeof(double), 1e-3);
  for (auto iteration : state) {
    static_cast<void>(iteration);
    const auto all = [&]<std::size_t... Chain>(std::index_sequence<Chain...>) {
      Vector sum[] = {Vector(1e-3 * Chain)...};
      for (std::size_t k = 0; k + sizeof...(Chain) * Vector::size() <= data.size();
           k += sizeof...(Chain) * Vector::size()) {
        ((sum[Chain] += Vector(&data[k + Chain * Vector::size()], std::experimental::element_aligned)), ...);
      }
      benchmark::DoNotOptimize((sum[Chain] + ...));
    };
    all(std::make_index_sequence<8>());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

const int peak_registered = [] {
  benchmark::RegisterBenchmark("peak/multiply_add", run, multiply_and_add);
  benchmark::RegisterBenchmark("peak/add", run, add);
  benchmark::RegisterBenchmark("peak/divide", run, divide);
  benchmark::RegisterBenchmark("peak/root", run, take_roots);
  benchmark::RegisterBenchmark("peak/read_first_level", read, std::size_t{16} << 10);
  benchmark::RegisterBenchmark("peak/read_second_level", read, std::size_t{256} << 10);
  return 0;
}();

}  // namespace

double peak_gflops() {
  static const double best = [] {
    using Clock = std::chrono::steady_clock;
    double least = 1e300;
    for (int trial = 0; trial < 200; ++trial) {
      const auto start = Clock::now();
      multiply_and_add();
      least = std::min(least, std::chrono::duration<double, std::nano>(Clock::now() - start).count());
    }
    return 2.0 * Vector::size() * chains * rounds / least;
  }();
  return best;
}

}  // namespace rodeo::benchmarks
