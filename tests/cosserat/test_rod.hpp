#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "rodeo/contact/build_contact.hpp"
#include "rodeo/member/build_rod.hpp"
#include "rodeo/member/connection_arrays.hpp"
#include "rodeo/member/held_pairs.hpp"
#include "rodeo/member/rod_parts.hpp"
#include "rodeo/member/take_sample.hpp"
#include "rodeo/member/team.hpp"
#include "rodeo/rod/rod_order.hpp"
#include "rodeo/rod/rod_places.hpp"

#include "cosserat/elasticity.hpp"
#include "cosserat/kernels.hpp"
#include "rod/soft_rod.hpp"

namespace rodeo::cosserat {

constexpr double soft_radius = 0.05;                                     // of soft_rod, m
constexpr double soft_mass = 1000.0 * M_PI * soft_radius * soft_radius;  // in all and per length, kg and kg/m
constexpr double g = 9.81;

/// Without what loads and ground store, J.
inline double energy(const Sample& s) {
  return s.translational_energy + s.rotational_energy + s.bend_energy + s.twist_energy + s.shear_energy;
}

/// What the internal forces and couples of the arrays, those of muscles too, come to on a node (N,
/// laboratory) and on an element (N m, body).
inline Vec3 force_on(const RodView& rod, int node) {
  return rod.vec3(field::internal_force, node) - rod.vec3(field::internal_force, node - 1);
}
inline Vec3 couple_on(const RodView& rod, int i) {
  return rod.vec3(field::shear_couple, i) + rod.vec3(field::bend_couple, i) +
         rod.vec3(field::transport_couple, i) - rod.vec3(field::bend_couple, i - 1) +
         rod.vec3(field::transport_couple, i - 1);
}

/// Every entry of a rod's state.
inline std::vector<double> state(const RodView& rod) {
  std::vector<double> values;
  for (int i = 0; i < rod.nodes(); ++i) {
    for (const int f : {field::position, field::velocity}) {
      const Vec3 v = rod.vec3(f, i);
      values.insert(values.end(), {v.x, v.y, v.z});
    }
  }
  for (int i = 0; i < rod.elements; ++i) {
    const Quaternion q = rod.quaternion(i);
    const Vec3 w = rod.vec3(field::angular_velocity, i);
    values.insert(values.end(), {q.w, q.x, q.y, q.z, w.x, w.y, w.z});
  }
  return values;
}

/// Numbers that kernels and the host both read and write where they stand.
#if defined(KOKKOS_ENABLE_CUDA)
template <class T>
using SharedList = Kokkos::View<T*, Kokkos::CudaHostPinnedSpace>;
#else
template <class T>
using SharedList = Kokkos::View<T*>;
#endif

/// One rod, or several of one member, run by the program's own kernels.
class TestRod {
 public:
  explicit TestRod(const MemberSpec& spec, std::uint64_t seed = 1) : spec_(spec) {
    views_.storage = share(storage_, size());
    views_.circular = spec.has_circular_sections();
    views_.members = share(members_, 1);
    views_.tasks = share(tasks_, 1);
    views_.samples = share(samples_, 1);
    reset();
    data() = make_member_data(spec, seed, 0);
    const std::vector<RodData> in_deck = make_rod_data(spec);
    std::vector<RodData> rods;
    for (const int rod : rod_order(spec)) rods.push_back(in_deck[static_cast<std::size_t>(rod)]);
    views_.rods = share(rods_, rods.size());
    std::ranges::copy(rods, rods_.data());
    std::vector<RodsPart> parts_of_rods;
    if (may_have_parts(spec)) parts_of_rods = make_parts(rods, view().as_const());
    data().parts = static_cast<int>(parts_of_rods.size());
    views_.parts = share(parts_, parts_of_rods.size());
    std::ranges::copy(parts_of_rods, parts_.data());
    const contact::ContactSize size = contact::contact_size(spec);
    views_.contact_reals = share(contact_reals_, size.reals);
    views_.contact_integers = share(contact_integers_, size.integers);
    const contact::PairRooms::Size room = {contact::pairs_at_start(spec), spec.contact.friction > 0.0};
    rooms_ = contact::PairRooms(std::span(&room, 1));
    views_.contact_rooms = rooms_.data();
    const connection::Parts parts = connection::build_connections(spec, view());
    if (data().forces.contact().enabled) {
      contact::build_contact(spec, contact().view);
      contact::leave_out(held_pairs(spec, view().as_const(), parts), contact().view);
    }
    connections_ = ConnectionArrays({parts});
    views_.connections = connections_.all();
  }

  /// Back to the state of rest.
  void reset() { build_rods(spec_, view()); }

  /// Has steps taken in a team's scratch memory, as on a device.
  void use_scratch() { views_.scratch = size() * sizeof(double) + 64; }

  /// Has its parts share places for their work arrays, as those of a batch do.
  void share_work() {
    data().work =
        make_work_places<double>({views_.parts.data(), views_.parts.size()}, array_elements(spec_), 0);
    views_.work = share(work_, work_size(data().work));
    clear_work(views_.work.data(), data().work);
  }

  /// Has steps taken by so many threads of a host.
  void use_threads(int threads) { threads_ = threads; }

  /// The arrays of all rods.
  RodView view() const {
    const RodView all(views_.storage.data(), array_elements(spec_), spec_.sections_shrink,
                      spec_.has_circular_sections());
    return all.with_work(views_.work.data(), members_(0).work);
  }
  /// Those of one.
  RodView rod(int k) const { return rods_(static_cast<std::size_t>(k)).part(view()); }
  Rods rods() const { return {views_.rods.data(), static_cast<int>(views_.rods.size())}; }
  connection::Connections connections() const { return views_.connections.of(0); }
  MemberData& data() { return members_(0); }

  /// Contact with its arrays.
  contact::PenaltyContact contact() const {
    contact::PenaltyContact contact = members_(0).forces.contact();
    contact.view.reals = views_.contact_reals.data();
    contact.view.integers = views_.contact_integers.data();
    contact.view.room = views_.contact_rooms;
    return contact;
  }

  Sample advance(std::int64_t steps) {
    tasks_(0) = {0, taken_, steps};
    const int threads = on_host<> ? threads_ : team_size();
    if (!views_.circular) {
      advance_slice<double, true, false>(views_, 0, 1, threads);
    } else if (views_.are_general()) {
      advance_slice<double, true>(views_, 0, 1, threads);
    } else {
      advance_slice(views_, 0, 1, threads);
    }
    taken_ += steps;
    return samples_(0);
  }
  Sample sample() { return advance(0); }
  std::int64_t taken() const { return taken_; }

  std::vector<double> state() const { return cosserat::state(view()); }

 private:
  /// Numbers in the arrays.
  std::size_t size() const { return rod_size(array_elements(spec_), spec_.has_circular_sections()); }

  /// So many numbers, which `list` keeps, as a kernel gets them.
  template <class T>
  static Kokkos::View<T*> share(SharedList<T>& list, std::size_t count) {
    list = SharedList<T>("shared", count);
    return Kokkos::View<T*>(list.data(), count);
  }

  MemberSpec spec_;
  SharedList<double> storage_;
  SharedList<double> work_;
  SharedList<MemberData> members_;
  SharedList<RodData> rods_;
  SharedList<RodsPart> parts_;
  SharedList<SliceTask> tasks_;
  SharedList<Sample> samples_;
  SharedList<double> contact_reals_;
  SharedList<int> contact_integers_;
  BatchViews views_;  ///< of the same
  contact::PairRooms rooms_;
  ConnectionArrays connections_;
  std::int64_t taken_ = 0;
  int threads_ = 1;
};

/// Runs body(team) on a team of one, as the kernels do.
template <class Body>
void on_team(const Body& body) {
  body(HostTeam{});
}

/// A lively state: every mode of deformation and motion at once, smooth along the rod.
inline void stir(const RodView& rod, double amount) {
  for (int i = 0; i < rod.nodes(); ++i) {
    const double s = static_cast<double>(i) / rod.elements;
    const Vec3 r = rod.vec3(field::position, i);
    rod.set_vec3(field::position, i,
                 r + amount * Vec3{0.03 * std::sin(5 * s), 0.02 * std::cos(4 * s), 0.05 * s * s});
    rod.set_vec3(field::velocity, i, amount * Vec3{std::cos(3 * s), -std::sin(2 * s), 0.5 * std::sin(6 * s)});
  }
  for (int i = 0; i < rod.elements; ++i) {
    const double s = (i + 0.5) / rod.elements;
    const Quaternion q = rod.quaternion(i);
    rod.set_quaternion(i, q * rotation(amount * Vec3{0.2 * std::sin(4 * s), 0.3 * s, 0.5 * std::cos(3 * s)}));
    rod.set_vec3(field::angular_velocity, i, amount * Vec3{2 * std::sin(3 * s), 1.5, -3 * std::cos(2 * s)});
  }
}

}  // namespace rodeo::cosserat
