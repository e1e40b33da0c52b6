#include "core/observation_normalizer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/dense_kernels.hpp"
#include "core/error.hpp"

namespace clade {

void ObservationMoments::add(std::span<const double> observation) {
  CLADE_CHECK(observation.size() == mean_.size());
  ++count_;
  dense_kernels().add_moments(observation.data(), observation.size(), 1.0 / static_cast<double>(count_), mean_.data(),
                              squares_.data());
}

void ObservationMoments::merge(const ObservationMoments& other) {
  if (other.count_ == 0) return;
  CLADE_CHECK(other.mean_.size() == mean_.size());
  // Chan, Golub and LeVeque (1979): with d the difference of the means, the
  // mean moves by d n_b / (n_a + n_b) and the squares gain d^2 n_a n_b / (n_a +
  // n_b). An empty left side takes the other's values exactly.
  const auto ours = static_cast<double>(count_);
  const auto theirs = static_cast<double>(other.count_);
  const double share = theirs / (ours + theirs);
  const double weight = ours * share;
  count_ += other.count_;
  for (std::size_t i = 0; i < mean_.size(); ++i) {
    const double difference = other.mean_[i] - mean_[i];
    mean_[i] += difference * share;
    squares_[i] += other.squares_[i] + difference * difference * weight;
  }
}

void ObservationMoments::save(State& state, const std::string& prefix) const {
  state.set(prefix + "count", std::vector<std::uint64_t>{count_});
  state.set(prefix + "mean", mean_);
  state.set(prefix + "squares", squares_);
}

void ObservationMoments::load(const State& state, const std::string& prefix, std::size_t size) {
  const std::uint64_t count = state.array<std::uint64_t>(prefix + "count", 1).front();
  const auto& mean = state.array<double>(prefix + "mean", size);
  const auto& squares = state.array<double>(prefix + "squares", size);
  count_ = count;
  mean_ = mean;
  squares_ = squares;
}

namespace {

constexpr std::array<std::pair<NormalizationKind, std::string_view>, 3> kKinds{
    {{NormalizationKind::none, "none"}, {NormalizationKind::ars, "ars"}, {NormalizationKind::openai, "openai"}}};

// Mania 2018's code.
constexpr double kArsSmallestStd = 1e-7;
constexpr double kArsEpsilon = 1e-8;

// Salimans 2017's code: the sums start as if this share of an observation of
// mean 0 and variance 1 had been seen.
constexpr double kOpenaiPriorCount = 1e-2;
constexpr double kOpenaiSmallestVariance = 1e-2;
constexpr double kOpenaiClip = 5.0;

NormalizerSnapshot ars_snapshot(const ObservationMoments& moments) {
  NormalizerSnapshot snapshot;
  snapshot.mean.assign(moments.mean().begin(), moments.mean().end());
  for (std::size_t i = 0; i < snapshot.mean.size(); ++i) {
    // Before any data the filter has mean 0 and std 1; after one observation
    // the code takes |mean| for the std.
    double std = 1.0;
    if (moments.count() == 1) std = std::abs(snapshot.mean[i]);
    if (moments.count() > 1) std = std::sqrt(moments.squares()[i] / static_cast<double>(moments.count() - 1));
    if (moments.count() > 0 && std < kArsSmallestStd) std = std::numeric_limits<double>::infinity();
    snapshot.inverse_std.push_back(1.0 / (std + kArsEpsilon));
  }
  return snapshot;
}

NormalizerSnapshot openai_snapshot(const ObservationMoments& moments) {
  NormalizerSnapshot snapshot;
  snapshot.clip = kOpenaiClip;
  const auto count = static_cast<double>(moments.count());
  const double total = count + kOpenaiPriorCount;
  for (std::size_t i = 0; i < moments.mean().size(); ++i) {
    // E[x^2] - mean^2 over data and prior, as Chan's merge of the two: without
    // the cancellation of the raw sums.
    const double mean = moments.mean()[i];
    const double squares = moments.squares()[i] + kOpenaiPriorCount + mean * mean * (count * kOpenaiPriorCount / total);
    snapshot.mean.push_back(mean * (count / total));
    snapshot.inverse_std.push_back(1.0 / std::sqrt(std::max(squares / total, kOpenaiSmallestVariance)));
  }
  return snapshot;
}

}  // namespace

std::string_view name_of(NormalizationKind kind) {
  for (const auto& [entry, name] : kKinds) {
    if (entry == kind) return name;
  }
  CLADE_CHECK(false);  // a value outside the enumeration
  return {};
}

NormalizationKind parse_normalization(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& [kind, entry] : kKinds) {
    if (entry == name) return kind;
    names.emplace_back(entry);
  }
  throw_unknown_name("normalisation", name, names);
}

void ObservationNormalizer::update(std::span<const ObservationMoments> episodes) {
  for (const ObservationMoments& episode : episodes) moments_.merge(episode);
}

NormalizerSnapshot ObservationNormalizer::snapshot() const {
  switch (kind_) {
    case NormalizationKind::ars:
      return ars_snapshot(moments_);
    case NormalizationKind::openai:
      return openai_snapshot(moments_);
    case NormalizationKind::none:
      break;
  }
  return {};
}

void ObservationNormalizer::save(State& state) const {
  state.set("normalizer/kind", std::string(name_of(kind_)));
  moments_.save(state, "normalizer/");
}

void ObservationNormalizer::load(const State& state) {
  const std::string& kind = state.get<std::string>("normalizer/kind");
  if (kind != name_of(kind_)) {
    throw_input_error("saved observation statistics are for normalisation '" + kind + "', this run uses '" +
                      std::string(name_of(kind_)) + "'");
  }
  moments_.load(state, "normalizer/", moments_.mean().size());
}

}  // namespace clade
