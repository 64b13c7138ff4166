#include "rodeo/member/rod_arrays.hpp"

#include <algorithm>
#include <utility>

#include "rodeo/contact/build_contact.hpp"
#include "rodeo/contact/pair_contact.hpp"
#include "rodeo/member/build_rod.hpp"
#include "rodeo/member/held_pairs.hpp"
#include "rodeo/member/team.hpp"
#include "rodeo/rod/rod_order.hpp"

#include "rod_precision.hpp"

namespace rodeo {

namespace {

template <class View>
auto part_of(const View& view, std::size_t first, std::size_t count) {
  return Kokkos::subview(view, std::pair(first, first + count));
}

/// Starts motions that begin at t = 0. The energy that they give to the rods then is no work.
template <class Real>
void start_motions(const boundary::Motions& motions, const BasicRodView<Real>& rods, const MemberSpec& spec) {
  motions.stand(OneThread{}, rods, 0, spec.time.step);
  for (int k = 0; k < motions.count; ++k) {
    motions.states[k].work = 0.0;
    const boundary::Motion& motion = motions.data[k];
    if (!spec.rests()) continue;
    const int velocity = motion.turns() ? field::angular_velocity : field::velocity;
    rods.set_vec3(velocity, motion.place, {});
    if (motion.ghost >= 0) rods.set_vec3(velocity, motion.ghost, {});
  }
}

template <class T>
void copy_to(const std::vector<T>& from, const Kokkos::View<T*>& to) {
  Kokkos::deep_copy(to, Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                            from.data(), from.size()));
}

/// Numbers in the record of a member's platen.
std::size_t platen_record_size(const MemberSpec& spec) {
  if (!spec.ground.platen.exists()) return 0;
  return static_cast<std::size_t>(forces::platen_array::count) *
         static_cast<std::size_t>(array_elements(spec));
}

/// Numbers in the record of a member's ground: of all of it in explicit steps, else of its platen.
std::size_t record_size(const MemberSpec& spec) {
  if (!spec.steps_explicitly()) return platen_record_size(spec);
  return static_cast<std::size_t>(forces::FurtherGround::records(spec.ground)) *
         static_cast<std::size_t>(array_elements(spec));
}

/// Whether a member's work arrays stand apart from its others. On a device all of them go into the memory of
/// a block, or stay together.
bool has_work_elsewhere(const MemberSpec& spec) { return on_host<> && may_have_parts(spec); }

/// Entries [first, first + count) of a view on the host: in place where that can be, else a copy.
template <class View>
auto host_part(const View& view, std::size_t first, std::size_t count) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), part_of(view, first, count));
}

/// Visits entries [first, first + count) of a view, in whichever memory it is.
template <class View>
void visit_part(StateArchive& archive, const View& view, std::size_t first, std::size_t count) {
  const auto host = host_part(view, first, count);
  archive.visit(std::span(host.data(), count));
  if (archive.restores()) Kokkos::deep_copy(part_of(view, first, count), host);
}

/// Memory of the execution space that belongs to no view.
template <class Number>
auto view_of(Number* first, std::size_t count) {
  using Memory = Kokkos::DefaultExecutionSpace::memory_space;
  return Kokkos::View<Number*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(first, count);
}

template <class Number>
void visit_memory(StateArchive& archive, Number* first, std::size_t count) {
  visit_part(archive, view_of(first, count), 0, count);
}

}  // namespace

template <class Real>
RodArrays<Real>::RodArrays(std::span<const MemberJob> jobs) {
  allocate(jobs);
  build(jobs);
}

template <class Real>
void RodArrays<Real>::allocate(std::span<const MemberJob> jobs) {
  std::size_t size = 0;
  std::size_t largest = 0;
  std::size_t rods = 0;
  std::size_t motions = 0;
  std::size_t records = 0;
  bool have_further_ground = false;
  contact::ContactSize contacts;
  for (const MemberJob& job : jobs) {
    const Place place = {array_elements(job.spec),
                         job.spec.sections_shrink,
                         job.spec.has_circular_sections(),
                         size,
                         {},
                         contacts,
                         contact::contact_size(job.spec),
                         motions,
                         job.spec.motions.size(),
                         records,
                         record_size(job.spec),
                         platen_record_size(job.spec)};
    const std::size_t own = has_work_elsewhere(job.spec) ? lasting_size<Real>(place.elements, place.circular)
                                                         : rod_size<Real>(place.elements, place.circular);
    size += own;
    largest = std::max(largest, own);
    views_.circular = views_.circular && place.circular;
    rods += static_cast<std::size_t>(job.spec.rod_count());
    motions += place.motions;
    have_further_ground = have_further_ground || forces::FurtherGround::is_in(job.spec.ground);
    records += place.record;
    contacts.reals += place.contact_size.reals;
    contacts.integers += place.contact_size.integers;
    places_.push_back(place);
  }
  const auto storage = Kokkos::view_alloc(Kokkos::WithoutInitializing, "rods");
  views_.storage = Kokkos::View<Real*>(storage, size);
  const auto lists = Kokkos::view_alloc(Kokkos::WithoutInitializing, "contacts");
  views_.contact_reals = Kokkos::View<double*>(lists, contacts.reals);
  views_.contact_integers = Kokkos::View<int*>(lists, contacts.integers);
  std::vector<contact::PairRooms::Size> rooms;
  for (const MemberJob& job : jobs)
    rooms.push_back({contact::pairs_at_start(job.spec), contact::contact_view(job.spec).has_friction});
  contact_rooms_ = contact::PairRooms(rooms);
  views_.contact_rooms = contact_rooms_.data();
  views_.members = Kokkos::View<MemberData*>("members", jobs.size());
  views_.rods = Kokkos::View<RodData*>("rods of members", rods);
  motions_ = Kokkos::View<boundary::Motion*>("motions of members", motions);
  motion_states_ = Kokkos::View<boundary::MotionState*>("their states", motions);
  further_ground_ =
      Kokkos::View<forces::FurtherGround*>("further ground", have_further_ground ? jobs.size() : 0);
  ground_records_ = Kokkos::View<double*>("records of the ground", records);
  views_.tasks = Kokkos::View<SliceTask*>("tasks", jobs.size());
  views_.samples = Kokkos::View<Sample*>("samples", jobs.size());
  views_.scratch = scratch_for(largest * sizeof(Real));
}

template <class Real>
void RodArrays<Real>::build(std::span<const MemberJob> jobs) {
  const auto storage = Kokkos::create_mirror_view(views_.storage);
  const auto reals = Kokkos::create_mirror_view(views_.contact_reals);
  const auto integers = Kokkos::create_mirror_view(views_.contact_integers);
  const auto members = Kokkos::create_mirror_view(views_.members);
  const auto rods = Kokkos::create_mirror_view(views_.rods);
  const auto motions = Kokkos::create_mirror_view(motions_);
  const auto states = Kokkos::create_mirror_view(motion_states_);
  const auto further_ground = Kokkos::create_mirror_view(further_ground_);
  std::vector<double> tables;
  std::vector<connection::Parts> connections;
  std::vector<RodsPart> parts;
  int next_rod = 0;
  driven_.resize(jobs.size());
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const MemberSpec& spec = jobs[k].spec;
    if (spec.control.live_count() > 0)
      driven_[k] = {forces::ActuationTable(spec), 0, rod_places(spec), {tables.size()}};
    const Place& place = places_[k];
    std::vector<double> built(rod_size(place.elements, place.circular));
    const RodView arrays(built.data(), place.elements, place.sections_shrink, place.circular);
    build_rods(spec, arrays);
    connections.push_back(connection::build_connections(spec, arrays));
    const BasicRodView<Real> rounded(storage.data() + place.offset, place.elements, place.sections_shrink,
                                     place.circular);
    round_rods(arrays, rounded);
    if (!has_work_elsewhere(spec)) clear_work(rounded.work, rounded.work_pitch);
    MemberData& data = members(k) = make_member_data(spec, jobs[k].seed, place.offset);
    data.first_motion = static_cast<int>(place.first_motion);
    data.motions = static_cast<int>(place.motions);
    data.first_motion_table = static_cast<int>(tables.size());
    std::vector<double> own_tables = spec.control.live_at_start();
    std::ranges::copy(make_motions(spec, own_tables), motions.data() + place.first_motion);
    start_motions({motions.data() + place.first_motion, states.data() + place.first_motion, own_tables.data(),
                   data.motions},
                  rounded, spec);
    tables.insert(tables.end(), own_tables.begin(), own_tables.end());
    if (further_ground.size() > 0) {
      own_tables = spec.control.live_at_start();
      if (driven_[k]) driven_[k]->tables.push_back(tables.size());
      further_ground(k) = forces::FurtherGround::of(spec, own_tables);
      further_ground(k).first_number = tables.size();
      further_ground(k).first_record = place.first_record;
      tables.insert(tables.end(), own_tables.begin(), own_tables.end());
    }
    data.first_rod = next_rod;
    data.contact = place.contact_offset;
    const std::vector<RodData> own_rods = make_rod_data(spec);
    for (const int rod : rod_order(spec)) rods(next_rod++) = own_rods[static_cast<std::size_t>(rod)];
    if (data.forces.contact().enabled) {
      contact::ContactView view = data.forces.contact().view;
      view.reals = reals.data() + place.contact_offset.reals;
      view.integers = integers.data() + place.contact_offset.integers;
      contact::build_contact(spec, view);
      contact::leave_out(held_pairs(spec, arrays.as_const(), connections.back()), view);
    }
  }
  connections_ = ConnectionArrays(connections);
  views_.connections = connections_.all();
  set_actuation(jobs, rods);
  std::size_t work = 0;
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    if (!has_work_elsewhere(jobs[k].spec)) continue;
    MemberData& data = members(k);
    const std::span own(rods.data() + data.first_rod, static_cast<std::size_t>(data.rods));
    const BasicRodView<const Real> arrays(storage.data() + data.offset, data.elements, data.sections_shrink,
                                          data.circular);
    const std::vector<RodsPart> made = make_parts(own, arrays);
    data.first_part = static_cast<int>(parts.size());
    data.parts = static_cast<int>(made.size());
    parts.insert(parts.end(), made.begin(), made.end());
    data.work = places_[k].work = make_work_places<Real>(made, data.elements, work);
    work += work_size(data.work);
  }
  views_.work = Kokkos::View<Real*>("work arrays", work);
  for (std::size_t k = 0; k < jobs.size(); ++k) clear_work(views_.work.data(), members(k).work);
  views_.parts = Kokkos::View<RodsPart*>("parts of members", parts.size());
  copy_to(parts, views_.parts);
  Kokkos::deep_copy(views_.storage, storage);
  Kokkos::deep_copy(views_.contact_reals, reals);
  Kokkos::deep_copy(views_.contact_integers, integers);
  Kokkos::deep_copy(views_.members, members);
  Kokkos::deep_copy(views_.rods, rods);
  Kokkos::deep_copy(motions_, motions);
  Kokkos::deep_copy(motion_states_, states);
  Kokkos::deep_copy(further_ground_, further_ground);
  motion_tables_ = Kokkos::View<double*>("tables of motions", tables.size());
  Kokkos::deep_copy(motion_tables_, Kokkos::View<double*, Kokkos::HostSpace>(tables.data(), tables.size()));
  views_.motions = {motions_.data(),       motion_states_.data(),
                    motion_tables_.data(), motions_.size(),
                    motion_tables_.size(), further_ground_.size() > 0 ? further_ground_.data() : nullptr,
                    ground_records_.data()};
}

/// Lays the actuation of all members one after the other, and has their rods point to it.
template <class Real>
template <class HostRodData>
void RodArrays<Real>::set_actuation(std::span<const MemberJob> jobs, const HostRodData& rods) {
  std::vector<forces::Actuator> actuators;
  std::vector<double> numbers;
  std::vector<forces::ActuationTable> tables;
  for (const MemberJob& job : jobs) {
    tables.emplace_back(job.spec);
    actuators.insert(actuators.end(), tables.back().actuators().begin(), tables.back().actuators().end());
    numbers.insert(numbers.end(), tables.back().numbers().begin(), tables.back().numbers().end());
  }
  if (actuators.empty()) return;
  actuators_ = Kokkos::View<forces::Actuator*>("actuators", actuators.size());
  actuation_numbers_ = Kokkos::View<double*>("numbers of actuators", numbers.size());
  copy_to(actuators, actuators_);
  copy_to(numbers, actuation_numbers_);
  views_.actuation = {actuators_.data(), actuators_.size(), actuation_numbers_.data(),
                      actuation_numbers_.size()};
  const forces::Actuator* next_actuator = actuators_.data();
  double* next_number = actuation_numbers_.data();
  std::size_t next_rod = 0;
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    if (driven_[k])
      driven_[k]->first_number = static_cast<std::size_t>(next_number - actuation_numbers_.data());
    for (const int rod : rod_order(jobs[k].spec)) {
      rods(next_rod++).actuation =
          tables[k].of_rod(static_cast<std::size_t>(rod), next_actuator, next_number);
    }
    next_actuator += tables[k].actuators().size();
    next_number += tables[k].numbers().size();
  }
}

template <class Real>
void RodArrays<Real>::set_live(std::size_t member, std::span<const double> live,
                               std::optional<double> time) const {
  const Driven& driven = *driven_[member];
  for (const std::size_t first : driven.tables) {
    const auto table = part_of(motion_tables_, first, live.size());
    const auto host = Kokkos::create_mirror_view(table);
    std::ranges::copy(live, host.data());
    Kokkos::deep_copy(table, host);
  }
  const forces::ActuationTable& actuation = driven.actuation;
  if (actuation.actuators().empty()) return;
  const auto numbers = part_of(actuation_numbers_, driven.first_number, actuation.numbers().size());
  const auto host_numbers = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), numbers);
  actuation.set_live(live, host_numbers.data());
  Kokkos::deep_copy(numbers, host_numbers);
  const Place& place = places_[member];
  const auto stored =
      part_of(views_.storage, place.offset, lasting_size<Real>(place.elements, place.circular));
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), stored);
  const BasicRodView<Real> all(host.data(), place.elements, place.sections_shrink, place.circular);
  bool renewed = false;
  for (std::size_t k = 0; k < driven.rods.size(); ++k) {
    const forces::Actuation own = actuation.of_rod(k, actuation.actuators().data(), host_numbers.data());
    if (own.count == 0 || !(own.curves || own.stretches) || !(own.strains_stay || time)) continue;
    own.renew_natural_strains(OneThread{}, all.part(driven.rods[k].first, driven.rods[k].elements),
                              time.value_or(0.0));
    renewed = true;
  }
  if (renewed) Kokkos::deep_copy(stored, host);
}

template <class Real>
void RodArrays<Real>::will_be_looked_at(std::size_t members) {
  constexpr std::size_t many = 8;
  copies_all_ = !on_host<> && members >= many && members >= places_.size() / many;
  is_copied_ = false;
}

/// Copy of the device's storage on the host.
template <class Real>
const Real* RodArrays<Real>::copied() const {
  if (!is_copied_) {
    if (copy_.size() == 0) {
      const auto untouched = Kokkos::view_alloc(Kokkos::WithoutInitializing, "rods on the host");
      copy_ = Kokkos::View<Real*, Kokkos::HostSpace>(untouched, views_.storage.size());
    }
    Kokkos::deep_copy(copy_, views_.storage);
    is_copied_ = true;
  }
  return copy_.data();
}

template <class Real>
BasicRodView<const Real> RodArrays<Real>::OnHost::fetched() {
  using Memory = typename decltype(arrays_.views_.storage)::memory_space;
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible) {
    const BasicRodView<const Real> rods(arrays_.views_.storage.data() + place_.offset, place_.elements,
                                        place_.sections_shrink, place_.circular);
    return rods.with_work(arrays_.views_.work.data(), place_.work);
  }
  if (arrays_.copies_all_) {
    return {arrays_.copied() + place_.offset, place_.elements, place_.sections_shrink, place_.circular};
  }
  if (fetched_.data() == nullptr) {
    fetched_ = Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace(),
        part_of(arrays_.views_.storage, place_.offset, rod_size<Real>(place_.elements, place_.circular)));
  }
  return {fetched_.data(), place_.elements, place_.sections_shrink, place_.circular};
}

template <class Real>
ConstRodView RodArrays<Real>::OnHost::all() {
  if constexpr (Precision<Real>::compensated) {
    const bool widened = wide_.data() != nullptr;
    if (!widened) wide_ = Kokkos::View<double*, Kokkos::HostSpace>("rods", rod_size(place_.elements));
    const RodView wide(wide_.data(), place_.elements, place_.sections_shrink);
    if (!widened) widen_rods(fetched(), wide, place_.work.first);
    return wide;
  } else {
    return fetched();
  }
}

template <class Real>
std::span<const boundary::MotionState> RodArrays<Real>::OnHost::motions() {
  if (place_.motions > 0 && motions_.data() == nullptr) {
    motions_ = Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace(), part_of(arrays_.motion_states_, place_.first_motion, place_.motions));
  }
  return {motions_.data(), place_.motions};
}

template <class Real>
std::vector<contact::Touch> RodArrays<Real>::OnHost::touching() {
  if (touches_ != nullptr) return *touches_;
  if (place_.contact_size.reals == 0) return {};
  const ContactOnHost contact(arrays_, member_);
  return contact::touching(contact.law(), all());
}

template <class Real>
RodArrays<Real>::ContactOnHost::ContactOnHost(const RodArrays& arrays, std::size_t member)
    : room_(arrays.contact_rooms_.room(member)) {
  const Place& place = arrays.places_[member];
  reals_ = host_part(arrays.views_.contact_reals, place.contact_offset.reals, place.contact_size.reals);
  integers_ =
      host_part(arrays.views_.contact_integers, place.contact_offset.integers, place.contact_size.integers);
  const auto data = host_part(arrays.views_.members, member, 1);
  law_ = data(0).forces.contact();
  const auto pairs = static_cast<std::size_t>(room_.capacity);
  const std::size_t reals = contact::pair_reals(law_.view.has_friction) * pairs;
  const std::size_t integers = contact::pair_integers * pairs;
  pair_reals_ = host_part(view_of(room_.reals, reals), 0, reals);
  pair_integers_ = host_part(view_of(room_.integers, integers), 0, integers);
  room_.reals = pair_reals_.data();
  room_.integers = pair_integers_.data();
  law_.view.reals = reals_.data();
  law_.view.integers = integers_.data();
  law_.view.room = &room_;
}

template <class Real>
std::span<const double> RodArrays<Real>::OnHost::platen() {
  if (place_.platen_record > 0 && platen_.data() == nullptr) {
    platen_ = Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace(), part_of(arrays_.ground_records_, place_.first_record, place_.platen_record));
  }
  return {platen_.data(), place_.platen_record};
}

/// Saves or restores contact arrays and the listed pairs; the room decides where pairs stand.
template <class Real>
void RodArrays<Real>::visit_contact(std::size_t member, StateArchive& archive) const {
  const Place& place = places_[member];
  visit_part(archive, views_.contact_reals, place.contact_offset.reals, place.contact_size.reals);
  visit_part(archive, views_.contact_integers, place.contact_offset.integers, place.contact_size.integers);
  const auto data =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), part_of(views_.members, member, 1));
  const auto integers = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), part_of(views_.contact_integers, place.contact_offset.integers,
                                   static_cast<std::size_t>(contact::list_entry::count)));
  const bool has_friction = data(0).forces.contact().view.has_friction;
  const int pairs = integers(contact::list_entry::pairs);
  if (archive.restores() && !contact_rooms_.make_room(member, pairs, has_friction))
    throw StateError("a saved state has a wrong number of pairs");
  const contact::PairRoom room = contact_rooms_.room(member);
  const auto capacity = static_cast<std::size_t>(room.capacity);
  const auto count = static_cast<std::size_t>(pairs);
  visit_memory(archive, room.reals, count * contact::pair_record::count);
  double* const after_records = room.reals + capacity * contact::pair_record::count;
  for (std::size_t a = 0; a < contact::pair_reals(has_friction) - contact::pair_record::count; ++a)
    visit_memory(archive, after_records + a * capacity, count);
  for (std::size_t a = 0; a < contact::pair_integers; ++a)
    visit_memory(archive, room.integers + a * capacity, count);
}

template <class Real>
void RodArrays<Real>::visit_state(std::size_t member, StateArchive& archive) const {
  const Place& place = places_[member];
  visit_part(archive, views_.storage, place.offset, lasting_size<Real>(place.elements, place.circular));
  if (place.contact_size.reals > 0) visit_contact(member, archive);
  visit_part(archive, motion_states_, place.first_motion, place.motions);
  connections_.visit_state(member, archive);
  visit_part(archive, ground_records_, place.first_record, place.record);
}

template class RodArrays<double>;
template class RodArrays<float>;

}  // namespace rodeo
