#pragma once

#include <mujoco/mujoco.h>

#include <filesystem>
#include <memory>

#include "envs/mujoco_library.hpp"

namespace clade {

/// A compiled model, immutable once loaded: shared by all slots of a factory, each of which has an mjData of its own.
class MujocoModel {
 public:
  /// Throws Error (input) with MuJoCo's reason where the file cannot be compiled.
  MujocoModel(std::shared_ptr<const MujocoLibrary> library, std::filesystem::path path);
  ~MujocoModel();
  MujocoModel(const MujocoModel&) = delete;
  MujocoModel& operator=(const MujocoModel&) = delete;

  const mjModel& get() const { return *model_; }
  const MujocoLibrary& library() const { return *library_; }
  const std::filesystem::path& path() const { return path_; }
  /// Index of a named body. Throws Error (input) where the model has none.
  int body(const char* name) const;

 private:
  std::shared_ptr<const MujocoLibrary> library_;
  std::filesystem::path path_;
  mjModel* model_ = nullptr;
};

}  // namespace clade
