#pragma once

#include <map>
#include <string>

#include "core/run_record.hpp"
#include "experiments/run_settings.hpp"
#include "experiments/run_task.hpp"

namespace clade {

/// The stretch of computing that begins now, before generation `first_generation`: its command line, the time, and what
/// decides bits outside the configuration (libraries, models, ROMs, the reference batch).
SessionRecord begin_session(const RunSettings& settings, const RunTask& task, std::uint64_t first_generation, int argc,
                            const char* const* argv);

/// What stays fixed over a run's sessions: versions, checksums, the network, the machine.
std::map<std::string, std::string> run_provenance(const RunSettings& settings, const RunTask& task);

/// "clade-es-CartPole-v1-seed0.h5"
std::string default_file_name(const std::string& program, const RunSettings& settings, const RunTask& task);

}  // namespace clade
