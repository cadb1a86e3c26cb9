#pragma once

#include <string>

#include "base/result.hpp"
#include "lossy/lossy_vfs.hpp"
#include "runtime/plugs.hpp"

namespace toa::kill {

/// The storages that the victim can be given, by name: `standard`; `lossy`, on a disk that keeps
/// only what was synced; and the mutants, each of which breaks one promise of a storage
/// (README.md). `disk` outlives the plugs.
Result<runtime::Plugs> plugs_of(const std::string& name, const lossy::Vfs& disk);

}  // namespace toa::kill
