#pragma once

#include <string>

#include "tools/trace_replay.hpp"

namespace clade {

/// Whether the group holds screens and the planes that OpenCV made of them.
bool is_resize_trace(const GoldenFile& file, const std::string& group);

/// Resizes them by Resize::area. Throws Error as replay_trace.
TraceReport replay_resize_trace(const GoldenFile& file, const std::string& group);

}  // namespace clade
