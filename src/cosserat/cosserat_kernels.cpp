#include "advance_slice.hpp"

namespace rodeo::cosserat {

template void advance_slice<double>(const BasicBatchViews<double>& batch, int count, int threads);

}  // namespace rodeo::cosserat
