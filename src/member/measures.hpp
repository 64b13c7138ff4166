#pragma once

#include <memory>
#include <span>
#include <vector>

#include "rodeo/math/formula.hpp"

#include "last_period.hpp"
#include "observer.hpp"
#include "sampled_formula.hpp"

namespace rodeo {

/// The observables that the deck defines. Reductions take samples every measure_steps, at the ends of their
/// windows, and when the member ends.
class Measures {
 public:
  void start(const MemberJob& job, MemberOutcome&);
  void become(const MemberSpec& spec);
  MemberStatus slice(const Look& look);
  void glance(const Glance& glance);
  Need needs_within(std::int64_t steps) const;
  void within(const Glance& glance, const Look* look);
  void finish(const Look& look, Observation& observation) const;
  void visit(StateArchive& archive);
  std::int64_t next_look(std::int64_t steps) const { return next_sample(steps, true); }
  std::int64_t next_glance(std::int64_t steps) const { return next_sample(steps, false); }

 private:
  /// Findings of a reduction; plain data, saved and restored as they are.
  struct Found {
    std::int64_t samples = 0;
    double value = std::nan("");  ///< the extremum, integral, time or value so far
    double first_time = 0.0;      ///< of a sample, s
    double last_time = 0.0;       ///< of a sample, s
    double last_value = 0.0;
  };

  struct Reduction {
    ReductionKind kind;
    std::int64_t first_step;
    std::int64_t last_step;
    bool slides;  ///< its window is a period that moves by quarters
    SampledFormula formula;
  };

  std::int64_t next_sample(std::int64_t steps, bool looks) const;
  bool is_due(const Reduction& reduction, const Found& found, std::int64_t step) const;
  void stand_at(const Glance& glance) const;
  void sample(const Glance& glance, const Look* look);
  static void add(ReductionKind kind, double time, double value, Found& found);
  static void join(ReductionKind kind, Found& all, const Found& next);
  static double result(ReductionKind kind, const Found& found);
  SampledFormula::Instant instant(const Glance& glance, const Observation* observation) const;
  std::span<const double> control_at(const Glance& glance) const;

  std::int64_t interval_ = 0;  ///< steps
  bool within_ = false;        ///< samples are taken while slices go on
  std::int64_t seen_ = -1;     ///< the last step at which one was
  std::int64_t last_step_ = 0;
  mutable std::vector<Reduction> reductions_;    ///< of all measures; to evaluate one sets its variables
  std::vector<std::size_t> counts_;              ///< of reductions of each measure
  mutable std::vector<Expression> expressions_;  ///< of measures
  mutable std::unique_ptr<LoadPowers> powers_;   ///< where one needs them
  mutable std::vector<double> control_;          ///< its numbers at an instant
  bool touches_ = false;                         ///< one needs contacts
  LastPeriod period_;
  std::vector<OfPeriod<Found>> found_;  ///< of reductions
  std::int64_t sampled_ = -1;           ///< the latest step with a sample
};

}  // namespace rodeo
