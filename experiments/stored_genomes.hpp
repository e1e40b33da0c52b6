#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/network.hpp"
#include "core/noise.hpp"
#include "core/population.hpp"
#include "core/run_record.hpp"
#include "ga/genome_layout.hpp"

namespace clade {

/// The weights of any individual that a genetic algorithm's run recorded: its whole chain of mutations replayed, the
/// bits that it played with. `noise` is the run's. Throws Error as genealogy_of.
std::shared_ptr<const std::vector<float>> recorded_weights(const RunRecord& record, const Individual& individual,
                                                           const GenomeLayout& layout, const NoiseSource& noise);

/// The first elite after `generation` generations; empty where there was none yet.
std::optional<Individual> elite_after(const RunRecord& record, std::uint64_t generation);

/// The weights of the elite that the run chose last, made from the record alone. `network` is the run's. Throws Error
/// where it has none.
std::vector<double> elite_solution(const RunRecord& record, const Network& network);

}  // namespace clade
