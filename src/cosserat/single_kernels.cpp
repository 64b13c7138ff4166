#include "advance_slice.hpp"

namespace rodeo::cosserat {

template void advance_slice<float>(const BasicBatchViews<float>& batch, int count, int threads);

}  // namespace rodeo::cosserat
