#include "samplers.hpp"

#include <numeric>
#include <utility>

#include <boost/random/sobol.hpp>

#include "rodeo/math/random.hpp"

namespace rodeo {

namespace {

/// Numbers of one axis of a design: the axis is the stream's `member`, so axes are independent.
class AxisRandom {
 public:
  AxisRandom(std::uint64_t seed, std::size_t axis)
      : stream_{member_seed(seed, axis, 0), RandomUse::sampler} {}

  double uniform(std::uint64_t index) const {
    double values[4];
    stream_.uniform(index, values);
    return values[0] + values[1] * 0x1.0p-32;
  }

 private:
  RandomStream stream_;
};

/// Turns over each of the first 16 binary digits by a random bit that the digits before it choose; those
/// behind them, which no two of 2^16 points share, are random.
std::uint32_t scrambled(std::uint32_t digits, std::uint64_t seed) {
  constexpr std::uint32_t nested = 16;
  std::uint32_t result = 0;
  for (std::uint32_t place = 0; place < nested; ++place) {
    const std::uint64_t before = std::uint64_t{digits} >> (32 - place);
    const auto turned = static_cast<std::uint32_t>(member_seed(seed, before, place) & 1);
    result = (result << 1) | (((digits >> (31 - place)) & 1) ^ turned);
  }
  const std::uint64_t rest = member_seed(seed, digits >> nested, nested);
  return (result << nested) | static_cast<std::uint32_t>(rest & 0xffff);
}

/// Points of a Sobol sequence, whose digits `number` makes a coordinate of, with a seed of the axis; `use`
/// keeps the seeds of samplers apart.
template <class Number>
std::vector<double> sobol_points(std::size_t count, std::size_t dimension, std::uint64_t seed,
                                 std::uint32_t use, const Number& number) {
  boost::random::sobol sequence(dimension);
  std::vector<std::uint64_t> seeds(dimension);
  for (std::size_t axis = 0; axis < dimension; ++axis) seeds[axis] = member_seed(seed, axis, use);
  std::vector<double> points(count * dimension);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t axis = 0; axis < dimension; ++axis) {
      // Boost leaves out the origin, without which 2^k points are no net.
      const std::uint64_t bits = i == 0 ? 0 : sequence();
      points[i * dimension + axis] = number(bits, seeds[axis]);
    }
  }
  return points;
}

}  // namespace

std::vector<double> latin_hypercube(std::size_t count, std::size_t dimension, std::uint64_t seed) {
  std::vector<double> points(count * dimension);
  std::vector<std::size_t> cell(count);
  for (std::size_t axis = 0; axis < dimension; ++axis) {
    const AxisRandom random(seed, axis);
    std::iota(cell.begin(), cell.end(), std::size_t{0});
    for (std::size_t i = count; i > 1; --i) {  // Fisher and Yates
      const auto j = static_cast<std::size_t>(random.uniform(i) * static_cast<double>(i));
      std::swap(cell[i - 1], cell[j]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const double inside = random.uniform(count + 1 + i);
      points[i * dimension + axis] = (static_cast<double>(cell[i]) + inside) / static_cast<double>(count);
    }
  }
  return points;
}

std::vector<double> sobol(std::size_t count, std::size_t dimension, std::uint64_t seed) {
  return sobol_points(count, dimension, seed, 1, [](std::uint64_t bits, std::uint64_t shift) {
    return static_cast<double>((bits ^ shift) >> 11) * 0x1.0p-53;
  });
}

std::vector<double> scrambled_sobol(std::size_t count, std::size_t dimension, std::uint64_t seed) {
  return sobol_points(count, dimension, seed, 2, [](std::uint64_t bits, std::uint64_t own) {
    return (scrambled(static_cast<std::uint32_t>(bits >> 32), own) + 0.5) * 0x1.0p-32;
  });
}

}  // namespace rodeo
