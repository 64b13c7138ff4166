#include "rodeo/math/nested_dissection.hpp"

#include <suitesparse/cholmod.h>

namespace rodeo {

std::vector<int> fill_reducing_order(const SparsePattern& pattern) {
  cholmod_common common;
  cholmod_start(&common);
  common.print = 0;
  common.supernodal = CHOLMOD_SIMPLICIAL;
  SparsePattern own = pattern;  // of which the upper triangle is read
  cholmod_sparse matrix{};
  matrix.nrow = matrix.ncol = static_cast<std::size_t>(own.size());
  matrix.nzmax = own.row.size();
  matrix.p = own.column_start.data();
  matrix.i = own.row.data();
  matrix.stype = 1;
  matrix.itype = CHOLMOD_INT;
  matrix.xtype = CHOLMOD_PATTERN;
  matrix.dtype = CHOLMOD_DOUBLE;
  matrix.sorted = matrix.packed = 1;
  cholmod_factor* factor = cholmod_analyze(&matrix, &common);
  std::vector<int> order;
  if (factor != nullptr) {
    const int* const rows = static_cast<const int*>(factor->Perm);
    order.assign(rows, rows + factor->n);
  }
  cholmod_free_factor(&factor, &common);
  cholmod_finish(&common);
  return order;
}

}  // namespace rodeo
