#include "messages.hpp"

#include <cstring>
#include <utility>

#include "rodeo/input/terminal.hpp"
#include "rodeo/output/agreement.hpp"

namespace rodeo {

namespace {

void receive_bytes(MPI_Comm communicator, const Mailbox::Arrival& arrival, void* data) {
  MPI_Recv(data, arrival.bytes, MPI_BYTE, arrival.rank, arrival.tag, communicator, MPI_STATUS_IGNORE);
}

/// Header of the numbers of a member that has ended.
struct EndedHeader {
  std::uint64_t member = 0;
  std::uint64_t steps = 0;
  std::uint64_t status = 0;
  std::uint64_t observables = 0;    ///< numbers of each
  std::uint64_t frame_numbers = 0;  ///< likewise
};

/// Copies numbers to `out`; returns where the next ones go.
char* put_numbers(char* out, const std::vector<double>& numbers) {
  const std::size_t size = numbers.size() * sizeof(double);
  if (size > 0) std::memcpy(out, numbers.data(), size);
  return out + size;
}

const char* take_numbers(const char* in, std::vector<double>& numbers) {
  const std::size_t size = numbers.size() * sizeof(double);
  if (size > 0) std::memcpy(numbers.data(), in, size);
  return in + size;
}

}  // namespace

std::string RunningWork::text() const {
  return formatted("%.17g %.17g %.17g %.17g %.17g", members, steps, cost, earlier, chunk);
}

RunningWork RunningWork::parse(const std::string& text) {
  RunningWork work;
  std::sscanf(text.c_str(), "%lf %lf %lf %lf %lf", &work.members, &work.steps, &work.cost, &work.earlier,
              &work.chunk);
  return work;
}

std::unique_ptr<Mailbox> make_mailbox(MPI_Comm communicator) {
  if (is_alone(communicator)) return std::make_unique<EmptyMailbox>();
  return std::make_unique<MpiMailbox>(communicator);
}

MpiMailbox::MpiMailbox(MPI_Comm communicator) : communicator_(communicator) {
  MPI_Comm_get_errhandler(communicator_, &errors_);
  MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
}

MpiMailbox::~MpiMailbox() {
  for (Departure& departure : departures_) MPI_Wait(&departure.request, MPI_STATUS_IGNORE);
  MPI_Comm_set_errhandler(communicator_, errors_);
  MPI_Errhandler_free(&errors_);
}

void MpiMailbox::depart(int rank, message::Tag tag, std::vector<char> bytes) {
  Departure& departure = departures_.emplace_back();
  departure.bytes = std::move(bytes);
  MPI_Isend(departure.bytes.data(), static_cast<int>(departure.bytes.size()), MPI_BYTE, rank, tag,
            communicator_, &departure.request);
}

void MpiMailbox::send(int rank, const Chunk& chunk) {
  const std::uint64_t count = chunk.members.size();
  std::vector<char> bytes(sizeof count + count * sizeof(std::uint64_t) +
                          chunk.points.size() * sizeof(double));
  char* out = bytes.data();
  std::memcpy(out, &count, sizeof count);
  out += sizeof count;
  std::memcpy(out, chunk.members.data(), count * sizeof(std::uint64_t));
  out += count * sizeof(std::uint64_t);
  if (!chunk.points.empty()) std::memcpy(out, chunk.points.data(), chunk.points.size() * sizeof(double));
  depart(rank, message::work, std::move(bytes));
}

void MpiMailbox::send(int rank, const std::vector<EndedMember>& ended) {
  std::size_t size = 0;
  for (const EndedMember& member : ended) {
    size += sizeof(EndedHeader) + (member.observables.size() + member.last_frame.size()) * sizeof(double);
  }
  std::vector<char> bytes(size);
  char* out = bytes.data();
  for (const EndedMember& member : ended) {
    const EndedHeader header{member.member, member.steps, static_cast<std::uint64_t>(member.status),
                             member.observables.size(), member.last_frame.size()};
    std::memcpy(out, &header, sizeof header);
    out = put_numbers(put_numbers(out + sizeof header, member.observables), member.last_frame);
  }
  depart(rank, message::ended, std::move(bytes));
}

void MpiMailbox::send(int rank, message::Tag tag, const std::string& text) {
  depart(rank, tag, {text.begin(), text.end()});
}

Mailbox::Arrival MpiMailbox::probe() {
  departures_.remove_if([](Departure& departure) {
    int done = 0;
    MPI_Test(&departure.request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  });
  int any = 0;
  MPI_Status status;
  const int result = MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator_, &any, &status);
  if (result != MPI_SUCCESS || any == 0) return {};
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  return {true, status.MPI_SOURCE, static_cast<message::Tag>(status.MPI_TAG), bytes};
}

Chunk MpiMailbox::receive_chunk(const Arrival& arrival) {
  std::vector<char> bytes(static_cast<std::size_t>(arrival.bytes));
  receive_bytes(communicator_, arrival, bytes.data());
  std::uint64_t count = 0;
  std::memcpy(&count, bytes.data(), sizeof count);
  Chunk chunk;
  chunk.members.resize(count);
  const char* in = bytes.data() + sizeof count;
  std::memcpy(chunk.members.data(), in, count * sizeof(std::uint64_t));
  in += count * sizeof(std::uint64_t);
  chunk.points.resize(static_cast<std::size_t>(bytes.data() + bytes.size() - in) / sizeof(double));
  if (!chunk.points.empty()) std::memcpy(chunk.points.data(), in, chunk.points.size() * sizeof(double));
  return chunk;
}

std::vector<EndedMember> MpiMailbox::receive_ended(const Arrival& arrival) {
  std::vector<char> bytes(static_cast<std::size_t>(arrival.bytes));
  receive_bytes(communicator_, arrival, bytes.data());
  std::vector<EndedMember> ended;
  for (const char* in = bytes.data(); in < bytes.data() + bytes.size();) {
    EndedHeader header;
    std::memcpy(&header, in, sizeof header);
    EndedMember& member = ended.emplace_back();
    member.member = header.member;
    member.steps = header.steps;
    member.status = static_cast<MemberStatus>(header.status);
    member.observables.resize(header.observables);
    member.last_frame.resize(header.frame_numbers);
    in = take_numbers(take_numbers(in + sizeof header, member.observables), member.last_frame);
  }
  return ended;
}

std::string MpiMailbox::receive_text(const Arrival& arrival) {
  std::string text(static_cast<std::size_t>(arrival.bytes), '\0');
  receive_bytes(communicator_, arrival, text.data());
  return text;
}

}  // namespace rodeo
