#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "rodeo/der/backward_euler.hpp"
#include "rodeo/der/der_member.hpp"
#include "rodeo/input/deck.hpp"
#include "rodeo/input/shape_file.hpp"
#include "rodeo/member/build_rod.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace {

using namespace rodeo;

constexpr std::int64_t steps_before = 5;     ///< measured steps in the time of one before rods meet
constexpr std::int64_t contact_steps = 500;  ///< that are measured
constexpr std::int64_t slice_steps = 25;     ///< of a run between two looks at the member

/// The shipped deck for so many flagella.
MemberSpec flagella_spec(const std::string& name, int count) {
  const std::string folder = RODEO_SOURCE_DIR "/inputs/validation/";
  Deck deck = Deck::read(folder + name + ".ini", {"rod.count=" + std::to_string(count)});
  deck.set_shape_nodes(read_csv_nodes(folder + "flagellum.csv"), "flagellum.csv");
  return make_member_spec(deck);
}

/// A member of flagella outside of a batch, with a state to store and to go back to.
class Flagella {
 public:
  explicit Flagella(const MemberSpec& spec)
      : storage_(rod_size(array_elements(spec))),
        all_(storage_.data(), array_elements(spec), spec.sections_shrink) {
    build_rods(spec, all_);
    rods_ = make_rod_data(spec);
    data_ = make_member_data(spec, 1, 0);
    member_ = der::make_member<der::BackwardEuler>(
        spec, MemberArrays{all_, {rods_.data(), static_cast<int>(rods_.size())}, data_});
  }

  /// A member comes back before the end of a slice that takes it many iterations.
  void advance(std::int64_t steps) {
    const std::int64_t end = taken_ + steps;
    while (taken_ < end) {
      taken_ += member_->advance({0, taken_, end - taken_});
      if (sample().implicit.failed) throw std::runtime_error("a step failed");
    }
  }

  Sample sample() const { return member_->sample(); }

  /// False if there is none for this member.
  bool load(const std::string& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file || static_cast<std::size_t>(file.tellg()) != bytes() + sizeof(taken_)) return false;
    file.seekg(0);
    file.read(reinterpret_cast<char*>(&taken_), sizeof(taken_));
    file.read(reinterpret_cast<char*>(storage_.data()), static_cast<std::streamsize>(bytes()));
    return file.good();
  }
  /// Stores the state for steps so many times as short.
  void store(const std::string& path, std::int64_t finer) const {
    std::ofstream file(path, std::ios::binary);
    const std::int64_t taken = taken_ * finer;
    file.write(reinterpret_cast<const char*>(&taken), sizeof(taken));
    file.write(reinterpret_cast<const char*>(storage_.data()), static_cast<std::streamsize>(bytes()));
  }

 private:
  std::size_t bytes() const { return storage_.size() * sizeof(double); }

  std::vector<double> storage_;
  RodView all_;
  std::vector<RodData> rods_;
  MemberData data_;
  std::unique_ptr<HostMember> member_;
  std::int64_t taken_ = 0;
};

/// Stores a state in which flagella have just met: after 26 to 30 s, which take a fifth of the steps of
/// those that are measured.
void bring_together(MemberSpec spec, const std::string& path) {
  spec.time.step *= static_cast<double>(steps_before);
  spec.time.steps /= steps_before;
  Flagella flagella(spec);
  while (flagella.sample().implicit.contact_steps == 0) flagella.advance(slice_steps);
  flagella.store(path, steps_before);
}

/// Time of a step in contact, over slices in which every step is one: what is made anew for each slice counts
/// as little as in a run. The first call stores the state from which it goes in the build folder.
void run_flagella(benchmark::State& state, const std::string& name, int count) {
  const MemberSpec spec = flagella_spec(name, count);
  const std::string path = RODEO_BINARY_DIR "/" + name + "_" + std::to_string(count) + ".state";
  if (!Flagella(spec).load(path)) bring_together(spec, path);
  double most = 0.0;
  ImplicitSample sum;
  std::chrono::duration<double> taken(0);
  for (auto iteration : state) {
    static_cast<void>(iteration);
    Flagella moving(spec);
    moving.load(path);
    std::chrono::duration<double> time(0);
    std::int64_t steps = 0;
    ImplicitSample before;
    while (steps < contact_steps) {
      const auto begin = std::chrono::steady_clock::now();
      moving.advance(slice_steps);
      const auto end = std::chrono::steady_clock::now();
      const Sample sample = moving.sample();
      const ImplicitSample& now = sample.implicit;
      most = std::max(most, sample.contact.touching);
      if (now.contact_steps - before.contact_steps == now.steps - before.steps) {
        time += end - begin;
        steps += now.steps - before.steps;
        sum.steps += now.steps - before.steps;
        sum.iterations += now.iterations - before.iterations;
        sum.fluid_iterations += now.fluid_iterations - before.fluid_iterations;
      }
      before = now;
    }
    state.SetIterationTime(time.count());
    taken += time;
  }
  const auto all_steps = static_cast<double>(sum.steps);
  state.counters["ms_per_step"] = 1e3 * taken.count() / all_steps;
  state.counters["iterations_per_step"] = static_cast<double>(sum.iterations) / all_steps;
  state.counters["fluid_iterations_per_step"] = static_cast<double>(sum.fluid_iterations) / all_steps;
  state.counters["most_pairs_in_contact"] = most;
}

const int flagella_registered = [] {
  for (const char* const contact : {"flagella_imc", "flagella_ipc"}) {
    for (const int count : {2, 3, 5, 10}) {
      benchmark::RegisterBenchmark((contact + ("/" + std::to_string(count))).c_str(), run_flagella,
                                   std::string(contact), count)
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
  return 0;
}();

}  // namespace
