#include "stored_ensemble.hpp"

#include <algorithm>
#include <unistd.h>

#include "rodeo/processor/kernel_set.hpp"
#include "rodeo/rodeo.hpp"

#include "attributes.hpp"
#include "create_row_tables.hpp"
#include "datasets.hpp"
#include "description.hpp"
#include "layout.hpp"
#include "running_dataset.hpp"
#include "seal.hpp"
#include "study_tables.hpp"

namespace rodeo {

namespace {

constexpr std::size_t hosts_capacity = 4096;
constexpr std::size_t writer_capacity = 256;

/// Text about the present writer, for programs that find the file locked.
std::string writer_text(const Provenance& provenance) {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return "process " + std::to_string(getpid()) + " on " + host + ", started " + provenance.start_time;
}

Hdf5Handle write_deck(hid_t file, const std::string& deck) {
  const Hdf5Handle type = text_type(deck.size() + 1);
  Hdf5Handle dataset = create_dataset(file, deck_path, type.get(), {}, false);
  hdf5_check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, deck.c_str()),
             "cannot write the deck");
  return dataset;
}

}  // namespace

void write_new_ensemble(hid_t file, const EnsembleSchema& schema, const Provenance& provenance) {
  create_text(file, "schema", schema_name);
  create_integer(file, "schema_version", schema_version);
  create_text(file, "program_version", std::string(version()));
  create_text(file, "git_revision", std::string(revision()));
  create_text(file, "kernels", provenance.kernels.empty() ? std::string(kernel_set()) : provenance.kernels);
  create_text(file, "command_line", provenance.command_line);
  create_text(file, "backend", provenance.backend);
  create_text(file, "start_time", provenance.start_time);
  create_text(file, "precision", schema.single_precision ? "float" : "double");
  create_integer(file, "frames", schema.frames);
  create_integer(file, "ranks", provenance.ranks);
  create_integer(file, "resumes", 0);
  create_fixed_text(file, "hosts", provenance.hosts, hosts_capacity);
  create_fixed_text(file, "writer", writer_text(provenance), writer_capacity);
  const Hdf5Handle deck = write_deck(file, schema.deck);
  const std::vector<Hdf5Handle> open = create_row_tables(file, schema);
  create_running_note(file);
  create_tables(file, schema.tables);
  const Hdf5Handle parameters = open_dataset(file, "/members/parameters");
  create_texts(parameters.get(), "names", schema.parameter_names);
  create_texts(parameters.get(), "units", schema.parameter_units);
  const bool words = std::ranges::any_of(schema.parameter_words, [](const auto& w) { return !w.empty(); });
  if (words) create_texts(parameters.get(), "words", schema.parameter_words);
  const Hdf5Handle observables = open_dataset(file, "/members/observables");
  create_texts(observables.get(), "names", schema.observable_names);
  create_texts(observables.get(), "units", schema.observable_units);
  if (!schema.observable_definitions.empty()) {
    create_texts(observables.get(), "definitions", schema.observable_definitions);
  }
  describe_datasets(file, schema);
  seal(file);
}

Provenance read_provenance(hid_t file) {
  Provenance result;
  result.command_line = read_text(file, "command_line");
  result.backend = read_text(file, "backend");
  result.hosts = read_text(file, "hosts");
  result.start_time = read_text(file, "start_time");
  result.ranks = static_cast<int>(read_integer(file, "ranks"));
  result.resumes = static_cast<int>(read_integer(file, "resumes"));
  result.writer = read_text(file, "writer");
  result.program_version = read_text(file, "program_version");
  result.git_revision = read_text(file, "git_revision");
  if (H5Aexists(file, "kernels") > 0) result.kernels = read_text(file, "kernels");
  return result;
}

void note_resume(hid_t file, const Provenance& provenance) {
  update_integer(file, "ranks", provenance.ranks);
  update_integer(file, "resumes", read_integer(file, "resumes") + 1);
  update_fixed_text(file, "hosts", provenance.hosts);
  update_fixed_text(file, "writer", writer_text(provenance));
  write_running_note(file, {});
}

}  // namespace rodeo
