#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <csetjmp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>

namespace clade {

/// The functions of libmujoco that Clade calls, found at run time, so that a missing library is a message of ours and
/// not the loader's. The types are those of the headers Clade was built with; the library's version equals theirs.
struct MujocoLibrary {
  std::filesystem::path path;  ///< of the file in use
  std::string version;         ///< "3.17.0"

  decltype(&::mj_loadXML) load_xml = nullptr;
  decltype(&::mj_deleteModel) delete_model = nullptr;
  decltype(&::mj_makeData) make_data = nullptr;
  decltype(&::mj_deleteData) delete_data = nullptr;
  decltype(&::mj_resetData) reset_data = nullptr;
  decltype(&::mj_step) step = nullptr;
  decltype(&::mj_forward) forward = nullptr;
  decltype(&::mj_rnePostConstraint) rne_post_constraint = nullptr;
  decltype(&::mj_name2id) name_to_id = nullptr;
};

/// Opens the library: the environment variable CLADE_MUJOCO_LIBRARY (and then no other place), the build's own copy,
/// the installation's, what the system's loader finds. Directs MuJoCo's messages to Clade: errors raise Error from
/// guarded(), warnings are not printed (what they report is counted in mjData::warning). Throws Error (input) that
/// names the places, or the version found and the one wanted.
std::shared_ptr<const MujocoLibrary> load_mujoco_library();

/// The folder of Gymnasium's model files that holds `file`: the environment variable CLADE_MUJOCO_MODELS (and then no
/// other place), the build's own copy, the installation's. Throws Error (input) that names the places.
std::filesystem::path find_mujoco_model(const std::string& file);

namespace detail {

/// Where MuJoCo's error handler of this thread returns to.
struct MujocoTrap {
  std::jmp_buf place;
  std::array<char, 1024> message;
};

/// Calls function(context); false where MuJoCo raised an error, its text in trap.message.
bool run_trapped(MujocoTrap& trap, void (*function)(void*), void* context);
[[noreturn]] void throw_mujoco_error(const MujocoTrap& trap);

}  // namespace detail

/// Calls `call`, which calls MuJoCo, and throws Error (run_time) where MuJoCo raises an error. MuJoCo's error handler
/// must not return, and an exception must not cross its C frames: the handler jumps back here. `call` therefore owns
/// nothing that needs a destructor. After an error an mjData is good for mj_resetData only.
template <class Call>
void guarded(Call&& call) {
  detail::MujocoTrap trap;
  using Function = std::remove_reference_t<Call>;
  if (!detail::run_trapped(
          trap, [](void* function) { (*static_cast<Function*>(function))(); }, &call)) {
    detail::throw_mujoco_error(trap);
  }
}

}  // namespace clade
