#include "envs/mujoco_model.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace clade {

MujocoModel::MujocoModel(std::shared_ptr<const MujocoLibrary> library, std::filesystem::path path)
    : library_(std::move(library)), path_(std::move(path)) {
  std::array<char, 1000> reason{};
  guarded([&] { model_ = library_->load_xml(path_.c_str(), nullptr, reason.data(), static_cast<int>(reason.size())); });
  if (model_ == nullptr) {
    std::string text = reason.data();
    std::replace(text.begin(), text.end(), '\n', ' ');
    while (text.ends_with(' ')) text.pop_back();
    throw_input_error("cannot compile the model '" + path_.string() + "': " + text +
                      "; mend the file, or fetch Gymnasium's anew with tools/setup.sh");
  }
}

MujocoModel::~MujocoModel() {
  if (model_ != nullptr) library_->delete_model(model_);
}

int MujocoModel::body(const char* name) const {
  const int index = library_->name_to_id(model_, mjOBJ_BODY, name);
  if (index < 0) {
    throw_input_error("the model '" + path_.string() + "' has no body '" + name + "', which the task needs");
  }
  return index;
}

}  // namespace clade
