#include "rodeo/output/stored_ensemble.hpp"

#include <unistd.h>

#include "rodeo/output/attributes.hpp"
#include "rodeo/output/convergence_group.hpp"
#include "rodeo/output/optimize_group.hpp"
#include "rodeo/output/row_tables.hpp"
#include "rodeo/output/schema.hpp"

namespace rodeo {

namespace {

constexpr std::size_t hosts_capacity = 4096;
constexpr std::size_t writer_capacity = 256;

/// Who writes now, in words; read by whoever finds the file locked.
std::string writer_text(const Provenance& provenance) {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return "process " + std::to_string(getpid()) + " on " + host + ", started " + provenance.start_time;
}

void write_deck(hid_t file, const std::string& deck) {
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "cannot make a text type");
  hdf5_check(H5Tset_size(type.get(), deck.size() + 1), "cannot size a text type");
  hdf5_check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "cannot make a text type UTF-8");
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose, "cannot make a scalar");
  const Hdf5Handle dataset(
      H5Dcreate2(file, deck_path, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
      "cannot create /deck");
  hdf5_check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, deck.c_str()),
             "cannot write the deck");
}

void write_names(hid_t file, const char* path, const char* attribute, const std::vector<std::string>& names) {
  const Hdf5Handle dataset(H5Dopen2(file, path, H5P_DEFAULT), H5Dclose, std::string("cannot open ") + path);
  create_texts(dataset.get(), attribute, names);
}

}  // namespace

void write_new_ensemble(hid_t file, const EnsembleSchema& schema, const Provenance& provenance) {
  create_text(file, "schema", schema_name);
  create_integer(file, "schema_version", schema_version);
  create_text(file, "program_version", RODEO_VERSION);
  create_text(file, "git_revision", RODEO_GIT_REVISION);
  create_text(file, "command_line", provenance.command_line);
  create_text(file, "backend", provenance.backend);
  create_text(file, "start_time", provenance.start_time);
  create_text(file, "precision", schema.single_precision ? "float" : "double");
  create_integer(file, "frames", schema.frames);
  create_integer(file, "ranks", provenance.ranks);
  create_integer(file, "resumes", 0);
  create_fixed_text(file, "hosts", provenance.hosts, hosts_capacity);
  create_fixed_text(file, "writer", writer_text(provenance), writer_capacity);
  write_deck(file, schema.deck);
  create_row_tables(file, schema);
  if (!schema.convergence.rows.empty()) create_convergence(file, schema.convergence);
  if (schema.generations > 0) create_optimize(file, schema);
  write_names(file, "/members/parameters", "names", schema.parameter_names);
  write_names(file, "/members/observables", "names", schema.observable_names);
  write_names(file, "/members/observables", "units", schema.observable_units);
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
  return result;
}

void note_resume(hid_t file, const Provenance& provenance) {
  update_integer(file, "ranks", provenance.ranks);
  update_integer(file, "resumes", read_integer(file, "resumes") + 1);
  update_fixed_text(file, "hosts", provenance.hosts);
  update_fixed_text(file, "writer", writer_text(provenance));
}

}  // namespace rodeo
