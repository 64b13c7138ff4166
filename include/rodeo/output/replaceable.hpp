#pragma once

#include <string>

namespace rodeo {

/// Throws FileError where something stands at the path that is not to be replaced: anything but an ensemble
/// file, complete or damaged, a link to one, or an empty file. Where nothing stands there, all is well.
void require_replaceable(const std::string& path);

}  // namespace rodeo
