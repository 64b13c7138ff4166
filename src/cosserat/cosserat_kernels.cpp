#include "advance_slice.hpp"

namespace rodeo::cosserat {

template void advance_slice<double, false, true, true>(const BasicBatchViews<double>& batch, int first,
                                                       int count, int threads);

}  // namespace rodeo::cosserat
