// Compares the steps of a device with those of the host, and measures them.
//
// check_batches FILE compare|brief|measure|few [CASE]
//
// `brief` compares no more than 10 steps, and `few` takes two steps of each batch, for tools that look for
// races and wrong addresses.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <string>
#include <vector>

#include "batch_file.hpp"
#include "cosserat/device_library.hpp"
#include "cosserat/device_members.hpp"
#include "cosserat/step.hpp"

namespace {

using namespace rodeo;
using namespace rodeo::cosserat;
using namespace rodeo::cosserat::device;

HostBatch host_batch(const SavedBatch& saved) { return {saved.start, saved.members, saved.rods}; }

/// The largest difference of the members' states from the saved ones after saved.steps[k] steps, of each
/// field over the largest number that it ever has: what has hardly begun to move is all rounding.
double difference(const SavedBatch& saved, std::size_t k, const std::vector<double>& ours) {
  constexpr int fields[] = {field::position, field::velocity, field::orientation, field::angular_velocity,
                            field::state_count};
  const auto array_of = [](const std::vector<double>& storage, const MemberData& member, int array) {
    return storage.data() + member.offset +
           static_cast<std::ptrdiff_t>(array) * field_pitch(member.elements) + field_front;
  };
  double worst = 0.0;
  for (std::size_t f = 0; f + 1 < std::size(fields); ++f) {
    double most = 0.0;
    double scale = 1e-300;
    for (const MemberData& member : saved.members) {
      for (int array = fields[f]; array < fields[f + 1]; ++array) {
        for (int i = 0; i <= member.elements; ++i) {
          const double distance =
              std::abs(array_of(ours, member, array)[i] - array_of(saved.afterwards[k], member, array)[i]);
          if (!(distance <= most)) most = distance;  // NaN too
          for (const std::vector<double>& storage : saved.afterwards)
            scale = std::max(scale, std::abs(array_of(storage, member, array)[i]));
        }
      }
    }
    if (!(most / scale <= worst)) worst = most / scale;
  }
  return worst;
}

/// What rounding alone does by the saved numbers of steps: the same steps on the host in this program, whose
/// products and sums are not rounded at once, as those of the host's kernels are.
std::vector<double> rounding(const SavedBatch& saved) {
  std::vector<double> storage = saved.start;
  std::vector<double> differences;
  std::int64_t taken = 0;
  for (std::size_t k = 0; k < saved.steps.size(); ++k) {
    for (const MemberData& member : saved.members) {
      const RodView rod(storage.data() + member.offset, member.elements, member.sections_shrink);
      const Rods rods{&saved.rods[static_cast<std::size_t>(member.first_rod)], member.rods};
      advance(HostTeam{}, rod, rods, any_member(member), SliceTask{0, taken, saved.steps[k] - taken});
    }
    taken = saved.steps[k];
    differences.push_back(difference(saved, k, storage));
  }
  return differences;
}

std::vector<SliceTask> tasks_of(std::size_t members, std::int64_t first, std::int64_t steps) {
  std::vector<SliceTask> tasks;
  for (std::size_t k = 0; k < members; ++k) tasks.push_back({static_cast<int>(k), first, steps});
  return tasks;
}

/// Whether the device agrees with the host as well as the host does with itself, up to so many steps.
bool compare(const SavedBatch& saved, std::int64_t most) {
  constexpr double bound = 1e-9;
  constexpr double most_over_rounding = 4.0;
  const std::vector<double> by_rounding = rounding(saved);
  Batch batch(host_batch(saved));
  std::printf("%s: %s\n", saved.name.c_str(), batch.description().c_str());
  std::vector<double> storage = saved.start;
  std::int64_t taken = 0;
  bool agrees = true;
  for (std::size_t k = 0; k < saved.steps.size() && saved.steps[k] <= most; ++k) {
    batch.advance(tasks_of(saved.members.size(), taken, saved.steps[k] - taken));
    batch.fetch(storage);
    taken = saved.steps[k];
    const double worst = difference(saved, k, storage);
    const bool is_close = worst <= std::max(bound, most_over_rounding * by_rounding[k]);
    agrees = agrees && is_close;
    std::printf("  %5lld steps: differs by %.2e, rounding makes %.2e%s\n", static_cast<long long>(taken),
                worst, by_rounding[k], is_close ? "" : "  TOO MUCH");
  }
  return agrees;
}

void take_few_steps(const SavedBatch& saved) {
  Batch batch(host_batch(saved));
  batch.advance(tasks_of(saved.members.size(), 0, 2));
  std::vector<double> storage = saved.start;
  batch.fetch(storage);
}

/// As many members as asked for, copies of those saved.
SavedBatch repeated(const SavedBatch& saved, std::size_t members) {
  SavedBatch all;
  all.name = saved.name;
  const std::size_t numbers = saved.start.size() / saved.members.size();
  for (std::size_t k = 0; k < members; ++k) {
    const std::size_t like = k % saved.members.size();
    MemberData member = saved.members[like];
    const auto first = saved.start.begin() + static_cast<std::ptrdiff_t>(like * numbers);
    all.start.insert(all.start.end(), first, first + static_cast<std::ptrdiff_t>(numbers));
    member.offset = k * numbers;
    const auto rods = saved.rods.begin() + member.first_rod;
    member.first_rod = static_cast<int>(all.rods.size());
    all.rods.insert(all.rods.end(), rods, rods + member.rods);
    all.members.push_back(member);
  }
  return all;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Element-steps a second, the median of five slices, and what copies take.
void measure(const SavedBatch& saved) {
  for (const std::size_t members : {1, 132, 528, 792, 1320, 4096, 16384}) {
    SavedBatch all = repeated(saved, members);
    auto start = std::chrono::steady_clock::now();
    Batch batch(host_batch(all));
    batch.advance(tasks_of(members, 0, 1));
    const double uploading = seconds_since(start);
    const std::int64_t steps = members < 4096 ? 1000 : 300;
    std::vector<double> rates;
    for (int k = 0; k < 5; ++k) {
      const std::vector<SliceTask> tasks = tasks_of(members, 1 + k * steps, steps);
      start = std::chrono::steady_clock::now();
      batch.advance(tasks);
      rates.push_back(static_cast<double>(saved.members[0].elements * steps) * static_cast<double>(members) /
                      seconds_since(start));
    }
    std::ranges::sort(rates);
    start = std::chrono::steady_clock::now();
    batch.fetch(all.start);
    const double fetching = seconds_since(start);
    if (members == 1) std::printf("%s: %s\n", saved.name.c_str(), batch.description().c_str());
    std::printf(
        "  %5zu members: %.3e element-steps/s (%.3e to %.3e); upload %.1f ms, fetch %.1f ms of %.1f MB\n",
        members, rates[2], rates.front(), rates.back(), 1e3 * uploading, 1e3 * fetching,
        1e-6 * static_cast<double>(all.start.size() * sizeof(double)));
    std::fflush(stdout);
  }
}

int run(const std::string& file, const std::string& what, const std::string& only) {
  int failures = 0;
  for (const SavedBatch& saved : read_batches(file)) {
    if (!only.empty() && saved.name != only) continue;
    if (what == "compare") failures += compare(saved, std::numeric_limits<std::int64_t>::max()) ? 0 : 1;
    if (what == "brief") failures += compare(saved, 10) ? 0 : 1;
    if (what == "few") take_few_steps(saved);
    if (what == "measure") measure(saved);
  }
  if (failures > 0) std::printf("%d batches differ by too much\n", failures);
  return failures > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: check_batches FILE compare|brief|measure|few [CASE]\n");
    return 1;
  }
  try {
    return run(argv[1], argv[2], argc > 3 ? argv[3] : "");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "check_batches: %s\n", error.what());
    return 1;
  }
}
