#pragma once

#include <cstdint>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "rodeo/math/scalars.hpp"

namespace rodeo {

/// A number and its derivative in time.
struct Rated {
  double value = 0.0;
  double rate = 0.0;
};

/// An operation of a formula; formula_functions() has the names of functions.
enum class FormulaOp : std::uint8_t {
  number,
  time,
  place,
  slot,   ///< FormulaInputs::slots
  array,  ///< FormulaInputs::arrays
  live,   ///< a number that is set while the formula is in use (LiveNumber)
  add,
  subtract,
  multiply,
  divide,
  power,
  negate,
  less,
  greater,
  not_greater,
  not_less,
  equal,
  not_equal,
  both,
  either,
  choose,  ///< c ? a : b
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  sqrt,
  exp,
  ln,
  log10,
  abs,
  sign,
  hypot,
  min,     ///< of two
  max,     ///< of two
  ramp,    ///< ramp(x, a, b): 0 up to a, 1 from b on, linear between
  smooth,  ///< a ramp with two continuous derivatives
  spline,  ///< of x; the values and second derivatives stand in the tables
  table    ///< of x; the points stand in the tables
};

/// A number that a formula reads and somebody else sets while it is in use: it had a value at an instant, and
/// goes on from there at a rate. Tables of formulas that have any begin with them.
struct LiveNumber {
  enum Entry { value, rate, since, size };
};

/// Number of arguments of an operation.
KOKKOS_INLINE_FUNCTION constexpr int formula_arguments(FormulaOp op) {
  switch (op) {
    case FormulaOp::number:
    case FormulaOp::time:
    case FormulaOp::place:
    case FormulaOp::slot:
    case FormulaOp::array:
    case FormulaOp::live:
      return 0;
    case FormulaOp::add:
    case FormulaOp::subtract:
    case FormulaOp::multiply:
    case FormulaOp::divide:
    case FormulaOp::power:
    case FormulaOp::less:
    case FormulaOp::greater:
    case FormulaOp::not_greater:
    case FormulaOp::not_less:
    case FormulaOp::equal:
    case FormulaOp::not_equal:
    case FormulaOp::both:
    case FormulaOp::either:
    case FormulaOp::atan2:
    case FormulaOp::hypot:
    case FormulaOp::min:
    case FormulaOp::max:
      return 2;
    case FormulaOp::choose:
    case FormulaOp::ramp:
    case FormulaOp::smooth:
      return 3;
    default:
      return 1;
  }
}

/// Inputs of a program.
struct FormulaInputs {
  double t = 0.0;                  ///< s
  double s = 0.0;                  ///< place, part of a rest length
  const double* tables = nullptr;  ///< to which its splines and tables were added
  const double* slots = nullptr;
  const double* arrays = nullptr;  ///< one after the other
  int pitch = 0;                   ///< entries of one of them
  int entry = 0;                   ///< index of the entry to read in each
};

struct FormulaProgram;
namespace detail {
struct PlainNumber;
struct RatedNumber;
template <class Kind, class Number>
KOKKOS_INLINE_FUNCTION void run_program(const FormulaProgram& program, const FormulaInputs& in,
                                        Number* results);
}  // namespace detail

/// A formula as kernels run it: postfix, of fixed size, without addresses.
struct FormulaProgram {
  static constexpr int most_steps = 96;
  static constexpr int deepest = 16;
  static constexpr int most_results = 8;

  struct Step {
    double number;       ///< of FormulaOp::number
    std::int32_t place;  ///< of slots, arrays and live numbers which; of splines and tables where they begin
    std::int32_t count;  ///< of splines and tables: their points
    FormulaOp op;
  };
  Step steps[most_steps];
  int count = 0;

  /// Sets `results` to the values that the program leaves. Not inlined, so that they are the same bit by bit
  /// whatever calls it.
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void run(const FormulaInputs& inputs, double* results) const {
    detail::run_program<detail::PlainNumber>(*this, inputs, results);
  }
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void run(const FormulaInputs& inputs, Rated* results) const {
    detail::run_program<detail::RatedNumber>(*this, inputs, results);
  }

  /// Value of a program that leaves one result.
  KOKKOS_INLINE_FUNCTION double value(double t, double s, const double* tables) const {
    double result = 0.0;
    run({.t = t, .s = s, .tables = tables}, &result);
    return result;
  }
  KOKKOS_INLINE_FUNCTION Rated with_rate(double t, double s, const double* tables) const {
    Rated result;
    run({.t = t, .s = s, .tables = tables}, &result);
    return result;
  }
};
static_assert(std::is_trivially_copyable_v<FormulaProgram>);

namespace detail {

// Programs are written once for numbers alone and for numbers with their rates. Where a function has a kink,
// its derivative is that on one side. A NaN makes every result NaN but those of comparisons.

struct PlainNumber {
  using Number = double;
  static KOKKOS_INLINE_FUNCTION double make(double value, double) { return value; }
  static KOKKOS_INLINE_FUNCTION double value(double x) { return x; }
  static KOKKOS_INLINE_FUNCTION double rate(double) { return 0.0; }
  /// f(x) with df/dx.
  static KOKKOS_INLINE_FUNCTION double chain(double f, double, double) { return f; }
};

struct RatedNumber {
  using Number = Rated;
  static KOKKOS_INLINE_FUNCTION Rated make(double value, double rate) { return {value, rate}; }
  static KOKKOS_INLINE_FUNCTION double value(const Rated& x) { return x.value; }
  static KOKKOS_INLINE_FUNCTION double rate(const Rated& x) { return x.rate; }
  /// The rate is zero where x stays, also where the derivative is infinite; and where f does not change with
  /// x, also where x rushes by, as in exp(-1/t) at 0.
  static KOKKOS_INLINE_FUNCTION Rated chain(double f, double derivative, const Rated& x) {
    return {f, x.rate == 0.0 || derivative == 0.0 ? 0.0 : derivative * x.rate};
  }
};

KOKKOS_INLINE_FUNCTION bool is_no_number(double x) { return x != x; }

/// Place of x among equally spaced points over [0, 1].
KOKKOS_INLINE_FUNCTION int interval_of(double x, int intervals) {
  const int k = static_cast<int>(x * intervals);
  return k < 0 ? 0 : k >= intervals ? intervals - 1 : k;
}

/// Value and derivative of a spline: `values` and then its second derivatives over intervals of length 1.
KOKKOS_INLINE_FUNCTION Rated spline_at(double x, const double* values, int count) {
  if (is_no_number(x)) return {x, 0.0};
  if (count == 1 || x <= 0.0) return {values[0], 0.0};
  if (x >= 1.0) return {values[count - 1], 0.0};
  const double* const bend = values + count;
  const int k = interval_of(x, count - 1);
  const double b = x * (count - 1) - k;
  const double a = 1.0 - b;
  const double sixth = 1.0 / 6.0;
  const double value =
      a * values[k] + b * values[k + 1] + sixth * ((a * a * a - a) * bend[k] + (b * b * b - b) * bend[k + 1]);
  const double slope =
      values[k + 1] - values[k] + sixth * ((1.0 - 3.0 * a * a) * bend[k] + (3.0 * b * b - 1.0) * bend[k + 1]);
  return {value, slope * (count - 1)};
}

/// Value and derivative between points: their abscissae and then their ordinates.
KOKKOS_INLINE_FUNCTION Rated table_at(double x, const double* points, int count) {
  const double* const y = points + count;
  if (is_no_number(x)) return {x, 0.0};
  if (x <= points[0]) return {y[0], 0.0};
  if (x >= points[count - 1]) return {y[count - 1], 0.0};
  int low = 0;
  int high = count - 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (points[middle] <= x ? low : high) = middle;
  }
  const double slope = (y[high] - y[low]) / (points[high] - points[low]);
  return {y[low] + slope * (x - points[low]), slope};
}

template <class Kind>
KOKKOS_FORCEINLINE_FUNCTION void apply_unary(const FormulaProgram::Step& step, const double* tables,
                                             typename Kind::Number& top) {
  const double x = Kind::value(top);
  switch (step.op) {
    case FormulaOp::negate:
      top = Kind::chain(-x, -1.0, top);
      break;
    case FormulaOp::sin:
      top = Kind::chain(math::sin(x), Kind::rate(top) == 0.0 ? 0.0 : math::cos(x), top);
      break;
    case FormulaOp::cos:
      top = Kind::chain(math::cos(x), Kind::rate(top) == 0.0 ? 0.0 : -math::sin(x), top);
      break;
    case FormulaOp::tan: {
      const double f = math::tan(x);
      top = Kind::chain(f, 1.0 + f * f, top);
      break;
    }
    case FormulaOp::asin:
      top = Kind::chain(math::asin(x), 1.0 / math::sqrt(1.0 - x * x), top);
      break;
    case FormulaOp::acos:
      top = Kind::chain(math::acos(x), -1.0 / math::sqrt(1.0 - x * x), top);
      break;
    case FormulaOp::atan:
      top = Kind::chain(math::atan(x), 1.0 / (1.0 + x * x), top);
      break;
    case FormulaOp::sinh:
      top = Kind::chain(math::sinh(x), math::cosh(x), top);
      break;
    case FormulaOp::cosh:
      top = Kind::chain(math::cosh(x), math::sinh(x), top);
      break;
    case FormulaOp::tanh: {
      const double f = math::tanh(x);
      top = Kind::chain(f, 1.0 - f * f, top);
      break;
    }
    case FormulaOp::sqrt: {
      const double f = math::sqrt(x);
      top = Kind::chain(f, 0.5 / f, top);
      break;
    }
    case FormulaOp::exp: {
      const double f = math::exp(x);
      top = Kind::chain(f, f, top);
      break;
    }
    case FormulaOp::ln:
      top = Kind::chain(math::log(x), 1.0 / x, top);
      break;
    case FormulaOp::log10:
      top = Kind::chain(math::log10(x), 0.43429448190325182765 / x, top);
      break;
    case FormulaOp::abs:
      top = Kind::chain(math::fabs(x), x < 0.0 ? -1.0 : 1.0, top);
      break;
    case FormulaOp::sign:
      top = Kind::chain(x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : is_no_number(x) ? x : 0.0, 0.0, top);
      break;
    case FormulaOp::spline: {
      const Rated f = spline_at(x, tables + step.place, step.count);
      top = Kind::chain(f.value, f.rate, top);
      break;
    }
    case FormulaOp::table: {
      const Rated f = table_at(x, tables + step.place, step.count);
      top = Kind::chain(f.value, f.rate, top);
      break;
    }
    default:
      break;
  }
}

/// Truth value 0 or 1, or NaN if either number is.
KOKKOS_INLINE_FUNCTION double truth(bool holds, double a, double b) {
  if (is_no_number(a)) return a;
  if (is_no_number(b)) return b;
  return holds ? 1.0 : 0.0;
}

/// Squares are products, as one writes them.
KOKKOS_INLINE_FUNCTION double power(double x, double exponent) {
  if (exponent == 2.0) return x * x;
  return math::pow(x, exponent);
}

template <class Kind>
KOKKOS_FORCEINLINE_FUNCTION typename Kind::Number binary(FormulaOp op, const typename Kind::Number& left,
                                                         const typename Kind::Number& right) {
  const double a = Kind::value(left);
  const double b = Kind::value(right);
  const double da = Kind::rate(left);
  const double db = Kind::rate(right);
  switch (op) {
    case FormulaOp::add:
      return Kind::make(a + b, da + db);
    case FormulaOp::subtract:
      return Kind::make(a - b, da - db);
    case FormulaOp::multiply:
      return Kind::make(a * b, da * b + a * db);
    case FormulaOp::divide:
      return Kind::make(a / b, (da - a / b * db) / b);
    case FormulaOp::power: {
      // A product with 0 stays 0 where its other factor is infinite: a^0 is 1, and 0^b is 0, all around.
      const double f = power(a, b);
      double rate = 0.0;
      if (da != 0.0 && b != 0.0) rate += b * power(a, b - 1.0) * da;
      if (db != 0.0 && f != 0.0) rate += f * math::log(a) * db;
      return Kind::make(f, rate);
    }
    case FormulaOp::less:
      return Kind::make(a < b ? 1.0 : 0.0, 0.0);
    case FormulaOp::greater:
      return Kind::make(a > b ? 1.0 : 0.0, 0.0);
    case FormulaOp::not_greater:
      return Kind::make(a <= b ? 1.0 : 0.0, 0.0);
    case FormulaOp::not_less:
      return Kind::make(a >= b ? 1.0 : 0.0, 0.0);
    case FormulaOp::equal:
      return Kind::make(a == b ? 1.0 : 0.0, 0.0);
    case FormulaOp::not_equal:
      return Kind::make(a != b ? 1.0 : 0.0, 0.0);
    case FormulaOp::both:
      return Kind::make(truth(a != 0.0 && b != 0.0, a, b), 0.0);
    case FormulaOp::either:
      return Kind::make(truth(a != 0.0 || b != 0.0, a, b), 0.0);
    case FormulaOp::atan2: {
      const double square = a * a + b * b;
      const bool stays = (da == 0.0 && db == 0.0) || square == 0.0;  // at 0 it goes straight away
      return Kind::make(math::atan2(a, b), stays ? 0.0 : (b * da - a * db) / square);
    }
    case FormulaOp::hypot: {
      const double f = math::sqrt(a * a + b * b);
      if (f == 0.0) return Kind::make(f, math::sqrt(da * da + db * db));  // the rate just afterwards
      return Kind::make(f, da == 0.0 && db == 0.0 ? 0.0 : (a * da + b * db) / f);
    }
    case FormulaOp::min:
      return b < a || is_no_number(b) ? right : left;
    case FormulaOp::max:
      return b > a || is_no_number(b) ? right : left;
    default:
      return left;
  }
}

/// The part of the way from a to b at which x is, in [0, 1].
template <class Kind>
KOKKOS_FORCEINLINE_FUNCTION typename Kind::Number ramp(const typename Kind::Number& x,
                                                       const typename Kind::Number& a,
                                                       const typename Kind::Number& b) {
  const double size = Kind::value(b) - Kind::value(a);
  const double above = Kind::value(x) - Kind::value(a);
  if (above <= 0.0 && !is_no_number(size)) return Kind::make(0.0, 0.0);
  if (above >= size) return Kind::make(1.0, 0.0);
  const double part = above / size;
  return Kind::make(part, (Kind::rate(x) - Kind::rate(a) - part * (Kind::rate(b) - Kind::rate(a))) / size);
}

/// A live number at an instant.
template <class Kind>
KOKKOS_FORCEINLINE_FUNCTION typename Kind::Number live_number(const double* number, double t) {
  const double rate = number[LiveNumber::rate];
  return Kind::make(number[LiveNumber::value] + rate * (t - number[LiveNumber::since]), rate);
}

// The analyzer does not know what Formula::compile leaves out: a step that takes more than earlier ones have
// left, and slots and arrays in programs that are run without them.
// NOLINTBEGIN(clang-analyzer-core.NullDereference,clang-analyzer-core.CallAndMessage)

/// Replaces the operands of a step at the end of a stack, stack[top], by its result.
template <class Kind, class Number>
KOKKOS_FORCEINLINE_FUNCTION void run_step(const FormulaProgram::Step& step, const FormulaInputs& in,
                                          Number* stack, int& top) {
  switch (step.op) {
    case FormulaOp::number:
      stack[++top] = Kind::make(step.number, 0.0);
      break;
    case FormulaOp::time:
      stack[++top] = Kind::make(in.t, 1.0);
      break;
    case FormulaOp::place:
      stack[++top] = Kind::make(in.s, 0.0);
      break;
    case FormulaOp::slot:
      stack[++top] = Kind::make(in.slots[step.place], 0.0);
      break;
    case FormulaOp::array:
      stack[++top] = Kind::make(in.arrays[step.place * in.pitch + in.entry], 0.0);
      break;
    case FormulaOp::live:
      stack[++top] = live_number<Kind>(in.tables + LiveNumber::size * step.place, in.t);
      break;
    case FormulaOp::choose:
      top -= 2;
      if (is_no_number(Kind::value(stack[top]))) break;
      stack[top] = Kind::value(stack[top]) != 0.0 ? stack[top + 1] : stack[top + 2];
      break;
    case FormulaOp::ramp:
      top -= 2;
      stack[top] = ramp<Kind>(stack[top], stack[top + 1], stack[top + 2]);
      break;
    case FormulaOp::smooth: {
      top -= 2;
      const Number part = ramp<Kind>(stack[top], stack[top + 1], stack[top + 2]);
      const double u = Kind::value(part);
      const double rest = 1.0 - u;
      stack[top] = Kind::chain(u * u * u * (10.0 + u * (6.0 * u - 15.0)), 30.0 * u * u * rest * rest, part);
      break;
    }
    default:
      if (formula_arguments(step.op) == 2) {
        --top;
        stack[top] = binary<Kind>(step.op, stack[top], stack[top + 1]);
      } else {
        apply_unary<Kind>(step, in.tables, stack[top]);
      }
  }
}

template <class Kind, class Number>
KOKKOS_INLINE_FUNCTION void run_program(const FormulaProgram& program, const FormulaInputs& in,
                                        Number* results) {
  Number stack[FormulaProgram::deepest];
  int top = -1;
  for (int k = 0; k < program.count; ++k) run_step<Kind>(program.steps[k], in, stack, top);
  for (int k = 0; k <= top && k < FormulaProgram::most_results; ++k) results[k] = stack[k];
}
// NOLINTEND(clang-analyzer-core.NullDereference,clang-analyzer-core.CallAndMessage)

}  // namespace detail

}  // namespace rodeo
