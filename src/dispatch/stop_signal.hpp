#pragma once

namespace rodeo {

/// From now on SIGINT, SIGTERM and SIGUSR1 ask for a stop in good order; the second one of a kind ends the
/// process at once.
void install_stop_signals();

/// The signal that asked for a stop, or 0.
int stop_signal();

}  // namespace rodeo
