#include "experiments/record_genealogy.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_records.hpp"

using namespace clade;
using clade::testing::contains_text;
using clade::testing::genetic_record;
using clade::testing::random_record;

TEST_CASE("an individual is read as generation and member") {
  CHECK(parse_individual("12:3", "--member") == Individual{12, 3});
  CHECK(parse_individual("0:0", "--member") == Individual{0, 0});
  CHECK(parse_individual("4294967295:4294967295", "--member") == Individual{4294967295U, 4294967295U});
  for (const std::string text : {"", ":", "12", "12:", ":3", "12:3:4", "-1:3", "1:-3", "1.5:3", "1e3:0", " 1:2", "1:2 ",
                                 "a:b", "4294967296:0", "0:4294967296", "99999999999999999999:0", "elite"}) {
    INFO(text);
    CHECK_THROWS_WITH(parse_individual(text, "--member"),
                      contains_text("--member '" + text + "': give GENERATION:MEMBER"));
  }
}

TEST_CASE("births are those of the recorded recipes") {
  const RunRecord record = genetic_record(3);
  const Birth initial = recorded_birth(record, {0, 4});
  CHECK(initial.form == PerturbationForm::initial);
  CHECK(initial.key == record.generations[0].members[4].key);
  CHECK_FALSE(initial.parent);
  const GenerationRecord& last = record.generations[3];
  const Birth child = recorded_birth(record, {3, 5});
  CHECK(child.parent == last.ancestors[last.members[5].base]);
  CHECK(child.power == 0.002F);
  CHECK(child.crossover == Crossover::one_point);
  CHECK(child.mate == last.ancestors[last.members[5].mate]);
  CHECK(child.crossover_point == last.members[5].crossover_point);
}

TEST_CASE("a genealogy holds an individual and all its ancestors") {
  const RunRecord record = genetic_record(3, {.generations = 12});
  for (std::uint32_t member = 0; member < 6; ++member) {
    const Individual individual{11, member};
    const Genealogy genealogy = genealogy_of(record, individual);
    const std::vector<Individual> lineage = genealogy.lineage(individual);
    CHECK(genealogy.size() == lineage.size());
    CHECK(lineage.back() == individual);
    CHECK(genealogy.birth(lineage.front()).form == PerturbationForm::initial);
    CHECK(genealogy.chain_length(individual) >= 1);
    for (const Individual& ancestor : lineage) CHECK(genealogy.birth(ancestor) == recorded_birth(record, ancestor));
  }
}

TEST_CASE("an individual that a record does not hold is refused by name") {
  const RunRecord record = genetic_record(3);
  CHECK_THROWS_WITH(genealogy_of(record, {4, 0}),
                    contains_text("individual 4:0: generation 4 has no members in the run file; it holds generations "
                                  "0 to 3"));
  CHECK_THROWS_WITH(genealogy_of(record, {1, 6}),
                    contains_text("individual 1:6: member 6 is not in generation 1, which has 6 members"));
  CHECK_THROWS_WITH(genealogy_of({}, {0, 0}), contains_text("it holds no generation yet"));
}

TEST_CASE("members of an evolution strategy have no lineage") {
  CHECK_THROWS_WITH(genealogy_of(random_record(1), {2, 3}),
                    contains_text("individual 2:3 was made from the solution of clade-test, not from a parent: only "
                                  "genetic algorithms have a lineage"));
}

TEST_CASE("a broken chain is refused by the individual at which it breaks") {
  const RunRecord intact = genetic_record(3);
  const Individual child{3, 0};
  const Individual parent = recorded_birth(intact, child).parent.value();
  const std::string breaks = "lineage of 3:0 breaks at " + individual_text(parent) + ": ";

  RunRecord record = intact;
  record.generations[parent.generation].members.resize(parent.member);
  CHECK_THROWS_WITH(genealogy_of(record, child), contains_text(breaks) && contains_text("is not in generation"));

  record = intact;
  record.generations[parent.generation].members[parent.member].form = PerturbationForm::dense;
  record.generations[parent.generation].ancestors.clear();
  CHECK_THROWS_WITH(genealogy_of(record, child), contains_text(breaks) && contains_text("not from a parent"));

  record = intact;
  record.generations[3].members[0].base = 17;
  CHECK_THROWS_WITH(genealogy_of(record, child), contains_text("individual 3:0: ") && contains_text("17 of 3"));

  record = intact;
  record.generations[3].ancestors.assign(3, child);
  CHECK_THROWS_WITH(genealogy_of(record, child), contains_text("its parent 3:0 is not older"));
}

TEST_CASE("the last elite is that of the last generation that chose one") {
  RunRecord record = genetic_record(3);
  CHECK(last_elite(record) == record.generations[3].validation.elites[0]);
  record.generations[3].validation = {};
  CHECK(last_elite(record) == record.generations[2].validation.elites[0]);
  CHECK_THROWS_WITH(last_elite(random_record(1)),
                    contains_text("the run has no elite: only genetic algorithms and random search choose one, this is "
                                  "clade-test"));
  CHECK_THROWS_WITH(last_elite({}), contains_text("the run has no elite: it holds no generation yet"));
}
