#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace clade {

/// XXH3 with 128 bits over all that was added: finds accidents, not forgeries.
class Digest {
 public:
  Digest();
  ~Digest();
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text) { add(std::as_bytes(std::span(text.data(), text.size()))); }
  /// 32 hexadecimal digits, the high half first.
  std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// XXH3 with 64 bits, as 16 hexadecimal digits.
std::string short_digest(std::span<const std::byte> bytes);

}  // namespace clade
