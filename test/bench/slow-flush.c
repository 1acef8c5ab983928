/*
 * Loaded before the C library. Counts the flushes to the disk and the blocks of 4 KiB they carry, in a shared file, and
 * makes each flush take longer.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { block = 4096, most_files = 1024, most_blocks = 1 << 20 };

/* What lies in the file. The delay may be changed at any time. */
struct shared {
  long flushes;
  long delay_ns;
  long blocks;
};

static volatile struct shared *shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Of each open file: which blocks are written since its last flush. */
static unsigned char *dirty[most_files];

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("SLOW_FLUSH_FILE");
  int file = path ? open(path, O_RDWR) : -1;
  if (file < 0) return;
  void *at = mmap(0, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (at != MAP_FAILED) shared = at;
  close(file);
}

/* A block that is written twice between two flushes goes to the disk once. */
static void written(int file, off_t from, size_t size) {
  if (!shared || file < 0 || file >= most_files) return;
  pthread_mutex_lock(&lock);
  if (!dirty[file]) dirty[file] = calloc(most_blocks, 1);
  for (off_t at = from / block; dirty[file] && at <= (off_t)(from + size - 1) / block && at < most_blocks; at++) {
    if (dirty[file][at]) continue;
    dirty[file][at] = 1;
    shared->blocks++;
  }
  pthread_mutex_unlock(&lock);
}

static void flushed(int file) {
  if (!shared) return;
  pthread_mutex_lock(&lock);
  shared->flushes++;
  if (file >= 0 && file < most_files && dirty[file]) {
    off_t size = lseek(file, 0, SEEK_END);
    off_t blocks = size / block + 1;
    __builtin_memset(dirty[file], 0, blocks < most_blocks ? blocks : most_blocks);
  }
  pthread_mutex_unlock(&lock);
  struct timespec wait = {shared->delay_ns / 1000000000, shared->delay_ns % 1000000000};
  if (shared->delay_ns > 0) nanosleep(&wait, 0);
}

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

int fsync(int file) {
  static int (*next)(int);
  if (!next) next = (int (*)(int))real("fsync");
  flushed(file);
  return next(file);
}

int fdatasync(int file) {
  static int (*next)(int);
  if (!next) next = (int (*)(int))real("fdatasync");
  flushed(file);
  return next(file);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t from) {
  static ssize_t (*next)(int, const void *, size_t, off_t);
  if (!next) next = (ssize_t(*)(int, const void *, size_t, off_t))real("pwrite");
  if (size > 0) written(file, from, size);
  return next(file, bytes, size, from);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off_t from) {
  static ssize_t (*next)(int, const void *, size_t, off_t);
  if (!next) next = (ssize_t(*)(int, const void *, size_t, off_t))real("pwrite64");
  if (size > 0) written(file, from, size);
  return next(file, bytes, size, from);
}
