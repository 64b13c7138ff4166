#include "rodeo/contact/pair_rooms.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

namespace rodeo::contact {

namespace {

/// Starts at a cache line, as records of pairs do.
template <class Number>
Number* allocate(std::size_t numbers) {
  constexpr std::size_t line = 64;
  const std::size_t bytes = (numbers * sizeof(Number) + line - 1) / line * line;
  void* const memory = std::aligned_alloc(line, std::max(bytes, line));
  if (memory == nullptr) throw std::bad_alloc();
  return static_cast<Number*>(memory);
}

/// Arrays over pairs one after the other, of which the first has `first` numbers a pair, the others one.
template <class Number>
void move(Number*& from, int old_capacity, int capacity, std::size_t first, std::size_t arrays) {
  const auto before = static_cast<std::size_t>(old_capacity);
  const auto now = static_cast<std::size_t>(capacity);
  Number* const to = allocate<Number>((first + arrays) * now);
  if (before > 0) {
    std::memcpy(to, from, first * before * sizeof(Number));
    for (std::size_t a = 0; a < arrays; ++a) {
      std::memcpy(to + first * now + a * now, from + first * before + a * before, before * sizeof(Number));
    }
  }
  std::free(from);
  from = to;
}

}  // namespace

void resize(PairRoom& room, int pairs, bool has_friction) {
  move(room.reals, room.capacity, pairs, pair_record::count, pair_reals(has_friction) - pair_record::count);
  move(room.integers, room.capacity, pairs, 0, pair_integers);
  room.capacity = pairs;
}

void grow(PairRoom& room, int pairs, bool has_friction) {
  const std::int64_t wanted = std::int64_t{pairs} + pairs / 4 + 64;
  const auto most = std::int64_t{std::numeric_limits<int>::max()} / pair_record::count;
  resize(room, static_cast<int>(std::min(wanted, most)), has_friction);
}

PairRoom PairRooms::room(std::size_t member) const {
  if constexpr (memory_is_on_host) return on_host_.get()[member];
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), on_device_)(member);
}

bool PairRooms::make_room(std::size_t member, int pairs, bool has_friction) const {
  if (pairs < 0) return false;
  if (pairs <= room(member).capacity) return true;
  if constexpr (memory_is_on_host) {
    grow(on_host_.get()[member], pairs, has_friction);
    return true;
  }
  return false;
}

PairRooms::PairRooms(std::span<const Size> sizes) {
  if constexpr (memory_is_on_host) {
    const std::size_t count = sizes.size();
    on_host_ = {new PairRoom[std::max<std::size_t>(count, 1)], [count](PairRoom* rooms) {
                  for (std::size_t k = 0; k < count; ++k) {
                    std::free(rooms[k].reals);
                    std::free(rooms[k].integers);
                  }
                  delete[] rooms;
                }};
    for (std::size_t k = 0; k < count; ++k) {
      if (sizes[k].pairs > 0) resize(on_host_.get()[k], sizes[k].pairs, sizes[k].has_friction);
    }
  } else {
    on_device_ = Kokkos::View<PairRoom*>("rooms for pairs", sizes.size());
    std::size_t reals = 0;
    std::size_t integers = 0;
    for (const Size& size : sizes) {
      reals += pair_reals(size.has_friction) * static_cast<std::size_t>(size.pairs);
      integers += pair_integers * static_cast<std::size_t>(size.pairs);
    }
    reals_ = Kokkos::View<double*>("pairs", reals);
    integers_ = Kokkos::View<int*>("lists of pairs", integers);
    const auto rooms = Kokkos::create_mirror_view(on_device_);
    double* next_real = reals_.data();
    int* next_integer = integers_.data();
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      rooms(k) = {next_real, next_integer, sizes[k].pairs};
      next_real += pair_reals(sizes[k].has_friction) * static_cast<std::size_t>(sizes[k].pairs);
      next_integer += pair_integers * static_cast<std::size_t>(sizes[k].pairs);
    }
    Kokkos::deep_copy(on_device_, rooms);
  }
}

}  // namespace rodeo::contact
