#include "advance_slice.hpp"
#include "advance_unsampled.hpp"

namespace rodeo::cosserat {

template void advance_slice<float, true>(const BasicBatchViews<float>& batch, int count, int threads);
template void advance_unsampled<float, true>(const BasicBatchViews<float>& batch, int first, int count,
                                             int threads);

}  // namespace rodeo::cosserat
