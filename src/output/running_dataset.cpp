#include "running_dataset.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "rodeo/output/file_records.hpp"

#include "attributes.hpp"
#include "datasets.hpp"

namespace rodeo {

namespace {

constexpr const char* path = "/running";

using Numbers = std::array<double, 6>;

/// Nothing if the file has no such dataset.
std::optional<Hdf5Handle> open_note(hid_t file) {
  if (H5Lexists(file, path, H5P_DEFAULT) <= 0) return std::nullopt;
  Hdf5Handle dataset = open_dataset(file, path);
  const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose, "cannot read a shape");
  if (H5Sget_simple_extent_npoints(space.get()) != std::tuple_size_v<Numbers>) return std::nullopt;
  return dataset;
}

}  // namespace

void create_running_note(hid_t file) {
  const Hdf5Handle dataset = create_dataset(file, path, H5T_IEEE_F64LE, {std::tuple_size_v<Numbers>}, true);
  create_texts(dataset.get(), "names",
               {"written", "members", "steps", "steps_per_second", "share_done", "seconds_left"});
  create_texts(dataset.get(), "units", {"s since 1970", "1", "1", "1/s", "1", "s"});
}

void write_running_note(hid_t file, const RunningNote& note) {
  const std::optional<Hdf5Handle> dataset = open_note(file);
  if (!dataset) return;
  const Numbers numbers{note.written,          note.members,    note.steps,
                        note.steps_per_second, note.share_done, note.seconds_left};
  hdf5_check(H5Dwrite(dataset->get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()),
             "cannot write what members have come to");
}

std::optional<RunningNote> read_running_note(hid_t file) {
  const std::optional<Hdf5Handle> dataset = open_note(file);
  Numbers numbers{};
  if (!dataset ||
      H5Dread(dataset->get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0) {
    return std::nullopt;
  }
  const bool sensible = std::ranges::all_of(numbers, [](double x) { return std::isfinite(x) && x >= 0.0; });
  if (!sensible || numbers[0] == 0.0) return std::nullopt;
  return RunningNote{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
}

}  // namespace rodeo
