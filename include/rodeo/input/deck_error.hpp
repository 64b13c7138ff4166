#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace rodeo {

/// Bad input: each line of the text names file, line, key, what is allowed and the nearest valid key. Exit
/// code 1.
class DeckError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Calls `use`, and makes a DeckError that `place` begins out of a std::invalid_argument that it throws.
template <class Use>
decltype(auto) located(const std::string& place, const Use& use) {
  try {
    return use();
  } catch (const std::invalid_argument& reason) {
    throw DeckError(place + ": " + reason.what());
  }
}

/// Faults of a deck, collected so that all of them are said in one run.
class DeckFaults {
 public:
  /// Does a part of the work, and keeps the DeckError that it may throw.
  template <class Part>
  void pass(const Part& part) {
    try {
      part();
    } catch (const DeckError& fault) {
      add(fault.what());
    }
  }

  void add(const std::string& fault) {
    if (++count_ <= most_said) text_ += (count_ > 1 ? "\n" : "") + fault;
  }

  /// Throws a DeckError of all faults, a line each; does nothing if there are none.
  void report() const {
    if (count_ == 0) return;
    throw DeckError(count_ <= most_said ? text_
                                        : text_ + "\n" + std::to_string(count_ - most_said) + " more faults");
  }

 private:
  static constexpr int most_said = 20;
  std::string text_;
  int count_ = 0;
};

}  // namespace rodeo
