#pragma once

namespace rodeo {

/// Ends this process, with a sentence and exit code 2, if another rank of its launch is lost: outside of the
/// time in which the master looks after ranks they wait for each other in calls that never return without
/// one. It knows of others by the file system, on whose locks of the program's own file each rank signs as it
/// starts; where it cannot know, or a launcher does not say which ranks there are, it does nothing.
class RankWatch {
 public:
  /// The watch of this process. It is never destroyed: signatures of a rank end with its process.
  static RankWatch& of_process();

  /// Signs and watches, from now on or again.
  void start();

  /// Watches no more.
  void stop();

 private:
  RankWatch();
  struct Launch;
  struct Guard;
  Guard* const guard_;
};

}  // namespace rodeo
