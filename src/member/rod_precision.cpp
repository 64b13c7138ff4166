#include "rod_precision.hpp"

#include <algorithm>

namespace rodeo {

namespace {

bool is_decay(int f) {
  return f == field::velocity_decay || f == field::bend_rate_decay || f == field::twist_rate_decay;
}

}  // namespace

template <class Real>
void round_rods(const ConstRodView& from, const BasicRodView<Real>& to) {
  if constexpr (!Precision<Real>::compensated) {
    std::copy_n(from.base, from.lasting_size(), to.base);
    return;
  }
  std::fill_n(to.base, to.lasting_size(), Real(0));
  const int padding = from.elements + 2;
  for (int i = -1; i < to.pitch - front_entries<Real>; ++i) {
    // There are more entries to a cache line: padding goes on, each node at its own place.
    const int k = std::min(i, padding);
    for (int f = 0; f < field::state_count; ++f) to.state_array(f).set(i, from.array(f)[k]);
    for (int f = field::state_count; f < field::lasting_count; ++f) {
      const double value = from.array(f)[k];
      to.array(f)[i] = static_cast<Real>(is_decay(f) ? 1.0 - value : value);
    }
    to.set_vec3(field::position, i,
                from.vec3(field::position, k) + Vec3{0.0, 0.0, static_cast<double>(i - k)});
  }
}

template <class Real>
requires(Precision<Real>::compensated) void widen_rods(const BasicRodView<const Real>& from,
                                                       const RodView& to, int first_work) {
  std::fill_n(to.base, to.lasting_size(), 0.0);
  clear_work(to.work, to.work_pitch);
  for (int i = -1; i <= from.elements + 1; ++i) {
    for (int f = 0; f < field::state_count; ++f) to.array(f)[i] = from.state_array(f).whole(i);
    for (int f = field::state_count; f < field::lasting_count; ++f) {
      const double value = from.array(f)[i];
      to.array(f)[i] = is_decay(f) ? 1.0 - value : value;
    }
  }
  for (int f = field::work; f < field::work_end; ++f) {
    for (int i = first_work - 1; i <= from.elements + 1; ++i) to.array(f)[i] = from.array(f)[i];
  }
}

template void round_rods(const ConstRodView& from, const BasicRodView<double>& to);
template void round_rods(const ConstRodView& from, const BasicRodView<float>& to);
template void widen_rods(const BasicRodView<const float>& from, const RodView& to, int first_work);

}  // namespace rodeo
