#include "envs/mujoco_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/error.hpp"
#include "envs/installed_files.hpp"

namespace clade {
namespace {

/// The innermost guarded call of this thread. MuJoCo's handler takes no context, so that this cannot be an argument.
thread_local detail::MujocoTrap* current_trap = nullptr;

/// MuJoCo's log handler: see load_mujoco_library().
void handle_message(const mjLogMessage* message) {
  if (message->level != mjLOG_ERROR) return;
  if (current_trap == nullptr) {
    // Not one of our calls. The handler must not return, and MuJoCo's own would end the process as well.
    std::fprintf(stderr, "MuJoCo: %s\n", message->subject);
    std::abort();
  }
  auto& text = current_trap->message;
  const std::size_t length = std::min(std::strlen(message->subject), text.size() - 1);
  std::memcpy(text.data(), message->subject, length);
  text[length] = '\0';
  std::longjmp(current_trap->place, 1);
}

bool file_exists(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

std::string version_text(int version) {
  return std::to_string(version / 1000000) + "." + std::to_string(version / 1000 % 1000) + "." +
         std::to_string(version % 1000);
}

std::string library_file_name() { return "libmujoco.so." + version_text(mjVERSION_HEADER); }

void* open_library() {
  // Never unloaded: other threads may be inside, and a second factory would load it again.
  constexpr int kFlags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
  if (const char* chosen = non_empty_variable("CLADE_MUJOCO_LIBRARY")) {
    void* handle = dlopen(chosen, kFlags);
    if (handle == nullptr) {
      throw_input_error(std::string("cannot load the MuJoCo library that CLADE_MUJOCO_LIBRARY names: ") + dlerror() +
                        "; set it to " + library_file_name() + ", or unset it and run tools/setup.sh");
    }
    return handle;
  }
  std::vector<std::filesystem::path> places;
#ifdef CLADE_MUJOCO_LIBRARY
  places.emplace_back(CLADE_MUJOCO_LIBRARY);
#endif
#ifdef CLADE_INSTALLED_MUJOCO_LIBRARY
  for (const auto& place : installed_places(CLADE_INSTALLED_MUJOCO_LIBRARY)) places.push_back(place);
#endif
  for (const std::filesystem::path& place : places) {
    if (!file_exists(place)) continue;
    if (void* handle = dlopen(place.c_str(), kFlags)) return handle;
    throw_input_error(std::string("cannot load the MuJoCo library: ") + dlerror() + "; run tools/setup.sh again");
  }
  if (void* handle = dlopen(library_file_name().c_str(), kFlags)) return handle;
  places.emplace_back(library_file_name());
  throw_input_error("no MuJoCo library (looked for " + listed(places) +
                    "); run tools/setup.sh or set CLADE_MUJOCO_LIBRARY to the file");
}

template <class Function>
void find(void* library, const char* name, Function*& function) {
  void* symbol = dlsym(library, name);
  if (symbol == nullptr) {
    const char* chosen = non_empty_variable("CLADE_MUJOCO_LIBRARY");
    throw_input_error("the MuJoCo library " + (chosen == nullptr ? std::string() : std::string(chosen) + " ") +
                      "has no function '" + name + "'; set CLADE_MUJOCO_LIBRARY to " + library_file_name());
  }
  function = reinterpret_cast<Function*>(symbol);
}

std::filesystem::path path_of(void* symbol) {
  Dl_info info{};
  if (dladdr(symbol, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code failure;
  const std::filesystem::path path = std::filesystem::canonical(info.dli_fname, failure);
  return failure ? std::filesystem::path(info.dli_fname) : path;
}

}  // namespace

std::shared_ptr<const MujocoLibrary> load_mujoco_library() {
  void* handle = open_library();
  const auto library = std::make_shared<MujocoLibrary>();
  decltype(&::mj_version) version = nullptr;
  find(handle, "mj_version", version);
  library->path = path_of(reinterpret_cast<void*>(version));
  library->version = version_text(version());
  // The layouts of mjModel and mjData change between versions.
  if (version() != mjVERSION_HEADER) {
    throw_input_error("the MuJoCo library " + library->path.string() + " is version " + library->version +
                      ", Clade was built for " + version_text(mjVERSION_HEADER) +
                      "; set CLADE_MUJOCO_LIBRARY to a library of that version");
  }
  decltype(&::mju_setLogHandler) set_log_handler = nullptr;
  find(handle, "mju_setLogHandler", set_log_handler);
  find(handle, "mj_loadXML", library->load_xml);
  find(handle, "mj_deleteModel", library->delete_model);
  find(handle, "mj_makeData", library->make_data);
  find(handle, "mj_deleteData", library->delete_data);
  find(handle, "mj_resetData", library->reset_data);
  find(handle, "mj_step", library->step);
  find(handle, "mj_forward", library->forward);
  find(handle, "mj_rnePostConstraint", library->rne_post_constraint);
  find(handle, "mj_name2id", library->name_to_id);
  set_log_handler(handle_message);
  return library;
}

std::filesystem::path find_mujoco_model(const std::string& file) {
  if (file.starts_with('.') || file.starts_with('/') || file.starts_with("~/")) {
    std::filesystem::path path = file;
    if (file.starts_with('~')) {
      const char* home = non_empty_variable("HOME");
      if (home != nullptr) path = std::filesystem::path(home) / file.substr(2);
    }
    if (!file_exists(path)) throw_input_error("no model file '" + path.string() + "'; check the name");
    return path;
  }
  std::vector<std::filesystem::path> folders;
  if (const char* chosen = non_empty_variable("CLADE_MUJOCO_MODELS")) {
    folders.emplace_back(chosen);
  } else {
#ifdef CLADE_MODEL_DIR
    folders.emplace_back(CLADE_MODEL_DIR);
#endif
#ifdef CLADE_INSTALLED_MODEL_DIR
    for (const auto& place : installed_places(CLADE_INSTALLED_MODEL_DIR)) folders.push_back(place);
#endif
  }
  for (const std::filesystem::path& folder : folders) {
    if (file_exists(folder / file)) return folder / file;
  }
  throw_input_error("no model file '" + file + "' (looked in " + listed(folders) +
                    "); run tools/setup.sh, set CLADE_MUJOCO_MODELS to the folder, or start the name with ./ or /");
}

namespace detail {

bool run_trapped(MujocoTrap& trap, void (*function)(void*), void* context) {
  MujocoTrap* const outer = current_trap;
  current_trap = &trap;
  if (setjmp(trap.place) != 0) {
    current_trap = outer;
    return false;
  }
  function(context);
  current_trap = outer;
  return true;
}

void throw_mujoco_error(const MujocoTrap& trap) {
  std::string text = trap.message.data();
  std::replace(text.begin(), text.end(), '\n', ' ');
  throw_run_time_error("MuJoCo: " + text);
}

}  // namespace detail
}  // namespace clade
