#include "stop_signal.hpp"

#include <csignal>
#include <initializer_list>

namespace rodeo {

namespace {

volatile std::sig_atomic_t received = 0;

void remember(int signal) { received = signal; }

}  // namespace

void install_stop_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) {
    struct sigaction action {};
    action.sa_handler = remember;
    // USR1 may come more than once (from the batch system and the launcher); the others end the process when
    // repeated.
    action.sa_flags = SA_RESTART | (signal == SIGUSR1 ? 0 : static_cast<int>(SA_RESETHAND));
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

int stop_signal() { return received; }

}  // namespace rodeo
