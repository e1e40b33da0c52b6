#include "ga/parent_cache.hpp"

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/error.hpp"
#include "tests/ga/families.hpp"
#include "tests/support/catch.hpp"

using namespace clade;
using namespace clade::testing;

namespace {

using Individuals = std::vector<Individual>;
using Vector = std::vector<float>;

constexpr std::size_t kParameters = 101;
constexpr std::size_t kVectorBytes = kParameters * sizeof(float);

std::unique_ptr<ParentCache> cache_of(std::size_t vectors, const NoiseSource& noise) {
  return std::make_unique<ParentCache>(kParameters, vectors * kVectorBytes, one_scale(kParameters), noise);
}

/// Eight children of 0:0, each with a child of its own.
std::shared_ptr<const Genealogy> brothers() {
  auto genealogy = std::make_shared<Genealogy>();
  genealogy->add({0, 0}, initial_birth(0));
  for (std::uint32_t i = 0; i < 8; ++i) genealogy->add({1, i}, mutation({0, 0}, 10 + i));
  for (std::uint32_t i = 0; i < 8; ++i) genealogy->add({2, i}, mutation({1, i}, 20 + i));
  return genealogy;
}

/// Counter noise that can be made to wait or to fail.
class GatedNoise final : public NoiseSource {
 public:
  void perturb(const PhiloxKey& key, float scale, std::size_t first, std::span<const float> base,
               std::span<float> output) const override {
    ++calls;
    {
      std::unique_lock lock(mutex_);
      opened_.wait(lock, [&] { return open_; });
    }
    if (fails) throw_run_time_error("noise is out");
    noise_->perturb(key, scale, first, base, output);
  }
  void weighted_sum(std::span<const NoiseTerm> terms, std::size_t first, std::span<double> output) const override {
    noise_->weighted_sum(terms, first, output);
  }
  std::string description() const override { return "gated"; }

  void close() {
    const std::lock_guard lock(mutex_);
    open_ = false;
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }

  mutable std::atomic<int> calls{0};
  std::atomic<bool> fails{false};

 private:
  std::unique_ptr<NoiseSource> noise_ = make_counter_noise();
  mutable std::mutex mutex_;
  mutable std::condition_variable opened_;
  bool open_ = true;
};

}  // namespace

TEST_CASE("cached parents and chain replay give the same bits over 500 generations", "[parent_cache]") {
  // Three parents a generation, drawn from those before, as a run has them.
  constexpr std::uint64_t kGenerations = 500;
  const auto noise = make_counter_noise();
  auto growing = std::make_shared<Genealogy>();
  for (std::uint32_t i = 0; i < 3; ++i) growing->add({0, i}, initial_birth(i));
  RandomStream rng(RandomKey{4, Purpose::test, 0, 0, 0});
  const auto none = cache_of(0, *noise);
  const auto one = cache_of(1, *noise);
  const auto two = cache_of(2, *noise);
  const auto large = cache_of(100, *noise);
  for (std::uint64_t g = 1; g <= kGenerations; ++g) {
    Individuals living;
    for (std::uint32_t i = 0; i < 3; ++i) {
      growing->add({g, i}, mutation({g - 1, rng.below(3)}, 3 * g + i, 0.01F));
      living.push_back({g, i});
    }
    const auto now = std::make_shared<const Genealogy>(*growing);
    for (ParentCache* cache : {one.get(), two.get(), large.get()}) cache->retain(now, living);
    for (int request = 0; request < 5; ++request) {
      const Individual who{g, rng.below(3)};
      const Vector expected = *large->weights(*now, who);
      REQUIRE(*two->weights(*now, who) == expected);
      if (g % 100 == 0) REQUIRE(*one->weights(*now, who) == expected);
      if (g % 250 == 0) REQUIRE(*none->weights(*now, who) == expected);
    }
  }
  const Individual last{kGenerations, 1};
  const Vector expected = reference_weights(*growing, last, kParameters, *noise).at(last);
  CHECK(*none->weights(*growing, last) == expected);
  CHECK(*one->weights(*growing, last) == expected);
  CHECK(*two->weights(*growing, last) == expected);
  CHECK(*large->weights(*growing, last) == expected);
  CHECK(none->held_bytes() == 0);
  CHECK(one->held_bytes() == kVectorBytes);
  CHECK(two->held_bytes() == 2 * kVectorBytes);
  // Each parent that had children was built once, from the one before.
  CHECK(large->use().mutations <= 3 * (kGenerations + 1));
}

TEST_CASE("a chain of 100,000 births is replayed in one vector", "[parent_cache]") {
  constexpr std::uint64_t kGenerations = 100'000;
  const auto noise = make_counter_noise();
  const Genealogy genealogy = chain(kGenerations);
  ParentCache cache(3, 0, one_scale(3), *noise);
  CHECK(cache.weights(genealogy, {kGenerations, 0})->size() == 3);
  CHECK(cache.use().mutations == kGenerations + 1);
}

TEST_CASE("hits, misses and replayed births are counted", "[parent_cache]") {
  const auto noise = make_counter_noise();
  const auto genealogy = brothers();
  const auto cache = cache_of(4, *noise);
  CHECK(cache->use().hit_rate() == 0.0);
  cache->weights(*genealogy, {1, 0});  // 0:0 and 1:0
  cache->weights(*genealogy, {1, 0});
  cache->weights(*genealogy, {2, 0});
  cache->weights(*genealogy, {1, 0});
  CHECK(cache->use().hits == 2);
  CHECK(cache->use().misses == 2);
  CHECK(cache->use().mutations == 3);
  CHECK(cache->use().hit_rate() == 0.5);
  CHECK(cache->held_bytes() == 2 * kVectorBytes);
}

TEST_CASE("among equals what was used longest ago leaves first", "[parent_cache]") {
  const auto noise = make_counter_noise();
  const auto genealogy = brothers();
  const auto cache = cache_of(3, *noise);
  const auto misses = [&](const Individual& who) {
    const std::uint64_t before = cache->use().misses;
    cache->weights(*genealogy, who);
    return cache->use().misses - before;
  };
  CHECK(misses({1, 0}) == 1);
  CHECK(misses({1, 1}) == 1);
  CHECK(misses({1, 2}) == 1);
  CHECK(misses({1, 0}) == 0);
  CHECK(misses({1, 3}) == 1);  // 1:1 leaves
  CHECK(cache->held_bytes() == 3 * kVectorBytes);
  CHECK(misses({1, 0}) == 0);
  CHECK(misses({1, 2}) == 0);
  CHECK(misses({1, 3}) == 0);
  CHECK(misses({1, 1}) == 1);  // 1:0 leaves
  CHECK(misses({1, 2}) == 0);
  CHECK(misses({1, 0}) == 1);
}

TEST_CASE("parents of parents stay until their last child is built, whatever was used last", "[parent_cache]") {
  const auto noise = make_counter_noise();
  const auto genealogy = brothers();
  const auto cache = cache_of(9, *noise);
  Individuals old;
  Individuals young;
  for (std::uint32_t i = 0; i < 8; ++i) {
    old.push_back({1, i});
    young.push_back({2, i});
  }
  cache->retain(genealogy, old);
  for (const Individual& who : old) cache->weights(*genealogy, who);
  CHECK(cache->use().mutations == 9);  // their common parent once
  cache->retain(genealogy, young);
  CHECK(cache->held_bytes() == 8 * kVectorBytes);
  for (const Individual& who : young) {
    cache->weights(*genealogy, who);
    cache->weights(*genealogy, young.front());
    CHECK(cache->held_bytes() <= 9 * kVectorBytes);
  }
  CHECK(cache->use().mutations == 17);  // one birth each: no chain was replayed
  cache->retain(genealogy, young);
  CHECK(cache->held_bytes() == 8 * kVectorBytes);
  cache->retain(genealogy, Individuals{{2, 3}});
  CHECK(cache->held_bytes() == kVectorBytes);
  CHECK(cache->use().misses == 16);
}

TEST_CASE("a common past is replayed once for all who share it", "[parent_cache]") {
  // After a resume nothing is held: ten parents whose lines part after 300 generations.
  auto growing = std::make_shared<Genealogy>(chain(300));
  Individuals living;
  for (std::uint32_t i = 0; i < 10; ++i) {
    growing->add({301, i}, mutation({300, 0}, 1000 + i));
    growing->add({302, i}, mutation({301, i}, 2000 + i));
    living.push_back({302, i});
  }
  const auto noise = make_counter_noise();
  const auto cache = cache_of(11, *noise);
  cache->retain(growing, living);
  for (const Individual& who : living) {
    CHECK(*cache->weights(*growing, who) == reference_weights(*growing, who, kParameters, *noise).at(who));
  }
  CHECK(cache->use().mutations == 301 + 20);
}

TEST_CASE("a limit of one vector still gives the right bits", "[parent_cache]") {
  const auto noise = make_counter_noise();
  const auto genealogy = brothers();
  const auto cache = cache_of(1, *noise);
  cache->retain(genealogy, Individuals{{2, 0}, {2, 1}, {2, 2}});
  for (std::uint32_t request = 0; request < 12; ++request) {
    const Individual who{2, request * request % 3};
    CHECK(*cache->weights(*genealogy, who) == reference_weights(*genealogy, who, kParameters, *noise).at(who));
    CHECK(cache->held_bytes() == kVectorBytes);
  }
}

TEST_CASE("weights that were given out stay as they were when the cache lets go of them", "[parent_cache]") {
  const auto noise = make_counter_noise();
  const auto genealogy = brothers();
  const auto cache = cache_of(1, *noise);
  const auto first = cache->weights(*genealogy, {1, 0});
  const Vector before = *first;
  cache->weights(*genealogy, {1, 1});
  cache->weights(*genealogy, {2, 0});
  CHECK(*first == before);
}

TEST_CASE("a limit below one vector is refused", "[parent_cache]") {
  const auto noise = make_counter_noise();
  CHECK_THROWS_WITH(ParentCache(kParameters, kVectorBytes - 1, one_scale(kParameters), *noise),
                    contains_text("parent cache of 403 bytes is below one member of 101 parameters (404 bytes)"));
  CHECK_NOTHROW(ParentCache(kParameters, kVectorBytes, one_scale(kParameters), *noise));
}

TEST_CASE("an unknown individual is refused", "[parent_cache]") {
  const auto noise = make_counter_noise();
  const auto cache = cache_of(2, *noise);
  CHECK_THROWS_WITH(cache->weights(chain(2), {7, 1}), contains_text("7:1"));
  CHECK_NOTHROW(cache->weights(chain(2), {2, 0}));
}

TEST_CASE("threads that want the same vector wait for one that builds it", "[parent_cache]") {
  constexpr int kThreads = 8;
  for (std::size_t vectors : {0U, 1U, 4U}) {
    GatedNoise noise;
    const auto genealogy = brothers();
    const auto cache = cache_of(vectors, noise);
    noise.close();
    std::vector<std::shared_ptr<const Vector>> results(kThreads);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        results[static_cast<std::size_t>(thread)] = cache->weights(*genealogy, {2, 3});
      });
    }
    // All have asked before the first may go on.
    while (cache->use().hits + cache->use().misses < kThreads) std::this_thread::yield();
    noise.open();
    for (std::thread& thread : threads) thread.join();
    CHECK(cache->use().misses == 1);
    CHECK(cache->use().hits == kThreads - 1);
    CHECK(noise.calls == 3);
    for (const auto& result : results) CHECK(result == results.front());
  }
}

TEST_CASE("what the builder throws reaches all who wait, and the next request builds again", "[parent_cache]") {
  constexpr int kThreads = 8;
  GatedNoise noise;
  const auto genealogy = brothers();
  const auto cache = cache_of(4, noise);
  cache->retain(genealogy, Individuals{{1, 0}, {1, 1}});
  noise.close();
  noise.fails = true;
  std::atomic<int> failed{0};
  std::vector<std::thread> threads;
  for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      try {
        cache->weights(*genealogy, {1, thread % 2});  // two builders, one of which waits for the other's 0:0
      } catch (const Error&) {
        ++failed;
      }
    });
  }
  while (cache->use().hits + cache->use().misses < kThreads) std::this_thread::yield();
  noise.open();
  for (std::thread& thread : threads) thread.join();
  CHECK(failed == kThreads);
  CHECK(cache->use().misses == 2);
  CHECK(cache->held_bytes() == 0);
  noise.fails = false;
  const Individual who{1, 1};
  CHECK(*cache->weights(*genealogy, who) == reference_weights(*genealogy, who, kParameters, noise).at(who));
}

TEST_CASE("threads that want all sorts of vectors from caches of any size get the right ones", "[parent_cache]") {
  constexpr std::uint32_t kThreads = 8;
  const auto noise = make_counter_noise();
  auto growing = std::make_shared<Genealogy>();
  constexpr std::uint32_t kMembers = 5;
  RandomStream rng(RandomKey{5, Purpose::test, 0, 0, 0});
  for (std::uint32_t i = 0; i < kMembers; ++i) growing->add({0, i}, initial_birth(i));
  for (std::uint64_t g = 1; g <= 12; ++g) {
    for (std::uint32_t i = 0; i < kMembers; ++i) {
      const Individual parent{g - 1, rng.below(kMembers)};
      const Individual mate{g - 1, rng.below(kMembers)};
      const std::uint64_t key = kMembers * g + i;
      growing->add({g, i}, rng.below(2) == 0 && !(parent == mate) ? crossing(parent, mate, key, Crossover::uniform)
                                                                  : mutation(parent, key));
    }
  }
  std::map<Individual, Vector> expected;
  Individuals living;
  for (std::uint64_t g = 11; g <= 12; ++g) {
    for (std::uint32_t i = 0; i < kMembers; ++i) {
      living.push_back({g, i});
      expected[living.back()] = reference_weights(*growing, living.back(), kParameters, *noise).at(living.back());
    }
  }
  for (std::size_t vectors : {0U, 1U, 3U, 40U}) {
    const auto cache = cache_of(vectors, *noise);
    cache->retain(growing, living);
    std::barrier start(kThreads);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        RandomStream draws(RandomKey{6, Purpose::test, 0, thread, 0});
        start.arrive_and_wait();
        for (int request = 0; request < 30; ++request) {
          const Individual who = living[draws.below(static_cast<std::uint32_t>(living.size()))];
          if (*cache->weights(*growing, who) != expected.at(who)) ++wrong;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
    CHECK(cache->held_bytes() <= vectors * kVectorBytes);
    CHECK(cache->use().hits + cache->use().misses == 30 * kThreads);
  }
}
