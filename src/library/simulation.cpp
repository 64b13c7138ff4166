#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "rodeo/input/number_text.hpp"
#include "rodeo/math/random.hpp"
#include "rodeo/member/batch.hpp"
#include "rodeo/member/host_rods.hpp"
#include "rodeo/member/sealed_state.hpp"
#include "rodeo/observe/trajectory_fields.hpp"
#include "rodeo/processor/build_identity.hpp"
#include "rodeo/rod/rod_places.hpp"
#include "rodeo/rodeo.hpp"

#include "kokkos_thread.hpp"
#include "problem_content.hpp"

namespace rodeo {

namespace {

/// Goal of a member that is to take more steps than any has.
constexpr std::int64_t to_the_end = std::numeric_limits<std::int64_t>::max();
constexpr double most_steps = 1e18;

}  // namespace

struct Simulation::Content {
  Deck deck;  ///< with the variables free that members take anew without being built anew
  std::vector<ParameterAddress> addresses;
  std::vector<std::optional<std::size_t>> free_inputs;  ///< of addresses, those that are of free variables
  std::size_t input_count = 0;                          ///< without those of free variables

  struct Member {
    MemberJob job;
    std::vector<double> point;                     ///< values at the addresses
    MemberStatus at_rest = MemberStatus::pending;  ///< how it ended before it began
    std::optional<StateOrigin> origin = {};        ///< of its states, once somebody asked for it
    std::shared_ptr<LiveBatch> batch = nullptr;
    std::size_t place = 0;              ///< in its batch
    std::vector<std::byte> start = {};  ///< before it looks at t = 0
    std::string problem = {};           ///< why it has failed since

    const MemberOutcome& outcome() const { return batch->outcomes()[place]; }
    MemberStatus status() const {
      if (at_rest != MemberStatus::pending) return at_rest;
      return problem.empty() ? outcome().status : MemberStatus::failed;
    }
    bool runs() const { return status() == MemberStatus::pending; }
  };
  std::vector<Member> members;

  // [members, ...]
  std::vector<double> inputs;
  std::vector<double> signals;
  std::vector<std::uint8_t> status;
  std::vector<double> time;

  const ControlSpec& control() const { return members.front().job.spec.control; }
  std::span<double> inputs_of(std::size_t member) {
    return std::span(inputs).subspan(member * input_count, input_count);
  }
  std::span<double> signals_of(std::size_t member) {
    const std::size_t count = control().signals.size();
    return std::span(signals).subspan(member * count, count);
  }

  /// Throws Error if so many members like the first one do not fit into this machine.
  void require_room(std::size_t count) const {
    const MemberSpec& spec = members.front().job.spec;
    constexpr double copies = 2.0;  // the member, and its state at the start
    rodeo::require_room("members", count, sizeof(Member) + copies * member_memory(spec));
  }

  static void with_kokkos(
      const KokkosThread::Work& work, const std::function<void()>& wait = [] {}) {
    KokkosThread::of_process().run_here(work, wait);
  }

  Deck deck_at(std::span<const double> point) const {
    Deck at_point = deck;
    for (std::size_t k = 0; k < addresses.size(); ++k) at_point.set(addresses[k], point[k]);
    return at_point;
  }

  /// Frees variables that keys name and that nothing but the control's formulas and measures take.
  void free_variables(std::span<const double> point) {
    Deck trial = deck_at(point);
    make_member_spec(trial);  // what the deck itself has to say comes first
    free_inputs.assign(addresses.size(), std::nullopt);
    if (!trial.has_value("control.interval"_key)) return;
    const auto is_free = [&](const std::string& name) {
      return std::ranges::find(trial.variables(), name, &Variable::name)->free;
    };
    for (const ParameterAddress& address : addresses) {
      if (address.variable.empty() || is_free(address.variable)) continue;
      trial.set_free(address.variable, true);
      try {
        make_member_spec(trial);
        deck.set_free(address.variable, true);
      } catch (const DeckError&) {
        trial.set_free(address.variable, false);
      }
    }
    const ControlSpec control = make_member_spec(trial).control;
    input_count = control.inputs.size();
    for (const Variable& variable : trial.variables())
      input_count -= variable.free ? variable.numbers.size() : 0;
    for (std::size_t k = 0; k < addresses.size(); ++k) {
      if (addresses[k].variable.empty() || !is_free(addresses[k].variable)) continue;
      const auto of_name = std::ranges::find(control.inputs, addresses[k].variable, [](const auto& input) {
        return std::string_view(input.name).substr(0, input.name.find('['));
      });
      free_inputs[k] =
          static_cast<std::size_t>(of_name - control.inputs.begin() + std::max(0, addresses[k].index));
    }
  }

  /// The job of a point. Throws DeckError if it cannot start.
  Member member_at(std::span<const double> point, std::uint64_t seed) const {
    const Deck at_point = deck_at(point);
    Member member{.job = {make_member_spec(at_point), seed}, .point = {point.begin(), point.end()}};
    if (const auto reason = start_problem(member.job.spec))
      throw at_point.error(find_key(reason->key), reason->text);
    return member;
  }

  /// Whether a member stays as it was built at another point.
  bool stays(const Member& member, std::span<const double> point) const {
    if (member.job.spec.branch.exists()) return false;  // it has become another on its way
    for (std::size_t k = 0; k < point.size(); ++k) {
      if (!free_inputs[k] && point[k] != member.point[k]) return false;
    }
    return true;
  }

  void set_free_numbers(Member& member, std::span<const double> point) const {
    member.point.assign(point.begin(), point.end());
    member.origin.reset();
    for (std::size_t k = 0; k < point.size(); ++k) {
      if (free_inputs[k]) member.job.spec.control.inputs[*free_inputs[k]].start = point[k];
    }
  }

  void require_alike(const ControlSpec& other) const {
    const bool alike = members.empty() || (control().inputs.size() == other.inputs.size() &&
                                           control().signals.size() == other.signals.size());
    if (!alike)
      throw Error(
          "members of a simulation have the same inputs and signals; these points change how many there are");
  }

  /// Builds batches for some members, whose jobs are set, and has them look at t = 0, under the deck's inputs
  /// or those that their caller has set.
  void build(std::span<const std::size_t> which, bool with_set_inputs = false) {
    std::vector<MemberJob> jobs;
    for (const std::size_t k : which) jobs.push_back(members[k].job);
    std::vector<MemberStatus> at_rest;
    jobs = begun_at_rest(jobs, at_rest);
    for (std::size_t first = 0; first < jobs.size();) {
      std::size_t last = first + 1;
      while (last < jobs.size() && &model_of(jobs[last].spec) == &model_of(jobs[first].spec)) ++last;
      const std::span own(jobs.data() + first, last - first);
      std::shared_ptr<Batch> made = make_batch(own);
      const auto batch = std::dynamic_pointer_cast<LiveBatch>(made);
      if (!batch)
        throw Error("members of model.kind = " + std::string(word_of(own.front().spec.model)) +
                    " do not run step by step");
      for (std::size_t k = first; k < last; ++k) {
        Member& member = members[which[k]];
        member.at_rest = at_rest[k];
        member.batch = batch;
        member.place = k - first;
        StateArchive archive;
        batch->visit_live_state(member.place, archive);
        member.start = archive.take();
      }
      first = last;
    }
    look_at_start(which, with_set_inputs);
  }

  /// Restarts members as they were built.
  void begin_again(std::span<const std::size_t> which, bool with_set_inputs) {
    for (const std::size_t k : which) {
      Member& member = members[k];
      StateArchive archive(member.start);
      member.batch->visit_live_state(member.place, archive);
      const std::vector<ControlSpec::Input>& numbers = member.job.spec.control.inputs;
      const std::span<double> taken = member.batch->inputs(member.place);
      for (std::size_t i = input_count; i < numbers.size(); ++i) taken[i] = numbers[i].start;
      member.problem.clear();
    }
    look_at_start(which, with_set_inputs);
  }

  void look_at_start(std::span<const std::size_t> which, bool with_set_inputs) {
    for (const std::size_t k : which) {
      if (with_set_inputs) hand_over_inputs(k);
    }
    advance(which, std::vector<std::int64_t>(members.size(), 0), [] { return true; });
    for (const std::size_t k : which) show(k, true);
  }

  /// Advances members until they have taken so many steps since their start, [members].
  void advance(std::span<const std::size_t> which, std::span<const std::int64_t> ends,
               const std::function<bool()>& goes_on) {
    std::vector<std::pair<LiveBatch*, std::vector<std::int64_t>>> batches;
    for (const std::size_t k : which) {
      const Member& member = members[k];
      auto of_batch =
          std::ranges::find(batches, member.batch.get(), [](const auto& one) { return one.first; });
      if (of_batch == batches.end()) {
        const std::size_t size = member.batch->outcomes().size();
        of_batch = batches.insert(of_batch, {member.batch.get(), std::vector<std::int64_t>(size, -1)});
      }
      of_batch->second[member.place] = ends[k];
    }
    for (const auto& [batch, ends_in_batch] : batches) batch->advance_to(ends_in_batch, goes_on);
  }

  /// Fails if an input of a member is no number.
  void check_inputs(std::size_t k) {
    const std::span<const double> wanted = inputs_of(k);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (std::isfinite(wanted[i])) continue;
      members[k].problem = "input " + control().inputs[i].name + " is no finite number";
      show(k, false);
    }
  }

  /// Sets the numbers of a member that callers see.
  void show(std::size_t k, bool with_inputs) {
    const Member& member = members[k];
    status[k] = static_cast<std::uint8_t>(member.status());
    time[k] = static_cast<double>(member.outcome().steps) * member.job.spec.time.step;
    if (!control().exists()) return;
    const std::span<const double> numbers = member.batch->numbers(member.place);
    std::ranges::copy(numbers.subspan(control().first_signal(), control().signals.size()),
                      signals_of(k).begin());
    if (with_inputs)
      std::ranges::copy(member.batch->inputs(member.place).first(input_count), inputs_of(k).begin());
  }

  void make_arrays() {
    inputs.assign(members.size() * input_count, 0.0);
    signals.assign(members.size() * control().signals.size(), 0.0);
    status.assign(members.size(), 0);
    time.assign(members.size(), 0.0);
  }

  const StateOrigin& origin_of(Member& member) const {
    static const std::string build = build_identity() + std::string(revision());
    if (!member.origin) member.origin.emplace(build, deck_at(member.point).resolved(), member.job.seed);
    return *member.origin;
  }

  /// Gives a member's control the inputs that its caller has set.
  void hand_over_inputs(std::size_t k) {
    const Member& member = members[k];
    std::ranges::copy(inputs_of(k), member.batch->inputs(member.place).begin());
  }

  /// State from which a running member goes on, with the inputs that its control has not seen yet.
  std::vector<std::byte> state_of(std::size_t k) {
    const Member& member = members[k];
    if (!member.runs())
      throw Error("member " + std::to_string(k) + " has ended (" + std::string(status_text(status[k])) +
                  "): only those that run are saved");
    hand_over_inputs(k);
    StateArchive archive;
    with_kokkos([&](const auto&) { member.batch->visit_live_state(member.place, archive); });
    return archive.take();
  }

  void restore(std::size_t k, std::span<const std::byte> bytes) {
    Member& member = members[k];
    // One that has become another along its branch does not turn back: a new one goes on from the state.
    const std::vector<std::byte> state(bytes.begin(), bytes.end());
    if (member.job.spec.branch.exists()) build(std::array{k});
    StateArchive archive(state);
    try {
      member.batch->visit_live_state(member.place, archive);
      archive.require_end();
    } catch (const StateError& error) {
      throw Error(std::string("this is no state of such a member: ") + error.what());
    }
    member.problem.clear();
    show(k, true);
  }

  /// The members of a mask; all of an empty one.
  std::vector<std::size_t> chosen(std::span<const bool> mask) const {
    if (!mask.empty() && mask.size() != members.size())
      throw Error("a mask has " + std::to_string(mask.size()) + " entries; there are " +
                  std::to_string(members.size()) + " members");
    std::vector<std::size_t> which;
    for (std::size_t k = 0; k < members.size(); ++k) {
      if (mask.empty() || mask[k]) which.push_back(k);
    }
    return which;
  }

  void require_member(std::size_t member) const {
    if (member >= members.size())
      throw Error("there is no member " + std::to_string(member) + ": they are 0 to " +
                  std::to_string(members.size() - 1));
  }
};

Simulation::Simulation(std::unique_ptr<Content> content) : content_(std::move(content)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

Simulation::Simulation(const Problem& problem, std::span<const std::string> keys,
                       std::span<const double> points, const Options& options)
    : content_(std::make_unique<Content>()) {
  with_errors([&] {
    content_->deck = problem.content_->member;
    for (const std::string& key : keys) content_->addresses.push_back(parse_parameter_address(key));
    const std::size_t dimension = keys.size();
    const std::size_t count = point_count(points, dimension);
    if (count > 0) content_->free_variables(points.first(dimension));
    for (std::size_t point = 0; point < count; ++point) {
      for (std::uint32_t repeat = 0; repeat < options.repeats; ++repeat) {
        const std::uint64_t seed = seed_of(content_->deck, options.first_candidate + point, repeat);
        Content::Member member = content_->member_at(points.subspan(point * dimension, dimension), seed);
        content_->require_alike(member.job.spec.control);
        content_->members.push_back(std::move(member));
        if (content_->members.size() == 1) content_->require_room(count * options.repeats);
      }
    }
    if (content_->members.empty()) throw Error("a simulation has one member at least");
    content_->make_arrays();
    Content::with_kokkos([&](const auto&) { content_->build(content_->chosen({})); });
  });
}

std::size_t Simulation::members() const { return content_->members.size(); }

std::vector<LiveText> Simulation::input_texts() const {
  std::vector<LiveText> texts;
  for (const ControlSpec::Input& input : std::span(content_->control().inputs).first(content_->input_count))
    texts.push_back({input.name, "", input.start, input.range.low, input.range.high});
  return texts;
}

std::vector<LiveText> Simulation::signal_texts() const {
  std::vector<LiveText> texts;
  for (const ControlSpec::Signal& signal : content_->control().signals)
    texts.push_back({signal.name, signal.unit});
  return texts;
}

std::span<double> Simulation::inputs() { return content_->inputs; }
std::span<const double> Simulation::signals() const { return content_->signals; }
std::span<const std::uint8_t> Simulation::status() const { return content_->status; }
std::span<const double> Simulation::time() const { return content_->time; }

double Simulation::interval() const {
  return static_cast<double>(content_->control().interval) * content_->members.front().job.spec.time.step;
}

void Simulation::advance(double seconds, std::span<const bool> mask, const std::function<bool()>& proceed) {
  Content& own = *content_;
  std::vector<std::size_t> which = own.chosen(mask);
  std::vector<std::int64_t> ends(own.members.size());
  for (const std::size_t k : which) {
    const MemberSpec& spec = own.members[k].job.spec;
    const double steps = std::round(seconds / spec.time.step);
    if (!(steps >= 0.0) || std::abs(seconds / spec.time.step - steps) > 1e-6 * std::max(1.0, steps)) {
      throw Error(format_real(seconds) + " s are no whole number of time steps of " +
                  format_real(spec.time.step) + " s");
    }
    const auto taken = static_cast<std::int64_t>(own.members[k].outcome().steps);
    ends[k] = steps < most_steps ? taken + static_cast<std::int64_t>(steps) : to_the_end;
  }
  std::erase_if(which, [&](std::size_t k) {
    if (own.members[k].runs()) own.check_inputs(k);
    return !own.members[k].runs();
  });
  with_errors([&] {
    std::atomic<bool> stop = false;
    const auto wait = [&] {
      try {
        if (proceed && !proceed()) stop = true;
      } catch (...) {
        stop = true;
        throw;
      }
    };
    const auto show_all = [&] {
      for (const std::size_t k : which) own.show(k, false);
    };
    try {
      Content::with_kokkos(
          [&](const auto& pause) {
            const auto goes_on = [&] {
              pause();
              return !stop;
            };
            for (const std::size_t k : which) own.hand_over_inputs(k);
            own.advance(which, ends, goes_on);
          },
          wait);
    } catch (...) {
      show_all();
      throw;
    }
    show_all();
  });
}

std::vector<std::byte> Simulation::save(std::size_t member) const {
  content_->require_member(member);
  const std::vector<std::byte> state = content_->state_of(member);
  return sealed(state, content_->origin_of(content_->members[member]));
}

void Simulation::restore(std::size_t member, std::span<const std::byte> state) {
  content_->require_member(member);
  Content::Member& own = content_->members[member];
  if (own.at_rest != MemberStatus::pending) throw Error("this member has not begun");
  try {
    const std::span<const std::byte> found = unsealed(state, content_->origin_of(own));
    Content::with_kokkos([&](const auto&) { content_->restore(member, found); });
  } catch (const StateError& error) {
    throw Error(std::string("this state ") + error.what());
  }
}

Simulation Simulation::clone(std::size_t member, std::size_t copies) const {
  content_->require_member(member);
  const std::vector<std::byte> state = content_->state_of(member);
  auto content = std::make_unique<Content>();
  const Content::Member& original = content_->members[member];
  content->deck = content_->deck;
  content->addresses = content_->addresses;
  content->free_inputs = content_->free_inputs;
  content->input_count = content_->input_count;
  if (copies == 0) throw Error("a simulation has one member at least");
  content_->require_room(copies);
  for (std::size_t k = 0; k < copies; ++k) {
    Content::Member& copy = content->members.emplace_back();
    copy.job = original.job;
    copy.point = original.point;
  }
  content->make_arrays();
  const std::vector<std::size_t> all = content->chosen({});
  with_errors([&] {
    Content::with_kokkos([&](const auto&) {
      content->build(all);
      for (const std::size_t k : all) content->restore(k, state);
    });
  });
  return Simulation(std::move(content));
}

void Simulation::reset(std::span<const bool> mask, std::span<const double> points,
                       std::span<const std::uint64_t> seeds, std::span<const double> inputs) {
  Content& own = *content_;
  const std::vector<std::size_t> which = own.chosen(mask);
  const std::size_t dimension = own.addresses.size();
  if (!points.empty() && points.size() != which.size() * dimension) {
    throw Error("there are " + std::to_string(points.size()) + " values for " + std::to_string(which.size()) +
                " points of " + std::to_string(dimension) + " keys");
  }
  if (!seeds.empty() && seeds.size() != which.size())
    throw Error("there are " + std::to_string(seeds.size()) + " seeds for " + std::to_string(which.size()) +
                " members");
  if (!inputs.empty() && inputs.size() != which.size() * own.input_count)
    throw Error("there are " + std::to_string(inputs.size()) + " inputs for " + std::to_string(which.size()) +
                " members of " + std::to_string(own.input_count));
  if (!std::ranges::all_of(inputs, [](double input) { return std::isfinite(input); }))
    throw Error("members begin with inputs that are finite numbers");
  with_errors([&] {
    std::vector<std::size_t> stay;
    std::vector<std::size_t> change;
    std::vector<Content::Member> made;
    const auto point_of = [&](std::size_t k) {
      return points.empty() ? std::span<const double>(own.members[which[k]].point)
                            : points.subspan(k * dimension, dimension);
    };
    for (std::size_t k = 0; k < which.size(); ++k) {
      const Content::Member& before = own.members[which[k]];
      const std::uint64_t seed = seeds.empty() ? before.job.seed : seeds[k];
      if (seed == before.job.seed && own.stays(before, point_of(k))) {
        stay.push_back(k);
        continue;
      }
      change.push_back(which[k]);
      made.push_back(own.member_at(point_of(k), seed));
      own.require_alike(made.back().job.spec.control);
    }
    for (std::size_t k = 0; k < change.size(); ++k) own.members[change[k]] = std::move(made[k]);
    for (std::size_t& k : stay) {
      own.set_free_numbers(own.members[which[k]], point_of(k));
      k = which[k];
    }
    if (!inputs.empty()) {
      for (std::size_t k = 0; k < which.size(); ++k)
        std::ranges::copy(inputs.subspan(k * own.input_count, own.input_count),
                          own.inputs_of(which[k]).begin());
    }
    Content::with_kokkos([&](const auto&) {
      own.build(change, !inputs.empty());
      own.begin_again(stay, !inputs.empty());
    });
  });
}

std::vector<double> Simulation::field(std::size_t member, std::string_view name) const {
  content_->require_member(member);
  const auto found = std::ranges::find(trajectory_fields, name, &TrajectoryField::name);
  if (found == trajectory_fields.end()) {
    std::string names;
    for (const TrajectoryField& one : trajectory_fields)
      names.append(names.empty() ? "" : ", ").append(one.name);
    throw Error("there is no field " + std::string(name) + "; they are " + names);
  }
  const Content::Member& own = content_->members[member];
  const std::vector<RodPlace> places = rod_places(own.job.spec);
  std::vector<double> values;
  Content::with_kokkos([&](const auto&) {
    own.batch->look_at(own.place, [&](HostRods& rods) {
      const ConstRodView all = rods.all();
      int number = 0;
      for (const RodPlace& place : places) {
        const ConstRodView rod = all.part(place.first, place.elements);
        const bool closed = is_closed(own.job.spec, number++);
        for (int i = 0; i < rod.nodes(); ++i) {
          values.resize(values.size() + static_cast<std::size_t>(found->components));
          found->value(rod, closed, i, values.data() + values.size() - found->components);
        }
      }
    });
  });
  return values;
}

std::vector<std::size_t> Simulation::rod_nodes(std::size_t member) const {
  content_->require_member(member);
  std::vector<std::size_t> nodes;
  for (const RodPlace& place : rod_places(content_->members[member].job.spec))
    nodes.push_back(static_cast<std::size_t>(place.elements) + 1);
  return nodes;
}

std::vector<double> Simulation::observables(std::size_t member) const {
  content_->require_member(member);
  return content_->members[member].outcome().observables;
}

std::string Simulation::problem(std::size_t member) const {
  content_->require_member(member);
  return content_->members[member].problem;
}

std::uint64_t Simulation::seed(std::size_t member) const {
  content_->require_member(member);
  return content_->members[member].job.seed;
}

}  // namespace rodeo
