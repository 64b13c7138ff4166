#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Interface for other programs: reads and checks decks, and runs members in the calling process, without MPI
/// and files. Needs no other header of rodeo, nor Kokkos'.
///
///     const auto cord = rodeo::Problem::read("cord.ini");
///     const rodeo::Evaluation found =
///         cord.evaluate({"rod.young_modulus"}, {1e6, 2e6, 4e6}, {.observables = {"end_z"}});
///     // found.observables holds three numbers, found.status how the three members ended
#pragma GCC visibility push(default)  // also of a shared library that hides all else
namespace rodeo {

/// Bad input, with the sentence that the program prints: file, line, key, what is allowed, the nearest name.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "0.2.0"
std::string_view version();

/// Revision of the sources, as git describes it: "0.1.0-12-gd6ab837"; "unknown" outside of a repository.
std::string_view revision();

/// Starts the threads that all evaluations use: so many, or as many as the process may run on (0), or
/// OMP_NUM_THREADS. The first evaluation does it where nobody has. Where the calling process has started
/// Kokkos itself, its threads are used, and nothing is started or stopped. Throws Error if other numbers of
/// threads run already, or after finalize().
void initialize(int threads = 0);

/// Stops the threads for good. At the end of the process it is called by itself.
void finalize();

/// A key of decks, as `rodeo keys` prints it.
struct KeyText {
  std::string name;           ///< "rod.length"
  std::string type;           ///< real, integer, choice, list or text
  std::string unit;           ///< SI, "1" for a pure number, empty for words
  std::string default_value;  ///< as a deck would write it; empty: none
  std::string allowed;        ///< "real > 0"
  std::vector<std::string> choices;
  bool repeatable = false;  ///< may stand in a deck more than once
  std::string need;         ///< what must hold for it to have effect; empty: nothing
  std::string text;         ///< one line
};

/// All keys, in the order of inputs/reference.ini.
std::vector<KeyText> key_texts();

/// A number that members report.
struct ObservableText {
  std::string name;
  std::string unit;  ///< SI, "1" for a pure number
  std::string text;  ///< one line
};

/// A field of frames.
struct FieldText {
  std::string name;
  std::string unit;
  int components = 1;
  bool of_nodes = true;  ///< else one for each frame
};

/// Readers of the HDF5 files that a deck may name: they throw std::runtime_error with a sentence. A deck that
/// names a file without a reader for it is an Error.
struct FileReaders {
  /// The columns of the group of rod.scene: a key, or an entry of one, and its value for each rod.
  std::function<std::vector<std::pair<std::string, std::vector<std::string>>>(const std::string& path,
                                                                              const std::string& group)>
      scene = {};
  /// The coordinates x, y, z of all nodes in a dataset of rod.shape_file, m.
  std::function<std::vector<double>(const std::string& path, const std::string& dataset)> shape = {};
};

/// Options of an evaluation.
struct EvaluateOptions {
  /// Names of the observables to return; empty: all, in the order of Problem::observables().
  std::vector<std::string> observables = {};
  /// Members of each point, which differ in their seeds. 0: study.repeats of the deck.
  std::uint32_t repeats = 1;
  /// The number that the first point has among the candidates of a campaign: seeds follow from it.
  std::uint64_t first_candidate = 0;
  bool frames = false;  ///< return those that output.frames of the deck asks for
  /// Called in the calling thread some ten times a second with the members that have ended. False ends the
  /// evaluation: members that still run are pending. What it throws ends it too, and is thrown on.
  std::function<bool(std::size_t ended)> proceed = {};
};

/// The frames of a member.
struct MemberFrames {
  std::vector<double> time;  ///< s; NaN for frames never reached
  /// For each of Problem::fields() frames x nodes x components, or frames of those that are not of nodes.
  std::vector<std::vector<double>> fields;
  std::vector<double> at_data;      ///< where rods were at the points of measure.point: x, y, z of each, m
  std::vector<double> mode_shapes;  ///< as in /members/mode_shapes
};

/// Results of points: [members] arrays in the order points x repeats.
struct Evaluation {
  std::vector<std::uint8_t> status;       ///< as in /members/status of a file; status_text() has their words
  std::vector<double> observables;        ///< members x observables; NaN where one does not apply
  std::vector<std::uint64_t> steps;       ///< that it took
  std::vector<double> wall_seconds;       ///< its share of the time, s
  std::vector<std::uint64_t> seeds;       ///< of its random numbers
  std::vector<std::string> problems;      ///< why it could not start (status 4); else empty
  std::vector<MemberFrames> frames = {};  ///< empty unless asked for

  std::size_t members() const { return status.size(); }
};

/// "done", "diverged", ...
std::string_view status_text(std::uint8_t status);

/// Whether the observables of a member that ended with this status are meaningful.
bool status_is_good(std::uint8_t status);

/// A number that members take from outside while they run (control.input), or that they show
/// (control.signal).
struct LiveText {
  std::string name;
  std::string unit;    ///< as the deck gives it; empty if it gives none
  double start = 0.0;  ///< of an input
  double low = 0.0;    ///< and its range
  double high = 0.0;
};

class Simulation;

/// A deck that was read and checked. Copies are cheap and refer to the same deck, which does not change.
class Problem {
 public:
  /// Reads a file; each override is "section.key=value", as on the command line. Throws Error.
  static Problem read(const std::string& path, const std::vector<std::string>& overrides = {},
                      const FileReaders& readers = {});

  /// Reads a deck's text. `name` stands for the file in messages; rod.shape_file is looked for in its folder.
  /// A text cannot name other files (sweep.points, rod.scene, measure.data, tables of formulas), but the
  /// result of text() has their contents. Throws Error.
  static Problem parse(const std::string& text, const std::string& name = "deck",
                       const std::vector<std::string>& overrides = {}, const FileReaders& readers = {});

  /// Throws Error where `rodeo run` would refuse the deck's study: it makes the specification of each
  /// candidate that is known beforehand.
  void check() const;

  /// The deck with every key that has a value, defaults written out; parse() reads it back.
  std::string text() const;

  /// Observables of its members, those that the deck defines last.
  std::vector<ObservableText> observables() const;

  /// Fields of its frames; empty without frames.
  std::vector<FieldText> fields() const;

  /// Runs the members of points on all threads, whatever study the deck asks for. `keys` are names of
  /// numbers, words or entries of lists ("rod.length", "rod.direction[0]"), `points` the values of all keys
  /// for each point, [points, keys], in SI units; words by their places among the choices. Results have the
  /// bits that `rodeo run` gives, for any threads and any points beside them. May be called from any thread;
  /// calls at the same time wait for each other. A point that cannot start fails alone and says why. Throws
  /// Error for keys and observables that are none.
  Evaluation evaluate(std::span<const std::string> keys, std::span<const double> points,
                      const EvaluateOptions& options = {}) const;
  Evaluation evaluate(const std::vector<std::string>& keys, const std::vector<double>& points,
                      const EvaluateOptions& options = {}) const {
    return evaluate(std::span(keys), std::span(points), options);
  }
  /// The deck itself.
  Evaluation evaluate(const EvaluateOptions& options = {}) const {
    return evaluate(std::span<const std::string>(), std::span<const double>(), options);
  }

 private:
  friend class Simulation;
  struct Content;
  explicit Problem(std::shared_ptr<const Content> content);

  std::shared_ptr<const Content> content_;
};

/// Members of a problem that are advanced as far as one wants, side by side, and watched and driven on the
/// way through [control] of the deck. A member that is advanced by whole intervals of the control has the
/// bits that `rodeo run` gives it with the same inputs, for any members beside it and any threads. All of it
/// may be called from any thread, by one at a time.
class Simulation {
 public:
  struct Options {
    std::uint32_t repeats = 1;          ///< members of each point, which differ in their seeds
    std::uint64_t first_candidate = 0;  ///< from which seeds follow, as in EvaluateOptions
  };

  /// Members at t = 0, in the order points x repeats; keys and points as in Problem::evaluate(). Throws
  /// Error, also where a point cannot start.
  Simulation(const Problem& problem, std::span<const std::string> keys, std::span<const double> points,
             const Options& options);
  explicit Simulation(const Problem& problem) : Simulation(problem, {}, {}, Options{}) {}
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  std::size_t members() const;

  /// Inputs and signals of the deck, arrays entry by entry.
  std::vector<LiveText> input_texts() const;
  std::vector<LiveText> signal_texts() const;

  // Arrays that stay where they are as long as the simulation lives.

  /// Inputs of members, [members, inputs]. The control takes them at the next sample that it has not acted
  /// on, first as members are advanced from one; beyond their ranges it takes the ends of these.
  std::span<double> inputs();
  /// Signals of members, [members, signals], at their last sample.
  std::span<const double> signals() const;
  /// Statuses of members, as in Evaluation; status_text() has the words, and 0 is that of a running one.
  std::span<const std::uint8_t> status() const;
  /// Times of members, s.
  std::span<const double> time() const;

  /// Seconds between two samples of the control of the first member; 0 without one.
  double interval() const;

  /// Advances members by so many seconds, a whole number of their time steps; those that have ended stay, and
  /// those fail that have an input that is no finite number.
  /// `mask`: true for those that are advanced; empty: all. `proceed`: as in EvaluateOptions, asked now and
  /// then. Throws Error.
  void advance(double seconds, std::span<const bool> mask = {}, const std::function<bool()>& proceed = {});

  /// The state of a running member: all that it needs to go on, bit by bit.
  std::vector<std::byte> save(std::size_t member) const;
  /// Lets a member go on from a saved state of the same problem, point and seed, saved by the same build of
  /// the library. Throws Error.
  void restore(std::size_t member, std::span<const std::byte> state);
  /// Copies of a member, which go on as it does.
  Simulation clone(std::size_t member, std::size_t copies = 1) const;

  /// Takes members back to t = 0: where they began, or, with points, of new values of all keys [members that
  /// are reset, keys], with new seeds, one for each, and with inputs other than the deck's [members that are
  /// reset, inputs]. `mask` as in advance(). Inputs, and new values of variables that only signals, states,
  /// outputs and measures name, add no cost; others, and new seeds, build rods anew. Throws Error.
  void reset(std::span<const bool> mask = {}, std::span<const double> points = {},
             std::span<const std::uint64_t> seeds = {}, std::span<const double> inputs = {});

  /// A field of all nodes of a member's rods as it stands, as frames have it ("position", "orientation",
  /// ...): nodes x components.
  std::vector<double> field(std::size_t member, std::string_view name) const;
  /// Number of nodes of each of its rods, in the order of fields.
  std::vector<std::size_t> rod_nodes(std::size_t member) const;
  /// Observables of an ended member, in the order of Problem::observables(); NaN for one that runs.
  std::vector<double> observables(std::size_t member) const;
  /// Why a member has failed (status 4) while it was advanced; else empty.
  std::string problem(std::size_t member) const;
  std::uint64_t seed(std::size_t member) const;

 private:
  struct Content;
  explicit Simulation(std::unique_ptr<Content> content);

  std::unique_ptr<Content> content_;
};

}  // namespace rodeo
#pragma GCC visibility pop
