#include "experiments/stored_genomes.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "experiments/record_genealogy.hpp"
#include "ga/parent_cache.hpp"

namespace clade {

std::shared_ptr<const std::vector<float>> recorded_weights(const RunRecord& record, const Individual& individual,
                                                           const GenomeLayout& layout, const NoiseSource& noise) {
  const Genealogy genealogy = genealogy_of(record, individual);
  constexpr std::size_t kNothingHeld = 0;
  ParentCache replay(layout.parameter_count, kNothingHeld, layout.initial_scales, noise);
  return replay.weights(genealogy, individual);
}

std::optional<Individual> elite_after(const RunRecord& record, std::uint64_t generation) {
  for (std::uint64_t before = std::min<std::uint64_t>(generation, record.generations.size()); before > 0; --before) {
    const std::vector<Individual>& elites = record.generations[before - 1].validation.elites;
    if (!elites.empty()) return elites.front();
  }
  return std::nullopt;
}

std::vector<double> elite_solution(const RunRecord& record, const Network& network) {
  const auto configured = [&](const std::string& key) {
    const auto entry = std::ranges::find(record.configuration, key, &ConfigEntry::key);
    if (entry == record.configuration.end()) throw_input_error("the run file does not say the run's --" + key);
    return entry->value;
  };
  constexpr int kThreads = 1;
  const GenomeLayout layout = genome_layout(network, parse_initialisation(configured("initialisation")));
  const std::unique_ptr<NoiseSource> noise = make_noise(configured("noise"), kThreads);
  const auto weights = recorded_weights(record, last_elite(record), layout, *noise);
  return {weights->begin(), weights->end()};
}

}  // namespace clade
