#include "core/digest.hpp"

#include <array>
#include <cinttypes>
#include <cstdio>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace clade {

struct Digest::State {
  XXH3_state_t hash;
};

Digest::Digest() : state_(std::make_unique<State>()) {
  XXH3_INITSTATE(&state_->hash);
  XXH3_128bits_reset(&state_->hash);
}

Digest::~Digest() = default;

void Digest::add(std::span<const std::byte> bytes) {
  if (!bytes.empty()) XXH3_128bits_update(&state_->hash, bytes.data(), bytes.size());
}

std::string Digest::hex() const {
  const XXH128_hash_t value = XXH3_128bits_digest(&state_->hash);
  std::array<char, 33> text{};
  std::snprintf(text.data(), text.size(), "%016" PRIx64 "%016" PRIx64, std::uint64_t{value.high64},
                std::uint64_t{value.low64});
  return text.data();
}

std::string short_digest(std::span<const std::byte> bytes) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016" PRIx64, std::uint64_t{XXH3_64bits(bytes.data(), bytes.size())});
  return text.data();
}

}  // namespace clade
