#include <cmath>
#include <cstring>
#include <fstream>

#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/status_report.hpp"

#include "plan/generation_table.hpp"
#include "test_support.hpp"

namespace rodeo::testing {
namespace {

/// A table of no study that there is, with a column of each kind.
Table example_table() {
  return {.name = "branch",
          .attributes = {{"parameter", "load.axial_force"}, {"unit", "N"}},
          .columns = {{.name = "load", .unit = "N"},
                      {.name = "place", .unit = "m", .width = 3, .names = {"x", "y", "z"}},
                      {.name = "modes", .unit = "1", .type = NumberType::integer},
                      {.name = "event", .type = NumberType::byte, .names = {"none", "fold"}},
                      {.name = "alone", .width = 1},
                      {.name = "point", .unit = "1", .type = NumberType::natural}},
          .rows = 5};
}

/// Rows whose numbers tell them apart.
TableRow example_table_row(std::uint64_t row) {
  const auto number = static_cast<double>(row);
  return {.row = row,
          .numbers = {0.1 + number, 1.0, std::nan(""), 3.0 + number, -4.0, number < 2.0 ? 0.0 : 1.0, 1e-300,
                      number + 1.0}};
}

EnsembleSchema schema_with(const Table& table) {
  EnsembleSchema schema = example_schema(6);
  schema.tables = {table};
  return schema;
}

EnsembleFile create_with(const TemporaryFolder& folder, const Table& table) {
  return EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema_with(table), example_provenance(), false);
}

/// Bit by bit: they hold numbers that are none.
void expect_same_rows(const std::vector<TableRow>& rows, const std::vector<std::uint64_t>& expected) {
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(rows[k].row, expected[k]);
    const std::vector<double> numbers = example_table_row(expected[k]).numbers;
    ASSERT_EQ(rows[k].numbers.size(), numbers.size());
    EXPECT_EQ(std::memcmp(rows[k].numbers.data(), numbers.data(), numbers.size() * sizeof(double)), 0);
  }
}

TEST(EnsembleTables, RowsOfAnyTableComeBackAndTheNewestIsFound) {
  const TemporaryFolder folder;
  const Table table = example_table();
  EnsembleFile file = create_with(folder, table);
  {
    const EnsembleReader reader(folder.file());
    ASSERT_EQ(reader.schema().tables.size(), 1u);
    EXPECT_EQ(&stored_table(reader.schema(), table), &reader.schema().tables[0]);
    EXPECT_TRUE(reader.read_table(table).empty());
    EXPECT_FALSE(reader.newest_row(table));
  }
  file.write(table, std::vector{example_table_row(0), example_table_row(1), example_table_row(3)});
  const EnsembleReader reader(folder.file());
  expect_same_rows(reader.read_table(table), {0, 1, 3});
  EXPECT_EQ(reader.newest_row(table)->row, 3u);
  // A row may be written over.
  file.write(table, std::vector{example_table_row(2), example_table_row(0)});
  expect_same_rows(reader.read_table(table), {0, 1, 2, 3});
  file.write(table, {});
  file.close();
  EXPECT_LE(std::filesystem::file_size(folder.file()), ensemble_file_bytes(schema_with(table)));
  EXPECT_GE(std::filesystem::file_size(folder.file()) + 100000, ensemble_file_bytes(schema_with(table)));
}

TEST(EnsembleTables, ColumnsInAnotherOrderFindTheirPlaces) {
  const TemporaryFolder folder;
  EnsembleFile file = create_with(folder, example_table());
  Table turned = example_table();
  std::swap(turned.columns[0], turned.columns[5]);
  TableRow row = example_table_row(4);
  std::swap(row.numbers.front(), row.numbers.back());
  file.write(turned, {&row, 1});
  expect_same_rows(EnsembleReader(folder.file()).read_table(example_table()), {4});
}

TEST(EnsembleTables, ARowThatIsNotWholeIsNotThere) {
  const TemporaryFolder folder;
  const Table table = example_table();
  create_with(folder, table)
      .write(table, std::vector{example_table_row(0), example_table_row(1), example_table_row(2)});
  const auto flip = [&](const char* column, std::uint64_t bytes) {
    const std::uint64_t place = offset_of(folder.file(), column) + bytes;
    std::fstream file(folder.file(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(place));
    const int byte = file.get();
    file.seekp(static_cast<std::streamoff>(place));
    file.put(static_cast<char>(byte ^ 1));
  };
  flip("/branch/event", 2);
  EXPECT_EQ(EnsembleReader(folder.file()).newest_row(table)->row, 1u);
  expect_same_rows(EnsembleReader(folder.file()).read_table(table), {0, 1});
  flip("/branch/place", 0);
  expect_same_rows(EnsembleReader(folder.file()).read_table(table), {1});
  flip("/branch/commit", 8);
  EXPECT_FALSE(EnsembleReader(folder.file()).newest_row(table));
}

TEST(EnsembleTables, WhatDoesNotFitIsRefused) {
  const TemporaryFolder folder;
  EnsembleFile file = create_with(folder, example_table());
  const auto refused = [&](const Table& table, const TableRow& row) {
    EXPECT_THROW(file.write(table, {&row, 1}), std::invalid_argument);
  };
  refused(example_table(), example_table_row(5));
  TableRow short_row = example_table_row(0);
  short_row.numbers.pop_back();
  refused(example_table(), short_row);
  const auto changed = [&](const auto& change) {
    Table table = example_table();
    change(table);
    refused(table, example_table_row(0));
  };
  changed([](Table& table) { table.name = "optimize"; });
  changed([](Table& table) { table.rows = 4; });
  changed([](Table& table) { table.columns[1].name = "position"; });
  changed([](Table& table) { table.columns[2].type = NumberType::real; });
  changed([](Table& table) { table.columns[4].width.reset(); });
  EXPECT_TRUE(EnsembleReader(folder.file()).read_table(example_table()).empty());
}

TEST(EnsembleTables, AreReadableWithPlainH5py) {
  if (!has_h5py()) GTEST_SKIP() << "there is no h5py";
  const TemporaryFolder folder;
  const Table table = example_table();
  create_with(folder, table).write(table, std::vector{example_table_row(0), example_table_row(2)});
  const std::string script = R"(
import h5py, sys
with h5py.File(sys.argv[1], "r") as file:
    assert list(file.attrs["tables"]) == [b"branch"]
    group = file["branch"]
    assert group.attrs["parameter"] == b"load.axial_force" and group.attrs["unit"] == b"N"
    assert list(group.attrs["columns"]) == [b"load", b"place", b"modes", b"event", b"alone", b"point"]
    there = group["commit"][:] != 0
    assert list(there) == [True, False, True, False, False]
    assert list(group["load"][there]) == [0.1, 2.1] and group["load"].attrs["units"] == b"N"
    assert group["place"].shape == (5, 3) and list(group["place"].attrs["names"]) == [b"x", b"y", b"z"]
    assert list(group["modes"][there]) == [-4, -4] and group["modes"].dtype == "i8"
    assert [group["event"].attrs["names"][k] for k in group["event"][there]] == [b"none", b"fold"]
    assert group["event"].dtype == "u1" and "units" not in group["event"].attrs
    assert group["alone"].shape == (5, 1) and group["alone"][2, 0] == 1e-300
    # The last column says which rows there are, too.
    assert list(group["point"]) == [1, 0, 3, 0, 0] and group["point"].dtype == "u8"
)";
  EXPECT_EQ(run_python(script, folder.file()), 0);
}

TEST(EnsembleTables, OtherStudiesHaveNone) {
  const TemporaryFolder folder;
  write_example(folder.file(), example_schema());
  EXPECT_TRUE(EnsembleReader(folder.file()).schema().tables.empty());
  EXPECT_EQ(EnsembleReader(folder.file()).study_state().line, "");
  EXPECT_EQ(run_python("import h5py, sys\n"
                       "file = h5py.File(sys.argv[1], 'r')\n"
                       "assert {name for name in file if 'CLASS' not in file[name].attrs} == "  // no scales
                       "{'deck', 'members', 'running', 'trajectories'}\n",
                       folder.file()),
            0);
}

GenerationRow example_generation(std::uint64_t generation) {
  GenerationRow row;
  const auto number = static_cast<double>(generation);
  row.generation = generation;
  row.evaluations = 10 * (generation + 1);
  row.restart = 1;
  row.population = 10;
  row.failed = 2;
  row.best = 0.5 + number;
  row.best_candidate = 7;
  row.generation_best = 0.25;
  row.generation_mean = 0.75;
  row.generation_median = 0.7;
  row.sigma = 0.1 / (1.0 + number);
  row.axis_ratio = 3.0;
  row.stop = generation == 2 ? StopReason::tolx : StopReason::none;
  row.last = generation == 2;
  row.mean_vector = {1.0, 2.0, number};
  row.deviation = {0.1, 0.2, 0.3};
  row.eigenvalues = {1.0, 4.0, 9.0};
  return row;
}

Table example_generations() {
  const std::vector parameters = {parse_parameter_address("rod.length"),
                                  parse_parameter_address("muscle.amplitudes[0]"),
                                  parse_parameter_address("load.axial_force")};
  return generation_table(parameters, 5, "m/s");
}

TEST(EnsembleTables, GenerationsComeBackAndStatusTellsTheNewest) {
  const TemporaryFolder folder;
  const Table table = example_generations();
  EnsembleFile file = create_with(folder, table);
  const auto newest = [&] {
    const EnsembleReader reader(folder.file());
    return generation_of(table, *reader.newest_row(table));
  };
  EXPECT_EQ(EnsembleReader(folder.file()).study_state().line, "generation 0");
  EXPECT_TRUE(EnsembleReader(folder.file()).study_state().adaptive);

  file.write(table, std::vector{to_table_row(example_generation(0)), to_table_row(example_generation(1))});
  EXPECT_EQ(newest().best, 1.5);
  EXPECT_FALSE(EnsembleReader(folder.file()).study_state().ended);
  file.write(table, std::vector{to_table_row(example_generation(2))});
  const GenerationRow row = newest();
  EXPECT_EQ(row.generation, 2u);
  EXPECT_EQ(row.evaluations, 30u);
  EXPECT_EQ(row.restart, 1);
  EXPECT_EQ(row.population, 10);
  EXPECT_EQ(row.failed, 2);
  EXPECT_EQ(row.best_candidate, 7);
  EXPECT_EQ(row.generation_best, 0.25);
  EXPECT_EQ(row.generation_mean, 0.75);
  EXPECT_EQ(row.generation_median, 0.7);
  EXPECT_EQ(row.sigma, 0.1 / 3.0);
  EXPECT_EQ(row.axis_ratio, 3.0);
  EXPECT_EQ(row.stop, StopReason::tolx);
  EXPECT_TRUE(row.last);
  EXPECT_EQ(row.mean_vector, (std::vector<double>{1.0, 2.0, 2.0}));
  EXPECT_EQ(row.deviation, (std::vector<double>{0.1, 0.2, 0.3}));
  EXPECT_EQ(row.eigenvalues, (std::vector<double>{1.0, 4.0, 9.0}));
  file.close();
  EXPECT_LE(std::filesystem::file_size(folder.file()), ensemble_file_bytes(schema_with(table)));
  EXPECT_EQ(EnsembleReader(folder.file()).study_state().best_candidate, 7u);
  const std::string status = status_report(EnsembleReader(folder.file()), folder.file(), {});
  EXPECT_TRUE(contains(status, "complete"));
  EXPECT_TRUE(contains(status, "generation 3 of at most 5, 30 evaluations, best 2.5"));
  EXPECT_TRUE(contains(status, "restarted 1 time, stopped by tolx"));
  EXPECT_EQ(run_python("import h5py, sys\n"
                       "group = h5py.File(sys.argv[1], 'r')['optimize']\n"
                       "assert list(group['evaluations']) == [10, 20, 30, 0, 0]\n"
                       "assert group['stop'].attrs['names'][group['stop'][2]] == b'tolx'\n"
                       "assert group['mean_vector'].attrs['names'][1] == b'muscle.amplitudes[0]'\n"
                       "assert group['best'].attrs['units'] == b'm/s'\n"
                       "assert group['mean_vector'][1, 2] == 1.0\n",
                       folder.file()),
            0);
}

TEST(EnsembleTables, ASearchWhoseTableLacksAColumnIsDamaged) {
  const TemporaryFolder folder;
  Table table = example_generations();
  std::erase_if(table.columns, [](const TableColumn& column) { return column.name == "sigma"; });
  const TableRow row{.row = 0, .numbers = std::vector<double>(table.numbers(), 1.0)};
  create_with(folder, table).write(table, {&row, 1});
  const std::string error = file_error_of([&] { EnsembleReader(folder.file()).study_state(); });
  EXPECT_TRUE(contains(error, "is damaged: table optimize has no column sigma")) << error;
}

TEST(EnsembleTables, OpenFilesGiveRowsBackWithTheirTrajectories) {
  EnsembleSchema schema = example_schema(3);
  schema.nodes = {11, 21, 41};
  const TemporaryFolder folder;
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
  const MemberRow row = example_row(schema, 1);
  file.write({&row, 1});
  file.flush();
  expect_same(schema, file.read_member(1), row);
  EXPECT_EQ(file.read_member(2).status, MemberStatus::pending);
}

}  // namespace
}  // namespace rodeo::testing
