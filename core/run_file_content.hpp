#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/run_record.hpp"

namespace clade {

/// The HDF5 file of a record, as docs/run_file.md lays it out; its first kRunFileBlockBytes are free. The same record
/// gives the same bytes. Throws Error where memory is short (run_time), or where the record contradicts itself
/// (check_run_record): it could not be read back.
std::vector<std::byte> encode_run_record(const RunRecord& record);

/// The record of a file whose block has been checked. Throws Error (input) naming the object that is not as it should
/// be: such a file was not written by Clade.
RunRecord decode_run_record(std::span<const std::byte> file);

}  // namespace clade
