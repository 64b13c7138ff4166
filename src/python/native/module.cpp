#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <span>
#include <utility>

#include "rodeo/rodeo.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Points = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ReadShape = std::function<std::vector<double>(const std::string&, const std::string&)>;

/// An array of numpy that owns what was a vector.
template <class T>
nb::ndarray<nb::numpy, T> array_of(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
  auto* const kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* data) noexcept { delete static_cast<std::vector<T>*>(data); });
  return nb::ndarray<nb::numpy, T>(kept->data(), shape, owner);
}

rodeo::FileReaders readers(const ReadShape& shape) { return {.scene = {}, .shape = shape}; }

/// Asks whether Ctrl-C was pressed, and throws then.
bool goes_on() {
  const nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  return true;
}

/// Runs the points without Python's lock, which it takes ten times a second to ask whether Ctrl-C was
/// pressed.
nb::dict evaluate(const rodeo::Problem& problem, const std::vector<std::string>& keys, const Points& points,
                  rodeo::EvaluateOptions options) {
  options.proceed = [](std::size_t) { return goes_on(); };
  const std::size_t components = options.observables.size();
  rodeo::Evaluation found;
  {
    const nb::gil_scoped_release unlocked;
    found = problem.evaluate(keys, std::span(points.data(), points.size()), options);
  }
  const std::size_t members = found.members();
  nb::dict result;
  result["observables"] = array_of(std::move(found.observables), {members, components});
  result["status"] = array_of(std::move(found.status), {members});
  result["steps"] = array_of(std::move(found.steps), {members});
  result["wall_seconds"] = array_of(std::move(found.wall_seconds), {members});
  result["seeds"] = array_of(std::move(found.seeds), {members});
  result["problems"] = std::move(found.problems);
  if (options.frames) {
    nb::list frames;
    const std::vector<rodeo::FieldText> fields = problem.fields();
    for (rodeo::MemberFrames& of_member : found.frames) {
      nb::dict arrays;
      const std::size_t instants = of_member.time.size();
      arrays["time"] = array_of(std::move(of_member.time), {instants});
      for (std::size_t k = 0; k < of_member.fields.size() && instants > 0; ++k) {
        const auto width = static_cast<std::size_t>(fields[k].components);
        std::vector<double>& values = of_member.fields[k];
        const std::size_t nodes = values.size() / instants / width;
        arrays[fields[k].name.c_str()] = fields[k].of_nodes
                                             ? array_of(std::move(values), {instants, nodes, width})
                                             : array_of(std::move(values), {instants});
      }
      frames.append(arrays);
    }
    result["frames"] = frames;
  }
  return result;
}

using Mask = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Seeds = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Array>
auto span_of(const Array& array) {
  return std::span(array.data(), array.size());
}

/// All members without a mask.
std::span<const bool> span_of(const std::optional<Mask>& mask) {
  return mask ? span_of(*mask) : std::span<const bool>();
}

/// A view of an array that a simulation keeps where it is, and which keeps the simulation.
template <class T>
nb::ndarray<nb::numpy, T> view_of(nb::handle owner, std::span<T> values, std::size_t members, bool table) {
  const std::size_t width = members > 0 ? values.size() / members : 0;
  const std::size_t shape[] = {members, width};
  return nb::ndarray<nb::numpy, T>(values.data(), table ? 2 : 1, shape, owner);
}

nb::list texts_of(const std::vector<rodeo::LiveText>& texts) {
  nb::list list;
  for (const rodeo::LiveText& text : texts)
    list.append(nb::make_tuple(text.name, text.unit, text.start, text.low, text.high));
  return list;
}

void add_simulation(nb::module_& module) {
  using rodeo::Simulation;
  const auto self = [](nb::handle handle) -> Simulation& { return nb::cast<Simulation&>(handle); };
  nb::class_<Simulation>(module, "Simulation")
      .def(
          "__init__",
          [](Simulation* place, const rodeo::Problem& problem, const std::vector<std::string>& keys,
             const Points& points, std::uint32_t repeats, std::uint64_t first_candidate) {
            const nb::gil_scoped_release unlocked;
            new (place) Simulation(problem, keys, span_of(points),
                                   {.repeats = repeats, .first_candidate = first_candidate});
          },
          "problem"_a, "keys"_a, "points"_a, "repeats"_a, "first_candidate"_a)
      .def("members", &Simulation::members)
      .def("interval", &Simulation::interval)
      .def("input_texts", [](const Simulation& own) { return texts_of(own.input_texts()); })
      .def("signal_texts", [](const Simulation& own) { return texts_of(own.signal_texts()); })
      .def("inputs",
           [self](nb::handle own) { return view_of(own, self(own).inputs(), self(own).members(), true); })
      .def("signals",
           [self](nb::handle own) { return view_of(own, self(own).signals(), self(own).members(), true); })
      .def("status",
           [self](nb::handle own) { return view_of(own, self(own).status(), self(own).members(), false); })
      .def("time",
           [self](nb::handle own) { return view_of(own, self(own).time(), self(own).members(), false); })
      .def(
          "advance",
          [](Simulation& own, double seconds, const std::optional<Mask>& mask) {
            const nb::gil_scoped_release unlocked;
            own.advance(seconds, span_of(mask), goes_on);
          },
          "seconds"_a, "mask"_a.none())
      .def("save",
           [](const Simulation& own, std::size_t member) {
             const std::vector<std::byte> state = own.save(member);
             return nb::bytes(state.data(), state.size());
           })
      .def("restore",
           [](Simulation& own, std::size_t member, const nb::bytes& state) {
             own.restore(member, {reinterpret_cast<const std::byte*>(state.c_str()), state.size()});
           })
      .def("clone", &Simulation::clone, "member"_a, "copies"_a)
      .def(
          "reset",
          [](Simulation& own, const std::optional<Mask>& mask, const Points& points, const Seeds& seeds,
             const Points& inputs) {
            const nb::gil_scoped_release unlocked;
            own.reset(span_of(mask), span_of(points), span_of(seeds), span_of(inputs));
          },
          "mask"_a.none(), "points"_a, "seeds"_a, "inputs"_a)
      .def("field",
           [](const Simulation& own, std::size_t member, const std::string& name) {
             std::vector<double> values = own.field(member, name);
             const std::size_t count = values.size();
             return array_of(std::move(values), {count});
           })
      .def("observables",
           [](const Simulation& own, std::size_t member) {
             std::vector<double> values = own.observables(member);
             const std::size_t count = values.size();
             return array_of(std::move(values), {count});
           })
      .def("rod_nodes", &Simulation::rod_nodes)
      .def("problem", &Simulation::problem)
      .def("seed", &Simulation::seed);
}

}  // namespace

NB_MODULE(_native, module) {
  nb::exception<rodeo::Error>(module, "NativeError");
  module.def("version", [] { return std::string(rodeo::version()); });
  module.def("revision", [] { return std::string(rodeo::revision()); });
  module.def("initialize", &rodeo::initialize, "threads"_a = 0);

  nb::class_<rodeo::Problem>(module, "Problem")
      .def_static(
          "read",
          [](const std::string& path, const std::vector<std::string>& overrides, const ReadShape& shape) {
            return rodeo::Problem::read(path, overrides, readers(shape));
          },
          "path"_a, "overrides"_a, "read_shape"_a)
      .def_static(
          "parse",
          [](const std::string& text, const std::string& name, const std::vector<std::string>& overrides,
             const ReadShape& shape) { return rodeo::Problem::parse(text, name, overrides, readers(shape)); },
          "text"_a, "name"_a, "overrides"_a, "read_shape"_a)
      .def("check", &rodeo::Problem::check)
      .def("text", &rodeo::Problem::text)
      .def("observables",
           [](const rodeo::Problem& problem) {
             std::vector<std::pair<std::string, std::string>> names;
             for (rodeo::ObservableText& text : problem.observables()) {
               names.emplace_back(std::move(text.name), std::move(text.unit));
             }
             return names;
           })
      .def(
          "evaluate",
          [](const rodeo::Problem& problem, const std::vector<std::string>& keys, const Points& points,
             std::vector<std::string> observables, std::uint32_t repeats, std::uint64_t first_candidate,
             bool frames) {
            return evaluate(problem, keys, points,
                            {.observables = std::move(observables),
                             .repeats = repeats,
                             .first_candidate = first_candidate,
                             .frames = frames});
          },
          "keys"_a, "points"_a, "observables"_a, "repeats"_a, "first_candidate"_a, "frames"_a);
  add_simulation(module);
}
