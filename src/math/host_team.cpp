#include "rodeo/math/host_team.hpp"

#include <climits>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rodeo {

void Meeting::sleep(unsigned round) {
  sleepers_.fetch_add(1);
  while (round_.load() == round) {
    // Comes back at once where the round has changed meanwhile. std::atomic::wait gives way several times
    // first.
    syscall(SYS_futex, &round_, FUTEX_WAIT_PRIVATE, round, nullptr, nullptr, 0);
  }
  sleepers_.fetch_sub(1);
}

void Meeting::wake() { syscall(SYS_futex, &round_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0); }

}  // namespace rodeo
