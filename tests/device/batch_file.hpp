#pragma once

#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "cosserat/device_batch.hpp"

namespace rodeo::cosserat::device {

/// Members of a batch at the start, and their arrays after steps of the host.
struct SavedBatch {
  std::string name;
  std::vector<MemberData> members;
  std::vector<RodData> rods;
  std::vector<double> start;
  std::vector<std::int64_t> steps;              ///< from the start, rising
  std::vector<std::vector<double>> afterwards;  ///< after each of these numbers of steps
};

namespace detail {

/// Writes or reads, by its stream, in one order.
template <class Stream>
struct BatchArchive {
  Stream& stream;

  template <class T>
  void visit(T* first, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto size = static_cast<std::streamsize>(count * sizeof(T));
    if constexpr (std::is_same_v<Stream, std::ofstream>) {
      stream.write(reinterpret_cast<const char*>(first), size);
    } else {
      stream.read(reinterpret_cast<char*>(first), size);
    }
    if (!stream) throw std::runtime_error("a file of batches cannot be read, or written");
  }

  void visit_count(std::uint64_t& count) { visit(&count, 1); }

  template <class List>
  void visit(List& values) {
    std::uint64_t count = values.size();
    visit_count(count);
    values.resize(count);
    visit(values.data(), count);
  }

  void visit(std::vector<SavedBatch>& batches) {
    std::uint64_t found = struct_sizes;
    visit_count(found);
    if (found != struct_sizes) throw std::runtime_error("a file of batches is of another version");
    std::uint64_t count = batches.size();
    visit_count(count);
    batches.resize(count);
    for (SavedBatch& batch : batches) {
      visit(batch.name);
      visit(batch.members);
      visit(batch.rods);
      visit(batch.start);
      visit(batch.steps);
      batch.afterwards.resize(batch.steps.size());
      for (std::vector<double>& arrays : batch.afterwards) visit(arrays);
    }
  }
};

}  // namespace detail

inline void write_batches(const std::string& path, std::vector<SavedBatch>& batches) {
  std::ofstream stream(path, std::ios::binary);
  detail::BatchArchive<std::ofstream>{stream}.visit(batches);
}

inline std::vector<SavedBatch> read_batches(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::vector<SavedBatch> batches;
  detail::BatchArchive<std::ifstream>{stream}.visit(batches);
  return batches;
}

}  // namespace rodeo::cosserat::device
