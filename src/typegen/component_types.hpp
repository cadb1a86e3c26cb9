#pragma once

#include <string>

#include "manifest/application.hpp"

namespace toa::typegen {

/// `toa.d.ts` of one component: its objects, the inputs and outputs of its operations, its context
/// (R174). `root` is the way from the folder of the file to the Context's.
std::string component_types(const manifest::Component& component, const std::string& root);

/// `toa.d.ts` of the application: the calls of all its components (R176). The files of components
/// are reached through their folders, relative to the Context's.
std::string application_types(const manifest::Application& application);

}  // namespace toa::typegen
