#include "rodeo/output/agreement.hpp"

#include <cstdint>

namespace rodeo {

namespace {

void broadcast_from(MPI_Comm communicator, int root, std::string& text) {
  std::uint64_t length = text.size();
  MPI_Bcast(&length, 1, MPI_UINT64_T, root, communicator);
  text.resize(length);
  MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, root, communicator);
}

}  // namespace

std::optional<std::string> agree(MPI_Comm communicator, const std::optional<std::string>& complaint) {
  if (is_alone(communicator)) return complaint;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  int first = complaint ? rank : ranks;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, communicator);
  if (first == ranks) return std::nullopt;
  std::string text = complaint.value_or("");
  broadcast_from(communicator, first, text);
  return text;
}

void broadcast(MPI_Comm communicator, std::string& text) {
  if (!is_alone(communicator)) broadcast_from(communicator, 0, text);
}

void broadcast(MPI_Comm communicator, int& number) {
  if (!is_alone(communicator)) MPI_Bcast(&number, 1, MPI_INT, 0, communicator);
}

}  // namespace rodeo
