#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/input/deck_observables.hpp"

#include "member/run_members.hpp"

namespace rodeo {

/// The measures of a deck's member, in order, and what it reports besides.
struct Measured {
  explicit Measured(const std::string& text, const std::vector<std::string>& overrides = {})
      : deck(Deck::parse(text, "test.ini", overrides)),
        list(observables_of(deck)),
        outcome(run_member(make_member_spec(deck))) {
    EXPECT_EQ(outcome.status, MemberStatus::done);
    EXPECT_EQ(outcome.observables.size(), list.size());
  }

  double operator[](std::string_view name) const { return outcome.observables.at(list.index(name)); }

  Deck deck;
  ObservableList list;
  MemberOutcome outcome;
};

}  // namespace rodeo
