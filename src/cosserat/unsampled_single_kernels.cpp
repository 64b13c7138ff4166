#include "advance_slice.hpp"

namespace rodeo::cosserat {

template void advance_slice<float, false, true, false>(const BasicBatchViews<float>& batch, int first,
                                                       int count, int threads);

}  // namespace rodeo::cosserat
