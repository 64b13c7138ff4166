#include "forces/law_checks.hpp"
#include "line_spring/law.hpp"

TEST(LineSpring, DoesWhatItSays) {
  rodeo::check_law(rodeo::own::LineSpring{{0.3, -0.1, 0.2}, {1, 2, -1}, 3.0, 0.5});
}
