#include "advance_slice.hpp"

namespace rodeo::cosserat {

template void advance_slice<double, true, true, true>(const BasicBatchViews<double>& batch, int first,
                                                      int count, int threads);
template void advance_slice<double, true, true, false>(const BasicBatchViews<double>& batch, int first,
                                                       int count, int threads);

}  // namespace rodeo::cosserat
