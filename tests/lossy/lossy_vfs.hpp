#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace toa::lossy {

/// What of SQLite's calls to fail, from now on. `ignore_sync` is a disk that lies: it says that it
/// synced, and did not.
enum class Fault { none, no_space_on_write, error_on_read, error_on_sync, ignore_sync };

/// A SQLite VFS on a disk that keeps only what was synced. Writes, truncations and deletions stay
/// in this process, where all its connections see them, and reach the real file when SQLite syncs
/// it. So a process that is killed really loses them, as a machine without power does; `crash` is
/// the same within a process.
///
/// (1) What was synced is in the real file; what was not is nowhere but here.
/// (2) A new file exists at once, empty. Deletions reach the disk with the folder, which SQLite
/// syncs together with the
///     first sync of a journal or log.
/// (3) Locks and shared memory are the system's own; temporary files pass through.
///
/// Thread-safe. It must outlive the connections that use it.
class Vfs {
 public:
  /// Registers itself with SQLite under `name`.
  explicit Vfs(std::string name);
  ~Vfs();
  Vfs(const Vfs&) = delete;
  Vfs& operator=(const Vfs&) = delete;

  const std::string& name() const;

  /// Drops everything that was not synced. With a seed, an arbitrary half of the pending blocks of
  /// 4 KB reaches the disk after all, as disks do. Files that are open fail from then on; once all
  /// are closed they may be opened again.
  void crash(std::optional<std::uint64_t> seed = {});

  void set_fault(Fault fault);
  /// How often SQLite synced a file.
  std::uint64_t syncs() const;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace toa::lossy
