#include "rodeo/input/listing.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "rodeo/input/command_line.hpp"
#include "rodeo/input/need.hpp"
#include "rodeo/input/number_text.hpp"
#include "rodeo/models/models.hpp"
#include "rodeo/observe/observables.hpp"

#include "messages.hpp"

namespace rodeo {
namespace {

using test::message_of;
using test::says;

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (const std::string_view line : split(text, '\n')) longest = std::max(longest, line.size());
  return longest;
}

/// Lines that begin at the margin: one for each entry.
std::ptrdiff_t entries(const std::string& text) {
  return std::ranges::count_if(split(text, '\n'), [](std::string_view line) { return !line.empty(); }) - [&] {
    std::ptrdiff_t indented = 0;
    for (std::size_t at = text.find("\n "); at != text.npos; at = text.find("\n ", at + 1)) ++indented;
    return indented;
  }();
}

TEST(Listing, WrapsParagraphsBesideTheirNames) {
  const std::string long_text(60, 'a');
  EXPECT_EQ(listing({{"name", {"one", long_text + " " + long_text}}, {"n", {"two"}}}),
            "name  one\n      " + long_text + "\n      " + long_text + "\nn     two\n");
  const std::string name(31, 'n');
  EXPECT_EQ(listing({{name, {"text"}}}), name + "\n    text\n");
}

TEST(Listing, HasEveryKeyInAHundredColumns) {
  const std::string all = key_listing("");
  EXPECT_EQ(entries(all), static_cast<std::ptrdiff_t>(key_table().size()));
  EXPECT_LE(longest_line(all), 100u);
  const std::string some = key_listing("rod.twist");
  EXPECT_EQ(entries(some), 2);
  EXPECT_TRUE(says(some, {"rod.twist_stiffness ", "rod.twist_to_bend_ratio "}));
  EXPECT_TRUE(says(key_listing("time.slice_steps"),
                   {"time.slice_steps  integer in [1, 1000000000]; unit 1; default 1000", "health"}));
  EXPECT_TRUE(says(key_listing("contact.stiffness"), {"no default; needs contact.kind = penalty"}));
}

TEST(Listing, HasEveryObservableInAHundredColumns) {
  const std::string all = observable_listing("");
  EXPECT_EQ(entries(all), static_cast<std::ptrdiff_t>(observables.size()));
  EXPECT_LE(longest_line(all), 100u);
  EXPECT_TRUE(says(observable_listing("end_x"),
                   {"end_x  x of the last node", "unit m; model cosserat, der, rigid\n"}));
  EXPECT_TRUE(says(observable_listing("forward_speed"),
                   {"unit m/s; at the end only; model cosserat, der, rigid; needs muscle.period"}));
  EXPECT_TRUE(says(observable_listing("fluid_force"), {"model der; needs fluid.kind = stokeslets, and"}));
  EXPECT_TRUE(says(observable_listing("function_value"), {"model function"}));
}

TEST(Listing, SaysWhatIsNearToAPatternThatNothingHas) {
  const auto keys = [](const char* pattern) {
    return message_of<CommandLineError>([&] { key_listing(pattern); });
  };
  EXPECT_EQ(keys("zzz"), "no key has 'zzz' in its name");
  EXPECT_EQ(keys("rod.lenght"), "no key has 'rod.lenght' in its name; did you mean rod.length?");
  EXPECT_EQ(message_of<CommandLineError>([] { observable_listing("end_forse"); }),
            "no observable has 'end_forse' in its name; did you mean end_force?");
}

/// The lines of a feature in the listing, as one.
std::string lines_of(const ModelFeature& feature) {
  std::string flat = feature_listing();
  const std::size_t begin = flat.find(std::string("\n\n").append(feature.name).append("\n"));
  EXPECT_NE(begin, std::string::npos) << feature.name;
  std::string text = flat.substr(begin + 2, flat.find("\n\n", begin + 2) - begin - 2);
  for (std::size_t at = text.find("\n    "); at != text.npos; at = text.find("\n    ", at))
    text.replace(at, 5, " ");
  return text;
}

TEST(Listing, ComparesTheModels) {
  const std::string text = feature_listing();
  EXPECT_LE(longest_line(text), 100u);
  EXPECT_TRUE(
      says(text, {"cosserat", "der", "asked for by", "contact.kind = imc", "model.precision = single"}));
  for (const ModelFeature& feature : model_features) {
    const std::string asked =
        feature.asked == asked_always ? "" : " asked for by " + std::string(feature.asked);
    EXPECT_TRUE(lines_of(feature).starts_with(std::string(feature.name) + asked)) << lines_of(feature);
  }
}

TEST(Listing, SaysWhyModelsLackWhatTheyLack) {
  int gaps = 0;
  for (std::size_t place = 0; place < model_features.size(); ++place)
    EXPECT_FALSE(model_of(ModelKind::noop).has(place)) << model_features[place].name;
  for (const Model& model : model_table) {
    for (std::size_t place = 0; place < model_features.size(); ++place) {
      EXPECT_EQ(model.lacks.has(place), !model.lacks.reason(place).empty());
      if (!model.has_rods) continue;
      const std::string text = lines_of(model_features[place]);
      const std::string reason = ": " + std::string(model.lacks.reason(place));
      const std::size_t end = model.has(place) ? text.npos : text.find(reason);
      ASSERT_EQ(end == text.npos, model.has(place)) << text;
      if (end == text.npos) {
        const std::string name(variant(model));
        for (const std::string& before : {"not " + name, ", " + name}) {
          EXPECT_EQ(text.find(before + ":"), text.npos) << text;
          EXPECT_EQ(text.find(before + ","), text.npos) << text;
        }
        continue;
      }
      ++gaps;
      const std::size_t begin = text.rfind(" not ", end) + 5;
      const std::string who = ", " + text.substr(begin, end - begin) + ",";
      EXPECT_NE(who.find(", " + std::string(variant(model)) + ","), std::string::npos) << text;
    }
  }
  EXPECT_GT(gaps, 10);
}

TEST(ModelFeatures, OfASchemeAreRefusedWithTheKeyToChange) {
  const auto error = [](const std::vector<std::string>& overrides) {
    std::vector<std::string> all = {"model.kind=der", "time.scheme=sdirk2"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    return test::spec_error(test::complete_deck, all);
  };
  EXPECT_TRUE(
      says(error({"contact.kind=imc", "contact.tolerance=1e-4"}),
           {"contact.kind", "time.scheme = sdirk2 (command line) has no contact by an implicit potential",
            "time.scheme = backward_euler has"}));
  EXPECT_TRUE(says(error({"ground.kind=plane"}), {"time.scheme = sdirk2 (command line) has no ground",
                                                  "time.scheme = backward_euler has: "}));
  EXPECT_TRUE(says(error({"ground.platen=0, 9, 9, 0, 0, -1 : 0, 0, t"}),
                   {"ground.platen", "time.scheme = sdirk2 (command line) has no planes that move",
                    "time.scheme = backward_euler has: "}));
  EXPECT_TRUE(says(test::effects_error(test::complete_deck, {"time.scheme=sdirk2"}),
                   {"time.scheme", "no effect", "it needs model.kind = der or time.method = implicit"}));
}

TEST(ModelFeatures, AreRefusedByTheTableThatIsPrinted) {
  // A deck for each feature that asks for it and for nothing else that a model may lack.
  const std::vector<std::pair<std::string_view, std::vector<std::string>>> askers = {
      {"sections that narrow as rods stretch", {"model.section=incompressible"}},
      {"single precision", {"model.precision=single"}},
      {"steps on a device", {"model.device=gpu"}},
      {"ends held by a whole element", {"boundary.last=clamped_element"}},
      {"a ground that answers the net force",
       {"ground.kind=plane", "ground.origin=0, -9, 0", "ground.response=net_force"}},
      {"Stokeslets", {"fluid.viscosity=1", "fluid.kind=stokeslets"}},
      {"contact by penalty forces", {"contact.kind=penalty", "contact.stiffness=1"}},
      {"contact by an implicit potential", {"contact.kind=imc", "contact.tolerance=1e-4"}},
      {"contact by an implicit barrier", {"contact.kind=ipc", "contact.tolerance=1e-4"}},
  };
  for (const auto& [name, asked] : askers) {
    const auto* const feature = std::ranges::find(model_features, name, &ModelFeature::name);
    ASSERT_NE(feature, model_features.end()) << name;
    const auto place = static_cast<std::size_t>(feature - model_features.begin());
    for (const ModelKind kind : {ModelKind::cosserat, ModelKind::der}) {
      const std::string model(model_of(kind).name);
      std::vector<std::string> overrides = asked;
      overrides.push_back("model.kind=" + model);
      if (model_of(kind).has(place)) {
        EXPECT_NO_THROW(test::spec_of(test::complete_deck, overrides)) << name;
      } else {
        const std::string error = test::spec_error(test::complete_deck, overrides);
        EXPECT_TRUE(says(error, {"command line: ",
                                 "model.kind = " + model + " (command line) has no " + std::string(name)}));
        EXPECT_TRUE(error.ends_with(model_of(kind).lacks.reason(place))) << error;
      }
    }
  }
  const auto refusable = [](std::size_t place) {
    return model_features[place].asked != asked_always &&
           !(model_of(ModelKind::cosserat).has(place) && model_of(ModelKind::der).has(place));
  };
  std::set<std::string_view> tested;
  for (const auto& [name, asked] : askers) tested.insert(name);
  for (std::size_t place = 0; place < model_features.size(); ++place) {
    const std::string_view name = model_features[place].name;
    EXPECT_EQ(tested.contains(name), refusable(place)) << name;
  }
}

}  // namespace
}  // namespace rodeo
