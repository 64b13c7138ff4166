#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "rodeo/implicit/implicit_member.hpp"
#include "rodeo/statics/static_member.hpp"

#include "member/run_members.hpp"
#include "statics/standing_member.hpp"

namespace rodeo {
namespace {

using statics::StandingMember;

/// A member that takes its steps, and where it came back from one of them before the end of that.
struct Taken {
  std::vector<double> positions;
  std::int64_t iterations = 0;
  int cuts = 0;
};

/// Each time that it comes back another one takes over its state if it `moves`.
template <MakeHostMember make>
Taken take_steps(const MemberSpec& spec, bool moves) {
  auto standing = std::make_unique<StandingMember>(spec);
  auto member = make(spec, standing->arrays());
  Taken taken;
  for (std::int64_t step = 0; step < spec.time.steps;) {
    const std::int64_t steps = member->advance({0, step, spec.time.steps - step});
    step += steps;
    if (!member->was_cut()) break;
    if (steps == 0) ++taken.cuts;
    if (!moves) continue;
    StateArchive saved;
    member->visit_state(saved);
    const std::vector<std::byte> bytes = saved.take();
    auto other = std::make_unique<StandingMember>(spec);
    const RodView& all = standing->arrays().all;
    std::copy_n(all.base, rod_size(all.elements, all.circular), other->arrays().all.base);
    member = make(spec, other->arrays());
    StateArchive restored(bytes);
    member->visit_state(restored);
    standing = std::move(other);
  }
  const Sample sample = member->sample();
  EXPECT_FALSE(sample.implicit.failed);
  taken.iterations = sample.implicit.iterations;
  const RodView& all = standing->arrays().all;
  for (int i = 0; i <= all.elements; ++i) {
    const Vec3 place = all.vec3(field::position, i);
    taken.positions.insert(taken.positions.end(), {place.x, place.y, place.z});
  }
  return taken;
}

template <MakeHostMember make>
void expect_the_same_from_cuts(const std::string& deck) {
  const MemberSpec spec = make_member_spec(Deck::parse(deck, "test", {}));
  const Taken one = take_steps<make>(spec, false);
  const Taken many = take_steps<make>(spec, true);
  EXPECT_GT(one.cuts, 0);
  EXPECT_EQ(one.cuts, many.cuts);
  EXPECT_EQ(one.iterations, many.iterations);
  EXPECT_EQ(one.positions, many.positions);
}

/// A step that falls into many parts is not left to its end before anyone may stop the member.
constexpr const char* long_cantilever =
    "[rod]\nelements = 4000\nlength = 1\nradius = 0.01\ndensity = 1000\nyoung_modulus = 1e8\n"
    "poisson_ratio = 0.3\ndirection = 1, 0, 0\nnormal = 0, 0, 1\n[boundary]\nfirst = clamped\n[newton]\n";

TEST(CutSteps, OfEquilibriaGoOnFromWhereTheyWere) {
  expect_the_same_from_cuts<statics::make_member>(
      long_cantilever +
      std::string("iterations = 5\n[time]\nmethod = static\n[load]\nend_force = 0, 9, 0\n"));
}

TEST(CutSteps, OfMotionGoOnFromWhereTheyWere) {
  expect_the_same_from_cuts<implicit::make_member>(
      long_cantilever + std::string("iterations = 2\n[time]\nmethod = implicit\nstep = 0.05\nend = 0.1\n"
                                    "[load]\nend_force = 0, 9, 0\n"));
}

}  // namespace
}  // namespace rodeo
