#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "rodeo/input/deck_observables.hpp"
#include "rodeo/input/frame_contents.hpp"
#include "rodeo/input/key_effects.hpp"
#include "rodeo/input/keys.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/input/shape_file.hpp"
#include "rodeo/math/random.hpp"
#include "rodeo/member/status.hpp"
#include "rodeo/member/team.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/observe/trajectory_fields.hpp"
#include "rodeo/plan/objective.hpp"
#include "rodeo/plan/plan.hpp"
#include "rodeo/rodeo.hpp"

#include "kokkos_thread.hpp"
#include "problem_content.hpp"

namespace rodeo {

namespace {

/// Most bytes of the members that run side by side.
constexpr std::size_t most_memory = std::size_t{1} << 30;

SceneReader scene_reader(const FileReaders& readers) {
  if (!readers.scene) return {};
  return [&readers](const std::string& path, const std::string& group) {
    std::vector<SceneColumn> columns;
    for (auto& [key, values] : readers.scene(path, group)) columns.push_back({key, std::move(values)});
    return columns;
  };
}

/// The deck with the numbers of the files that it names, if any.
Deck with_files(Deck deck, const std::string& path, const FileReaders& readers) {
  take_files(awaited_files(deck, path), readers.shape, deck);
  return deck;
}

/// The members of an evaluation, and their results.
class Members {
 public:
  Members(const Deck& deck, std::span<const std::string> keys, std::span<const double> points,
          const EvaluateOptions& options, const ObservableList& list)
      : deck_(deck), points_(points), options_(options) {
    for (const std::string& key : keys) addresses_.push_back(parse_parameter_address(key));
    const std::size_t count = point_count(points, addresses_.size());
    for (const std::string& name : options.observables) places_.push_back(observable_place(list, name));
    if (places_.empty()) {
      for (std::size_t place = 0; place < list.size(); ++place) places_.push_back(place);
    }
    repeats_ =
        options.repeats > 0 ? options.repeats : static_cast<std::uint32_t>(deck.integer("study.repeats"_key));
    const std::size_t members = count * repeats_;
    require_room("results", members, static_cast<double>(sizeof(double) * (places_.size() + 8)));
    found_.status.resize(members);
    found_.observables.assign(members * places_.size(), std::nan(""));
    found_.steps.resize(members);
    found_.wall_seconds.resize(members);
    found_.seeds.resize(members);
    found_.problems.resize(members);
    if (options.frames) found_.frames.resize(members);
  }

  /// Runs all members, or until `stop`.
  void run(const std::atomic<bool>& stop, std::atomic<std::size_t>& ended,
           const std::function<void()>& pause) {
    const double deadline = deck_.number("study.deadline"_key);
    for (std::size_t next = 0; next < found_.members() && !stop;) {
      std::vector<std::size_t> members;
      const std::vector<MemberJob> jobs = take(next, members);
      if (!jobs.empty()) {
        const std::unique_ptr<Batch> batch = make_batch(jobs);
        std::size_t still = jobs.size();
        const std::size_t before = ended;
        for (bool running = true; running && !stop;) {
          running = batch->advance();
          const std::span<const MemberOutcome> outcomes = batch->outcomes();
          still = 0;
          for (std::size_t k = 0; k < outcomes.size(); ++k) {
            if (outcomes[k].status != MemberStatus::pending) continue;
            if (running && deadline > 0.0 && outcomes[k].wall_seconds > deadline) {
              batch->time_out(k);
            } else {
              ++still;
            }
          }
          ended = before + jobs.size() - still;
          pause();
        }
        for (std::size_t k = 0; k < jobs.size(); ++k) store(members[k], batch->outcomes()[k]);
      }
      ended = next;
      pause();
    }
  }

  Evaluation take_found() { return std::move(found_); }

 private:
  /// Jobs of members from `next` on that fit into one batch, and which members these are. Members that cannot
  /// start have failed.
  std::vector<MemberJob> take(std::size_t& next, std::vector<std::size_t>& members) {
    // Enough for all threads to be busy while the longest ones end.
    const std::size_t most = std::max<std::size_t>(1024, 16 * static_cast<std::size_t>(members_at_once()));
    const auto enough = static_cast<std::size_t>(members_at_once());
    std::vector<MemberJob> jobs;
    std::size_t memory = 0;
    for (; next < found_.members() && jobs.size() < most; ++next) {
      const std::uint64_t candidate = options_.first_candidate + next / repeats_;
      MemberJob job;
      job.seed = seed_of(deck_, candidate, static_cast<std::uint32_t>(next % repeats_));
      found_.seeds[next] = job.seed;
      try {
        set_point(next / repeats_);
        job.spec = make_member_spec(deck_);
        if (const auto problem = start_problem(job.spec)) {
          throw deck_.error(find_key(problem->key), problem->text);
        }
      } catch (const DeckError& error) {
        found_.status[next] = static_cast<std::uint8_t>(MemberStatus::failed);
        found_.problems[next] = error.what();
        continue;
      }
      const Model& model = model_of(job.spec);
      if (!jobs.empty() && &model != &model_of(jobs.front().spec)) break;
      memory += model.memory != nullptr ? model.memory(job.spec) : 0;
      if (jobs.size() >= enough && memory > most_memory) break;
      jobs.push_back(std::move(job));
      members.push_back(next);
    }
    return jobs;
  }

  void set_point(std::size_t point) {
    for (std::size_t k = 0; k < addresses_.size(); ++k) {
      deck_.set(addresses_[k], points_[point * addresses_.size() + k]);
    }
  }

  void store(std::size_t member, const MemberOutcome& outcome) {
    found_.status[member] = static_cast<std::uint8_t>(outcome.status);
    found_.steps[member] = outcome.steps;
    found_.wall_seconds[member] = outcome.wall_seconds;
    double* const out = found_.observables.data() + member * places_.size();
    for (std::size_t k = 0; k < places_.size() && !outcome.observables.empty(); ++k) {
      out[k] = outcome.observables[places_[k]];
    }
    if (found_.frames.empty()) return;
    found_.frames[member] = {outcome.time, outcome.fields, outcome.at_data, outcome.mode_shapes};
  }

  Deck deck_;
  std::span<const double> points_;
  const EvaluateOptions& options_;
  std::vector<ParameterAddress> addresses_;
  std::vector<std::size_t> places_;  ///< of the observables to return
  std::uint32_t repeats_ = 1;
  Evaluation found_;
};

std::string_view type_of(const KeyInfo& info) {
  switch (info.type) {
    case ValueType::real:
      return "real";
    case ValueType::integer:
      return "integer";
    case ValueType::choice:
      return "choice";
    case ValueType::real_list:
      return "list";
    case ValueType::text:
      break;
  }
  return "text";
}

}  // namespace

Problem::Problem(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

Problem Problem::read(const std::string& path, const std::vector<std::string>& overrides,
                      const FileReaders& readers) {
  return with_errors([&] {
    const Deck deck = Deck::read(path, overrides, scene_reader(readers));
    return Problem(std::make_shared<Content>(with_files(deck, path, readers)));
  });
}

Problem Problem::parse(const std::string& text, const std::string& name,
                       const std::vector<std::string>& overrides, const FileReaders& readers) {
  return with_errors([&] {
    const Deck deck = Deck::parse(text, name, overrides);
    for (const Key key : {"sweep.points"_key, "rod.scene"_key, "measure.data"_key}) {
      if (!deck.has_value(key)) continue;
      throw deck.error(key, "names a file, which a text alone cannot: read the deck from its file");
    }
    check_effects(deck, overrides.empty() ? deck : Deck::parse(text, name));
    return Problem(std::make_shared<Content>(with_files(deck, name, readers)));
  });
}

void Problem::check() const {
  with_errors([&] {
    const std::unique_ptr<Plan> plan = make_plan(content_->deck);
    objectives_of(content_->deck);
    kept_frames(content_->deck);
    frame_observables(content_->deck);
    further_fields(content_->deck);
    const std::vector<std::vector<double>> probes = plan->probes();
    const std::size_t count = plan->adaptive() ? probes.size() : plan->candidates();
    const auto addresses = plan->parameters();
    Deck member = content_->member;
    std::optional<DeckError> failure;
    std::size_t failures = 0;
    for (std::size_t candidate = 0; candidate < count; ++candidate) {
      const std::vector<double> point = plan->adaptive() ? probes[candidate] : plan->point(candidate);
      for (std::size_t k = 0; k < addresses.size(); ++k) member.set(addresses[k], point[k]);
      const MemberSpec spec = make_member_spec(member);
      const auto error = [&](const StartProblem& problem) {
        return member.error(find_key(problem.key), problem.text);
      };
      if (const auto refusal = refusal_at_start(spec)) throw error(*refusal);
      if (const auto problem = failure_at_start(spec)) {
        if (failures++ == 0) failure = error(*problem);
      }
    }
    if (failure && failures == count) throw DeckError(*failure);
  });
}

std::string Problem::text() const { return content_->deck.resolved(); }

std::vector<ObservableText> Problem::observables() const {
  const ObservableList& list = content_->observables;
  std::vector<ObservableText> texts;
  for (std::size_t place = 0; place < list.size(); ++place) {
    texts.push_back(
        {std::string(list[place].name), std::string(list[place].unit), std::string(list[place].text)});
  }
  return texts;
}

std::vector<FieldText> Problem::fields() const {
  const Deck& deck = content_->deck;
  std::vector<FieldText> texts;
  if (deck.integer("output.frames"_key) == 0) return texts;
  texts.push_back({"position", "m", 3});
  return with_errors([&] {
    for (const std::size_t field : further_fields(deck)) {
      const TrajectoryField& format = trajectory_fields[field];
      texts.push_back({std::string(format.name), std::string(format.unit), format.components});
    }
    for (const std::size_t place : frame_observables(deck)) {
      const ObservableList::Entry entry = content_->observables[place];
      texts.push_back({std::string(entry.name), std::string(entry.unit), 1, false});
    }
    return texts;
  });
}

Evaluation Problem::evaluate(std::span<const std::string> keys, std::span<const double> points,
                             const EvaluateOptions& options) const {
  return with_errors([&] {
    Members members(content_->member, keys, points, options, content_->observables);
    std::atomic<bool> stop = false;
    std::atomic<std::size_t> ended = 0;
    const auto wait = [&] {
      if (!options.proceed) return;
      try {
        if (!options.proceed(ended)) stop = true;
      } catch (...) {
        stop = true;
        throw;
      }
    };
    KokkosThread::of_process().run([&](const auto& pause) { members.run(stop, ended, pause); }, wait);
    return members.take_found();
  });
}

std::vector<KeyText> key_texts() {
  std::vector<KeyText> texts;
  texts.reserve(key_table().size());
  for (const KeyInfo& info : key_table()) {
    KeyText& text = texts.emplace_back();
    text.name = info.name;
    text.type = type_of(info);
    text.unit = info.unit;
    text.default_value = info.default_text;
    text.allowed = allowed_values(info);
    if (!info.choices.empty()) {
      for (const std::string_view word : split(info.choices, '|')) text.choices.emplace_back(word);
    }
    text.repeatable = info.repeatable;
    text.need = own_need(info.key);
    text.text = info.text;
  }
  return texts;
}

std::string_view status_text(std::uint8_t status) {
  return status < member_status_count ? to_string(static_cast<MemberStatus>(status)) : "";
}

bool status_is_good(std::uint8_t status) { return ended_well(static_cast<MemberStatus>(status)); }

}  // namespace rodeo
