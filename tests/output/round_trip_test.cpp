#include <cmath>
#include <fstream>
#include <iterator>

#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/ensemble_reader.hpp"

#include "test_support.hpp"

namespace rodeo::testing {
namespace {

void expect_round_trip(const EnsembleSchema& schema) {
  const TemporaryFolder folder;
  write_example(folder.file(), schema);
  const EnsembleReader reader(folder.file());
  EXPECT_EQ(reader.schema().deck, schema.deck);
  EXPECT_EQ(reader.schema().parameter_names, schema.parameter_names);
  std::vector<std::string> words = schema.parameter_words;
  words.resize(schema.parameter_names.size());
  EXPECT_EQ(reader.schema().parameter_words, words);
  EXPECT_EQ(reader.schema().observable_names, schema.observable_names);
  EXPECT_EQ(reader.schema().observable_units, schema.observable_units);
  EXPECT_EQ(reader.schema().members, schema.members);
  EXPECT_EQ(reader.schema().frames, schema.frames);
  EXPECT_EQ(reader.schema().single_precision, schema.single_precision);
  const std::vector<MemberRow> rows = reader.read_rows(0, schema.members);
  ASSERT_EQ(rows.size(), schema.members);
  for (std::uint64_t member = 0; member < schema.members; ++member) {
    EXPECT_EQ(reader.schema().nodes_of(member), schema.nodes_of(member));
    expect_same_scalars(rows[member], example_row(schema, member));
    expect_same(schema, reader.read_member(member), example_row(schema, member));
  }
  EXPECT_LE(std::filesystem::file_size(folder.file()), ensemble_file_bytes(schema));
  EXPECT_GE(std::filesystem::file_size(folder.file()) + 100000, ensemble_file_bytes(schema));
}

TEST(EnsembleFile, RoundTripOfAllFields) { expect_round_trip(example_schema()); }

TEST(EnsembleFile, RoundTripOfASingleMember) { expect_round_trip(example_schema(1)); }

TEST(EnsembleFile, RoundTripOfMembersThatDifferInNodes) {
  EnsembleSchema schema = example_schema(4);
  schema.nodes = {3, 8, 1, 5};
  expect_round_trip(schema);
}

TEST(EnsembleFile, RoundTripInSinglePrecision) {
  EnsembleSchema schema = example_schema();
  schema.single_precision = true;
  expect_round_trip(schema);
  schema.nodes = {3, 8, 1, 5, 2, 7};
  expect_round_trip(schema);
}

TEST(EnsembleFile, RoundTripWithoutParametersOrFrames) {
  EnsembleSchema schema = example_schema(3);
  schema.parameter_names.clear();
  expect_round_trip(schema);
  schema.frames = 0;
  schema.nodes.clear();
  expect_round_trip(schema);
  schema.observable_names.clear();
  schema.observable_units.clear();
  schema.deck.clear();
  expect_round_trip(schema);
}

// 10 x 8,000,000 bytes a row: more than one block of rows, and each row is itself cut into several spans of
// frames.
TEST(EnsembleFile, RoundTripOfATrajectoryLargerThanABlock) {
  EnsembleSchema schema = example_schema(2);
  schema.frames = 10;
  schema.nodes = {333333};
  expect_round_trip(schema);
}

TEST(EnsembleFile, EqualNodeCountsAreStoredAsOne) {
  EnsembleSchema schema = example_schema(3);
  schema.nodes = {5, 5, 5};
  const TemporaryFolder folder;
  write_example(folder.file(), schema);
  EXPECT_FALSE(EnsembleReader(folder.file()).schema().ragged());
}

// As when a campaign goes on with a file full of holes: rows are written together with those between them.
TEST(EnsembleFile, ScatteredRowsLeaveThoseBetweenThemAsTheyAre) {
  EnsembleSchema schema = example_schema(60);
  schema.frames = 0;
  schema.nodes.clear();
  const auto content_after = [&](const std::vector<std::vector<std::uint64_t>>& writes) {
    const TemporaryFolder folder;
    EnsembleFile file =
        EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
    std::vector<bool> expected(schema.members, false);
    for (const std::vector<std::uint64_t>& members : writes) {
      std::vector<MemberRow> rows;
      for (const std::uint64_t member : members) {
        rows.push_back(example_row(schema, member));
        expected[member] = true;
      }
      file.write(rows);
      EXPECT_EQ(file.committed(), expected);
    }
    file.close();
    std::ifstream stream(folder.file(), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  std::vector<std::uint64_t> all;
  std::vector<std::uint64_t> third;
  std::vector<std::uint64_t> others;
  for (std::uint64_t member = 0; member < schema.members; ++member) {
    all.push_back(member);
    (member % 3 == 0 ? third : others).push_back(member);
  }
  const std::string whole = content_after({all});
  EXPECT_EQ(content_after({third, others}), whole);
  EXPECT_EQ(content_after({others, third}), whole);
  EXPECT_EQ(content_after({{7, 9, 30}, {8, 11, 12, 31, 59}, {0, 10, 29, 32}}).size(), whole.size());
}

TEST(EnsembleFile, RoundTripOfSeveralRods) {
  EnsembleSchema schema = example_schema(3);
  schema.rod_nodes = {2, 3, 3, 2, 5, 0};
  expect_round_trip(schema);
  schema.nodes = {4, 5, 7};
  schema.rod_nodes = {4, 0, 0, 1, 2, 2, 3, 4, 0};
  expect_round_trip(schema);
  const TemporaryFolder folder;
  write_example(folder.file(), schema);
  const EnsembleReader reader(folder.file());
  EXPECT_EQ(reader.schema().rod_nodes, schema.rod_nodes);
  EXPECT_EQ(reader.schema().rod_nodes_of(1), (std::vector<std::int32_t>{1, 2, 2}));
  EXPECT_EQ(reader.schema().rod_nodes_of(2), (std::vector<std::int32_t>{3, 4}));
  EXPECT_EQ(reader.schema().rod_numbers_of(1), (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_LE(std::filesystem::file_size(folder.file()), ensemble_file_bytes(schema));
}

TEST(EnsembleFile, RoundTripOfSomeRods) {
  EnsembleSchema schema = example_schema(3);
  schema.nodes = {4, 5, 7};
  schema.rod_nodes = {4, 0, 0, 1, 2, 2, 3, 4, 0};
  schema.rod_numbers = {6, -1, -1, 0, 3, 9, 2, 3, -1};
  expect_round_trip(schema);
  const TemporaryFolder folder;
  write_example(folder.file(), schema);
  const EnsembleReader reader(folder.file());
  EXPECT_EQ(reader.schema().rod_numbers, schema.rod_numbers);
  EXPECT_EQ(reader.schema().rod_numbers_of(0), (std::vector<std::int32_t>{6}));
  EXPECT_EQ(reader.schema().rod_numbers_of(2), (std::vector<std::int32_t>{2, 3}));
  EXPECT_LE(std::filesystem::file_size(folder.file()), ensemble_file_bytes(schema));
  for (const std::vector<std::int32_t>& numbers : {std::vector<std::int32_t>{6, 0, 3},
                                                   {-1, -1, -1, 0, 3, 9, 2, 3, -1},
                                                   {6, -1, -1, 0, 3, 3, 2, 3, -1}}) {
    schema.rod_numbers = numbers;
    EXPECT_THROW(
        EnsembleFile::create(MPI_COMM_SELF, folder.file("other.h5"), schema, example_provenance(), false),
        std::invalid_argument);
  }
}

TEST(EnsembleFile, RodsThatDoNotMakeUpTheirMemberAreRefused) {
  EnsembleSchema schema = example_schema(3);
  const TemporaryFolder folder;
  for (const std::vector<std::int32_t>& nodes :
       {std::vector<std::int32_t>{2, 3, 3, 2, 5}, {2, 3, 3, 2, 4, 0}, {2, 3, 3, 2, 6, -1}}) {
    schema.rod_nodes = nodes;
    EXPECT_THROW(EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false),
                 std::invalid_argument);
  }
}

TEST(EnsembleFile, ProvenanceIsStored) {
  const TemporaryFolder folder;
  write_example(folder.file(), example_schema());
  const Provenance provenance = EnsembleReader(folder.file()).provenance();
  EXPECT_EQ(provenance.command_line, example_provenance().command_line);
  EXPECT_EQ(provenance.backend, "Serial (1)");
  EXPECT_EQ(provenance.hosts, "node1,node2");
  EXPECT_EQ(provenance.start_time, "2024-05-06T07:08:09Z");
  EXPECT_EQ(provenance.ranks, 3);
  EXPECT_EQ(provenance.resumes, 0);
  EXPECT_FALSE(provenance.program_version.empty());
  EXPECT_FALSE(provenance.git_revision.empty());
}

TEST(EnsembleFile, WhatAMemberNeverReachedIsNotANumber) {
  const EnsembleSchema schema = example_schema();
  const TemporaryFolder folder;
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
  MemberRow row = example_row(schema, 2);
  row.observables.clear();
  row.time.clear();
  row.fields.clear();
  file.write({&row, 1});
  file.close();
  const MemberRow stored = EnsembleReader(folder.file()).read_member(2);
  ASSERT_EQ(stored.observables.size(), 2U);
  ASSERT_EQ(stored.time.size(), 4U);
  ASSERT_EQ(stored.fields[0].size(), 60U);
  EXPECT_TRUE(std::isnan(stored.observables[1]));
  EXPECT_TRUE(std::isnan(stored.time[0]));
  EXPECT_TRUE(std::isnan(stored.fields[0][59]));
  ASSERT_EQ(stored.fields[1].size(), 80U);
  EXPECT_TRUE(std::isnan(stored.fields[1][79]));
}

TEST(EnsembleFile, RowsInAnyOrderLandInTheirPlaces) {
  const EnsembleSchema schema = example_schema(10);
  const TemporaryFolder folder;
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
  std::vector<MemberRow> rows;
  for (const std::uint64_t member : {7u, 3u, 4u, 5u, 0u, 9u}) rows.push_back(example_row(schema, member));
  file.write(rows);
  const std::vector<bool> expected{true, false, false, true, true, true, false, true, false, true};
  EXPECT_EQ(file.committed(), expected);
  file.close();
  const EnsembleReader reader(folder.file());
  for (const MemberRow& row : rows) expect_same(schema, reader.read_member(row.member), row);
  EXPECT_EQ(reader.statuses()[1], MemberStatus::pending);
}

TEST(EnsembleFile, ARowThatDoesNotFitIsRefused) {
  const EnsembleSchema schema = example_schema();
  const TemporaryFolder folder;
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
  const auto refused = [&](auto change) {
    MemberRow row = example_row(schema, 1);
    change(row);
    EXPECT_THROW(file.write({&row, 1}), std::invalid_argument);
  };
  refused([](MemberRow& row) { row.member = 6; });
  refused([](MemberRow& row) { row.status = MemberStatus::pending; });
  refused([](MemberRow& row) { row.parameters.pop_back(); });
  refused([](MemberRow& row) { row.observables.push_back(0.0); });
  refused([](MemberRow& row) { row.time.pop_back(); });
  refused([](MemberRow& row) { row.fields[0].pop_back(); });
  EXPECT_EQ(file.committed(), std::vector<bool>(6, false));
}

TEST(EnsembleFile, AContradictorySchemaIsRefused) {
  const TemporaryFolder folder;
  const auto refused = [&](auto change) {
    EnsembleSchema schema = example_schema();
    change(schema);
    EXPECT_THROW(EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false),
                 std::invalid_argument);
  };
  refused([](EnsembleSchema& schema) { schema.members = 0; });
  refused([](EnsembleSchema& schema) { schema.nodes = {5, 5}; });
  refused([](EnsembleSchema& schema) { schema.nodes = {}; });
  refused([](EnsembleSchema& schema) { schema.observable_units.pop_back(); });
  refused([](EnsembleSchema& schema) { schema.parameter_names.assign(3000, "muscle.amplitudes[1000]"); });
  EXPECT_TRUE(folder.entries().empty());
}

}  // namespace
}  // namespace rodeo::testing
