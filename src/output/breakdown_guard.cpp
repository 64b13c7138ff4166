#include "breakdown_guard.hpp"

#include <cstdio>
#include <cstring>
#include <unistd.h>

#include "rodeo/input/number_text.hpp"

namespace rodeo {

namespace {

constexpr int bad_input = 1;
constexpr std::size_t stack_bytes = 65536;

/// Message of the handler; composed beforehand, since a handler may do next to nothing.
std::array<char, 512> sentence{};

extern "C" void end_with_sentence(int) {
  const ssize_t ignored = write(STDERR_FILENO, sentence.data(), std::strlen(sentence.data()));
  static_cast<void>(ignored);
  _exit(bad_input);
}

}  // namespace

BreakdownGuard::BreakdownGuard(const std::string& path) : stack_(stack_bytes), sentence_before_(sentence) {
  std::snprintf(sentence.data(), sentence.size(),
                "rodeo: error: %.400s is damaged: the HDF5 library broke down when it read it\n",
                printable(path).c_str());
  stack_t stack{};
  stack.ss_sp = stack_.data();
  stack.ss_size = stack_.size();
  sigaltstack(&stack, &stack_before_);
  struct sigaction action {};
  action.sa_handler = end_with_sentence;
  action.sa_flags = SA_ONSTACK;
  for (std::size_t k = 0; k < faults.size(); ++k) sigaction(faults[k], &action, &handlers_before_[k]);
}

BreakdownGuard::~BreakdownGuard() {
  for (std::size_t k = 0; k < faults.size(); ++k) sigaction(faults[k], &handlers_before_[k], nullptr);
  sigaltstack(&stack_before_, nullptr);
  sentence = sentence_before_;
}

}  // namespace rodeo
