#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "messages.hpp"

namespace rodeo {
namespace {

using test::complete_deck;
using test::message_of;
using test::says;

/// A deck whose formula names a table beside it, in a folder of the test's own.
class TableFile : public ::testing::Test {
 protected:
  TableFile() { std::filesystem::create_directory(folder_); }
  ~TableFile() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  Deck deck(const std::string& table, const std::string& formula = "table(push.csv, t, right)") const {
    write("push.csv", table);
    return Deck::read(
        write("deck.ini", complete_deck + "[actuation]\nforce = x, end : 2 * " + formula + "\n"));
  }

  std::string error(const std::string& table,
                    const std::string& formula = "table(push.csv, t, right)") const {
    return message_of([&] { make_member_spec(deck(table, formula)); });
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("rodeo_table_file_" + std::to_string(getpid()));
};

const std::string push = "# made by hand\ntime, left, right\n0, 0, 1\n0.5, 0, 3   # most\n\n2,0, 0\n";

TEST_F(TableFile, IsPartOfTheDeck) {
  const Deck read = deck(push);
  const Formula formula = make_member_spec(read).actuation.at(0).formula;
  EXPECT_EQ(formula.value(0.25), 4.0);
  EXPECT_EQ(formula.value(0.5), 6.0);
  EXPECT_EQ(formula.value(3.0), 0.0);
  // As a stored deck has it, without the file.
  const Deck stored = Deck::parse_stored(read.resolved(), "stored");
  EXPECT_EQ(make_member_spec(stored).actuation.at(0).formula.value(0.25), 4.0);
  EXPECT_EQ(read.first_difference(stored), no_key);
  EXPECT_EQ(deck("time,right\n0,0\n1,1\n").first_difference(read), "table.column"_key);
}

TEST_F(TableFile, SaysWhatIsWrong) {
  const std::string nul(1, '\0');
  EXPECT_TRUE(
      says(error(push, "table(pull.csv, t, right)"), {"pull.csv: cannot read this table (actuation.force"}));
  EXPECT_TRUE(says(error(push, "table(push.csv, t, rigth)"), {"deck.ini:12: actuation.force", "character 20",
                                                              "no column of push.csv; did you mean right?"}));
  EXPECT_TRUE(says(error(push, "table(push.csv, t)"), {"table(FILE, X, COLUMN)"}));
  EXPECT_TRUE(
      says(error("time, right\n0, 1\n0, 2\n"),
           {"deck.ini:12: actuation.force", "the first column of a table", "push.csv goes from 0 to 0"}));
  EXPECT_TRUE(says(error("time, right\n0, 1, 2\n"), {"push.csv:2", "3 fields in this row, and 2 names"}));
  EXPECT_TRUE(says(error("time, right\n0, one\n"), {"push.csv:2", "'one' is not a finite decimal number"}));
  EXPECT_TRUE(says(error("time, right\n"), {"no line of names with rows below it"}));
  EXPECT_TRUE(
      says(error("time, right, right\n0, 1, 2\n"), {"push.csv:1:14: there is a column right already"}));
  EXPECT_TRUE(says(error("time, , right\n0, 1, 2\n"), {"push.csv:1:7: a column without a name"}));
  EXPECT_TRUE(says(error("time, right\nnan, 1\n"), {"push.csv:2:1: 'nan' is not a finite decimal number"}));
  EXPECT_TRUE(says(error("time; right\n0; 1\n"), {"push.csv:1:5: a semicolon; commas"}));
  EXPECT_TRUE(says(error("time, right\n0, 1" + nul + "5\n"), {"push.csv:2: a control character"}));
  EXPECT_TRUE(says(message_of([&] { deck(push, "table(/dev/zero, t, right)"); }),
                   {"/dev/zero:1: a control character", "this table (actuation.force"}));
}

/// Of every key whose lines hold formulas.
TEST_F(TableFile, IsReadWhereverAFormulaNamesIt) {
  write("w.csv", "i, W\n1, 1\n2, -2\n3, 3\n4, 4\n");
  write("only.csv", "W\n3\n-2\n3\n4\n");
  const auto spec_with = [&](const std::string& lines) {
    return make_member_spec(Deck::read(write("deck.ini", complete_deck + lines)));
  };
  const std::string control =
      "[control]\ninterval = 0.01\nsignal = s1 [m] : table(w.csv, 2, W)\n"
      "network = q[2] : linear of s1 with table(only.csv, W)\n"
      "output = u : table(w.csv, q[0], W)\n[actuation]\nforce = x, end : u\n";
  EXPECT_EQ(spec_with(control).control.networks.at(0).weights, (std::vector<double>{3.0, -2.0, 3.0, 4.0}));
  const MemberSpec moving = spec_with("[rod]\nstart_velocity = 0, 0, table(w.csv, 1 + s, W)\n");
  ASSERT_TRUE(moving.rod.start);
  EXPECT_DOUBLE_EQ(moving.rod.start->velocities.back().z, -2.0);
  EXPECT_DOUBLE_EQ(
      spec_with("[ground]\nplaten = 0, 0, 3, 0, 0, -1 : 0, 0, table(w.csv, t, W)\nstiffness = 1\n")
          .ground.platen.course.at(2)
          .value(4.0),
      4.0);
  EXPECT_DOUBLE_EQ(spec_with("[connection]\nspring = start to end : stiffness table(w.csv, 3, W)\n")
                       .connections.at(0)
                       .stiffness.value(),
                   3.0);
  for (const KeyInfo& info : key_table())
    EXPECT_TRUE(!info.formulas || info.type == ValueType::text) << info.name;
  EXPECT_TRUE(says(message_of([&] {
                     make_member_spec(
                         Deck::read(write("deck.ini", complete_deck + "[rod]\ncount = 2\neach = rod.length : "
                                                                      "list(table(w.csv, 1, W), 2)\n")));
                   }),
                   {"rod.each", "tables have no part in this line"}));
}

}  // namespace
}  // namespace rodeo
