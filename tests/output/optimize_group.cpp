#include "rodeo/output/ensemble_file.hpp"
#include "rodeo/output/ensemble_reader.hpp"
#include "rodeo/output/ensemble_schema.hpp"
#include "rodeo/output/status_report.hpp"

#include "test_support.hpp"

namespace rodeo::testing {
namespace {

EnsembleSchema optimization_schema() {
  EnsembleSchema schema = example_schema(6);
  schema.generations = 5;
  return schema;
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

TEST(EnsembleOptimize, GenerationsComeBackAndTheNewestIsFound) {
  const TemporaryFolder folder;
  EnsembleFile file =
      EnsembleFile::create(MPI_COMM_SELF, folder.file(), optimization_schema(), example_provenance(), false);
  EXPECT_EQ(EnsembleReader(folder.file()).schema().generations, 5u);
  EXPECT_FALSE(EnsembleReader(folder.file()).latest_generation());

  file.write(std::vector<GenerationRow>{example_generation(0), example_generation(1)});
  EXPECT_EQ(EnsembleReader(folder.file()).latest_generation()->best, 1.5);
  file.write(std::vector<GenerationRow>{example_generation(2)});
  const GenerationRow row = *EnsembleReader(folder.file()).latest_generation();
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
  EXPECT_THROW(file.write(std::vector<GenerationRow>{example_generation(5)}), std::invalid_argument);
  file.close();
  EXPECT_LE(std::filesystem::file_size(folder.file()), ensemble_file_bytes(optimization_schema()));
  const std::string status = status_report(EnsembleReader(folder.file()), folder.file(), std::nullopt);
  EXPECT_TRUE(contains(status, "complete"));
  EXPECT_TRUE(contains(status, "generation 3 of at most 5, 30 evaluations, best 2.5"));
  EXPECT_TRUE(contains(status, "stopped by tolx"));
  EXPECT_EQ(run_python("import h5py, sys\n"
                       "group = h5py.File(sys.argv[1], 'r')['optimize']\n"
                       "assert list(group['evaluations']) == [10, 20, 30, 0, 0]\n"
                       "assert group['stop'].attrs['names'][group['stop'][2]] == b'tolx'\n"
                       "assert group['mean_vector'][1, 2] == 1.0\n",
                       folder.file()),
            0);
}

TEST(EnsembleOptimize, OtherStudiesHaveNoGroup) {
  const TemporaryFolder folder;
  write_example(folder.file(), example_schema());
  EXPECT_EQ(EnsembleReader(folder.file()).schema().generations, 0u);
  EXPECT_FALSE(EnsembleReader(folder.file()).latest_generation());
}

}  // namespace
}  // namespace rodeo::testing
