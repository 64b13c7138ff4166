#include "advance_slice.hpp"

namespace rodeo::cosserat {

template void advance_slice(const BasicBatchViews<float>& batch, int count);

}  // namespace rodeo::cosserat
