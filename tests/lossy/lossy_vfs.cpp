#include "lossy/lossy_vfs.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <sqlite3.h>
#include <utility>
#include <vector>

#include "lossy/pending_file.hpp"

namespace toa::lossy {

struct File;

struct Vfs::State {
  std::string name;
  sqlite3_vfs vfs{};
  sqlite3_vfs* system = nullptr;

  std::mutex mutex;
  std::map<std::string, std::shared_ptr<PendingFile>> files;
  /// Deleted, but not on the disk yet.
  std::set<std::string> deleted;
  std::vector<File*> open;
  Fault fault = Fault::none;
  std::uint64_t syncs = 0;
  /// Grows with every crash; files opened before it fail.
  std::uint64_t lives = 0;
};

/// What SQLite calls a file: its methods, ours, and behind it in the same memory the system's own.
struct File : sqlite3_file {
  Vfs::State* state = nullptr;
  sqlite3_file* disk = nullptr;
  std::string path;
  /// Shared by all that have the path open; none for a temporary file. Shared, because the last may
  /// close in any order.
  std::shared_ptr<PendingFile> pending;
  std::uint64_t life = 0;
  /// SQLite syncs the folder of a log or journal together with its first sync.
  bool sync_folder = false;

  bool dead() const { return life != state->lives; }
};

namespace {

File& of(sqlite3_file* file) {
  return *static_cast<File*>(file);
}
Vfs::State& of(sqlite3_vfs* vfs) {
  return *static_cast<Vfs::State*>(vfs->pAppData);
}

std::size_t head_size() {
  return (sizeof(File) + 15) / 16 * 16;
}

std::span<std::byte> bytes(void* data, int size) {
  return {static_cast<std::byte*>(data), static_cast<std::size_t>(size)};
}

int close(sqlite3_file* base) {
  auto& file = of(base);
  const std::lock_guard lock(file.state->mutex);
  const int code = file.disk->pMethods->xClose(file.disk);
  std::erase(file.state->open, &file);
  std::destroy_at(&file);
  return code;
}

int read(sqlite3_file* base, void* out, int size, sqlite3_int64 offset) {
  auto& file = of(base);
  if (!file.pending) return file.disk->pMethods->xRead(file.disk, out, size, offset);
  const std::lock_guard lock(file.state->mutex);
  if (file.dead() || file.state->fault == Fault::error_on_read) return SQLITE_IOERR_READ;
  return file.pending->read(file.disk, bytes(out, size), offset);
}

int write(sqlite3_file* base, const void* in, int size, sqlite3_int64 offset) {
  auto& file = of(base);
  if (!file.pending) return file.disk->pMethods->xWrite(file.disk, in, size, offset);
  const std::lock_guard lock(file.state->mutex);
  if (file.dead()) return SQLITE_IOERR_WRITE;
  if (file.state->fault == Fault::no_space_on_write) return SQLITE_FULL;
  const std::span data(static_cast<const std::byte*>(in), static_cast<std::size_t>(size));
  return file.pending->write(file.disk, data, offset);
}

int truncate(sqlite3_file* base, sqlite3_int64 size) {
  auto& file = of(base);
  if (!file.pending) return file.disk->pMethods->xTruncate(file.disk, size);
  const std::lock_guard lock(file.state->mutex);
  if (file.dead()) return SQLITE_IOERR_TRUNCATE;
  file.pending->truncate(size);
  return SQLITE_OK;
}

/// Brings deletions to the disk: a folder's entries are synced together, those of other files too.
void sync_folder(Vfs::State& state, const std::string& path) {
  const auto folder = path.substr(0, path.rfind('/') + 1);
  std::erase_if(state.deleted, [&](const std::string& deleted) {
    if (deleted.substr(0, deleted.rfind('/') + 1) != folder) return false;
    state.system->xDelete(state.system, deleted.c_str(), 0);
    state.files.erase(deleted);
    return true;
  });
}

int sync(sqlite3_file* base, int) {
  auto& file = of(base);
  if (!file.pending) return SQLITE_OK;
  const std::lock_guard lock(file.state->mutex);
  if (file.dead() || file.state->fault == Fault::error_on_sync) return SQLITE_IOERR_FSYNC;
  if (file.state->fault == Fault::ignore_sync) return SQLITE_OK;
  ++file.state->syncs;
  if (std::exchange(file.sync_folder, false)) sync_folder(*file.state, file.path);
  // The system keeps it over the death of the process, which is all that a test can bring about.
  return file.pending->sync(file.disk);
}

int file_size(sqlite3_file* base, sqlite3_int64* size) {
  auto& file = of(base);
  if (!file.pending) return file.disk->pMethods->xFileSize(file.disk, size);
  const std::lock_guard lock(file.state->mutex);
  *size = file.pending->size();
  return SQLITE_OK;
}

int lock_file(sqlite3_file* base, int level) {
  return of(base).disk->pMethods->xLock(of(base).disk, level);
}
int unlock_file(sqlite3_file* base, int level) {
  return of(base).disk->pMethods->xUnlock(of(base).disk, level);
}
int check_reserved(sqlite3_file* base, int* out) {
  return of(base).disk->pMethods->xCheckReservedLock(of(base).disk, out);
}

int control(sqlite3_file* base, int operation, void* argument) {
  // These would change the real file, or map it.
  if (operation == SQLITE_FCNTL_SIZE_HINT || operation == SQLITE_FCNTL_CHUNK_SIZE ||
      operation == SQLITE_FCNTL_MMAP_SIZE)
    return SQLITE_NOTFOUND;
  return of(base).disk->pMethods->xFileControl(of(base).disk, operation, argument);
}

int sector_size(sqlite3_file* base) {
  return of(base).disk->pMethods->xSectorSize(of(base).disk);
}
int characteristics(sqlite3_file* base) {
  return of(base).disk->pMethods->xDeviceCharacteristics(of(base).disk);
}
int shm_map(sqlite3_file* base, int page, int size, int extend, void volatile** out) {
  return of(base).disk->pMethods->xShmMap(of(base).disk, page, size, extend, out);
}
int shm_lock(sqlite3_file* base, int offset, int n, int flags) {
  return of(base).disk->pMethods->xShmLock(of(base).disk, offset, n, flags);
}
void shm_barrier(sqlite3_file* base) {
  of(base).disk->pMethods->xShmBarrier(of(base).disk);
}
int shm_unmap(sqlite3_file* base, int erase) {
  return of(base).disk->pMethods->xShmUnmap(of(base).disk, erase);
}

/// Version 2: without the methods that map the file.
const sqlite3_io_methods methods = {2,
                                    close,
                                    read,
                                    write,
                                    truncate,
                                    sync,
                                    file_size,
                                    lock_file,
                                    unlock_file,
                                    check_reserved,
                                    control,
                                    sector_size,
                                    characteristics,
                                    shm_map,
                                    shm_lock,
                                    shm_barrier,
                                    shm_unmap,
                                    nullptr,
                                    nullptr};

bool dead_files_are_open(const Vfs::State& state) {
  return std::ranges::any_of(state.open, [](const File* file) { return file->dead(); });
}

std::shared_ptr<PendingFile> pending_file(Vfs::State& state, const std::string& path,
                                          sqlite3_file* disk) {
  auto& known = state.files[path];
  if (known) return known;
  sqlite3_int64 size = 0;
  disk->pMethods->xFileSize(disk, &size);
  return known = std::make_shared<PendingFile>(size);
}

int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* base, int flags, int* out_flags) {
  auto& state = of(vfs);
  const std::lock_guard lock(state.mutex);
  base->pMethods = nullptr;
  if (dead_files_are_open(state)) return SQLITE_CANTOPEN;
  constexpr int kept = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL;
  const bool temporary = !name || !(flags & kept);
  if (!temporary && state.deleted.contains(name) && !(flags & SQLITE_OPEN_CREATE))
    return SQLITE_CANTOPEN;

  auto* file = ::new (static_cast<void*>(base)) File;
  auto* memory = reinterpret_cast<std::byte*>(base) + head_size();
  file->pMethods = nullptr;
  file->state = &state;
  file->disk = reinterpret_cast<sqlite3_file*>(memory);
  const int code = state.system->xOpen(state.system, name, file->disk, flags, out_flags);
  if (code != SQLITE_OK) {
    std::destroy_at(file);
    base->pMethods = nullptr;
    return code;
  }
  file->life = state.lives;
  file->pMethods = &methods;
  if (!temporary) {
    file->path = name;
    file->pending = pending_file(state, file->path, file->disk);
    state.deleted.erase(file->path);
    file->sync_folder = (flags & SQLITE_OPEN_CREATE) && !(flags & SQLITE_OPEN_MAIN_DB);
  }
  state.open.push_back(file);
  return SQLITE_OK;
}

int erase(sqlite3_vfs* vfs, const char* name, int sync_folder) {
  auto& state = of(vfs);
  const std::lock_guard lock(state.mutex);
  if (dead_files_are_open(state)) return SQLITE_IOERR_DELETE;
  if (sync_folder) {
    state.files.erase(name);
    state.deleted.erase(name);
    return state.system->xDelete(state.system, name, sync_folder);
  }
  auto& file = state.files[name];
  if (!file) file = std::make_shared<PendingFile>(0);
  file->erase();
  state.deleted.insert(name);
  return SQLITE_OK;
}

int access(sqlite3_vfs* vfs, const char* name, int flags, int* out) {
  auto& state = of(vfs);
  const std::lock_guard lock(state.mutex);
  if (state.deleted.contains(name)) return *out = 0, SQLITE_OK;
  const int code = state.system->xAccess(state.system, name, flags, out);
  // The system takes an empty file for an absent one; here it may hold what was not synced.
  const auto found = state.files.find(name);
  if (flags == SQLITE_ACCESS_EXISTS && found != state.files.end() && found->second->size() > 0)
    *out = 1;
  return code;
}

}  // namespace

Vfs::Vfs(std::string name) : state_(std::make_unique<State>()) {
  state_->name = std::move(name);
  state_->system = sqlite3_vfs_find("unix");
  // What is not overridden (time, randomness, paths) is the system's, which keeps its own data
  // elsewhere.
  state_->vfs = *state_->system;
  state_->vfs.pNext = nullptr;
  state_->vfs.zName = state_->name.c_str();
  state_->vfs.pAppData = state_.get();
  state_->vfs.szOsFile = static_cast<int>(head_size()) + state_->system->szOsFile;
  state_->vfs.xOpen = open;
  state_->vfs.xDelete = erase;
  state_->vfs.xAccess = access;
  sqlite3_vfs_register(&state_->vfs, 0);
}

Vfs::~Vfs() {
  sqlite3_vfs_unregister(&state_->vfs);
}

const std::string& Vfs::name() const {
  return state_->name;
}

void Vfs::crash(std::optional<std::uint64_t> seed) {
  const std::lock_guard lock(state_->mutex);
  if (seed) {
    std::mt19937_64 random(*seed);
    std::map<PendingFile*, sqlite3_file*> pending;
    for (auto* file : state_->open)
      if (file->pending) pending.emplace(file->pending.get(), file->disk);
    // By path, so that a seed means the same in every run.
    for (const auto& [path, file] : state_->files)
      if (const auto found = pending.find(file.get()); found != pending.end())
        file->survive(found->second, random);
  }
  state_->files.clear();
  state_->deleted.clear();
  ++state_->lives;
}

void Vfs::set_fault(Fault fault) {
  const std::lock_guard lock(state_->mutex);
  state_->fault = fault;
}

std::uint64_t Vfs::syncs() const {
  const std::lock_guard lock(state_->mutex);
  return state_->syncs;
}

}  // namespace toa::lossy
