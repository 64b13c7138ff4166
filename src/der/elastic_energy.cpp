#include "rodeo/der/elastic_energy.hpp"

#include "hinge.hpp"
#include "node_entries.hpp"
#include "stretching.hpp"

namespace rodeo::der {

namespace {

/// The degrees of freedom around a node: the node before, the element before, the node, the element after,
/// the node after.
constexpr int local_size = 11;

Vec3 node(const double* q, int i) { return {q[4 * i], q[4 * i + 1], q[4 * i + 2]}; }

/// The element as q has it; the directors of a clamp (element -1 or n) are held. Element n of a closed rod is
/// element 0 with a frame of its own.
TurnedEdge element(const ConstRodView& rod, bool closed, const double* q, int i) {
  if (closed && i == rod.elements) return turned_edge(rod.quaternion(i), node(q, 1) - node(q, 0), q[3]);
  if (i < 0 || i == rod.elements) return TurnedEdge{};
  return turned_edge(rod.quaternion(i), node(q, i + 1) - node(q, i), q[4 * i + 3]);
}

/// The hinge at node i, between elements i - 1 and i.
HingeLaw law_at(const ConstRodView& rod, int i, CurvatureLaw law) {
  return {law::hinge_law(law::BendTwist<double>::of(rod, i - 1), law), law};
}

/// Whether a hinge is there: always between elements, and at ends whose directors are held. That of a seam is
/// at the last node.
bool has_hinge(const ConstRodView& rod, bool closed, int i) {
  const bool exists =
      rod.array(field::bend_stiffness)[i - 1] > 0.0 || rod.array(field::twist_stiffness)[i - 1] > 0.0;
  return exists && !(closed && i == 0);
}

Quaternion start_frames(const ConstRodView& rod, int i) {
  return conjugate(rod.quaternion(i - 1)) * rod.quaternion(i);
}

Stretching stretching_of(const ConstRodView& rod, int i) { return {law::ShearStretch<double>::of(rod, i)}; }

/// Takes a gradient by edges and angles to the degrees of freedom of the nodes and elements around.
void to_local(const double (&hinge)[hinge_size], double (&local)[local_size]) {
  for (int c = 0; c < 3; ++c) {
    local[c] = -hinge[c];
    local[4 + c] = hinge[c] - hinge[3 + c];
    local[8 + c] = hinge[3 + c];
  }
  local[3] = hinge[6];
  local[7] = hinge[7];
}

/// Takes a gradient by edges and angles to the degrees of freedom of the two elements, apart from each other.
void to_elements(const double (&hinge)[hinge_size], double (&elements)[2 * element_size]) {
  for (int c = 0; c < 3; ++c) {
    elements[c] = -hinge[c];
    elements[4 + c] = hinge[c];
    elements[element_size + c] = -hinge[3 + c];
    elements[element_size + 4 + c] = hinge[3 + c];
  }
  elements[3] = hinge[6];
  elements[element_size + 3] = hinge[7];
}

/// The local degrees of freedom that exist at node i.
struct LocalRange {
  int begin;
  int end;
};
LocalRange local_range(const ConstRodView& rod, int i) {
  return {i == 0 ? 4 : 0, i == rod.elements ? 7 : local_size};
}

void add_hinge_gradient(const ConstRodView& rod, int i, const double (&by_hinge)[hinge_size],
                        double* gradient) {
  double local[local_size];
  to_local(by_hinge, local);
  const LocalRange range = local_range(rod, i);
  for (int k = range.begin; k < range.end; ++k) gradient[4 * (i - 1) + k] += local[k];
}

void add_seam_gradient(const ConstRodView& rod, const double (&by_hinge)[hinge_size], double* gradient) {
  double by_elements[2 * element_size];
  to_elements(by_hinge, by_elements);
  for (int k = 0; k < element_size; ++k) {
    gradient[4 * (rod.elements - 1) + k] += by_elements[k];
    gradient[k] += by_elements[element_size + k];
  }
}

void add_hinge_hessian(const ConstRodView& rod, int i, const TurnedEdge& before, const TurnedEdge& after,
                       const RelativeFrame& r, const FrameDerivatives& d, BandedMatrix& hessian, int first) {
  double by_hinge[hinge_size][hinge_size];
  hinge_hessian(before, after, r, d, by_hinge);
  double rows[hinge_size][local_size];
  for (int k = 0; k < hinge_size; ++k) to_local(by_hinge[k], rows[k]);
  const LocalRange range = local_range(rod, i);
  for (int k = range.begin; k < range.end; ++k) {
    double column[hinge_size];
    for (int m = 0; m < hinge_size; ++m) column[m] = rows[m][k];
    double local[local_size];
    to_local(column, local);
    const int j = first + 4 * (i - 1);
    for (int m = range.begin; m < range.end; ++m) hessian.at(j + m, j + k) += local[m];
  }
}

void add_stretching_gradient(const ConstRodView& rod, int i, const TurnedEdge& edge, double* gradient) {
  const Vec3 g = stretching_of(rod, i).gradient(edge);
  const double by_edge[3] = {g.x, g.y, g.z};
  for (int c = 0; c < 3; ++c) {
    gradient[4 * i + c] -= by_edge[c];
    gradient[4 * (i + 1) + c] += by_edge[c];
  }
}

void add_stretching_hessian(const ConstRodView& rod, int i, const TurnedEdge& edge,
                            std::span<const double> tensions, BandedMatrix& hessian, int first) {
  double by_edge[3][3];
  const Stretching law = stretching_of(rod, i);
  law.hessian(edge,
              tensions.empty() ? law.tension(edge.inverse_length) : tensions[static_cast<std::size_t>(i)],
              by_edge);
  const int here = first + 4 * i;
  const int next = here + 4;
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      hessian.at(here + a, here + b) += by_edge[a][b];
      hessian.at(next + a, next + b) += by_edge[a][b];
      hessian.at(here + a, next + b) -= by_edge[a][b];
      hessian.at(next + a, here + b) -= by_edge[a][b];
    }
  }
}

/// Runs at_hinge(i, before, after, relative frame) for all hinges and at_element(i, edge) for all elements.
template <class AtHinge, class AtElement>
void for_each_part(const ConstRodView& rod, bool closed, const double* q, const AtHinge& at_hinge,
                   const AtElement& at_element) {
  TurnedEdge before;
  for (int i = 0; i <= rod.elements; ++i) {
    const TurnedEdge after = element(rod, closed, q, i);
    if (i < rod.elements) at_element(i, after);
    if (has_hinge(rod, closed, i))
      at_hinge(i, before, after, relative_frame(start_frames(rod, i), before, after));
    before = after;
  }
}

FrameDerivatives derivatives(const HingeLaw& hinge, const RelativeFrame& r) {
  FrameDerivatives d;
  hinge.add(r.value, d);
  return d;
}

}  // namespace

HingeLaws hinge_laws(const ConstRodView& rod, CurvatureLaw law, bool closed) {
  HingeLaws laws{std::vector<HingeLaw>(static_cast<std::size_t>(rod.nodes())), closed};
  for (int i = 0; i <= rod.elements; ++i) {
    if (has_hinge(rod, closed, i)) laws.at[static_cast<std::size_t>(i)] = law_at(rod, i, law);
  }
  return laws;
}

ElasticEnergy elastic_energy(const ConstRodView& rod, const HingeLaws& laws, const double* q) {
  ElasticEnergy energy;
  for_each_part(
      rod, laws.closed, q,
      [&](int i, const TurnedEdge&, const TurnedEdge&, const RelativeFrame& r) {
        const HingeLaw& hinge = laws.at[static_cast<std::size_t>(i)];
        const law::Elastic<double> elastic = hinge.at(r.value);
        energy.bending += elastic.energy_across() / hinge.region.inverse_rest_voronoi;
        energy.twisting += elastic.energy_along() / hinge.region.inverse_rest_voronoi;
      },
      [&](int i, const TurnedEdge& edge) {
        energy.stretching += stretching_of(rod, i).energy((1.0 / edge.inverse_length) * edge.tangent);
      });
  return energy;
}

void add_elastic_gradient(const ConstRodView& rod, const HingeLaws& laws, const double* q, double* gradient) {
  for_each_part(
      rod, laws.closed, q,
      [&](int i, const TurnedEdge& before, const TurnedEdge& after, const RelativeFrame& r) {
        double by_hinge[hinge_size];
        hinge_gradient(before, after, r, derivatives(laws.at[static_cast<std::size_t>(i)], r), by_hinge);
        if (laws.cross_seam(i)) {
          add_seam_gradient(rod, by_hinge, gradient);
        } else {
          add_hinge_gradient(rod, i, by_hinge, gradient);
        }
      },
      [&](int i, const TurnedEdge& edge) { add_stretching_gradient(rod, i, edge, gradient); });
}

void add_elastic_hessian(const ConstRodView& rod, const HingeLaws& laws, const double* q,
                         BandedMatrix& hessian, int first, std::span<const double> tensions) {
  for_each_part(
      rod, laws.closed, q,
      [&](int i, const TurnedEdge& before, const TurnedEdge& after, const RelativeFrame& r) {
        if (laws.cross_seam(i)) return;
        add_hinge_hessian(rod, i, before, after, r, derivatives(laws.at[static_cast<std::size_t>(i)], r),
                          hessian, first);
      },
      [&](int i, const TurnedEdge& edge) { add_stretching_hessian(rod, i, edge, tensions, hessian, first); });
}

void set_seam_hessian(const ConstRodView& rod, const HingeLaws& laws, const double* q,
                      double (&hessian)[2 * element_size][2 * element_size]) {
  const int n = rod.elements;
  const TurnedEdge before = element(rod, true, q, n - 1);
  const TurnedEdge after = element(rod, true, q, n);
  const RelativeFrame r = relative_frame(start_frames(rod, n), before, after);
  double by_hinge[hinge_size][hinge_size];
  hinge_hessian(before, after, r, derivatives(laws.at.back(), r), by_hinge);
  double rows[hinge_size][2 * element_size];
  for (int k = 0; k < hinge_size; ++k) to_elements(by_hinge[k], rows[k]);
  for (int j = 0; j < 2 * element_size; ++j) {
    double column[hinge_size];
    for (int k = 0; k < hinge_size; ++k) column[k] = rows[k][j];
    double elements[2 * element_size];
    to_elements(column, elements);
    for (int i = 0; i < 2 * element_size; ++i) hessian[i][j] = elements[i];
  }
}

void predict_tensions(const ConstRodView& rod, const double* step, double part,
                      std::vector<double>& tensions) {
  tensions.resize(static_cast<std::size_t>(rod.elements));
  for (int i = 0; i < rod.elements; ++i) {
    const Stretching law = stretching_of(rod, i);
    const Vec3 edge = rod.vec3(field::position, i + 1) - rod.vec3(field::position, i);
    const Vec3 way = get(step, i + 1) - get(step, i);
    const double length = norm(edge);
    tensions[static_cast<std::size_t>(i)] =
        law.tension(1.0 / length) + part * law.rate() * dot(edge, way) / length;
  }
}

/// Minus the derivative of a hinge's energy as the frame before it turns (body components of that frame): the
/// couple with which it turns the frame back.
Vec3 couple_before(const ConstRodView& rod, const HingeLaws& laws, int node) {
  const Quaternion r = start_frames(rod, node);
  const double value[4] = {r.w, r.x, r.y, r.z};
  RelativeFrame frame{};
  std::copy(value, value + 4, frame.value);
  const FrameDerivatives d = derivatives(laws.at[static_cast<std::size_t>(node)], frame);
  const Quaternion gradient = {d.gradient[0], d.gradient[1], d.gradient[2], d.gradient[3]};
  // r turns into (1 - 1/2 omega) r, so the derivative is -1/2 of the vector part of gradient conj(r).
  const Quaternion product = gradient * conjugate(r);
  return {0.5 * product.x, 0.5 * product.y, 0.5 * product.z};
}

Vec3 couple_after(const ConstRodView& rod, const HingeLaws& laws, int node) {
  const Directors before = directors(rod.quaternion(node - 1));
  return directors(rod.quaternion(node)).to_body(before.to_laboratory(couple_before(rod, laws, node)));
}

}  // namespace rodeo::der
