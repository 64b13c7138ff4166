#include "advance_slice.hpp"
#include "advance_unsampled.hpp"

namespace rodeo::cosserat {

template void advance_slice<double, true, false>(const BasicBatchViews<double>& batch, int count,
                                                 int threads);
template void advance_unsampled<double, true, false>(const BasicBatchViews<double>& batch, int first,
                                                     int count, int threads);

}  // namespace rodeo::cosserat
