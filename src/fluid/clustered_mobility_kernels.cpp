#include <algorithm>
#include <cmath>
#include <numbers>

#include "rodeo/fluid/clustered_mobility.hpp"
#include "rodeo/math/lanes.hpp"

#include "segment_tile.hpp"

namespace rodeo::fluid {

namespace {

constexpr int most_span = 8;  ///< segments

/// Spans nearer than so many segments' lengths are integrated exactly. Gauss's rule has a relative error of
/// 24/4320 (l/r)^4 for a segment at a distance r.
constexpr double near_lengths = 6.0;

/// Clusters are grids for groups at a distance of so many half sides. Six points an axis then have a relative
/// error of some 1e-5, and less as soon as more than one side is far away.
constexpr double far_sides = 2.5;

/// Largest variation of eps^2 in a cluster, which uses the mean, over the square of the distance.
constexpr double most_contrast = 1e-6;

constexpr int points_per_segment = 2;

/// Parts of about equal size, at most so large.
template <class Body>
void for_each_part(int size, int most, const Body& body) {
  const int parts = (size + most - 1) / most;
  for (int part = 0; part < parts; ++part) {
    const int first = part * size / parts;
    body(first, (part + 1) * size / parts - first);
  }
}

double component(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

int widest_axis(const Vec3& v) {
  if (v.x >= v.y && v.x >= v.z) return 0;
  return v.y >= v.z ? 1 : 2;
}

}  // namespace

void ClusteredMobility::Box::include(const Vec3& point) {
  low = {std::min(low.x, point.x), std::min(low.y, point.y), std::min(low.z, point.z)};
  high = {std::max(high.x, point.x), std::max(high.y, point.y), std::max(high.z, point.z)};
}

void ClusteredMobility::Box::include(const Box& other) {
  include(other.low);
  include(other.high);
}

double ClusteredMobility::Box::distance_squared(const Box& other) const {
  const Vec3 gap = {std::max({low.x - other.high.x, other.low.x - high.x, 0.0}),
                    std::max({low.y - other.high.y, other.low.y - high.y, 0.0}),
                    std::max({low.z - other.high.z, other.low.z - high.z, 0.0})};
  return dot(gap, gap);
}

void ClusteredMobility::Points::resize(std::size_t size) {
  for (std::vector<float>* const list : {&x, &y, &z, &regularization, &fx, &fy, &fz}) list->resize(size);
}

ClusteredMobility::ClusteredMobility(const std::vector<Filament>& filaments) {
  for (const Filament& filament : filaments) {
    const int start = nodes_;
    first_.push_back(start);
    nodes_ += filament.nodes;
    for_each_part(filament.nodes, group_size, [&](int first, int count) {
      Group group;
      group.first = start + first;
      group.count = count;
      groups_.push_back(group);
    });
    // A span's segments have the same regularisation, as those of a tile must have.
    const std::vector<double>& eps = filament.regularizations;
    for (std::size_t begin = 0; begin < eps.size();) {
      std::size_t end = begin + 1;
      while (end < eps.size() && eps[end] == eps[begin]) ++end;
      for_each_part(static_cast<int>(end - begin), most_span, [&](int first, int count) {
        Span span;
        span.first = start + static_cast<int>(begin) + first;
        span.count = count;
        spans_.push_back(span);
      });
      begin = end;
    }
    for (const double regularization : eps) {
      StokesletSegment segment{};
      segment.regularization = regularization * regularization;
      segments_.push_back(segment);
    }
    segments_.emplace_back();  // none from a rod's last node to the next rod's first
  }
  first_.push_back(nodes_);
  pitch_ = NodeVectors::pitch_of(nodes_);
}

std::size_t ClusteredMobility::memory(std::size_t nodes) {
  constexpr std::size_t near_nodes = 375;  // and what is kept free for more
  constexpr std::size_t levels = 4;
  return nodes * (near_nodes * symmetric_size * sizeof(double) +
                  points_per_segment * (8 + 3 * grid_points * levels) * sizeof(float));
}

double ClusteredMobility::stored_share() const {
  double pairs = 0.0;
  for (const Group& group : groups_) {
    for (std::size_t k = 0; k < group.near_count; ++k)
      pairs += group.count * spans_[static_cast<std::size_t>(near_[group.near + k])].count;
  }
  return pairs / (static_cast<double>(nodes_) * nodes_);
}

void ClusteredMobility::assemble(const NodeVectors& position) {
  set_segments(first_, MobilityKind::full, position, segments_);
  set_spans(position);
  set_groups(position);
  build_tree();
  near_.clear();
  far_.clear();
  std::vector<std::vector<int>> near(groups_.size());
  std::vector<std::vector<int>> far(groups_.size());
  for_each_block(static_cast<int>(groups_.size()), [&, this](int group) {
    const auto k = static_cast<std::size_t>(group);
    find_sources(group, near[k], far[k]);
  });
  std::size_t size = 0;
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    Group& group = groups_[k];
    group.near = near_.size();
    group.near_count = near[k].size();
    group.far = far_.size();
    group.far_count = far[k].size();
    group.entries = size;
    near_.insert(near_.end(), near[k].begin(), near[k].end());
    far_.insert(far_.end(), far[k].begin(), far[k].end());
    for (const int span : near[k]) {
      size += static_cast<std::size_t>(group.blocks()) * entry_size *
              (static_cast<std::size_t>(spans_[static_cast<std::size_t>(span)].count) + 1);
    }
  }
  if (size > entries_.size()) {
    entries_ = {};
    entries_ = Kokkos::View<double*, Kokkos::HostSpace>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "near mobility"), size + size / 8);
  }
  set_grids();
  for_each_block(static_cast<int>(groups_.size()), [&, this](int group) { assemble_group(position, group); });
}

void ClusteredMobility::set_spans(const NodeVectors& position) {
  sources_.resize(spans_.size());
  int points = 0;
  for (std::size_t k = 0; k < spans_.size(); ++k) {
    Span& span = spans_[k];
    span.box = {position.at(span.first), position.at(span.first)};
    span.longest = 0.0;
    for (int i = span.first; i < span.first + span.count; ++i) {
      span.box.include(position.at(i + 1));
      span.longest = std::max(span.longest, segments_[static_cast<std::size_t>(i)].length);
    }
    sources_[k] = {span.box.middle(), points, points_per_segment * span.count};
    points += sources_[k].count;
  }
  points_.resize(static_cast<std::size_t>(points));
  constexpr double from_middle = 0.5 * std::numbers::inv_sqrt3;
  for (std::size_t k = 0; k < spans_.size(); ++k) {
    const Source& source = sources_[k];
    for (int i = 0; i < source.count; ++i) {
      const int segment = spans_[k].first + i / 2;
      const double s = 0.5 + (i % 2 == 0 ? -from_middle : from_middle);
      const Vec3 first = position.at(segment);
      const Vec3 place = first + s * (position.at(segment + 1) - first) - source.middle;
      const auto p = static_cast<std::size_t>(source.first + i);
      points_.x[p] = static_cast<float>(place.x);
      points_.y[p] = static_cast<float>(place.y);
      points_.z[p] = static_cast<float>(place.z);
      points_.regularization[p] =
          static_cast<float>(segments_[static_cast<std::size_t>(segment)].regularization);
    }
  }
}

void ClusteredMobility::set_groups(const NodeVectors& position) {
  for (std::vector<float>* const list : {&targets_.x, &targets_.y, &targets_.z})
    list->resize(groups_.size() * group_size);
  std::size_t target = 0;
  for (Group& group : groups_) {
    group.box = {position.at(group.first), position.at(group.first)};
    for (int i = 1; i < group.count; ++i) group.box.include(position.at(group.first + i));
    for (int lane = 0; lane < group_size; ++lane, ++target) {
      const int node = group.first + std::min(lane, group.count - 1);
      const Vec3 place = position.at(node) - group.box.middle();
      targets_.x[target] = static_cast<float>(place.x);
      targets_.y[target] = static_cast<float>(place.y);
      targets_.z[target] = static_cast<float>(place.z);
    }
  }
}

void ClusteredMobility::build_tree() {
  order_.resize(spans_.size());
  for (std::size_t k = 0; k < order_.size(); ++k) order_[k] = static_cast<int>(k);
  clusters_.clear();
  if (spans_.empty()) return;
  Cluster root;
  root.last = static_cast<int>(spans_.size());
  clusters_.push_back(root);
  for (std::size_t k = 0; k < clusters_.size(); ++k) split(static_cast<int>(k));
}

/// Sets the properties of a cluster by its spans, and halves it along its longest side.
void ClusteredMobility::split(int index) {
  constexpr int fewest_spans = 8;
  Cluster cluster = clusters_[static_cast<std::size_t>(index)];
  const auto span_at = [this](int k) {
    return spans_[static_cast<std::size_t>(order_[static_cast<std::size_t>(k)])];
  };
  cluster.box = span_at(cluster.first).box;
  Box middles = {cluster.box.middle(), cluster.box.middle()};
  double least = segments_[static_cast<std::size_t>(span_at(cluster.first).first)].regularization;
  double most = least;
  for (int k = cluster.first; k < cluster.last; ++k) {
    const Span& span = span_at(k);
    cluster.box.include(span.box);
    middles.include(span.box.middle());
    cluster.points += points_per_segment * span.count;
    const double eps = segments_[static_cast<std::size_t>(span.first)].regularization;
    least = std::min(least, eps);
    most = std::max(most, eps);
  }
  const Vec3 size = cluster.box.high - cluster.box.low;
  cluster.widest = 0.5 * std::max({size.x, size.y, size.z});
  cluster.contrast = most - least;
  cluster.regularization = 0.5 * (most + least);
  if (cluster.last - cluster.first > fewest_spans) {
    const int axis = widest_axis(middles.high - middles.low);
    const int half = (cluster.first + cluster.last) / 2;
    const auto before = [&, this](int a, int b) {
      const double at_a = component(spans_[static_cast<std::size_t>(a)].box.middle(), axis);
      const double at_b = component(spans_[static_cast<std::size_t>(b)].box.middle(), axis);
      return at_a < at_b || (at_a == at_b && a < b);
    };
    std::nth_element(order_.begin() + cluster.first, order_.begin() + half, order_.begin() + cluster.last,
                     before);
    cluster.children = static_cast<int>(clusters_.size());
    Cluster first;
    first.first = cluster.first;
    first.last = half;
    Cluster last;
    last.first = half;
    last.last = cluster.last;
    clusters_.push_back(first);
    clusters_.push_back(last);
  }
  clusters_[static_cast<std::size_t>(index)] = cluster;
}

/// The spans near a group, and the sources that stand for all others, in a fixed order.
void ClusteredMobility::find_sources(int index, std::vector<int>& near, std::vector<int>& far) const {
  const Group& group = groups_[static_cast<std::size_t>(index)];
  std::vector<int> open;
  if (!clusters_.empty()) open.push_back(0);
  while (!open.empty()) {
    const int k = open.back();
    open.pop_back();
    const Cluster& cluster = clusters_[static_cast<std::size_t>(k)];
    const double distance_squared = group.box.distance_squared(cluster.box);
    const double far_enough = far_sides * cluster.widest;
    if (cluster.points > cluster_points && distance_squared >= far_enough * far_enough &&
        cluster.contrast <= most_contrast * distance_squared) {
      far.push_back(static_cast<int>(spans_.size()) + k);
    } else if (cluster.children >= 0) {
      open.push_back(cluster.children + 1);
      open.push_back(cluster.children);
    } else {
      for (int i = cluster.first; i < cluster.last; ++i) {
        const int s = order_[static_cast<std::size_t>(i)];
        const Span& span = spans_[static_cast<std::size_t>(s)];
        const double reach = near_lengths * span.longest;
        (group.box.distance_squared(span.box) < reach * reach ? near : far).push_back(s);
      }
    }
  }
}

/// Gives a grid to the clusters that need one.
void ClusteredMobility::set_grids() {
  const auto spans = static_cast<int>(spans_.size());
  for (const int source : far_) {
    if (source >= spans) clusters_[static_cast<std::size_t>(source - spans)].has_grid = true;
  }
  gridded_.clear();
  sources_.resize(spans_.size() + clusters_.size());
  std::size_t points = points_.x.size();
  std::size_t weights = 0;
  for (std::size_t k = 0; k < clusters_.size(); ++k) {
    Cluster& cluster = clusters_[k];
    if (!cluster.has_grid) continue;
    gridded_.push_back(static_cast<int>(k));
    sources_[spans_.size() + k] = {cluster.box.middle(), static_cast<int>(points), cluster_points};
    points += cluster_points;
    cluster.weights = weights;
    weights += 3 * static_cast<std::size_t>(grid_points * cluster.points);
  }
  points_.resize(points);
  weights_.resize(weights);
  for_each_block(static_cast<int>(gridded_.size()),
                 [this](int k) { set_grid(gridded_[static_cast<std::size_t>(k)]); });
}

/// The polynomial that is 1 at grid point i = cos(t_i) of n and 0 at the others is, in Chebyshev polynomials,
/// (1 + 2 sum over k < n of T_k(cos t_i) T_k)/n.
void ClusteredMobility::set_grid(int index) {
  const Cluster& cluster = clusters_[static_cast<std::size_t>(index)];
  const Source& source = sources_[spans_.size() + static_cast<std::size_t>(index)];
  double nodes[grid_points];
  double polynomials[grid_points][grid_points];
  for (int i = 0; i < grid_points; ++i) {
    const double angle = std::numbers::pi * (i + 0.5) / grid_points;
    nodes[i] = std::cos(angle);
    for (int k = 0; k < grid_points; ++k)
      polynomials[k][i] = (k == 0 ? 1.0 : 2.0) * std::cos(k * angle) / grid_points;
  }
  const Vec3 size = cluster.box.high - cluster.box.low;
  // Points in a plane need a width too.
  const double least = 1e-2 * cluster.widest;
  const double half[3] = {std::max(0.5 * size.x, least), std::max(0.5 * size.y, least),
                          std::max(0.5 * size.z, least)};
  for (int i = 0; i < cluster_points; ++i) {
    const auto p = static_cast<std::size_t>(source.first + i);
    points_.x[p] = static_cast<float>(half[0] * nodes[i / (grid_points * grid_points)]);
    points_.y[p] = static_cast<float>(half[1] * nodes[i / grid_points % grid_points]);
    points_.z[p] = static_cast<float>(half[2] * nodes[i % grid_points]);
    points_.regularization[p] = static_cast<float>(cluster.regularization);
  }
  float* out = weights_.data() + cluster.weights;
  for (int k = cluster.first; k < cluster.last; ++k) {
    const Source& span = sources_[static_cast<std::size_t>(order_[static_cast<std::size_t>(k)])];
    const Vec3 shift = span.middle - source.middle;
    for (int i = span.first; i < span.first + span.count; ++i) {
      const auto p = static_cast<std::size_t>(i);
      const double place[3] = {(points_.x[p] + shift.x) / half[0], (points_.y[p] + shift.y) / half[1],
                               (points_.z[p] + shift.z) / half[2]};
      for (const double x : place) {
        double sum[grid_points];
        for (int g = 0; g < grid_points; ++g) sum[g] = polynomials[0][g] + polynomials[1][g] * x;
        double before = 1.0;
        double now = x;
        for (int n = 2; n < grid_points; ++n) {
          const double next = 2.0 * x * now - before;
          before = now;
          now = next;
          for (int g = 0; g < grid_points; ++g) sum[g] += polynomials[n][g] * now;
        }
        for (int g = 0; g < grid_points; ++g) *out++ = static_cast<float>(sum[g]);
      }
    }
  }
}

/// The entries of the spans near a group.
void ClusteredMobility::assemble_group(const NodeVectors& position, int index) {
  const Group& group = groups_[static_cast<std::size_t>(index)];
  double* out = entries_.data() + group.entries;
  for (int block = 0; block < group.blocks(); ++block) {
    double x[block_size];
    double y[block_size];
    double z[block_size];
    for (int lane = 0; lane < block_size; ++lane) {
      // The last target stands in for those beyond it.
      const int node = group.first + std::min(block * block_size + lane, group.count - 1);
      x[lane] = position.component(0)[node];
      y[lane] = position.component(1)[node];
      z[lane] = position.component(2)[node];
    }
    for (std::size_t k = 0; k < group.near_count; ++k) {
      const Span& span = spans_[static_cast<std::size_t>(near_[group.near + k])];
      std::fill(out, out + entry_size, 0.0);
      add_tile({x, y, z},
               {position.component(0) + span.first, position.component(1) + span.first,
                position.component(2) + span.first},
               segments_.data() + span.first, span.count, out);
      out += (span.count + 1) * entry_size;
    }
  }
}

void ClusteredMobility::apply(const std::vector<double>& force, std::vector<double>& velocity) {
  for_each_block(static_cast<int>(spans_.size()), [&, this](int span) { spread_span(force.data(), span); });
  for_each_block(static_cast<int>(gridded_.size()),
                 [this](int k) { spread_cluster(gridded_[static_cast<std::size_t>(k)]); });
  std::fill(velocity.begin(), velocity.end(), 0.0);
  for_each_block(static_cast<int>(groups_.size()),
                 [&, this](int group) { apply_group(force.data(), velocity.data(), group); });
}

/// Forces of a span's points.
void ClusteredMobility::spread_span(const double* force, int index) {
  const Span& span = spans_[static_cast<std::size_t>(index)];
  auto p = static_cast<std::size_t>(sources_[static_cast<std::size_t>(index)].first);
  constexpr double near_share = 0.25 * (1.0 + std::numbers::inv_sqrt3);  // half of 1 - s at the first point
  constexpr double far_share = 0.25 * (1.0 - std::numbers::inv_sqrt3);
  for (int k = span.first; k < span.first + span.count; ++k) {
    const StokesletSegment& segment = segments_[static_cast<std::size_t>(k)];
    float* const forces[3] = {points_.fx.data() + p, points_.fy.data() + p, points_.fz.data() + p};
    for (int c = 0; c < 3; ++c) {
      const double first = segment.first_weight * force[c * pitch_ + k];
      const double last = segment.last_weight * force[c * pitch_ + k + 1];
      forces[c][0] = static_cast<float>(near_share * first + far_share * last);
      forces[c][1] = static_cast<float>(far_share * first + near_share * last);
    }
    p += points_per_segment;
  }
}

/// Forces of a cluster's grid.
void ClusteredMobility::spread_cluster(int index) {
  constexpr int plane = grid_points * grid_points;
  const Cluster& cluster = clusters_[static_cast<std::size_t>(index)];
  const Source& source = sources_[spans_.size() + static_cast<std::size_t>(index)];
  float x[cluster_points] = {};
  float y[cluster_points] = {};
  float z[cluster_points] = {};
  const float* weights = weights_.data() + cluster.weights;
  for (int k = cluster.first; k < cluster.last; ++k) {
    const Source& span = sources_[static_cast<std::size_t>(order_[static_cast<std::size_t>(k)])];
    for (int i = span.first; i < span.first + span.count; ++i, weights += 3 * grid_points) {
      const auto p = static_cast<std::size_t>(i);
      float yz[plane];
      for (int g = 0; g < plane; ++g)
        yz[g] = weights[grid_points + g / grid_points] * weights[2 * grid_points + g % grid_points];
      for (int a = 0; a < grid_points; ++a) {
        const float fx = weights[a] * points_.fx[p];
        const float fy = weights[a] * points_.fy[p];
        const float fz = weights[a] * points_.fz[p];
        for (int g = 0; g < plane; ++g) {
          x[a * plane + g] += fx * yz[g];
          y[a * plane + g] += fy * yz[g];
          z[a * plane + g] += fz * yz[g];
        }
      }
    }
  }
  std::copy_n(x, cluster_points, points_.fx.data() + source.first);
  std::copy_n(y, cluster_points, points_.fy.data() + source.first);
  std::copy_n(z, cluster_points, points_.fz.data() + source.first);
}

void ClusteredMobility::apply_group(const double* force, double* velocity, int index) const {
  const Group& group = groups_[static_cast<std::size_t>(index)];
  double sum_x[group_size] = {};
  double sum_y[group_size] = {};
  double sum_z[group_size] = {};
  const double* a = entries_.data() + group.entries;
  for (int block = 0; block < group.blocks(); ++block) {
    double ux[block_size] = {};
    double uy[block_size] = {};
    double uz[block_size] = {};
    for (std::size_t k = 0; k < group.near_count; ++k) {
      const Span& span = spans_[static_cast<std::size_t>(near_[group.near + k])];
      for (int node = span.first; node <= span.first + span.count; ++node, a += entry_size) {
        const double x = force[node];
        const double y = force[pitch_ + node];
        const double z = force[2 * pitch_ + node];
        for_each_in_block([&](std::int64_t lane) {
          const double xy = a[3 * block_size + lane];
          const double xz = a[4 * block_size + lane];
          const double yz = a[5 * block_size + lane];
          ux[lane] += a[lane] * x + xy * y + xz * z;
          uy[lane] += xy * x + a[block_size + lane] * y + yz * z;
          uz[lane] += xz * x + yz * y + a[2 * block_size + lane] * z;
        });
      }
    }
    std::copy_n(ux, block_size, sum_x + block * block_size);
    std::copy_n(uy, block_size, sum_y + block * block_size);
    std::copy_n(uz, block_size, sum_z + block * block_size);
  }
  const Vec3 middle = group.box.middle();
  float tx[group_size];
  float ty[group_size];
  float tz[group_size];
  for (int lane = 0; lane < group_size; ++lane) {
    tx[lane] = targets_.x[static_cast<std::size_t>(index * group_size + lane)];
    ty[lane] = targets_.y[static_cast<std::size_t>(index * group_size + lane)];
    tz[lane] = targets_.z[static_cast<std::size_t>(index * group_size + lane)];
  }
  for (std::size_t k = 0; k < group.far_count; ++k) {
    const Source& source = sources_[static_cast<std::size_t>(far_[group.far + k])];
    const Vec3 shift = source.middle - middle;
    const auto shift_x = static_cast<float>(shift.x);
    const auto shift_y = static_cast<float>(shift.y);
    const auto shift_z = static_cast<float>(shift.z);
    float ux[group_size] = {};
    float uy[group_size] = {};
    float uz[group_size] = {};
    for (int i = source.first; i < source.first + source.count; ++i) {
      const auto p = static_cast<std::size_t>(i);
      const float px = points_.x[p] + shift_x;
      const float py = points_.y[p] + shift_y;
      const float pz = points_.z[p] + shift_z;
      const float eps = points_.regularization[p];
      const float fx = points_.fx[p];
      const float fy = points_.fy[p];
      const float fz = points_.fz[p];
#pragma GCC ivdep
#pragma GCC unroll 1
      for (int lane = 0; lane < group_size; ++lane) {
        const float x = tx[lane] - px;
        const float y = ty[lane] - py;
        const float z = tz[lane] - pz;
        const float inverse = 1.0F / std::sqrt(x * x + y * y + z * z + eps);
        const float cube = inverse * inverse * inverse;
        const float along = cube * (x * fx + y * fy + z * fz);
        const float across = inverse + eps * cube;
        ux[lane] += across * fx + along * x;
        uy[lane] += across * fy + along * y;
        uz[lane] += across * fz + along * z;
      }
    }
    for (int lane = 0; lane < group_size; ++lane) {
      sum_x[lane] += ux[lane];
      sum_y[lane] += uy[lane];
      sum_z[lane] += uz[lane];
    }
  }
  std::copy_n(sum_x, group.count, velocity + group.first);
  std::copy_n(sum_y, group.count, velocity + pitch_ + group.first);
  std::copy_n(sum_z, group.count, velocity + 2 * pitch_ + group.first);
}

}  // namespace rodeo::fluid
