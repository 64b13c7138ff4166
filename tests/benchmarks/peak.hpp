#pragma once

namespace rodeo::benchmarks {

/// The most multiply-add operations one thread of this machine does, GFLOP/s (a pair counts as two): measured
/// once, in some 50 ms, the best of several tries.
double peak_gflops();

}  // namespace rodeo::benchmarks
