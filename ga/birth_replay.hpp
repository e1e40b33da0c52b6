#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/noise.hpp"
#include "ga/genealogy.hpp"

namespace clade {

using Weights = std::shared_ptr<const std::vector<float>>;
/// Weights that are there or that another thread is building.
using PromisedWeights = std::shared_future<Weights>;

/// The births that lead to one individual from ancestors whose weights are known, replayed oldest first. A vector is
/// altered in place where only the next birth needs it, so that a chain takes one vector, and is freed after its last
/// use. The bits are those of the recipes (MemberWeights).
class BirthReplay {
 public:
  /// `known` is asked once for each individual on the way, the youngest first; the births of those it gives weights for
  /// are left out. `kept` says which of the others to hand out beside the individual itself.
  BirthReplay(const Genealogy& genealogy, const Individual& individual,
              const std::function<std::optional<PromisedWeights>(const Individual&)>& known,
              const std::function<bool(const Individual&)>& kept);

  std::size_t births() const { return steps_.size(); }
  std::vector<Individual> kept() const;     ///< oldest first, the individual itself last
  std::vector<Individual> sources() const;  ///< those whose weights are known

  /// Once; hands out the weights of kept() in their order. Waits for promised weights and throws what they throw.
  void run(std::size_t parameter_count, const std::shared_ptr<const std::vector<InitialScale>>& scales,
           const NoiseSource& noise, const std::function<void(const Individual&, const Weights&)>& hand_out);

 private:
  struct Step {
    Birth birth;
    bool kept = false;
  };
  /// Weights on the way and how many births still need them.
  struct Value {
    std::size_t uses = 0;
    PromisedWeights known;
    std::shared_ptr<std::vector<float>> own;  ///< may be altered by the last birth that needs it
    Weights get() const { return own != nullptr ? Weights(own) : known.get(); }
  };
  /// Takes away one use: the vector itself where it was the last one and is ours, else nothing.
  std::shared_ptr<std::vector<float>> take(const Individual& individual);

  std::map<Individual, Step> steps_;
  std::map<Individual, Value> values_;
};

}  // namespace clade
