#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>

#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/export_member.hpp"
#include "rodeo/output/file_records.hpp"
#include "rodeo/output/hdf5_handle.hpp"
#include "rodeo/output/status_report.hpp"

#include "output/running_dataset.hpp"
#include "test_support.hpp"

namespace rodeo::testing {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Export, CsvHasALineForEachNodeOfEachFrameReached) {
  const EnsembleSchema schema = example_schema();
  const TemporaryFolder folder;
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
  MemberRow row = example_row(schema, 1);
  row.time[3] = std::numeric_limits<double>::quiet_NaN();
  file.write({&row, 1});
  const std::string path = export_member(EnsembleReader(folder.file()), folder.file(), 1, "csv");
  EXPECT_EQ(path, folder.file("campaign_member_1.csv"));
  const std::string text = content_of(path);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 3 * 5);
  EXPECT_TRUE(contains(
      text,
      "time,node,x,y,z,orientation_w,orientation_x,orientation_y,orientation_z,bending_energy\n0,0,1,1.00"))
      << text;
}

TEST(Export, CsvNamesTheRodOfEachNode) {
  EnsembleSchema schema = example_schema(3);
  schema.nodes = {4, 4, 5};
  schema.rod_nodes = {4, 0, 2, 2, 2, 3};
  const TemporaryFolder folder;
  write_example(folder.file(), schema);
  const EnsembleReader reader(folder.file());
  const std::string csv = content_of(export_member(reader, folder.file(), 2, "csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 4 * 5);
  EXPECT_TRUE(contains(
      csv,
      "time,rod,node,x,y,z,orientation_w,orientation_x,orientation_y,orientation_z,bending_energy\n0,0,0,2,"))
      << csv;
  EXPECT_TRUE(contains(csv, "\n0,1,2,2.01")) << csv;
}

// Reads it as VTK does: points from an offset of each step on, lines of one part for all of them.
constexpr const char* vtkhdf_script = R"python(
import os, sys, glob, h5py, numpy
path, = glob.glob(os.path.dirname(sys.argv[1]) + "/*.hdf")
with h5py.File(path, "r") as file:
    grid = file["VTKHDF"]
    assert list(grid.attrs["Version"]) == [2, 0] and grid.attrs["Version"].dtype == "<i8"
    assert grid.attrs["Type"] == b"UnstructuredGrid"
    steps = grid["Steps"]
    count = steps.attrs["NSteps"]
    assert count == 3 and list(steps["Values"]) == [0, 0.1, 0.2]
    nodes, = grid["NumberOfPoints"]
    assert nodes == 5 and list(grid["NumberOfCells"]) == [2] and list(grid["NumberOfConnectivityIds"]) == [5]
    assert list(grid["Offsets"]) == [0, 2, 5] and list(grid["Connectivity"]) == [0, 1, 2, 3, 4]
    assert list(grid["Types"]) == [4, 4] and grid["Types"].dtype == "u1" and list(grid["CellData/rod"]) == [0, 1]
    assert not steps["PartOffsets"][:].any() and list(steps["NumberOfParts"]) == [1] * count
    assert steps["CellOffsets"].shape == (count, 1) and not steps["CellOffsets"][:].any()
    assert steps["ConnectivityIdOffsets"].shape == (count, 1) and not steps["ConnectivityIdOffsets"][:].any()
    for field, first, components in (("Points", "PointOffsets", 3), ("PointData/orientation", "PointDataOffsets/orientation", 4)):
        for number in range(count):
            begin = steps[first][number]
            found = grid[field][begin : begin + nodes]
            numbers = nodes * components
            expected = 2.0 + 1e-3 * (numbers * number + numpy.arange(numbers).reshape(nodes, components))
            assert numpy.allclose(found, expected, atol=1e-6), (field, found, expected)
    assert grid["Points"].shape == (count * nodes, 3)
    energy = grid["FieldData/bending_energy"]
    assert numpy.allclose(energy[steps["FieldDataOffsets/bending_energy"][:]], 2.0 + 1e-3 * numpy.arange(count))
)python";

TEST(Export, VtkhdfHasTheLinesOnceAndTheNodesOfEachFrameReached) {
  EnsembleSchema schema = example_schema(3);
  schema.nodes = {4, 4, 5};
  schema.rod_nodes = {4, 0, 2, 2, 2, 3};
  const TemporaryFolder folder;
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
  MemberRow row = example_row(schema, 2);
  row.time[3] = std::numeric_limits<double>::quiet_NaN();
  file.write({&row, 1});
  EXPECT_EQ(export_member(EnsembleReader(folder.file()), folder.file(), 2, "vtkhdf"),
            folder.file("campaign_member_2.hdf"));
  if (!has_h5py()) GTEST_SKIP() << "there is no h5py";
  EXPECT_EQ(run_python(vtkhdf_script, folder.file()), 0);
}

TEST(Export, AFullDiskLeavesWhatWasThere) {
  const TemporaryFolder folder;
  write_example(folder.file(), example_schema());
  const EnsembleReader reader(folder.file());
  for (const char* const format : {"vtkhdf", "csv"}) {
    const auto refused = [&] {
      const FileSizeLimit limit(100);
      const std::string message = file_error_of([&] { export_member(reader, folder.file(), 1, format); });
      EXPECT_TRUE(contains(message, "cannot write " + folder.file("campaign_member_1"))) << message;
    };
    const std::size_t before = folder.entries().size();
    refused();
    EXPECT_EQ(folder.entries().size(), before) << format;
    const std::string path = export_member(reader, folder.file(), 1, format);
    const std::string whole = content_of(path);
    const std::size_t with_export = folder.entries().size();
    refused();
    EXPECT_EQ(content_of(path), whole) << format;
    EXPECT_EQ(folder.entries().size(), with_export) << format;
  }
}

TEST(Export, WhatCannotBeExportedIsSaid) {
  const EnsembleSchema schema = example_schema();
  const TemporaryFolder folder;
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
  const EnsembleReader reader(folder.file());
  const auto message = [&](std::uint64_t member, const char* format) {
    return file_error_of([&] { export_member(reader, folder.file(), member, format); });
  };
  EXPECT_TRUE(contains(message(1, "vtkhdf"), "member 1 of " + folder.file() + " is not finished yet"));
  EXPECT_TRUE(contains(message(6, "csv"), "there is no member 6"));
  EXPECT_TRUE(contains(message(1, "vtk"), "use vtkhdf or csv"));
  EXPECT_EQ(folder.entries().size(), 1U);
}

TEST(Status, CountsMembersAndSumsUpObservables) {
  EnsembleSchema schema = example_schema(20);
  for (int i = 0; i < 30; ++i) {
    schema.observable_names.push_back("observable_" + std::to_string(i));
    schema.observable_units.push_back("m");
  }
  const TemporaryFolder folder;
  EnsembleFile file = EnsembleFile::create(MPI_COMM_SELF, folder.file(), schema, example_provenance(), false);
  std::vector<MemberRow> rows = example_rows(schema, 0, 4);
  for (MemberRow& row : rows) row.status = MemberStatus::done;
  rows[0].observables[0] = 1.0;
  rows[1].observables[0] = 4.0;
  rows[2].observables[0] = std::numeric_limits<double>::quiet_NaN();
  rows[3].observables[0] = -1000.0;
  rows[3].status = MemberStatus::diverged;
  file.write(rows);

  const std::string& name = schema.observable_names[0];
  const std::string running = status_report(EnsembleReader(folder.file()), folder.file(), {.asked = {name}});
  EXPECT_TRUE(contains(running, "4 of 20 members finished (20.0 %), running (process ")) << running;
  EXPECT_TRUE(contains(running, "  done                    3\n")) << running;
  EXPECT_TRUE(contains(running, "  diverged                1\n")) << running;
  EXPECT_TRUE(contains(running, "  pending                16\n")) << running;
  EXPECT_TRUE(contains(running, "           1          2.5            4\n")) << running;
  EXPECT_TRUE(contains(running, "time in members: 7 s, ")) << running;
  EXPECT_TRUE(contains(running, " left, until ")) << running;
  EXPECT_TRUE(contains(running, " UTC\n")) << running;
  EXPECT_FALSE(contains(running, "observable_7 ")) << "nobody asked for it: " << running;
  EXPECT_LT(std::count(running.begin(), running.end(), '\n'), 13);
  EXPECT_FALSE(contains(running, "best")) << running;

  const auto with_objective = [&](const Objective& objective) {
    return status_report(EnsembleReader(folder.file()), folder.file(), {.objective = objective});
  };
  // Member 3 has the smallest value, but diverged.
  EXPECT_TRUE(contains(with_objective({name, true}), "best " + name + ": 4 "))
      << with_objective({name, true});
  EXPECT_TRUE(
      contains(with_objective({name, true}), ", member 1 at " + schema.parameter_names[0] + " = soft, "));
  EXPECT_TRUE(contains(with_objective({name, false}), "best " + name + ": 1 "));
  EXPECT_FALSE(contains(with_objective({"unknown", true}), "best"));
  const std::string listed =
      status_report(EnsembleReader(folder.file()), folder.file(), {.listed = "able_7"});
  EXPECT_TRUE(contains(listed, "observable_7 ")) << listed;
  EXPECT_FALSE(contains(listed, "observable_8 ")) << listed;

  file.close();
  EXPECT_TRUE(contains(status_report(EnsembleReader(folder.file()), folder.file(), {}), "not running"));
}

TEST(Status, CallsACampaignThatEndsAfterALookRunningInThatLook) {
  const TemporaryFolder folder;
  EnsembleFile file =
      EnsembleFile::create(MPI_COMM_SELF, folder.file(), example_schema(), example_provenance(), false);
  const EnsembleReader before(folder.file());
  file.close();
  const EnsembleReader after(folder.file());
  EXPECT_TRUE(contains(status_report(before, folder.file(), {}), ", running (process "));
  EXPECT_TRUE(contains(status_report(after, folder.file(), {}), "not running"));
}

TEST(Status, TellsWhatMembersThatRunHaveComeTo) {
  const TemporaryFolder folder;
  const auto report = [&] { return status_report(EnsembleReader(folder.file()), folder.file(), {}); };
  EnsembleFile file =
      EnsembleFile::create(MPI_COMM_SELF, folder.file(), example_schema(), example_provenance(), false);
  EXPECT_FALSE(EnsembleReader(folder.file()).running().has_value());
  EXPECT_FALSE(contains(report(), "so far")) << report();
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  file.write(RunningNote{now.count(), 2.0, 3e6, 5e4, 0.25, 7200.0});
  EXPECT_TRUE(contains(report(),
                       "2 running, which took 3e+06 steps so far; 5e+04 steps/s in all, 25.0 % of "
                       "the work done"))
      << report();
  EXPECT_TRUE(contains(report(), "about 2 h left, until ") ||
              contains(report(), "about 120 min left, until "))
      << report();
  file.close();
  EXPECT_FALSE(contains(report(), "so far")) << report();  // nothing runs any more
  EnsembleFile::resume(MPI_COMM_SELF, folder.file(), example_provenance()).close();
  EXPECT_FALSE(EnsembleReader(folder.file()).running().has_value());
}

TEST(Status, AFileWithoutANoteOfWhatRunsOrWithABadOneIsAsGood) {
  const TemporaryFolder folder;
  write_example(folder.file(), example_schema());
  const auto change = [&](const auto& action) {
    const Hdf5Handle file(H5Fopen(folder.file().c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
    action(file.get());
  };
  change([](hid_t file) {
    write_running_note(file, {1e9, std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0, 0.0, 0.0});
  });
  EXPECT_FALSE(EnsembleReader(folder.file()).running().has_value());
  change([](hid_t file) { H5Ldelete(file, "/running", H5P_DEFAULT); });
  EXPECT_FALSE(EnsembleReader(folder.file()).running().has_value());
  EnsembleFile file = EnsembleFile::resume(MPI_COMM_SELF, folder.file(), example_provenance());
  EXPECT_NO_THROW(file.write(RunningNote{1e9, 1.0, 1.0, 1.0, 0.5, 1.0}));
  file.close();
}

}  // namespace
}  // namespace rodeo::testing
