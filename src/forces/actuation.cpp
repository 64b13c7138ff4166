#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/rod/initial_shape.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo::forces {

namespace {

/// A part of a rod, in parts of its rest length.
struct Extent {
  double begin;
  double end;

  double length() const { return end - begin; }
  double overlap(const Extent& other) const {
    return std::max(0.0, std::min(end, other.end) - std::max(begin, other.begin));
  }
};

/// Shares of a formula's value by entry, -1 (the first) to n.
struct Shares {
  std::vector<double> places;  ///< parts of the rest length
  std::vector<double> share;
  std::vector<double> end_share;

  explicit Shares(int elements)
      : places(static_cast<std::size_t>(elements) + 2), share(places.size()), end_share(places.size()) {}
};

bool acts_on_regions(ActuationKind kind) {
  return kind == ActuationKind::internal_couple || kind == ActuationKind::curvature;
}

/// A rod, its places in parts of its rest length.
class Layout {
 public:
  Layout(const RodSpec& rod, bool first_is_held, bool last_is_held)
      : elements_(rod.elements),
        closed_(rod.closed),
        held_{first_is_held, last_is_held},
        shape_(initial_shape(rod)),
        length_(shape_.arc_lengths.back()) {}

  const InitialShape& shape() const { return shape_; }

  Shares shares_of(const ActuationSpec& spec) const {
    Shares shares(elements_);
    const bool of_regions = acts_on_regions(spec.kind);
    for (int i = -1; i <= elements_; ++i) {
      const bool exists = of_regions ? has_region(spec.kind, i) : i >= 0 && i < elements_;
      if (exists) at(shares.places, i) = of_regions ? node(i + 1) : middle(i);
    }
    const Place& place = spec.place;
    if (place.kind == Place::Kind::whole || place.kind == Place::Kind::range) {
      const bool whole = place.kind == Place::Kind::whole;
      spread(spec.kind, whole ? Extent{0.0, 1.0} : Extent{place.arc, place.to}, shares);
    } else if (of_regions) {
      put_in_region(node_of(place), shares);
    } else {
      put(spec.kind, place, shares);
    }
    return shares;
  }

 private:
  static double& at(std::vector<double>& entries, int i) { return entries[static_cast<std::size_t>(i + 1)]; }

  double node(int i) const { return shape_.arc_lengths[static_cast<std::size_t>(i)] / length_; }
  double middle(int i) const { return shape_.middle(static_cast<std::size_t>(i)) / length_; }

  /// Natural curvature stands at ends too, where something may hold the directors.
  bool has_region(ActuationKind kind, int i) const {
    if (i >= 0 && i + 1 < elements_) return true;
    if (closed_) return i + 1 == elements_;
    const bool first = i < 0;
    return i < elements_ && (kind == ActuationKind::curvature || held_[first ? 0 : 1]);
  }

  /// Sets shares for a range: the fraction of a region or element in it; for loads, its rest length in it.
  void spread(ActuationKind kind, const Extent& range, Shares& shares) const {
    for (int i = -1; i < elements_; ++i) {
      if (acts_on_regions(kind)) {
        if (has_region(kind, i)) at(shares.share, i) = part_of_region(i, range);
        continue;
      }
      if (i < 0) continue;
      const Extent element{node(i), node(i + 1)};
      const double overlap = element.overlap(range);
      if (kind == ActuationKind::stretch) {
        at(shares.share, i) = overlap / element.length();
        continue;
      }
      at(shares.share, i) = length_ * (kind == ActuationKind::force ? 0.5 * overlap : overlap);
      at(shares.end_share, i) = at(shares.share, i);
      if (overlap > 0.0) {
        at(shares.places, i) =
            0.5 * (std::max(element.begin, range.begin) + std::min(element.end, range.end));
      }
    }
  }

  double part_of_region(int i, const Extent& range) const {
    const Extent before{i < 0 ? 0.0 : middle(i), node(i + 1)};
    if (closed_ && i + 1 == elements_) {
      const Extent after{0.0, middle(0)};
      return (before.overlap(range) + after.overlap(range)) / (before.length() + after.length());
    }
    const Extent whole{before.begin, i + 1 < elements_ ? middle(i + 1) : 1.0};
    return whole.overlap(range) / whole.length();
  }

  /// The element at a point, the last one at the end.
  int element_at(double arc) const {
    int i = 0;
    while (i + 1 < elements_ && node(i + 1) <= arc) ++i;
    return i;
  }

  static double arc_of(const Place& place) { return place.kind == Place::Kind::middle ? 0.5 : place.arc; }

  int node_of(const Place& place) const {
    switch (place.kind) {
      case Place::Kind::node:
        return place.index;
      case Place::Kind::start:
        return 0;
      case Place::Kind::end:
        return elements_;
      default:
        break;
    }
    const int i = element_at(arc_of(place));
    return arc_of(place) < middle(i) ? i : i + 1;
  }

  /// The region around a node: that around the first one of a closed rod is at its seam, the last one.
  void put_in_region(int i, Shares& shares) const {
    const int region = (closed_ && i == 0 ? elements_ : i) - 1;
    at(shares.share, region) = 1.0;
    if (has_region(ActuationKind::curvature, region)) at(shares.places, region) = node(i);
  }

  /// A load or a natural length at one place.
  void put(ActuationKind kind, const Place& place, Shares& shares) const {
    const bool at_node =
        place.kind == Place::Kind::node || place.kind == Place::Kind::start || place.kind == Place::Kind::end;
    if (kind == ActuationKind::stretch || place.kind == Place::Kind::element) {
      const int i = place.kind == Place::Kind::element ? place.index
                    : place.kind == Place::Kind::end   ? elements_ - 1
                    : place.kind == Place::Kind::start ? 0
                                                       : element_at(arc_of(place));
      at(shares.share, i) = kind == ActuationKind::force ? 0.5 : 1.0;
      at(shares.end_share, i) = 0.5;
    } else if (at_node) {
      put_on_node(kind, node_of(place), shares);
    } else if (kind == ActuationKind::couple) {
      put_couple(arc_of(place), shares);
    } else {
      const double arc = arc_of(place);
      const int i = element_at(arc);
      const double part = std::clamp((arc - node(i)) / (node(i + 1) - node(i)), 0.0, 1.0);
      at(shares.places, i) = arc;
      at(shares.share, i) = 1.0 - part;
      at(shares.end_share, i) = part;
    }
  }

  /// Elements take couples at their middles: of two, the nearer one the more. Between the last one and an end
  /// that is held the end takes its part.
  void put_couple(double arc, Shares& shares) const {
    const int nearest = element_at(arc);
    const int before = arc < middle(nearest) ? nearest - 1 : nearest;
    const bool at_first = before < 0;
    const bool at_last = before + 1 == elements_;
    const auto put_share = [&](int i, double share) {
      at(shares.places, i) = arc;
      at(shares.share, i) = share;
    };
    if (!closed_ && at_first && !held_[0]) return put_share(0, 1.0);
    if (!closed_ && at_last && !held_[1]) return put_share(before, 1.0);
    const int first = at_first ? elements_ - 1 : before;
    const int last = at_last ? 0 : before + 1;
    const double from = !at_first ? middle(before) : closed_ ? middle(first) - 1.0 : 0.0;
    const double to = !at_last ? middle(last) : closed_ ? middle(last) + 1.0 : 1.0;
    const double part = (arc - from) / (to - from);
    if (closed_ || !at_first) put_share(first, 1.0 - part);
    if (closed_ || !at_last) put_share(last, part);
  }

  /// Halves of it act on both elements of the node; of a force on the node itself, by way of both.
  void put_on_node(ActuationKind kind, int i, Shares& shares) const {
    const int before = i > 0 ? i - 1 : closed_ ? elements_ - 1 : -1;
    const int after = i < elements_ ? i : closed_ ? 0 : -1;
    const double half = before < 0 || after < 0 ? 1.0 : 0.5;
    if (before >= 0) {
      at(kind == ActuationKind::force ? shares.end_share : shares.share, before) = half;
      at(shares.places, before) = node(i);
    }
    if (after >= 0) {
      at(shares.share, after) = half;
      at(shares.places, after) = node(i);
    }
  }

  int elements_;
  bool closed_;
  bool held_[2];
  InitialShape shape_;
  double length_;
};

/// Appends an array of so many entries, and returns where it begins.
std::size_t append_array(std::vector<double>& numbers, std::size_t entries) {
  numbers.resize(numbers.size() + entries, 0.0);
  return numbers.size() - entries;
}

std::size_t append(std::vector<double>& numbers, const std::vector<double>& array) {
  const std::size_t begin = append_array(numbers, array.size());
  std::ranges::copy(array, numbers.begin() + static_cast<std::ptrdiff_t>(begin));
  return begin;
}

/// Appends the values of functions of place, an array each, where an actuator acts.
std::size_t append_values(std::vector<double>& numbers, const std::vector<Formula>& formulas,
                          const Shares& shares, const Actuator& actuator) {
  const std::size_t pitch = shares.places.size();
  const std::size_t begin = append_array(numbers, formulas.size() * pitch);
  for (std::size_t k = 0; k < formulas.size(); ++k) {
    std::vector<double> tables;
    const FormulaProgram program = formulas[k].compile(tables);
    for (int entry = 0; entry < actuator.count; ++entry) {
      const auto i = static_cast<std::size_t>(actuator.first + entry + 1);
      numbers[begin + k * pitch + i] = program.value(0.0, shares.places[i], tables.data());
    }
  }
  return begin;
}

/// The formula in parts whose factors of place are finite where it acts.
SeparatedFormula parts_of(const ActuationSpec& spec, const Shares& shares) {
  SeparatedFormula parts = SeparatedFormula::of(spec.formula);
  for (const Formula& factor : parts.place) {
    std::vector<double> tables;
    const FormulaProgram program = factor.compile(tables);
    for (std::size_t k = 0; k < shares.places.size(); ++k) {
      const bool acts = shares.share[k] != 0.0 || shares.end_share[k] != 0.0;
      if (acts && !std::isfinite(program.value(0.0, shares.places[k], tables.data())))
        return SeparatedFormula::whole(spec.formula);
    }
  }
  return parts;
}

Actuator make_actuator(const ActuationSpec& spec, const Shares& shares, std::vector<double>& numbers) {
  const SeparatedFormula parts = parts_of(spec, shares);
  std::vector<Formula> of_time = parts.time;
  of_time.insert(of_time.end(), parts.slots.begin(), parts.slots.end());
  Actuator actuator;
  actuator.kind = spec.kind;
  actuator.in_laboratory = spec.in_laboratory;
  actuator.axis = spec.axis;
  actuator.products = static_cast<int>(parts.time.size());
  actuator.has_rest = parts.rest.has_value();
  actuator.is_steady = !spec.formula.depends_on_clock();
  actuator.is_live = actuator.is_steady && spec.formula.depends_on_time();
  actuator.time = compile_all(of_time, numbers);
  if (parts.rest) actuator.rest = parts.rest->compile(numbers);
  int last = -2;
  actuator.first = static_cast<int>(shares.places.size());
  for (std::size_t k = 0; k < shares.places.size(); ++k) {
    if (shares.share[k] == 0.0 && shares.end_share[k] == 0.0) continue;
    const int i = static_cast<int>(k) - 1;
    actuator.first = std::min(actuator.first, i);
    last = i;
  }
  actuator.count = std::max(0, last - actuator.first + 1);
  actuator.profiles = append_values(numbers, parts.place, shares, actuator);
  actuator.places = append_values(numbers, parts.arrays, shares, actuator);
  actuator.share = append(numbers, shares.share);
  actuator.end_share = append(numbers, shares.end_share);
  actuator.size = append_array(numbers, shares.places.size());
  return actuator;
}

bool holds_directors(EndCondition end) {
  return end == EndCondition::clamped || end == EndCondition::clamped_sliding;
}

}  // namespace

ActuationTable::ActuationTable(const MemberSpec& spec)
    : numbers_(spec.control.live_at_start()), live_numbers_(numbers_.size()) {
  const std::vector<RodPlace> places = rod_places(spec);
  for (std::size_t k = 0; k < places.size(); ++k) {
    Rod& rod = rods_.emplace_back();
    rod.first = actuators_.size();
    const MemberSpec own = rod_alone(spec, static_cast<int>(k));
    if (own.actuation.empty()) continue;
    const bool joined_to_next = k + 1 < places.size() && places[k + 1].joint != JointKind::none;
    const bool joined = places[k].joint != JointKind::none;
    const Layout layout(own.rod, !joined && holds_directors(own.boundary.first),
                        !joined_to_next && holds_directors(own.boundary.last));
    Actuation& actuation = rod.actuation;
    actuation.count = static_cast<int>(own.actuation.size());
    actuation.pitch = own.rod.elements + 2;
    actuation.strains_stay = true;
    for (const ActuationSpec& one : own.actuation) {
      Shares shares = layout.shares_of(one);
      actuators_.push_back(make_actuator(one, shares, numbers_));
      if (actuators_.back().is_steady) {
        Actuation here = actuation;
        here.numbers = numbers_.data();
        here.evaluate(OneThread{}, actuators_.back(), 0.0);
      }
      formulas_.push_back(one.formula);
      places_.push_back(std::move(shares.places));
      const bool load = one.kind == ActuationKind::force || one.kind == ActuationKind::couple;
      actuation.loads = actuation.loads || load;
      actuation.couples = actuation.couples || one.kind == ActuationKind::internal_couple;
      actuation.curves = actuation.curves || one.kind == ActuationKind::curvature;
      actuation.stretches = actuation.stretches || one.kind == ActuationKind::stretch;
      const bool strains = one.kind == ActuationKind::curvature || one.kind == ActuationKind::stretch;
      actuation.strains_stay = actuation.strains_stay && (!strains || actuators_.back().is_steady);
    }
    if (!actuation.curves) continue;
    actuation.own_curvature = append_array(numbers_, 3 * static_cast<std::size_t>(actuation.pitch));
    double* next = numbers_.data() + actuation.own_curvature;
    for (const double Vec3::*component : {&Vec3::x, &Vec3::y, &Vec3::z}) {
      for (const Vec3& curvature : layout.shape().rest_curvatures) *next++ = curvature.*component;
      ++next;  // region n
    }
  }
}

Actuation ActuationTable::of_rod(std::size_t rod, const Actuator* actuators, double* numbers) const {
  Actuation actuation = rods_[rod].actuation;
  if (actuation.count == 0) return actuation;
  actuation.actuators = actuators + rods_[rod].first;
  actuation.numbers = numbers;
  return actuation;
}

void ActuationTable::set_live(std::span<const double> live, double* numbers) const {
  std::ranges::copy(live, numbers);
  for (std::size_t k = 0; k < rods_.size(); ++k) {
    const Actuation actuation = of_rod(k, actuators_.data(), numbers);
    for (int a = 0; a < actuation.count; ++a) {
      if (actuation.actuators[a].is_live) actuation.evaluate(OneThread{}, actuation.actuators[a], 0.0);
    }
  }
}

ActuationTable::NaturalRates ActuationTable::natural_rates(std::size_t rod, double time) const {
  const Actuation& actuation = rods_[rod].actuation;
  const auto entries = static_cast<std::size_t>(actuation.pitch);
  NaturalRates rates{std::vector<Vec3>(entries), std::vector<double>(entries, 0.0)};
  for (int k = 0; k < actuation.count; ++k) {
    const std::size_t place = rods_[rod].first + static_cast<std::size_t>(k);
    const Actuator& actuator = actuators_[place];
    if (actuator.kind != ActuationKind::curvature && actuator.kind != ActuationKind::stretch) continue;
    std::vector<double> tables(numbers_.begin(),
                               numbers_.begin() + static_cast<std::ptrdiff_t>(live_numbers_));
    const FormulaProgram program = formulas_[place].compile(tables);
    for (int entry = 0; entry < actuator.count; ++entry) {
      const auto i = static_cast<std::size_t>(actuator.first + entry + 1);
      const double rate =
          numbers_[actuator.share + i] * program.with_rate(time, places_[place][i], tables.data()).rate;
      if (actuator.kind == ActuationKind::stretch) {
        rates.stretch[i] += rate;
      } else {
        rates.curvature[i] = rates.curvature[i] + rate * actuator.axis;
      }
    }
  }
  return rates;
}

bool is_actuated(const MemberSpec& spec) {
  if (!spec.actuation.empty()) return true;
  return std::ranges::any_of(spec.further_rods, [](const RodSetup& rod) { return !rod.actuation.empty(); });
}

std::size_t actuation_memory(const MemberSpec& spec) {
  constexpr std::size_t arrays =
      8;  // of a wave: two profiles, two shares, the size and the rod's own curvature
  const auto of_rod = [](const RodSetup& rod) {
    const auto entries = static_cast<std::size_t>(rod.rod.elements) + 2;
    return rod.actuation.size() * (sizeof(Actuator) + arrays * entries * sizeof(double));
  };
  std::size_t bytes = of_rod(spec);
  for (const RodSetup& rod : spec.further_rods) bytes += of_rod(rod);
  return bytes;
}

double steady_from(const ActuationSpec& spec) {
  return spec.formula.depends_on_time() ? std::numeric_limits<double>::infinity() : 0.0;
}

bool does_work(const ActuationSpec& spec) {
  const bool strains = spec.kind == ActuationKind::curvature || spec.kind == ActuationKind::stretch;
  return !strains || spec.formula.depends_on_time();
}

namespace {

/// Widens the range by natural stretches for the given live numbers.
void widen(const MemberSpec& rod, const std::vector<double>& live, StretchRange& range) {
  constexpr int samples = 256;
  constexpr int most_places = 32;
  const bool stretches = std::ranges::any_of(
      rod.actuation, [](const ActuationSpec& one) { return one.kind == ActuationKind::stretch; });
  if (!stretches) return;
  const Layout layout(rod.rod, false, false);
  const std::size_t skip = 1 + static_cast<std::size_t>(rod.rod.elements / most_places);
  std::vector<std::vector<double>> stretch(
      samples + 1, std::vector<double>(static_cast<std::size_t>(rod.rod.elements), 1.0));
  for (const ActuationSpec& one : rod.actuation) {
    if (one.kind != ActuationKind::stretch) continue;
    const Shares shares = layout.shares_of(one);
    std::vector<double> tables = live;
    const FormulaProgram program = one.formula.compile(tables);
    for (std::size_t k = 0; k <= samples; ++k) {
      const double time =
          rod.time.step * static_cast<double>(rod.time.steps) * static_cast<double>(k) / samples;
      for (std::size_t i = 0; i < stretch[k].size(); i += skip) {
        if (shares.share[i + 1] == 0.0) continue;
        stretch[k][i] +=
            shares.share[i + 1] * (program.value(time, shares.places[i + 1], tables.data()) - 1.0);
      }
    }
  }
  for (const std::vector<double>& at_time : stretch) {
    const auto [least, greatest] = std::ranges::minmax(at_time);
    // A stretch that is not finite counts as below all others.
    const bool sound = std::ranges::all_of(at_time, [](double x) { return std::isfinite(x); });
    range.least = sound ? std::min(range.least, least) : -HUGE_VAL;
    range.greatest = std::max(range.greatest, greatest);
  }
}

}  // namespace

StretchRange natural_stretch_range(const MemberSpec& rod) {
  StretchRange range;
  for (const std::vector<double>& live : rod.control.live_at_extremes()) widen(rod, live, range);
  return range;
}

}  // namespace rodeo::forces
