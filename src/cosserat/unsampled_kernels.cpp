#include "advance_unsampled.hpp"

namespace rodeo::cosserat {

template void advance_unsampled<double>(const BasicBatchViews<double>& batch, int first, int count,
                                        int threads);

}  // namespace rodeo::cosserat
