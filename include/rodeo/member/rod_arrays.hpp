#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "rodeo/contact/pair_rooms.hpp"
#include "rodeo/forces/actuation_table.hpp"
#include "rodeo/member/batch.hpp"
#include "rodeo/member/batch_views.hpp"
#include "rodeo/member/connection_arrays.hpp"
#include "rodeo/member/host_rods.hpp"
#include "rodeo/rod/rod_places.hpp"

namespace rodeo {

/// The arrays of the members of a batch, in the memory of the execution space, whose steps compute with Real.
template <class Real>
class RodArrays {
  /// Where a member's arrays stand in the batch's.
  struct Place {
    int elements = 0;
    double sections_shrink = 1.0;
    bool circular = true;
    std::size_t offset = 0;
    WorkPlaces work;
    contact::ContactSize contact_offset;
    contact::ContactSize contact_size;
    std::size_t first_motion = 0;
    std::size_t motions = 0;
    std::size_t first_record = 0;   ///< of its ground
    std::size_t record = 0;         ///< numbers in it
    std::size_t platen_record = 0;  ///< of the platen, which come first
  };

 public:
  /// Builds the members as they stand at t = 0.
  explicit RodArrays(std::span<const MemberJob> jobs);

  const BasicBatchViews<Real>& views() const { return views_; }

  /// Sets the live numbers of the formulas that drive a member (ControlSpec), and the natural strains that
  /// follow: those that change with time too become those of `time`, or stay until the next step.
  void set_live(std::size_t member, std::span<const double> live, std::optional<double> time = {}) const;

  /// Says that kernels have changed the arrays, and that so many members may be looked at then. Of many on a
  /// device, all are copied to the host at once when the first is asked for: each copy takes as long to begin
  /// as thousands of numbers do.
  void will_be_looked_at(std::size_t members);

  /// A member's arrays on the host: copies where it cannot read them in place, or in double precision.
  class OnHost final : public HostRods {
   public:
    /// `touches`: what touches, where steps have found it; null where that follows from the arrays.
    OnHost(const RodArrays& arrays, std::size_t member, const std::vector<contact::Touch>* touches)
        : arrays_(arrays), member_(member), place_(arrays.places_[member]), touches_(touches) {}
    Vec3 position(int node) override { return fetched().vec3(field::position, node); }
    ConstRodView all() override;
    std::span<const boundary::MotionState> motions() override;
    std::vector<connection::PointLink> links() override { return arrays_.connections_.points(member_); }
    std::vector<contact::Touch> touching() override;
    std::span<const double> platen() override;

   private:
    BasicRodView<const Real> fetched();

    const RodArrays& arrays_;
    std::size_t member_;
    const Place& place_;
    const std::vector<contact::Touch>* touches_;
    Kokkos::View<const Real*, Kokkos::HostSpace> fetched_;
    Kokkos::View<double*, Kokkos::HostSpace> wide_;
    Kokkos::View<const boundary::MotionState*, Kokkos::HostSpace> motions_;
    Kokkos::View<const double*, Kokkos::HostSpace> platen_;
  };

  /// Saves or restores a member's arrays.
  void visit_state(std::size_t member, StateArchive& archive) const;

 private:
  /// The contact of a member by penalty forces, with its arrays on the host: in place where that can be.
  class ContactOnHost {
   public:
    ContactOnHost(const RodArrays& arrays, std::size_t member);
    ContactOnHost(const ContactOnHost&) = delete;
    ContactOnHost& operator=(const ContactOnHost&) = delete;
    const contact::PenaltyContact& law() const { return law_; }

   private:
    Kokkos::View<double*, Kokkos::HostSpace> reals_;
    Kokkos::View<int*, Kokkos::HostSpace> integers_;
    Kokkos::View<double*, Kokkos::HostSpace> pair_reals_;
    Kokkos::View<int*, Kokkos::HostSpace> pair_integers_;
    contact::PairRoom room_;  ///< to which the view points
    contact::PenaltyContact law_;
  };

  const Real* copied() const;
  void visit_contact(std::size_t member, StateArchive& archive) const;
  void allocate(std::span<const MemberJob> jobs);
  void build(std::span<const MemberJob> jobs);

  template <class HostRodData>
  void set_actuation(std::span<const MemberJob> jobs, const HostRodData& rods);

  /// Destinations of a member's live numbers.
  struct Driven {
    forces::ActuationTable actuation;
    std::size_t first_number = 0;  ///< of its actuation
    std::vector<RodPlace> rods;
    std::vector<std::size_t> tables = {};  ///< where those of its motions and of its platen begin
  };

  std::vector<Place> places_;
  std::vector<std::optional<Driven>> driven_;  ///< [members]; nothing without live numbers
  BasicBatchViews<Real> views_;
  bool copies_all_ = false;
  mutable bool is_copied_ = false;
  mutable Kokkos::View<Real*, Kokkos::HostSpace> copy_;  ///< of the storage
  Kokkos::View<boundary::Motion*> motions_;              ///< those of views_
  Kokkos::View<boundary::MotionState*> motion_states_;   ///< as many
  Kokkos::View<double*> motion_tables_;                  ///< of their formulas, and those of platens
  Kokkos::View<forces::FurtherGround*> further_ground_;  ///< one for each member, or none
  Kokkos::View<double*> ground_records_;                 ///< forces::FurtherGround::records of all members
  Kokkos::View<forces::Actuator*> actuators_;            ///< of all members, to which their rods point
  Kokkos::View<double*> actuation_numbers_;
  contact::PairRooms contact_rooms_;  ///< those of views_
  ConnectionArrays connections_;
};

extern template class RodArrays<double>;
extern template class RodArrays<float>;

}  // namespace rodeo
