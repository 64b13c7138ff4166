#include "rodeo/fluid/rodwise_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rodeo/fluid/mobility.hpp"

#include "segment_tile.hpp"

namespace rodeo::fluid {

namespace {

constexpr int nodes_per_part = 8;
constexpr int most_parts = 480;  ///< of all rods, but for one of each: their factors grow with the cube
constexpr int most_samples = 8;  ///< nodes of a part at which it is sampled

int parts_of(std::size_t nodes, std::size_t rods) {
  const auto wanted = static_cast<int>((nodes + nodes_per_part - 1) / nodes_per_part);
  return std::max(1, std::min(wanted, most_parts / static_cast<int>(rods)));
}

int total_parts(const std::vector<Filament>& filaments) {
  int parts = 0;
  for (const Filament& filament : filaments)
    parts += parts_of(static_cast<std::size_t>(filament.nodes), filaments.size());
  return parts;
}

}  // namespace

RodwiseInverse::RodwiseInverse(const std::vector<Filament>& filaments)
    : parts_(total_parts(filaments)), coupling_(3 * parts_) {
  int node = 0;
  int part = 0;
  rods_.reserve(filaments.size());
  for (const Filament& filament : filaments) {
    const int parts = parts_of(static_cast<std::size_t>(filament.nodes), filaments.size());
    rods_.push_back({filament, node, part, parts, DenseFactors(3 * filament.nodes),
                     std::vector<float>(9 * static_cast<std::size_t>(parts * filament.nodes))});
    rod_of_part_.insert(rod_of_part_.end(), static_cast<std::size_t>(parts),
                        static_cast<int>(rods_.size()) - 1);
    node += filament.nodes;
    part += parts;
  }
  pitch_ = NodeVectors::pitch_of(node);
  exchange_.resize(9 * static_cast<std::size_t>(parts_) * static_cast<std::size_t>(parts_));
}

std::size_t RodwiseInverse::memory(const std::vector<std::size_t>& nodes_of_rods) {
  std::size_t numbers = 0;
  std::size_t parts = 0;
  for (const std::size_t nodes : nodes_of_rods) {
    const auto own = static_cast<std::size_t>(parts_of(nodes, nodes_of_rods.size()));
    numbers += 9 * nodes * nodes + 9 * nodes * own;
    parts += own;
  }
  return sizeof(float) * (numbers + 2 * 9 * parts * parts);
}

void RodwiseInverse::factor(const NodeVectors& position) {
  share_among_threads(static_cast<int>(rods_.size()),
                      [&, this](int rod) { factor_rod(position, rods_[static_cast<std::size_t>(rod)]); });
  for_each_block(parts_, [&, this](int part) { set_exchange(position, part); });
  for_each_block(parts_, [this](int part) { set_coupling(part); });
  coupling_.factor();
}

void RodwiseInverse::factor_rod(const NodeVectors& position, Rod& rod) const {
  NodeVectors own(rod.nodes());
  for (int i = 0; i < rod.nodes(); ++i) own.set(i, position.at(rod.first + i));
  Mobility mobility({rod.filament}, MobilityKind::full);
  mobility.assemble(own);
  mobility.copy_to(rod.factors.matrix());
  rod.factors.factor();
  const auto unknowns = static_cast<std::size_t>(3 * rod.nodes());
  std::vector<float> column(unknowns);
  float* out = rod.answers.data();
  for (int part = 0; part < rod.parts; ++part) {
    for (int c = 0; c < 3; ++c) {
      std::ranges::fill(column, 0.0F);
      std::fill(column.begin() + c * rod.nodes() + rod.part_begin(part),
                column.begin() + c * rod.nodes() + rod.part_begin(part + 1), 1.0F);
      rod.factors.solve(column);
      out = std::copy(column.begin(), column.end(), out);
    }
  }
}

/// Sets the columns of C for a part: the effect of its forces on all others.
void RodwiseInverse::set_exchange(const NodeVectors& position, int part) {
  const auto rows = static_cast<std::size_t>(3 * parts_);
  const Rod& rod = rod_of(part);
  const double eps = rod.filament.regularizations.front();
  const auto samples_of = [](const Rod& of, int own, std::vector<int>& nodes) {
    const int begin = of.part_begin(own);
    const int size = of.part_begin(own + 1) - begin;
    const int samples = std::min(size, most_samples);
    nodes.resize(static_cast<std::size_t>(samples));
    for (int i = 0; i < samples; ++i)
      nodes[static_cast<std::size_t>(i)] = of.first + begin + (2 * i + 1) * size / (2 * samples);
  };
  std::vector<int> sources;
  std::vector<int> targets;
  samples_of(rod, part - rod.first_part, sources);
  float* const columns = exchange_.data() + 3 * rows * static_cast<std::size_t>(part);
  std::fill(columns, columns + 3 * rows, 0.0F);
  for (const Rod& other : rods_) {
    if (&other == &rod) continue;
    for (int own = 0; own < other.parts; ++own) {
      samples_of(other, own, targets);
      double sum[3][3] = {};
      for (const int target : targets) {
        const Vec3 at = position.at(target);
        for (const int source : sources) {
          const Vec3 v = at - position.at(source);
          const double squared = dot(v, v) + eps * eps;
          const double inverse = 1.0 / std::sqrt(squared);
          const double cube = inverse / squared;
          const double isotropic = inverse + eps * eps * cube;
          const double x[3] = {v.x, v.y, v.z};
          for (int i = 0; i < 3; ++i) {
            sum[i][i] += isotropic;
            for (int j = 0; j < 3; ++j) sum[i][j] += cube * x[i] * x[j];
          }
        }
      }
      const double share = 1.0 / static_cast<double>(sources.size() * targets.size());
      const auto row = 3 * static_cast<std::size_t>(other.first_part + own);
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t i = 0; i < 3; ++i)
          columns[j * rows + row + i] = static_cast<float>(share * sum[i][j]);
      }
    }
  }
}

/// A part's columns of I + C E, where E = U D^-1 V has a block for each rod.
void RodwiseInverse::set_coupling(int part) {
  const auto rows = static_cast<std::size_t>(3 * parts_);
  const Rod& rod = rod_of(part);
  for (int c = 0; c < 3; ++c) {
    const auto column = static_cast<std::size_t>(3 * part + c);
    float* const out = coupling_.matrix() + column * rows;
    std::fill(out, out + rows, 0.0F);
    out[column] = 1.0F;
    const float* component =
        rod.answers.data() + static_cast<std::ptrdiff_t>(3 * (part - rod.first_part) + c) * 3 * rod.nodes();
    for (int j = 0; j < 3; ++j, component += rod.nodes()) {
      for (int own = 0; own < rod.parts; ++own) {
        const float total =
            std::accumulate(component + rod.part_begin(own), component + rod.part_begin(own + 1), 0.0F);
        const float* const from =
            exchange_.data() + static_cast<std::size_t>(3 * (rod.first_part + own) + j) * rows;
        for (std::size_t i = 0; i < rows; ++i) out[i] += total * from[i];
      }
    }
  }
}

void RodwiseInverse::apply(const std::vector<double>& vector, std::vector<double>& result) const {
  const auto rows = static_cast<std::size_t>(3 * parts_);
  const auto rods = static_cast<int>(rods_.size());
  std::vector<float> sums(rows);
  std::vector<float> carried(rows);
  for_each_block(rods, [&, this](int rod) { answer_alone(vector.data(), result.data(), sums.data(), rod); });
  for (std::size_t j = 0; j < rows; ++j) {
    const float* const from = exchange_.data() + j * rows;
    for (std::size_t i = 0; i < rows; ++i) carried[i] += from[i] * sums[j];
  }
  coupling_.solve(carried);
  for_each_block(rods, [&, this](int rod) { take_carried(carried.data(), result.data(), rod); });
}

/// D^-1 vector, and its sums over the rod's parts.
void RodwiseInverse::answer_alone(const double* vector, double* result, float* sums, int index) const {
  const Rod& rod = rods_[static_cast<std::size_t>(index)];
  std::vector<float> own(static_cast<std::size_t>(3 * rod.nodes()));
  for (int c = 0; c < 3; ++c) {
    const double* const from = vector + c * pitch_ + rod.first;
    for (int i = 0; i < rod.nodes(); ++i)
      own[static_cast<std::size_t>(c * rod.nodes() + i)] = static_cast<float>(from[i]);
  }
  rod.factors.solve(own);
  for (int c = 0; c < 3; ++c) {
    const float* const component = own.data() + c * rod.nodes();
    std::copy_n(component, rod.nodes(), result + c * pitch_ + rod.first);
    for (int part = 0; part < rod.parts; ++part) {
      sums[3 * (rod.first_part + part) + c] =
          std::accumulate(component + rod.part_begin(part), component + rod.part_begin(part + 1), 0.0F);
    }
  }
}

void RodwiseInverse::take_carried(const float* carried, double* result, int index) const {
  const Rod& rod = rods_[static_cast<std::size_t>(index)];
  const float* answer = rod.answers.data();
  for (int k = 0; k < 3 * rod.parts; ++k) {
    const float by = carried[3 * rod.first_part + k];
    for (int c = 0; c < 3; ++c, answer += rod.nodes()) {
      double* const out = result + c * pitch_ + rod.first;
      for (int i = 0; i < rod.nodes(); ++i) out[i] -= by * answer[i];
    }
  }
}

const RodwiseInverse::Rod& RodwiseInverse::rod_of(int part) const {
  return rods_[static_cast<std::size_t>(rod_of_part_[static_cast<std::size_t>(part)])];
}

}  // namespace rodeo::fluid
