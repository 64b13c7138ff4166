#include "row_tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/file_records.hpp"

#include "datasets.hpp"
#include "layout.hpp"

namespace rodeo {

namespace {

/// The place of a name in a list; the list's size if it is not there.
std::size_t place_of(std::string_view name, const std::vector<std::string>& list) {
  return static_cast<std::size_t>(std::ranges::find(list, name) - list.begin());
}

std::vector<std::optional<std::size_t>> places_of(const std::vector<std::string>& names,
                                                  const std::vector<std::string>& list) {
  std::vector<std::optional<std::size_t>> places;
  for (const std::string& name : names) {
    const std::size_t place = place_of(name, list);
    places.push_back(place < list.size() ? std::optional(place) : std::nullopt);
  }
  return places;
}

/// The places that the fields of a file have in rows whose observables stand in this order.
std::vector<std::size_t> field_order(const std::vector<FieldFormat>& fields,
                                     const std::vector<std::string>& observables) {
  std::vector<std::size_t> order(fields.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::size_t> of_observables;
  for (const std::size_t k : order) {
    if (!fields[k].of_nodes && fields[k].points == 0) of_observables.push_back(k);
  }
  std::vector<std::size_t> in_rows = of_observables;
  std::ranges::sort(in_rows, {}, [&](std::size_t k) { return place_of(fields[k].name, observables); });
  for (std::size_t k = 0; k < in_rows.size(); ++k) order[in_rows[k]] = of_observables[k];
  return order;
}

std::vector<double> taken(const std::vector<double>& values,
                          const std::vector<std::optional<std::size_t>>& places) {
  if (values.empty()) return {};
  std::vector<double> result;
  result.reserve(places.size());
  for (const auto& place : places) result.push_back(place ? values[*place] : std::nan(""));
  return result;
}

template <class Value>
Value load(const std::byte* source) {
  Value value;
  std::memcpy(&value, source, sizeof(value));
  return value;
}

/// Rows are read and written in blocks of about so many bytes, unless a row is larger by itself.
constexpr std::uint64_t block_bytes = std::uint64_t{8} << 20;

/// Rows that are read one after the other, in blocks that stay in the cache.
constexpr std::uint64_t rows_per_read = 4096;

/// Rows that are no further from each other are written together with those between them, where these are
/// committed already: as those of a campaign that goes on with a file full of holes.
constexpr std::uint64_t widest_gap = 8;

Hdf5Handle select_span(hid_t dataset, const FieldLayout& layout, const FieldLayout::Span& span) {
  Hdf5Handle space(H5Dget_space(dataset), H5Sclose, "cannot read a shape");
  layout.select(space.get(), span);
  return space;
}

void check_length(const std::vector<double>& values, std::uint64_t length, bool may_be_empty,
                  const char* what) {
  if (values.size() == length || (may_be_empty && values.empty())) return;
  throw std::invalid_argument("a row has " + std::to_string(values.size()) + " " + what + " instead of " +
                              std::to_string(length));
}

}  // namespace

ObservableColumns::ObservableColumns(const std::vector<std::string>& observables,
                                     const EnsembleSchema& schema)
    : as_they_are_(observables == schema.observable_names),
      of_columns_(places_of(schema.observable_names, observables)),
      of_observables_(places_of(observables, schema.observable_names)),
      fields_(field_order(schema.fields, observables)) {}

std::vector<double> ObservableColumns::stored(const std::vector<double>& observables) const {
  return as_they_are_ ? observables : taken(observables, of_columns_);
}

void ObservableColumns::restore(MemberRow& row) const {
  if (as_they_are_) return;
  row.observables = taken(row.observables, of_observables_);
  if (row.fields.size() != fields_.size()) return;
  std::vector<std::vector<double>> fields(row.fields.size());
  for (std::size_t k = 0; k < fields.size(); ++k) fields[fields_[k]] = std::move(row.fields[k]);
  row.fields = std::move(fields);
}

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

RowTables::RowTables(hid_t file, const EnsembleSchema& schema)
    : schema_(schema),
      as_stored_(schema_.observable_names, schema_),
      asked_(as_stored_),
      formats_(column_formats(schema_)) {
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    columns_[column] = open_dataset(file, formats_[column].path);
  }
  commit_ = open_dataset(file, commit_path);
  for (const FieldFormat& field : schema_.fields) {
    fields_.push_back({FieldLayout(schema_, field), open_dataset(file, field_path(field))});
  }
}

void RowTables::set_observables(const std::vector<std::string>& names) {
  asked_ = ObservableColumns(names, schema_);
}

void RowTables::check(const MemberRow& row) const {
  if (row.member >= schema_.members)
    throw std::invalid_argument("there is no row " + std::to_string(row.member));
  if (row.status == MemberStatus::pending)
    throw std::invalid_argument("a pending member has no row to write");
  check_length(row.parameters, schema_.parameter_names.size(), false, "parameters");
  check_length(row.observables, asked_.observables(), true, "observables");
  check_length(row.time, static_cast<std::uint64_t>(schema_.frames), true, "frames");
  if (row.fields.empty()) return;
  if (row.fields.size() != fields_.size()) throw std::invalid_argument("a row has not the file's fields");
  for (std::size_t field = 0; field < fields_.size(); ++field) {
    const FieldLayout& layout = fields_[field].layout;
    check_length(row.fields[asked_.field(field)], layout.frames() * layout.numbers_per_frame(row.member),
                 true, "numbers of a field");
  }
}

void RowTables::check_range(std::uint64_t first, std::uint64_t count) const {
  if (first > schema_.members || count > schema_.members - first) {
    throw std::out_of_range("there are " + std::to_string(schema_.members) + " members");
  }
}

std::uint64_t RowTables::rows_per_block(std::uint64_t first, std::uint64_t limit,
                                        bool with_trajectory) const {
  const std::uint64_t column_bytes = column_bytes_per_row(schema_);
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  while (rows < limit) {
    bytes += column_bytes + (with_trajectory ? trajectory_bytes(first + rows) : 0);
    if (rows > 0 && bytes > block_bytes) break;
    ++rows;
  }
  return rows;
}

std::uint64_t RowTables::trajectory_bytes(std::uint64_t member) const {
  std::uint64_t bytes = 0;
  for (const StoredField& field : fields_) bytes += field.layout.bytes_per_row(member);
  return bytes;
}

void RowTables::add(const FieldLayout& layout, const FieldLayout::Span& span, const Bytes& numbers,
                    std::uint64_t first_row, std::span<RowDigest> digests) {
  std::size_t begin = 0;
  for (std::uint64_t member = span.member; member < span.member + span.members; ++member) {
    const std::size_t length = span.frames * layout.bytes_per_frame(member);
    digests[member - first_row].running.add(std::span(numbers).subspan(begin, length));
    begin += length;
  }
}

void RowTables::write(std::span<const MemberRow> rows) {
  for (const MemberRow& row : rows) check(row);
  std::vector<Source> sources;
  sources.reserve(rows.size());
  for (const MemberRow& row : rows) sources.push_back({&row, &asked_});
  // A trajectory is large enough to be written by itself.
  const std::uint64_t reach = schema_.frames == 0 ? 1 + widest_gap : 1;
  Sources left = sources;
  while (!left.empty()) {
    std::size_t run = 1;
    while (run < left.size() && left[run].row->member > left[run - 1].row->member &&
           left[run].row->member - left[run - 1].row->member <= reach) {
      ++run;
    }
    write_stretch(left.first(run));
    left = left.subspan(run);
  }
}

/// Writes rows in ascending order, with the committed ones between them as they are: they are final, so that
/// nobody else writes them, and a kill in the midst leaves them what they were.
void RowTables::write_stretch(Sources rows) {
  const std::uint64_t first = rows.front().row->member;
  const std::uint64_t count = rows.back().row->member - first + 1;
  if (count == rows.size()) return write_consecutive(rows);
  std::vector<MemberRow> stored;
  for_each_row(first, count, as_stored_, [&](const MemberRow& row) { stored.push_back(row); });
  std::vector<Source> run;
  auto own = rows.begin();
  for (const MemberRow& between : stored) {
    if (own->row->member == between.member) {
      run.push_back(*own++);
    } else if (between.status != MemberStatus::pending) {
      run.push_back({&between, &as_stored_});
    } else {
      write_consecutive(run);
      run.clear();
    }
  }
  write_consecutive(run);
}

void RowTables::write_consecutive(Sources rows) {
  while (!rows.empty()) {
    const std::size_t run = rows_per_block(rows.front().row->member, rows.size(), true);
    write_block(rows.first(run));
    rows = rows.subspan(run);
  }
}

void RowTables::write_block(Sources rows) {
  RowBlock block(schema_, rows.front().row->member, rows.size());
  for (std::uint64_t row = 0; row < block.count(); ++row)
    block.set(row, *rows[row].row, rows[row].columns->stored(rows[row].row->observables));
  std::vector<RowDigest> digests = block.digests(true);
  write_columns(block);

  const std::vector<double> never_reached;
  for (std::size_t field = 0; field < fields_.size(); ++field) {
    const auto& [layout, dataset] = fields_[field];
    for (const FieldLayout::Span& span : layout.spans(block.first(), block.count())) {
      Bytes numbers(layout.bytes(span));
      std::byte* target = numbers.data();
      for (std::uint64_t member = span.member; member < span.member + span.members; ++member) {
        const auto& [row, columns] = rows[member - block.first()];
        const std::uint64_t per_frame = layout.numbers_per_frame(member);
        store_numbers(row->fields.empty() ? never_reached : row->fields[columns->field(field)],
                      span.frame * per_frame, span.frames * per_frame, layout.single_precision(), target);
        target += span.frames * layout.bytes_per_frame(member);
      }
      add(layout, span, numbers, block.first(), digests);
      write_selection(dataset.get(), layout.type(), select_span(dataset.get(), layout, span), numbers.data());
    }
  }

  for (std::uint64_t row = 0; row < block.count(); ++row) block.commit[row] = digests[row].word();
  write_selection(commit_.get(), H5T_STD_U64LE, select_rows(commit_.get(), block.first(), block.count(), 1),
                  block.commit.data());
}

void RowTables::write_columns(RowBlock& block) {
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    const ColumnFormat& format = formats_[column];
    if (format.entries_per_row == 0) continue;
    write_selection(columns_[column].get(), format.type,
                    select_rows(columns_[column].get(), block.first(), block.count(), format.entries_per_row),
                    block.data(static_cast<Column>(column)));
  }
}

RowBlock RowTables::read_block(std::uint64_t first, std::uint64_t count, bool with_time) const {
  RowBlock block(schema_, first, count);
  // The commit words first: a row whose word is there already has all its payload, whatever a writer does
  // now.
  read_selection(commit_.get(), H5T_STD_U64LE, select_rows(commit_.get(), first, count, 1),
                 block.commit.data());
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    const ColumnFormat& format = formats_[column];
    const bool skipped = static_cast<Column>(column) == Column::time && !with_time;
    if (format.entries_per_row == 0 || skipped) continue;
    read_selection(columns_[column].get(), format.type,
                   select_rows(columns_[column].get(), first, count, format.entries_per_row),
                   block.data(static_cast<Column>(column)));
  }
  return block;
}

RowTables::Bytes RowTables::read_span(const StoredField& field, const FieldLayout::Span& span) {
  const auto& [layout, dataset] = field;
  Bytes numbers(layout.bytes(span));
  read_selection(dataset.get(), layout.type(), select_span(dataset.get(), layout, span), numbers.data());
  return numbers;
}

std::vector<bool> RowTables::committed() const {
  std::vector<bool> result(schema_.members, false);
  std::uint64_t count = 0;
  for (std::uint64_t first = 0; first < schema_.members; first += count) {
    count = rows_per_block(first, schema_.members - first, true);
    const RowBlock block = read_block(first, count, true);
    const bool none =
        std::all_of(block.commit.begin(), block.commit.end(), [](auto word) { return word == 0; });
    if (none) continue;
    std::vector<RowDigest> digests = block.digests(true);
    for (const StoredField& field : fields_) {
      for (const FieldLayout::Span& span : field.layout.spans(first, count)) {
        add(field.layout, span, read_span(field, span), first, digests);
      }
    }
    for (std::uint64_t row = 0; row < count; ++row)
      result[first + row] = block.commit[row] == digests[row].word();
  }
  return result;
}

std::vector<RowTables::Stretch> RowTables::stretches_from(std::uint64_t row) const {
  std::vector<Stretch> stretches;
  const auto add_rest = [&](hid_t dataset, std::uint64_t used, std::uint64_t all) {
    const haddr_t begin = H5Dget_offset(dataset);
    if (begin != HADDR_UNDEF && used < all) stretches.push_back({begin + used, all - used});
  };
  const auto add_rows = [&](hid_t dataset, std::uint64_t bytes) {
    add_rest(dataset, row * bytes, schema_.members * bytes);
  };
  for (std::size_t k = 0; k < columns_.size(); ++k)
    add_rows(columns_[k].get(), formats_[k].bytes_per_entry * formats_[k].entries_per_row);
  add_rows(commit_.get(), sizeof(std::uint64_t));
  for (const StoredField& field : fields_) {
    std::uint64_t used = 0;
    for (std::uint64_t member = 0; member < row; ++member) used += field.layout.bytes_per_row(member);
    add_rest(field.dataset.get(), used, field.layout.bytes());
  }
  return stretches;
}

std::vector<MemberStatus> RowTables::statuses() const {
  std::vector<MemberStatus> result;
  result.reserve(schema_.members);
  for_each_row(0, schema_.members, [&](const MemberRow& row) { result.push_back(row.status); });
  return result;
}

std::vector<MemberRow> RowTables::read_rows(std::uint64_t first, std::uint64_t count) const {
  std::vector<MemberRow> result;
  result.reserve(count);
  for_each_row(first, count, [&](const MemberRow& row) { result.push_back(row); });
  return result;
}

void RowTables::for_each_row(std::uint64_t first, std::uint64_t count, const ObservableColumns& columns,
                             const UseOfRow& use) const {
  check_range(first, count);
  MemberRow row;
  for (std::uint64_t begin = first; begin < first + count;) {
    const std::uint64_t left = std::min(rows_per_read, first + count - begin);
    const RowBlock block = read_block(begin, rows_per_block(begin, left, false), false);
    const std::vector<MemberStatus> statuses = block.statuses();
    for (std::uint64_t k = 0; k < block.count(); ++k) {
      block.get(k, statuses[k], row);
      columns.restore(row);
      use(row);
    }
    begin += block.count();
  }
}

MemberRow RowTables::read_member(std::uint64_t member) const {
  check_range(member, 1);
  const RowBlock block = read_block(member, 1, true);
  MemberRow result;
  block.get(0, block.statuses()[0], result);
  if (result.status == MemberStatus::pending) return result;
  result.time = block.time(0);
  RowDigest digest = block.digest(0, true);
  for (const StoredField& field : fields_) {
    std::vector<double>& numbers = result.fields.emplace_back();
    for (const FieldLayout::Span& span : field.layout.spans(member, 1)) {
      const Bytes stored = read_span(field, span);
      add(field.layout, span, stored, member, {&digest, 1});
      const std::vector<double> part = load_numbers(stored, field.layout.single_precision());
      numbers.insert(numbers.end(), part.begin(), part.end());
    }
  }
  asked_.restore(result);
  if (digest.word() == block.commit[0]) return result;
  MemberRow pending;
  pending.member = member;
  pending.damaged = true;
  return pending;
}

}  // namespace rodeo
