#include "rodeo/output/deck_datasets.hpp"

#include <fstream>
#include <limits>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "rodeo/output/hdf5_handle.hpp"

#include "output/test_support.hpp"

namespace rodeo::testing {
namespace {

/// A file with one dataset of doubles.
void write_dataset(const std::string& path, const char* name, const std::vector<hsize_t>& extent,
                   const std::vector<double>& values) {
  const Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, "file");
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose,
                         "space");
  const Hdf5Handle dataset(
      H5Dcreate2(file.get(), name, H5T_IEEE_F32BE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose, "dataset");
  hdf5_check(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
             "write");
}

TEST(ShapeDataset, GivesItsNodesWhateverItsNumberType) {
  const TemporaryFolder folder;
  const std::vector<double> nodes = {0, 0.5, 1, 2, -3, 4.25};
  write_dataset(folder.file(), "curve", {2, 3}, nodes);
  EXPECT_EQ(read_shape_dataset(folder.file(), "/curve", 2), nodes);
}

TEST(ShapeDataset, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string path = folder.file();
  const auto error = [&](const std::string& dataset = "/curve") {
    return file_error_of([&] { read_shape_dataset(path, dataset, 2); });
  };
  EXPECT_NE(error().find("No such file"), std::string::npos);
  std::ofstream(path) << "x,y,z\n0,0,0\n1,1,1\n";
  EXPECT_NE(error().find("is not an HDF5 file"), std::string::npos);
  write_dataset(path, "curve", {6}, {0, 0, 0, 1, 1, 1});
  EXPECT_NE(error().find("/curve is not of shape [nodes, 3]"), std::string::npos) << error();
  EXPECT_NE(error("/knot").find("there is no dataset /knot"), std::string::npos);
  write_dataset(path, "curve", {3, 3}, std::vector<double>(9));
  EXPECT_NE(error().find("more than 2 nodes"), std::string::npos);
  write_dataset(path, "curve", {2, 3}, {0, 0, 0, 1, std::numeric_limits<double>::infinity(), 1});
  EXPECT_NE(error().find("node 1 of /curve is not finite"), std::string::npos);
}

}  // namespace
}  // namespace rodeo::testing
