#include "row_block.hpp"

#include <cstring>
#include <limits>

namespace rodeo {

namespace {

template <class Value>
Value load(const std::byte* source) {
  Value value;
  std::memcpy(&value, source, sizeof(value));
  return value;
}

}  // namespace

void store_numbers(const std::vector<double>& values, std::uint64_t begin, std::uint64_t count,
                   bool single_precision, std::byte* target) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const double value = values.empty() ? std::numeric_limits<double>::quiet_NaN() : values[begin + i];
    if (single_precision) {
      const auto narrow = static_cast<float>(value);
      std::memcpy(target + i * sizeof(narrow), &narrow, sizeof(narrow));
    } else {
      std::memcpy(target + i * sizeof(value), &value, sizeof(value));
    }
  }
}

std::vector<double> load_numbers(std::span<const std::byte> bytes, bool single_precision) {
  std::vector<double> values(bytes.size() / (single_precision ? sizeof(float) : sizeof(double)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = single_precision ? static_cast<double>(load<float>(bytes.data() + i * sizeof(float)))
                                 : load<double>(bytes.data() + i * sizeof(double));
  }
  return values;
}

RowBlock::RowBlock(const EnsembleSchema& schema, std::uint64_t first_row, std::uint64_t rows)
    : commit(rows), first_(first_row) {
  const auto formats = column_formats(schema);
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    widths_[column] = formats[column].bytes_per_entry * formats[column].entries_per_row;
    columns_[column].resize(rows * widths_[column]);
  }
}

std::span<const std::byte> RowBlock::cell(Column column, std::uint64_t row) const {
  const std::uint64_t width = widths_[index(column)];
  return std::span(columns_[index(column)]).subspan(row * width, width);
}

void RowBlock::set(std::uint64_t row, const MemberRow& source, const std::vector<double>& observables) {
  const auto target = [&](Column column) { return data(column) + row * widths_[index(column)]; };
  const auto put = [&](Column column, const auto& value) {
    std::memcpy(target(column), &value, sizeof(value));
  };
  const auto put_numbers = [&](Column column, const std::vector<double>& values) {
    store_numbers(values, 0, widths_[index(column)] / sizeof(double), false, target(column));
  };
  put_numbers(Column::parameters, source.parameters);
  put(Column::candidate, source.candidate);
  put(Column::repeat, source.repeat);
  put(Column::seed, source.seed);
  put(Column::status, source.status);
  put_numbers(Column::observables, observables);
  put(Column::steps, source.steps);
  put(Column::wall_seconds, source.wall_seconds);
  put(Column::rank, source.rank);
  put_numbers(Column::time, source.time);
}

std::vector<MemberStatus> RowBlock::statuses() const {
  std::vector<MemberStatus> result(count(), MemberStatus::pending);
  const std::vector<RowDigest> digests = this->digests(false);
  for (std::uint64_t row = 0; row < count(); ++row) {
    const auto number = std::to_integer<int>(cell(Column::status, row)[0]);
    if (number < member_status_count && scalars_committed(commit[row], digests[row].scalars))
      result[row] = static_cast<MemberStatus>(number);
  }
  return result;
}

void RowBlock::get(std::uint64_t row, MemberStatus status, MemberRow& result) const {
  const auto load_all = [&](Column column, std::vector<double>& numbers) {
    const std::span<const std::byte> bytes = cell(column, row);
    numbers.resize(bytes.size() / sizeof(double));
    if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  };
  if (status == MemberStatus::pending) result = {};
  result.member = first_ + row;
  result.status = status;
  result.damaged = commit[row] != 0 && status == MemberStatus::pending;
  if (status == MemberStatus::pending) return;
  load_all(Column::parameters, result.parameters);
  result.candidate = load<std::uint64_t>(cell(Column::candidate, row).data());
  result.repeat = load<std::uint32_t>(cell(Column::repeat, row).data());
  result.seed = load<std::uint64_t>(cell(Column::seed, row).data());
  load_all(Column::observables, result.observables);
  result.steps = load<std::uint64_t>(cell(Column::steps, row).data());
  result.wall_seconds = load<double>(cell(Column::wall_seconds, row).data());
  result.rank = load<std::int32_t>(cell(Column::rank, row).data());
}

std::vector<double> RowBlock::time(std::uint64_t row) const {
  return load_numbers(cell(Column::time, row), false);
}

/// The checksums of n rows, side by side: each step of one waits for the step before.
template <std::size_t n>
std::array<RowDigest, n> RowBlock::digests_from(std::uint64_t row, bool with_time) const {
  std::array<RowDigest, n> result;
  for (std::size_t k = 0; k < n; ++k) result[k].running = Checksum(first_ + row + k);
  const auto add = [&](Column column) {
    const std::uint64_t width = widths_[index(column)];
    const std::byte* const cells = columns_[index(column)].data() + row * width;
    for (std::uint64_t i = 0; i + 4 <= width; i += 4) {
      for (std::size_t k = 0; k < n; ++k) result[k].running.add(load<std::uint32_t>(cells + k * width + i));
    }
  };
  for (int number = 0; number < static_cast<int>(Column::time); ++number) {
    const auto column = static_cast<Column>(number);
    if (column != Column::status) {
      add(column);
      continue;
    }
    for (std::size_t k = 0; k < n; ++k)
      result[k].running.add(std::to_integer<std::uint32_t>(cell(column, row + k)[0]));
  }
  for (RowDigest& digest : result) digest.scalars = digest.running.value();
  if (with_time) add(Column::time);
  return result;
}

template std::array<RowDigest, 1> RowBlock::digests_from<1>(std::uint64_t row, bool with_time) const;

std::vector<RowDigest> RowBlock::digests(bool with_time) const {
  constexpr std::size_t together = 4;
  std::vector<RowDigest> result;
  result.reserve(count());
  while (result.size() + together <= count()) {
    const auto digests = digests_from<together>(result.size(), with_time);
    result.insert(result.end(), digests.begin(), digests.end());
  }
  while (result.size() < count()) result.push_back(digest(result.size(), with_time));
  return result;
}

}  // namespace rodeo
