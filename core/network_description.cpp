#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/network.hpp"

namespace clade {

namespace {

template <class Enumeration, std::size_t size>
using NameTable = std::array<std::pair<Enumeration, std::string_view>, size>;

constexpr NameTable<Activation, 5> kActivations{{{Activation::identity, "identity"},
                                                 {Activation::tanh, "tanh"},
                                                 {Activation::relu, "relu"},
                                                 {Activation::elu, "elu"},
                                                 {Activation::sigmoid, "sigmoid"}}};

constexpr NameTable<Initialisation, 5> kInitialisations{{{Initialisation::zero, "zero"},
                                                         {Initialisation::normc, "normc"},
                                                         {Initialisation::fan_in, "fan_in"},
                                                         {Initialisation::uber, "uber"},
                                                         {Initialisation::uniform, "uniform"}}};

constexpr NameTable<Padding, 2> kPaddings{{{Padding::same, "same"}, {Padding::valid, "valid"}}};

template <class Enumeration, std::size_t size>
std::string_view find_name(const NameTable<Enumeration, size>& table, Enumeration value) {
  for (const auto& [entry, name] : table) {
    if (entry == value) return name;
  }
  CLADE_CHECK(false);  // a value outside the enumeration
  return {};
}

template <class Enumeration, std::size_t size>
Enumeration find_value(const NameTable<Enumeration, size>& table, std::string_view what, std::string_view wanted) {
  std::vector<std::string> names;
  for (const auto& [value, name] : table) {
    if (name == wanted) return value;
    names.emplace_back(name);
  }
  throw_unknown_name(what, wanted, names);
}

/// The published networks by their names: Such et al. 2017 (Uber's source), Mnih et al. 2015.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPublished{
    {{"model", "conv:16@8/4,32@4/2;fc:256"},
     {"large_model", "conv:32@8/4,64@4/2,64@3/1;fc:512"},
     {"model_vbn", "conv:16@8/4,32@4/2;fc:256;vbn"},
     {"nature", "conv:32@8/4,64@4/2,64@3/1:valid;fc:512"}}};

constexpr std::string_view kForms =
    "expected linear, linear:nobias, mlp:64,64:tanh or conv:32@8/4,64@4/2:same;fc:512:relu";

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// A whole number from 1 to 2^32 - 1; 0 where the text is none.
std::size_t size_or_zero(std::string_view text) {
  std::size_t size = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), size);
  const bool whole = status == std::errc{} && end == text.data() + text.size();
  return whole && size <= std::numeric_limits<std::uint32_t>::max() ? size : 0;
}

[[noreturn]] void refuse(std::string_view description, const std::string& reason) {
  throw_input_error("network '" + std::string(description) + "': " + reason);
}

std::vector<std::size_t> parse_layer_sizes(std::string_view text, std::string_view description) {
  std::vector<std::size_t> sizes;
  for (std::string_view word : split(text, ',')) {
    sizes.push_back(size_or_zero(word));
    if (sizes.back() == 0) {
      refuse(description, "'" + std::string(word) +
                              "' is not a layer size; give whole numbers from 1 on, as in mlp:64,64:tanh or fc:512");
    }
  }
  return sizes;
}

ConvolutionSpec parse_convolution(std::string_view text, std::string_view description) {
  const std::size_t at = text.find('@');
  const std::size_t slash = text.find('/');
  ConvolutionSpec spec;
  if (at != std::string_view::npos && slash != std::string_view::npos && at < slash) {
    spec.filters = size_or_zero(text.substr(0, at));
    spec.kernel = size_or_zero(text.substr(at + 1, slash - at - 1));
    spec.stride = size_or_zero(text.substr(slash + 1));
  }
  if (spec.filters == 0 || spec.kernel == 0 || spec.stride == 0) {
    refuse(description, "'" + std::string(text) +
                            "' is not a convolution; give filters@kernel/stride in whole numbers from 1 on, as in "
                            "32@8/4");
  }
  return spec;
}

/// One part of a description: words between colons, read one after the other.
class Part {
 public:
  Part(std::string_view text, std::string_view description) : words_(split(text, ':')), description_(description) {}

  std::string_view kind() const { return words_.front(); }
  /// Takes "nobias" where it stands last.
  bool take_no_bias() {
    if (words_.size() < 2 || words_.back() != "nobias") return false;
    words_.pop_back();
    return true;
  }
  bool more() const { return next_ < words_.size(); }
  std::string_view peek() const { return words_[next_]; }
  std::string_view take() { return words_[next_++]; }
  void end() const {
    if (more()) refuse(description_, "nothing known as '" + std::string(peek()) + "'; " + std::string(kForms));
  }

 private:
  std::vector<std::string_view> words_;
  std::size_t next_ = 1;
  std::string_view description_;
};

void parse_convolutions(Part& part, std::string_view description, NetworkSpec& spec) {
  if (!part.more()) refuse(description, "conv names no convolutions; " + std::string(kForms));
  for (std::string_view text : split(part.take(), ',')) {
    spec.convolutions.push_back(parse_convolution(text, description));
  }
  if (!part.more()) return;
  std::vector<std::string> names;
  for (const auto& [padding, name] : kPaddings) {
    names.emplace_back(name);
    if (part.peek() != name) continue;
    spec.padding = padding;
    part.take();
    return;
  }
  for (const auto& [activation, name] : kActivations) {
    names.emplace_back(name);
    if (part.peek() == name) return;
  }
  throw_unknown_name("padding or activation", part.peek(), names);
}

std::string list_of(const std::vector<std::size_t>& sizes) {
  std::string text;
  for (std::size_t size : sizes) text += (text.empty() ? "" : ",") + std::to_string(size);
  return text;
}

}  // namespace

std::string_view name_of(Activation activation) { return find_name(kActivations, activation); }
std::string_view name_of(Initialisation initialisation) { return find_name(kInitialisations, initialisation); }
Activation parse_activation(std::string_view name) { return find_value(kActivations, "activation", name); }
Initialisation parse_initialisation(std::string_view name) {
  return find_value(kInitialisations, "initialisation", name);
}

std::string NetworkSpec::description() const {
  std::string text;
  if (!convolutions.empty()) {
    text = "conv:";
    for (const ConvolutionSpec& convolution : convolutions) {
      if (&convolution != &convolutions.front()) text += ',';
      text += std::to_string(convolution.filters) + "@" + std::to_string(convolution.kernel) + "/" +
              std::to_string(convolution.stride);
    }
    if (padding != Padding::same) text += ":" + std::string(find_name(kPaddings, padding));
    if (!hidden.empty()) text += ";fc:" + list_of(hidden);
    if (activation != Activation::relu) text += ":" + std::string(name_of(activation));
  } else if (!hidden.empty()) {
    text = "mlp:" + list_of(hidden) + ":" + std::string(name_of(activation));
  } else {
    text = "linear";
  }
  if (!bias) text += ":nobias";
  if (virtual_batch_norm) text += ";vbn";
  return text;
}

NetworkSpec parse_network(std::string_view description) {
  for (const auto& [name, meaning] : kPublished) {
    if (description == name) return parse_network(meaning);
  }
  NetworkSpec spec;
  std::vector<std::string_view> parts = split(description, ';');
  if (parts.size() > 1 && parts.back() == "vbn") {
    spec.virtual_batch_norm = true;
    parts.pop_back();
  }
  std::size_t read = 1;
  const auto read_activation = [&](Part& part) {
    if (part.more()) spec.activation = parse_activation(part.take());
    part.end();
  };
  Part first(parts.front(), description);
  if (first.kind() == "conv") {
    spec.activation = Activation::relu;
    if (parts.size() > 1 && split(parts[1], ':').front() == "fc") {
      parse_convolutions(first, description, spec);
      first.end();
      Part second(parts[read++], description);
      spec.bias = !second.take_no_bias();
      if (!second.more()) refuse(description, "fc names no layers; " + std::string(kForms));
      spec.hidden = parse_layer_sizes(second.take(), description);
      read_activation(second);
    } else {
      spec.bias = !first.take_no_bias();
      parse_convolutions(first, description, spec);
      read_activation(first);
    }
  } else if (first.kind() == "mlp") {
    spec.bias = !first.take_no_bias();
    if (!first.more()) refuse(description, "mlp names no hidden layers; " + std::string(kForms));
    spec.hidden = parse_layer_sizes(first.take(), description);
    read_activation(first);
  } else if (first.kind() == "linear") {
    spec.bias = !first.take_no_bias();
    first.end();
  } else {
    std::vector<std::string> kinds{"linear", "mlp", "conv"};
    for (const auto& [name, meaning] : kPublished) kinds.emplace_back(name);
    throw_unknown_name("network", first.kind(), kinds);
  }
  if (read < parts.size()) {
    refuse(description, "nothing known as '" + std::string(parts[read]) + "'; behind a semicolon come fc:512 (after " +
                            "conv) and vbn");
  }
  if (spec.virtual_batch_norm && spec.convolutions.empty() && spec.hidden.empty()) {
    refuse(description, "vbn normalises hidden layers, and there are none; leave it out");
  }
  return spec;
}

}  // namespace clade
