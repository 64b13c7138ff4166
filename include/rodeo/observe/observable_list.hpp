#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rodeo/observe/observable.hpp"

namespace rodeo {

/// An observable that a deck defines itself, or asks for.
struct DefinedObservable {
  std::string name;
  std::string unit;
  std::string definition;  ///< as the deck says it
};

/// The observables that the members of a study report: those that every study has, and then those that its
/// deck asks for, first those of modes, last its measures.
class ObservableList {
 public:
  /// Description of an observable, known before a member runs.
  struct Entry {
    std::string_view name;
    std::string_view unit;
    std::string_view text;
    Known known = Known::always;
  };

  ObservableList() = default;
  explicit ObservableList(std::vector<DefinedObservable> defined) : defined_(std::move(defined)) {}

  std::size_t size() const;

  /// Observable at a place. It lives as long as the list.
  Entry operator[](std::size_t place) const;

  /// Place of the observable of a name; size() if there is none.
  std::size_t index(std::string_view name) const;

  const std::vector<DefinedObservable>& defined() const { return defined_; }

  /// Names of all observables, in their order.
  std::vector<std::string> names() const;

 private:
  std::vector<DefinedObservable> defined_;
};

/// Value of the observable at a place of its study's list.
double value_of(std::size_t place, const Observation& observation);

/// Values of all observables.
std::vector<double> values_of(const Observation& observation);

}  // namespace rodeo
