#include "advance_slice.hpp"

namespace rodeo::cosserat {

template void advance_slice<float, true, true, true>(const BasicBatchViews<float>& batch, int first,
                                                     int count, int threads);
template void advance_slice<float, true, true, false>(const BasicBatchViews<float>& batch, int first,
                                                      int count, int threads);

}  // namespace rodeo::cosserat
