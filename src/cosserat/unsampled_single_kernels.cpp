#include "advance_unsampled.hpp"

namespace rodeo::cosserat {

template void advance_unsampled<float>(const BasicBatchViews<float>& batch, int first, int count,
                                       int threads);

}  // namespace rodeo::cosserat
